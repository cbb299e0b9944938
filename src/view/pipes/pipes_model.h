// Two walks, one pipe: the bytes of both sides of a comparison on their way between HBM and SRAM. A pipe is one tensor,
// in one direction, of one pass. Widths are proportional to the bytes that it moves for each tile visit of its
// schedule, areas in HBM to the bytes of the tensor. All figures come from the schedules' counters
// (Schedule::totals_before). Not modelled: caches, and when within a step its bytes move.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/walk/schedule.h"
#include "session/command/command.h"
#include "view/pipes/pipes_time.h"
#include "view/walk/memory_model.h"

namespace tilewalk {

enum class PipeState { ToCome, Now, Done };

struct Pipe {
  TensorId tensor = TensorId::Q;
  bool write = false;  // to HBM
  int section = 0;
  PipeState state = PipeState::ToCome;
  std::int64_t bytes = 0, so_far = 0;  // of the run
  double visit_bytes = 0;              // bytes for each tile visit of the schedule: its width
  std::string label = {};              // "pass 2, read"; with one pass: "read"
  std::string amount = {};             // "32.0 of 64.0 MiB"
  std::string number = {};             // of the bytes that have crossed, else of all, in the unit of PipesModel: "0.03"
  std::string times = {};              // "128 × 256 KiB": the whole tensor is read so often; empty: once
};

struct PipeArea {  // a tensor in HBM
  TensorId tensor = TensorId::Q;
  std::int64_t bytes = 0;
  double filled = 0;                  // share that HBM holds by now
  bool exists = false;                // false: this side never writes it
  std::optional<TensorId> over = {};  // it replaces that tensor in its memory, and so has no area of its own
  std::string name = {};              // "S"; "S, then P" where P is over it
  std::string text = {};              // "64.0 MiB"
  std::string note = {};              // "whole", "16.0 of 32.0 MiB", "never written"
  std::string brief = {};             // the same in a narrow area: "whole", "50 %", "later"
};

enum class PipeCell { ToDo, Done, Skipped };

struct PipeMatrix {  // of scores, sampled; of the head and the pass at the cursor
  int rows = 0, cols = 0;
  std::vector<PipeCell> cells;
  std::optional<TensorId> done, before;  // the matrix that this pass writes, and the one that earlier passes wrote
  std::string done_words = {}, to_do_words = {};  // "S is in HBM", "to come"
  std::string caption = {};                       // "All 8,192 × 8,192 scores of one head:"; the legend follows
};

struct PipePass {
  std::string label;                     // "pass 2: softmax"; empty with one pass
  std::int64_t first_byte = 0, end = 0;  // of the run
  double begin = 0;                      // on the side's axis
};

struct PipeSide {
  std::string title;    // "Naive"
  std::string heading;  // "Naive · pass 2 of 3: softmax"
  std::int64_t cursor = 0, steps = 0;
  std::int64_t bytes = 0, of_bytes = 0;  // moved so far, and in the whole run
  std::string share;                     // of the whole run: "13 %", "finished"
  std::string moved;                     // "144 MiB"
  std::string of;                        // "of 257 MiB", "in all, read and written", and the tiles that these depend on
  std::string place;                     // "step 16,640 of 25,088", "finished"
  std::vector<PipeArea> areas;           // the same tensors on both sides, in the same order
  std::vector<Pipe> pipes;               // in the order of areas, then of passes
  std::vector<PipePass> passes;
  double at = 0, of_axis = 0;  // the walk on the common axis: bytes, or milliseconds where the two are in step by time
  PipeMatrix matrix;
  std::vector<MemoryResident> on_chip;  // while the last step ran; empty: before the first
  std::string sram_of;                  // "batch 0, head 21, one of 32, ", before the title
  std::string sram_title, sram_text;
  std::string counted;  // which bytes these are, and how many of them reach DRAM by the model
};

struct PipeStill {    // a state that is worth a look, one click away
  std::string label;  // "FA-2 at its end"
  std::string tip;
  std::vector<Command> commands;
};

struct PipesModel {
  PipeSide sides[2];  // pinned, now
  int left = 0;  // the side drawn at the left: naive, also where it is the one that is stepped; else the pinned one
  std::vector<PipeStill> stills;
  std::int64_t dot_bytes = 1;
  std::string dot_text;  // "a dot is 4.00 KiB"
  std::string unit;      // of the largest pipe: "GiB"
  int lighter = -1;      // the side that moves fewer bytes; −1: both as many
  std::string ratio;     // "7.7×"
  std::string ratio_words, ratio_detail;
  std::string ratio_reason;  // all of the difference, tensor by tensor
  std::string clock;         // "8.13 GiB have crossed on each side"; empty where the two have moved different amounts
  bool by_time = false;
  std::string time_text, time_detail;  // "Naive 0.54 ms, FA-2 0.12 ms, recorded on an H200"; empty unless by time
};

// With times the two are in step by these (view/pipes/pipes_time), and the cursor of the pinned side is where its time
// has come to.
PipesModel build_pipes_model(const Schedule& pinned, std::int64_t pinned_cursor, const Schedule& now,
                             std::int64_t cursor, const std::optional<CallTimes>& = {});

}  // namespace tilewalk
