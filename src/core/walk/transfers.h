// The transfers that make up a figure of global traffic: every kind of transfer of a run, by launch, phase, tensor and
// direction, with how often it happens, how many bytes it moves in all, and the first step that does it. Closed forms,
// O(tiles per side). The sum over transfers equals the schedule's totals.
#pragma once

#include <vector>

#include "core/walk/schedule.h"

namespace tilewalk {

struct Transfer {
  int section = 0;
  Phase phase{};
  TensorId tensor = TensorId::Q;
  bool write = false;
  std::int64_t bytes = 0;       // over the whole run
  std::int64_t times = 0;       // steps that do it
  std::int64_t first_step = 0;  // the first of them: the target of a click
};

std::vector<Transfer> transfers_of(const Schedule&);

}  // namespace tilewalk
