#include "core/schedules/rows.h"

namespace tilewalk {

// flash_v4: one warp issues all products, for two Q tiles (here: halves) in turn. O is corrected off the softmax's
// path, and only where some row followed its max. S and P of a half use the same place, so its next scores come after
// its PV.
LaneProgram flash_v4_lanes(LaneWriter w, std::int64_t visits, const std::vector<bool>& rescaled) {
  const Problem& p = w.p;
  w.set({.polynomial_share = p.lanes.exp2_share});
  const VisitSizes all(p, p.tiling.br),
      halves[2] = {VisitSizes(p, (p.tiling.br + 1) / 2), VisitSizes(p, p.tiling.br / 2)};
  const int count = p.tiling.br > 1 ? 2 : 1;
  for (const char* name : {"load", "MMA", "softmax 0", "softmax 1", "correction", "store"}) w.lane(name);
  w.load(0, {Doing::LoadQ, -1}, all.rows * all.d * all.e);
  for (std::int64_t t = 0; t < 2 * visits; ++t) {
    const std::size_t load = w.load(0, {t % 2 == 0 ? Doing::LoadK : Doing::LoadV, t / 2}, all.cols * all.d * all.e);
    for (int h = 0; h < count && t >= p.tiling.stages; ++h)
      w.wait(load, user_of_tile(t - p.tiling.stages, h), WaitFor::Stage);
  }
  const auto follows = [&](std::int64_t j) {
    if (j == 0) return false;
    return rescaled.empty() ? p.tiling.rescale_threshold == 0
                            : std::size_t(j) < rescaled.size() && rescaled[std::size_t(j)];
  };
  const auto scores = [&](int h, std::int64_t j) {
    const std::size_t at =
        w.add(1, 0, {Doing::Scores, j, h}, w.product(halves[h].rows, halves[h].cols, halves[h].d), h);
    w.wait(at, {Doing::LoadK, j}, WaitFor::Tile);
    w.wait(at, {Doing::LoadQ, -1}, WaitFor::Tile);
  };
  for (int h = 0; h < count; ++h) scores(h, 0);
  for (std::int64_t j = 0; j < visits; ++j)
    for (int h = 0; h < count; ++h) {
      const std::size_t pv =
          w.add(1, 0, {Doing::Accumulate, j, h}, w.product(halves[h].rows, halves[h].d, halves[h].cols), h);
      w.wait(pv, {Doing::LoadV, j}, WaitFor::Tile);
      w.wait(pv, {Doing::Exponentiate, j, h}, WaitFor::Softmax);
      if (follows(j)) w.wait(pv, {Doing::Rescale, j, h}, WaitFor::Correction);
      if (j + 1 < visits) scores(h, j + 1);
    }
  for (int h = 0; h < count; ++h)
    for (std::int64_t j = 0; j < visits; ++j) {
      w.row_max(2 + h, 0, halves[h], j, h, h);
      w.exponentiate(2 + h, 0, halves[h], j, h, h);
      w.row_sum(2 + h, 0, halves[h], j, h, h);
    }
  for (std::int64_t j = 0; j < visits; ++j)
    for (int h = 0; h < count && follows(j); ++h) {
      const std::size_t at = w.rescale(4, 0, halves[h], j, h, h);
      w.wait(at, {Doing::RowMax, j, h}, WaitFor::Softmax);
      w.wait(at, {Doing::Accumulate, j - 1, h}, WaitFor::Scores);
    }
  for (int h = 0; h < count; ++h) {
    w.normalise(4, 0, halves[h], visits - 1, h, h);
    w.store(5, 0, halves[h], all.d * all.e + 4, h, h);
  }
  return w.finish();
}

}  // namespace tilewalk
