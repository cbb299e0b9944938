// The buffers of a run in device memory: which ones a problem needs, the size of each, and its name in messages. A
// kernel's arguments are found by slot (kernel_table.h), never by name. Pure arithmetic; device_buffers.h has the
// memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/problem/problem.h"
#include "kernels/host/launch_plan.h"
#include "kernels/host/slot.h"
#include "trace/trace.h"

namespace tilewalk {

struct SlotSize {
  Slot slot{};
  std::int64_t bytes = 0;
};

// In the order in which messages list them.
std::vector<SlotSize> slots_of(const Problem&, std::optional<TraceDetail>, const VisitPlan&);

// True if the kernel writes m and l to HBM but not L: L is then computed from them.
bool keeps_m_and_l(const Problem&);
// standard: whether a whole row of S fits on chip; backward_standard: of P and dP. Other schedules keep no rows.
bool row_fits(const Problem&);

}  // namespace tilewalk
