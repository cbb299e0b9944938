#include "kernels/host/slots.h"

#include "core/schedules/registry.h"
#include "core/schedules/row_fits.h"

namespace tilewalk {

bool keeps_m_and_l(const Problem& p) {
  const SoftmaxKind softmax = row_of(p).walk.softmax;
  return softmax != SoftmaxKind::Online && softmax != SoftmaxKind::FromL;
}

bool row_fits(const Problem& p) {
  const SoftmaxKind softmax = row_of(p).walk.softmax;
  if (softmax == SoftmaxKind::Stored) return backward_row_fits(p);
  return softmax != SoftmaxKind::WholeRows || standard_row_fits(p);
}

namespace {

void add_trace(const Problem& p, bool state, const VisitPlan& plan, std::vector<SlotSize>& out) {
  const std::int64_t visits = plan.per_head * p.shape.batch * p.shape.heads, br = trace_rows(p), bc = trace_cols(p);
  const std::int64_t rows = visits * br * 4, q_tile = visits * br * p.shape.d * 4,
                     kv_tile = visits * bc * p.shape.d * 4, scores = visits * br * bc * 4;
  const ScheduleRow& row = row_of(p);
  out.push_back({Slot::Visits, std::int64_t(plan.before.size()) * 8});
  if (!state) {
    out.push_back({Slot::Hashes, visits * 8});
  } else if (row.family.backward) {
    if (makes(row, Quantity::S)) out.push_back({Slot::TraceS, scores});
    for (Slot each : {Slot::TraceP, Slot::TraceDP, Slot::TraceDS}) out.push_back({each, scores});
    out.push_back({Slot::TraceDQ, q_tile});
    for (Slot each : {Slot::TraceDK, Slot::TraceDV}) out.push_back({each, kv_tile});
  } else {
    for (Slot each : {Slot::TraceM, Slot::TraceL}) out.push_back({each, rows});
    if (makes(row, Quantity::Alpha)) out.push_back({Slot::TraceAlpha, rows});
    for (Slot each : {Slot::TraceS, Slot::TraceP}) out.push_back({each, scores});
    out.push_back({Slot::TraceO, q_tile});
  }
}

}  // namespace

std::vector<SlotSize> slots_of(const Problem& p, std::optional<TraceDetail> detail, const VisitPlan& visits) {
  const std::int64_t e = p.numerics.element_bytes(), rows = p.shape.batch * p.shape.heads * p.shape.n_q,
                     keys = p.shape.batch * p.shape.kv_heads * p.shape.n_kv;
  const ScheduleRow& row = row_of(p);
  const SoftmaxKind softmax = row.walk.softmax;
  const bool scores_in_hbm = row.memory.scores_in_hbm;
  std::vector<SlotSize> out = {{Slot::Q, rows * p.shape.d * e},
                               {Slot::K, keys * p.shape.d * e},
                               {Slot::V, keys * p.shape.d * e},
                               {Slot::O, rows * p.shape.d * e}};
  if (scores_in_hbm) {
    out.push_back({Slot::S, rows * p.shape.n_kv * p.numerics.score_bytes()});
    out.push_back({Slot::P, rows * p.shape.n_kv * (row.family.backward || row_fits(p) ? e : 4)});
  }
  const bool o_travels = softmax == SoftmaxKind::PerTile || softmax == SoftmaxKind::FromMaxSum;
  if (o_travels && e < 4) out.push_back({Slot::OSum, rows * p.shape.d * 4});
  if (row.walk.block == BlockKind::Split) {
    out.push_back({Slot::OPartial, rows * p.tiling.splits * p.shape.d * 4});
    out.push_back({Slot::LsePartial, rows * p.tiling.splits * 4});
  }
  if (row.family.backward) {
    for (Slot each : {Slot::dO, Slot::dQ}) out.push_back({each, rows * p.shape.d * e});
    for (Slot each : {Slot::dK, Slot::dV}) out.push_back({each, keys * p.shape.d * e});
    if (scores_in_hbm) {
      out.push_back({Slot::dP, rows * p.shape.n_kv * 4});
      out.push_back({Slot::dS, rows * p.shape.n_kv * e});
    } else if (e < 4) {
      out.push_back({Slot::dQSum, rows * p.shape.d * 4});
    }
    if (softmax == SoftmaxKind::FromL) out.push_back({Slot::D, rows * 4});
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
