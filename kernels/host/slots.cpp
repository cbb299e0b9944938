#include "kernels/host/slots.h"

#include "core/schedules/registry.h"
#include "core/walk/schedule.h"

namespace tilewalk {

bool keeps_m_and_l(const Problem& p) {
  return p.schedule == ScheduleKind::Standard || p.schedule == ScheduleKind::FlashV1 ||
         (is_backward(p.schedule) && p.schedule != ScheduleKind::Backward);
}

bool row_fits(const Problem& p) {
  if (p.schedule == ScheduleKind::BackwardStandard) return backward_row_fits(p);
  return p.schedule != ScheduleKind::Standard || standard_row_fits(p);
}

namespace {

void add_trace(const Problem& p, bool state, const VisitPlan& plan, std::vector<SlotSize>& out) {
  const std::int64_t visits = plan.per_head * p.shape.batch * p.shape.heads, br = trace_rows(p), bc = trace_cols(p);
  const std::int64_t rows = visits * br * 4, q_tile = visits * br * p.shape.d * 4,
                     kv_tile = visits * bc * p.shape.d * 4, scores = visits * br * bc * 4;
  out.push_back({Slot::Visits, std::int64_t(plan.before.size()) * 8});
  if (!state) {
    out.push_back({Slot::Hashes, visits * 8});
  } else if (is_backward(p.schedule)) {
    if (p.schedule != ScheduleKind::BackwardStandard) out.push_back({Slot::TraceS, scores});
    for (Slot each : {Slot::TraceP, Slot::TraceDP, Slot::TraceDS}) out.push_back({each, scores});
    out.push_back({Slot::TraceDQ, q_tile});
    for (Slot each : {Slot::TraceDK, Slot::TraceDV}) out.push_back({each, kv_tile});
  } else {
    for (Slot each : {Slot::TraceM, Slot::TraceL}) out.push_back({each, rows});
    if (p.schedule != ScheduleKind::Standard) out.push_back({Slot::TraceAlpha, rows});
    for (Slot each : {Slot::TraceS, Slot::TraceP}) out.push_back({each, scores});
    out.push_back({Slot::TraceO, q_tile});
  }
}

}  // namespace

std::vector<SlotSize> slots_of(const Problem& p, std::optional<TraceDetail> detail, const VisitPlan& visits) {
  const std::int64_t e = p.numerics.element_bytes(), rows = p.shape.batch * p.shape.heads * p.shape.n_q,
                     keys = p.shape.batch * p.shape.kv_heads * p.shape.n_kv;
  const bool naive_backward = p.schedule == ScheduleKind::BackwardStandard;
  std::vector<SlotSize> out = {{Slot::Q, rows * p.shape.d * e},
                               {Slot::K, keys * p.shape.d * e},
                               {Slot::V, keys * p.shape.d * e},
                               {Slot::O, rows * p.shape.d * e}};
  if (p.schedule == ScheduleKind::Standard || naive_backward) {
    out.push_back({Slot::S, rows * p.shape.n_kv * 4});
    out.push_back({Slot::P, rows * p.shape.n_kv * (naive_backward || row_fits(p) ? e : 4)});
  }
  const bool flash_v1 = p.schedule == ScheduleKind::FlashV1 || p.schedule == ScheduleKind::BackwardV1;
  if (flash_v1 && e < 4) out.push_back({Slot::OSum, rows * p.shape.d * 4});
  if (p.schedule == ScheduleKind::SplitKv) {
    out.push_back({Slot::OPartial, rows * p.tiling.splits * p.shape.d * 4});
    out.push_back({Slot::LsePartial, rows * p.tiling.splits * 4});
  }
  if (is_backward(p.schedule)) {
    for (Slot each : {Slot::dO, Slot::dQ}) out.push_back({each, rows * p.shape.d * e});
    for (Slot each : {Slot::dK, Slot::dV}) out.push_back({each, keys * p.shape.d * e});
    if (naive_backward) {
      out.push_back({Slot::dP, rows * p.shape.n_kv * 4});
      out.push_back({Slot::dS, rows * p.shape.n_kv * e});
    } else if (e < 4) {
      out.push_back({Slot::dQSum, rows * p.shape.d * 4});
    }
    if (p.schedule == ScheduleKind::Backward) out.push_back({Slot::D, rows * 4});
  }
  if (keeps_m_and_l(p)) {
    for (Slot each : {Slot::M, Slot::Sum}) out.push_back({each, rows * 4});
  } else {
    out.push_back({Slot::Lse, rows * 4});
  }
  if (detail) add_trace(p, *detail == TraceDetail::State, visits, out);
  return out;
}

}  // namespace tilewalk
