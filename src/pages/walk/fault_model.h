// A mistake made on purpose, beside what is right: which numbers of the state at hand differ, and what to say of it.
// Numbers are compared as they are shown; one that differs only in digits that nobody sees is not marked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session.h"
#include "view/scores/scores_model.h"
#include "view/walk/o_tile_model.h"
#include "view/walk/softmax_model.h"

namespace tilewalk {

struct FaultModel {
  std::string title;                // "Mistake: uses this tile's max only"
  std::string about, harm, so_far;  // what is done, why it is a mistake, and what it does here
  std::int64_t first_step = -1;     // where it shows first, once the check has found it
  std::vector<float> right_o;       // of the output tile at hand, rows x d; empty where nothing differs there
};

// Nothing where no mistake is made.
std::optional<FaultModel> build_fault_model(const Session&);

// Marks what differs from `right`, the state at the same cursor without the mistake.
void mark_wrong(SoftmaxModel&, const SoftmaxModel& right);
void mark_wrong(ScoresModel&, const State&, const State& right);

}  // namespace tilewalk
