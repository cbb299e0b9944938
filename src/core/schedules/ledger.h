// The ledger of phases: for each kind of softmax and each phase, what the phase makes, from what, and by which formula.
// By hand, prints, hints, formulas on screen, the checker and the laws in tests/property read these rows. A schedule
// that differs in some phases lists its own rows first (ScheduleWalk::own_phases). Phases that only move tiles between
// HBM and SRAM have no row: Schedule::cost_of says what they move.
// Source: arXiv 2205.14135, Algorithm 1 (PerTile, FromMaxSum); 2307.08691, Algorithms 1 and 2 (Online, FromL).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/problem/problem.h"
#include "core/values/quantity.h"
#include "core/walk/step.h"

namespace tilewalk {

class Schedule;
struct ScheduleRow;

// Where a row's weights come from.
enum class SoftmaxKind {
  WholeRows,   // max and sum of whole rows, before any product with V
  Online,      // a running max and sum; O is divided once, at the end
  PerTile,     // the tile's own, joined to the running ones; O is divided at every visit
  FromL,       // made again from L of the forward pass
  FromMaxSum,  // made again from m and l of the forward pass; D anew at every visit
  Stored,      // read from HBM, where the forward pass left P
};

// What a phase reads: a number of the walk, or an input tile.
struct MadeFrom {
  std::optional<Quantity> quantity;  // empty: an input
  TensorId input{};
  bool before = false;  // the quantity as it was before the current visit

  MadeFrom(Quantity of) : quantity(of) {}
  MadeFrom(TensorId of) : input(of) {}
};
MadeFrom before(Quantity);

// One quantity that a phase makes.
struct Made {
  Quantity quantity{};
  std::vector<MadeFrom> from{};  // empty: set to a constant, or read from HBM
  // Right of the equals sign; null: the phase copies or rounds it. {b} is e or 2, {log} ln or log₂, {old} and {new}
  // tell a running value before the visit from the one after it, {E} is the undivided P, {scale}, {factor} and
  // {threshold} come from the problem.
  const char* formula = nullptr;
  const char* letter = nullptr;        // null: the quantity's own
  const char* print_letter = nullptr;  // on a print, where an undivided P has its own letter; null: the same
  const char* start = nullptr;         // a phrase: the value before the first visit
  const char* note = nullptr;          // a sentence that helps whoever works it out by hand
  bool asked = true;                   // by hand
  bool printed = true;                 // on a worksheet
  bool given = false;                  // read from HBM, where the forward pass left it
  bool result = false;                 // as it leaves the walk, rounded to the dtype where that has 16 bits

  bool is_fresh() const { return from.empty() && !given; }  // set to its first value
  // Masked, scaled, rounded or stored: it has no other source than itself.
  bool is_of_itself() const { return from.size() == 1 && from.front().quantity == quantity; }
  bool reads(Quantity) const;         // its value in the current visit
  bool reads_before(Quantity) const;  // as it was before it
  // What an exponential subtracts from the score: m, the tile's max or L. Empty where it reads none of them.
  std::optional<Quantity> subtrahend() const;
};

// Rows that several ledgers have in common.
Made fresh(Quantity);
Made tile_max(bool asked);  // of a row of S in the current tile
Made running_max();         // of m and tile max

struct PhaseRow {
  Phase phase{};
  std::vector<Made> makes{};             // in the order in which they are made
  std::optional<SectionName> section{};  // empty: in every section
};
using PhaseLedger = std::vector<PhaseRow>;

// What a phase of a schedule makes; empty where it only moves tiles.
const std::vector<Made>& made_by(const ScheduleRow&, SectionName, Phase);
// True if the step makes something of an input.
bool reads_input(const ScheduleRow&, const Step&, TensorId);
// The row of one quantity; null where the phase does not make it.
const Made* made_by(const ScheduleRow&, const Step&, Quantity);

// True if a phase computes the quantity: it is not only set to a first value, nor only read from HBM.
bool makes(const ScheduleRow&, Quantity);
// True if a phase computes the quantity from its value before the current visit: a sum or a max that runs along a row.
bool runs(const ScheduleRow&, Quantity);
// True if the forward pass left the quantity in HBM, and a phase reads it there.
bool is_given(const ScheduleRow&, Quantity);
// The row that computes the quantity last; null where none does. For P it is the one whose values meet V.
const Made* last_made(const ScheduleRow&, Quantity);
bool has_input(const ScheduleRow&, TensorId);          // a phase reads it from HBM as it was given
std::vector<TensorId> inputs_of(const ScheduleRow&);   // those that its phases read: Q, K, V, and dO in a backward pass
std::vector<Quantity> results_of(const ScheduleRow&);  // those that leave the walk, in the order of the enumerators

struct MadeAt {
  int section = 0;
  bool in_visit = false;  // else before the first or after the last visit of a group
  Phase phase{};
  const Made* made = nullptr;
};
// Every phase of a schedule that makes the quantity, in the order of its plan.
std::vector<MadeAt> phases_that_make(const Schedule&, Quantity);
// True if the step, or an earlier one of its visit (outside visits: of its group's edge), computed the quantity.
bool has_made(const Schedule&, const Step&, Quantity);

// Screen: "m old" and "m new" for a running value; Print: "m before" and "m".
enum class Notation { Screen, Print };
std::string letter_of(const Made&, Notation);
// "α = e^(m old − m new)"; on a print with the value before the first visit. Empty where the phase has no formula.
std::string formula_of(const Problem&, const Made&, Notation);
std::string right_side_of(const Problem&, const Made&, Notation);  // the same without "α = "

}  // namespace tilewalk
