#include "core/chip/warps.h"

#include <algorithm>

#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

// Per visit: operands rows (q) + cols (k), exchange rows (x). With W warps, e bytes an element and fp32 partial
// results: SplitK reads Q W times, K and V once; writes W (max, sum, O of d) a row and reads W W maxima, W W sums and W
// d of O a row. SplitQ reads Q once, K and V W times, and exchanges nothing.
struct PerVisit {
  std::int64_t operands_per_row, operands_per_col, exchange_write_per_row, exchange_read_per_row;
};

PerVisit per_visit(WarpScheme scheme, std::int64_t d, int e, std::int64_t warps) {
  if (scheme == WarpScheme::SplitQ) return {d * e, 2 * warps * d * e, 0, 0};
  return {warps * d * e, 2 * d * e, warps * (d + 2) * 4, warps * (2 * warps + d) * 4};
}

}  // namespace

bool divides_so(ScheduleKind kind, WarpScheme scheme) {
  return has_lanes(kind) && schedule_row(kind).chip.warps_share_rows == (scheme == WarpScheme::SplitK);
}

std::optional<ScheduleKind> schedule_by(WarpScheme scheme, ScheduleKind given) {
  if (divides_so(given, scheme)) return given;
  for (const ScheduleKind kind : same_pass(given))
    if (divides_so(kind, scheme)) return kind;
  return std::nullopt;
}

WarpVisit warp_visit(WarpScheme scheme, std::int64_t rows, std::int64_t cols, std::int64_t d, int e, int warps) {
  WarpVisit out;
  const bool by_cols = scheme == WarpScheme::SplitK;
  const std::int64_t size = by_cols ? cols : rows, each = (size + warps - 1) / warps;
  for (int w = 0; w < warps; ++w) {
    const std::int64_t begin = std::min(size, w * each), end = std::min(size, begin + each);
    out.slices.push_back(by_cols ? WarpSlice{0, rows, begin, end} : WarpSlice{begin, end, 0, cols});
  }
  const PerVisit n = per_visit(scheme, d, e, warps);
  out.operands.read_bytes = n.operands_per_row * rows + n.operands_per_col * cols;
  out.exchange = {n.exchange_read_per_row * rows, n.exchange_write_per_row * rows};
  if (by_cols)
    out.barriers = {"every warp's row maxima are written before any warp takes their maximum",
                    "every warp's row sums are written before any warp adds them up",
                    "every warp's part of O is written before any warp adds the parts up",
                    "all parts of O are read before the next visit writes over them"};
  return out;
}

WarpTotals warp_totals(const Schedule& schedule, WarpScheme scheme, int warps) {
  const Problem& p = schedule.problem();
  const PerVisit n = per_visit(scheme, p.shape.d, p.numerics.element_bytes(), warps);
  std::int64_t rows = 0, cols = 0, visits = 0;  // rows and cols summed over visits
  for (std::int64_t i = 0; i < p.q_tiles(); ++i) {
    const TileRange range = schedule.visited(i);
    visits += range.count();
    rows += range.count() * p.q_tile_rows(i);
    if (range.count() > 0) cols += std::min(p.shape.n_kv, range.end * p.tiling.bc) - range.begin * p.tiling.bc;
  }
  const std::int64_t heads = p.shape.batch * p.shape.heads;
  WarpTotals out;
  out.operands.read_bytes = heads * (n.operands_per_row * rows + n.operands_per_col * cols);
  out.exchange = {heads * n.exchange_read_per_row * rows, heads * n.exchange_write_per_row * rows};
  out.barriers = heads * visits * (scheme == WarpScheme::SplitK ? 4 : 0);
  return out;
}

}  // namespace tilewalk
