// A deliberate mistake beside the correct values: the numbers of the current state that differ, and the texts about it.
// Numbers are compared as they are printed; a difference in digits that are not printed is not marked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session.h"
#include "view/scores/scores_model.h"
#include "view/walk/o_tile_model.h"
#include "view/walk/softmax_model.h"
#include "view/walk/verify_model.h"
#include "view/walk/wrong_visits.h"

namespace tilewalk {

// A row of the output that the mistake made wrong, number by number. Differences are of the numbers as printed.
struct MistakeRow {
  std::int64_t row = 0;
  std::string title;  // "Row 9 of O"
  std::vector<std::string> wrong, right, difference;
  std::vector<double> share;  // each difference over the largest magnitude of one: −1 to 1
};

struct FaultModel {
  std::string title;                // "Mistake: uses this tile's max only"
  bool output_right = false;        // numbers differ on the way, and what leaves the kernel is right
  std::string about, harm, so_far;  // what it does, why it is a mistake, and its effect so far
  std::string count;                // "5 of 10 tile visits so far are wrong", or differ; empty where none does
  std::int64_t first_step = -1;     // the first step that differs, once the check has found it
  std::vector<float> right_o;       // of the current output tile, rows x d; empty where nothing differs
  std::vector<WrongRun> wrong;      // where it shows in the score matrix by now
  std::optional<MistakeRow> row;
};

// Of the rows with a printed difference the named one, else the first; empty where there is none, and where the output
// is too large for numbers.
std::optional<MistakeRow> build_mistake_row(const OTileModel& wrong, const std::vector<float>& right,
                                            const char* letter, std::int64_t named_row);

// Empty without a deliberate mistake.
std::optional<FaultModel> build_fault_model(const Session&);

// Says how many of the completed visits are wrong; of several heads those of the head in view, which are known.
void add_count(FaultModel&, const Problem&, const WrongVisits&, const CompletedVisits&);

// Marks the differences from `right`, the state at the same cursor without the mistake.
void mark_wrong(SoftmaxModel&, const SoftmaxModel& right);
void mark_wrong(ScoresModel&, const State&, const State& right);

}  // namespace tilewalk
