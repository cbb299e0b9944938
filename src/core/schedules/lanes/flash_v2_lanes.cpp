#include "core/schedules/rows.h"

namespace tilewalk {
namespace {

// flash_v2 and each split of split_kv: one lane of loads that run ahead, one lane for everything else. The load of the
// next K is issued when the scores are done, that of the next V when the product is.
LaneProgram two_lanes(LaneWriter w, std::int64_t visits, std::int64_t bytes_a_row) {
  const VisitSizes s(w.p, w.p.tiling.br);
  w.lane("loads");
  w.lane("compute");
  w.load(0, {Doing::LoadQ, -1}, s.rows * s.d * s.e);
  for (std::int64_t j = 0; j < visits; ++j) {
    w.wait(w.load(0, {Doing::LoadK, j}, s.cols * s.d * s.e), {Doing::Scores, j - 1}, WaitFor::Stage);
    w.wait(w.load(0, {Doing::LoadV, j}, s.cols * s.d * s.e), {Doing::Accumulate, j - 1}, WaitFor::Stage);
  }
  for (std::int64_t j = 0; j < visits; ++j) {
    const std::size_t scores = w.add(1, 0, {Doing::Scores, j}, w.product(s.rows, s.cols, s.d), -1);
    w.wait(scores, {Doing::LoadK, j}, WaitFor::Tile);
    w.wait(scores, {Doing::LoadQ, -1}, WaitFor::Tile);
    w.row_max(1, 0, s, j, 0, -1);
    if (j > 0) w.rescale(1, 0, s, j, 0, -1);
    w.exponentiate(1, 0, s, j, 0, -1);
    w.row_sum(1, 0, s, j, 0, -1);
    w.wait(w.add(1, 0, {Doing::Accumulate, j}, w.product(s.rows, s.d, s.cols), -1), {Doing::LoadV, j}, WaitFor::Tile);
  }
  w.normalise(1, 0, s, visits - 1, 0, -1);
  w.store(1, 0, s, bytes_a_row, 0, -1);
  return w.finish();
}

}  // namespace

LaneProgram flash_v2_lanes(LaneWriter w, std::int64_t visits, const std::vector<bool>&) {
  const std::int64_t stored = w.p.shape.d * w.p.numerics.element_bytes() + 4;
  return two_lanes(std::move(w), visits, stored);
}

LaneProgram split_kv_lanes(LaneWriter w, std::int64_t visits, const std::vector<bool>&) {
  const std::int64_t stored = w.p.shape.d * 4 + 4;  // a split's O stays in fp32
  return two_lanes(std::move(w), visits, stored);
}

}  // namespace tilewalk
