// The page of the family tree as plain values: years as columns, kinds of change as lanes, one box for every member,
// lines from its parents, and the description of the chosen member. Years without a member are left out; a gap between
// two columns marks them.
#pragma once

#include <string>
#include <vector>

#include "dispatch/call.h"
#include "measured/race_times.h"
#include "pages/tree/edge_routes.h"
#include "pages/tree/tree_overlap.h"
#include "session/command/command.h"

namespace tilewalk {

struct TreeColumn {
  std::string year;
  bool after_gap = false;
};

struct TreeLane {
  std::string title, meaning;
  int row = 0, rows = 1;  // of boxes
};

// How much faster than naive attention it was in a race.
struct TreeFactor {
  double times = 0, share = 0;  // share: of the largest of all members
  std::string text;             // "2.7×"; without a recorded time the published figure, or the change
};

struct TreeBox {
  std::string name, tip;
  int column = 0, row = 0;
  bool chosen = false;
  bool kin = false;  // of the chosen one: what it is built on, back to the roots, or its child
  bool exact = true;
  bool shown_here = false;  // a tab shows its schedule
  TreeFactor factor = {};
  std::string published = {};  // "published 2 to 4× PyTorch", where it is slower than naive here
  std::string slower = {};     // "0.4× here: 64 of 132 SMs busy": why
  int loop = -1;               // of TreeModel::loops; -1: no schedule here shows it
  ChooseMember choose;
};

struct TreeLine {
  int from = 0, to = 0;  // boxes
  bool chosen = false;   // leads from the roots to the chosen one, or from it to a child
};

struct TreeFact {
  std::string title, text;
};

// In which order a schedule visits the tiles of a small problem, and which thread block does.
struct TreeOrder {
  std::string title;            // "FA-1"
  int side = 0;                 // tiles
  int blocks = 1;               // thread blocks
  std::vector<int> block = {};  // of each tile, row-major
  std::vector<int> time = {};   // its place among the visits of its thread block, from 1
};

struct TreeModel {
  EdgeRoutes edges;              // of the lines
  std::vector<TreeOrder> loops;  // of the schedules that boxes show, each once
  double naive_share = 0;        // naive's speed on the scale of the factors' shares
  std::string recorded;          // of the chosen one, with its conditions; empty: not recorded
  std::string raced;             // the call of the factors: "recorded on an H200 at N 8,192, …"
  std::vector<TreeColumn> columns;
  std::vector<TreeLane> lanes;
  int rows = 0;
  std::vector<TreeBox> boxes;
  std::vector<TreeLine> lines;
  std::string name, changes;      // of the chosen one
  std::vector<TreeFact> facts;    // the rest
  std::vector<TreeOrder> orders;  // a parent's, where it is another one, and the chosen one's
  std::string orders_note;
  double loop_t = 1;              // of the chosen one's visits that are drawn
  TreeOverlap overlap;            // of the chosen one; without rows where nothing overlaps so
  std::string show;               // "Walk FA-2"; empty: no tab shows it
  std::vector<Command> commands;  // of `show`
};

// times: recorded ones; null: none were read. The factors are those of this call, or of `usual` where naive attention
// was not recorded at it.
TreeModel build_tree_model(TreeMember chosen, const RaceTimes* times = nullptr, const Call& call = {},
                           const Call& usual = {});

}  // namespace tilewalk
