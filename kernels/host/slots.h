// The buffers of a run in device memory: which ones a problem needs, how large each is, and what messages call it. A
// kernel's arguments are found by slot (kernel_table.h), never by name. Pure arithmetic; device_buffers.h holds them.
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

// In the order in which messages add them up.
std::vector<SlotSize> slots_of(const Problem&, std::optional<TraceDetail>, const VisitPlan&);

// Where m and l leave the chip and L does not: L is made of them afterwards.
bool keeps_m_and_l(const Problem&);
// standard: whether a row of S is held whole; backward_standard: of P and dP. Others hold no rows.
bool row_fits(const Problem&);

}  // namespace tilewalk
