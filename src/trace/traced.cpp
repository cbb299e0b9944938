#include "trace/traced.h"

#include <algorithm>

#include "base/contains.h"
#include "core/schedules/registry.h"
#include "trace/gradient_hash.h"
#include "trace/state_hash.h"

namespace tilewalk {

const std::vector<TracedRow>& traced_rows() {
  using Id = TracedQuantity;
  using enum Quantity;
  static const std::vector<TracedRow> rows = {
      {Id::M, "m", M, false, "m", kStateM, &Trace::m, &VisitState::m},
      {Id::L, "l", L, false, "l", kStateL, &Trace::l, &VisitState::l},
      {Id::S, "S", S, false, "s", {}, &Trace::s, &VisitState::s},
      {Id::P, "P", P, false, "p", kGradientP, &Trace::p, &VisitState::p},
      {Id::O, "O", O, false, "o", kStateO, &Trace::o, &VisitState::o},
      {Id::Output, "O", O, true, "out", kFinalO, &Trace::out},
      {Id::Alpha, "alpha", Alpha, false, "alpha", kStateAlpha, &Trace::alpha, &VisitState::alpha},
      {Id::Lse, "L", LogSum, true, "lse", kFinalLse, &Trace::lse},
      {Id::DP, "dP", DP, false, "dp", kGradientDP, &Trace::dp, &VisitState::dp},
      {Id::DS, "dS", DS, false, "ds", kGradientDS, &Trace::ds, &VisitState::ds},
      {Id::DQ, "dQ", DQ, false, "dq", kGradientDQ, &Trace::dq, &VisitState::dq},
      {Id::DK, "dK", DK, false, "dk", kGradientDK, &Trace::dk, &VisitState::dk},
      {Id::DV, "dV", DV, false, "dv", kGradientDV, &Trace::dv, &VisitState::dv},
      {Id::FinalDQ, "dQ", DQ, true, "out_dq", kFinalDQ, &Trace::out_dq},
      {Id::FinalDK, "dK", DK, true, "out_dk", kFinalDK, &Trace::out_dk},
      {Id::FinalDV, "dV", DV, true, "out_dv", kFinalDV, &Trace::out_dv},
      {Id::VisitHash, "state hash", O},
      {Id::OutputHash, "output hash", O, true},
      {Id::GradientHash, "state hash", DK},
      {Id::QGradientHash, "gradient hash", DQ, true},
      {Id::KvGradientHash, "gradient hash", DK, true},
  };
  return rows;
}

namespace {

bool is_recorded(const ScheduleRow& row, const TracedRow& traced, const std::vector<Quantity>& results) {
  if (!traced.array) return false;
  if (traced.result) return contains(results, traced.quantity);
  const bool read_as_tile = ledger_row(traced.quantity).shape == QuantityShape::Cell && is_given(row, traced.quantity);
  return read_as_tile || makes(row, traced.quantity);
}

}  // namespace

const TracedRow& traced_row(TracedQuantity quantity) { return traced_rows()[std::size_t(quantity)]; }

std::vector<const TracedRow*> recorded_arrays(const ScheduleRow& row) {
  std::vector<const TracedRow*> out;
  const std::vector<Quantity> results = results_of(row);
  for (const TracedRow& traced : traced_rows())
    if (is_recorded(row, traced, results)) out.push_back(&traced);
  return out;
}

std::vector<const TracedRow*> hashed_arrays(const ScheduleRow& row) {
  std::vector<const TracedRow*> out;
  const bool with_cells = !makes(row, Quantity::O);
  for (const TracedRow* traced : recorded_arrays(row))
    if (traced->visit && traced->hash && (with_cells || ledger_row(traced->quantity).shape != QuantityShape::Cell))
      out.push_back(traced);
  return out;
}

const TracedRow& visit_hash(const ScheduleRow& row) {
  return traced_row(makes(row, Quantity::O) ? TracedQuantity::VisitHash : TracedQuantity::GradientHash);
}

TracedTile traced_tile(const Problem& p, QuantityShape shape) {
  const std::int64_t rows = trace_rows(p), cols = trace_cols(p);
  switch (shape) {
    case QuantityShape::Cell: return {rows, cols};
    case QuantityShape::Row: return {rows, 1};
    case QuantityShape::RowByHead: return {rows, p.shape.d};
    case QuantityShape::ColByHead: return {cols, p.shape.d};
    case QuantityShape::RowBySplit: return {rows, p.tiling.splits};
  }
  return {};
}

std::vector<std::int64_t> recorded_shape(const Problem& p, std::int64_t visits, const TracedRow& traced) {
  const QuantityShape shape = ledger_row(traced.quantity).shape;
  std::vector<std::int64_t> out;
  if (!traced.result) {
    const TracedTile tile = traced_tile(p, shape);
    out = {visits, tile.rows, tile.cols};
  } else if (shape == QuantityShape::ColByHead) {
    out = {p.shape.batch, p.shape.kv_heads, p.shape.n_kv, p.shape.d};
  } else {
    out = {p.shape.batch, p.shape.heads, p.shape.n_q, p.shape.d};
  }
  if (shape == QuantityShape::Row) out.pop_back();
  return out;
}

bool has_kv_results(const std::vector<const TracedRow*>& arrays) {
  return std::any_of(arrays.begin(), arrays.end(), [](const TracedRow* traced) {
    return traced->result && ledger_row(traced->quantity).shape == QuantityShape::ColByHead;
  });
}

}  // namespace tilewalk
