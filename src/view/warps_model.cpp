#include "view/warps_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"

namespace tilewalk {

WarpsModel build_warps_model(const Schedule& schedule, int warps) {
  const Problem& p = schedule.problem();
  const std::int64_t rows = std::min(p.br, p.n_q), cols = std::min(p.bc, p.n_kv);
  WarpsModel model;
  for (const WarpScheme scheme : {WarpScheme::SplitK, WarpScheme::SplitQ}) {
    const WarpVisit visit = warp_visit(scheme, rows, cols, p.d, p.element_bytes(), warps);
    const WarpTotals totals = warp_totals(schedule, scheme, warps);
    WarpsSide side;
    side.scheme = scheme;
    side.title = scheme == WarpScheme::SplitK ? "FA-1 · split-K: a warp has all rows and some keys" : "FA-2 · split-Q: a warp has some rows and all keys";
    for (std::size_t w = 0; w < visit.slices.size(); ++w) {
      const WarpSlice& s = visit.slices[w];
      if (s.row_begin == s.row_end || s.col_begin == s.col_end) continue;
      side.rects.push_back({int(w), double(s.col_begin) / double(cols), double(s.row_begin) / double(rows), double(s.col_end) / double(cols),
                            double(s.row_end) / double(rows), fmt::format("warp {}", w)});
    }
    const std::int64_t moved = totals.exchange.read_bytes + totals.exchange.write_bytes;
    side.exchange = visit.exchange == Traffic{} ? "nothing passes between warps"
                                                : fmt::format("{} written, {} read between warps, a visit", format_bytes(visit.exchange.write_bytes), format_bytes(visit.exchange.read_bytes));
    side.operands = fmt::format("{} of Q, K and V read from shared memory, a visit", format_bytes(visit.operands.read_bytes));
    side.barriers = visit.barriers.empty() ? "no barrier between warps" : fmt::format("{} barriers a visit", visit.barriers.size());
    side.barrier_reasons = visit.barriers;
    side.whole_run = moved == 0 ? "nothing between warps in the whole run"
                                : fmt::format("{} between warps in the whole run, {} barriers", format_bytes(moved), format_count(totals.barriers));
    model.sides.push_back(std::move(side));
  }
  const WarpVisit k = warp_visit(WarpScheme::SplitK, rows, cols, p.d, p.element_bytes(), warps);
  model.sentence = fmt::format("With keys split over {} warps, no warp knows a whole row: {} cross shared memory at each visit, behind {} barriers. With rows split, none do.",
                               warps, format_bytes(k.exchange.read_bytes + k.exchange.write_bytes), k.barriers.size());
  return model;
}

}  // namespace tilewalk
