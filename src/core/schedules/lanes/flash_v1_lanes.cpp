#include "core/schedules/rows.h"

namespace tilewalk {

// flash_v1: a KV tile stays. Each Q tile is loaded with its O, m and l, which are stored again before the next is
// loaded.
LaneProgram flash_v1_lanes(LaneWriter w, std::int64_t visits, const std::vector<bool>&) {
  const VisitSizes s(w.p, w.p.tiling.br);
  for (const char* name : {"loads", "compute", "stores"}) w.lane(name);
  w.load(0, {Doing::LoadK, -1}, s.cols * s.d * s.e);
  w.load(0, {Doing::LoadV, -1}, s.cols * s.d * s.e);
  for (std::int64_t i = 0; i < visits; ++i)
    w.wait(w.load(0, {Doing::LoadState, i}, s.rows * (s.d * (s.e + 4) + 8)), {Doing::Store, i - 1},
           i > 0 ? WaitFor::Stage : WaitFor::Tile);
  for (std::int64_t i = 0; i < visits; ++i) {
    const std::size_t scores = w.add(1, 0, {Doing::Scores, i}, w.product(s.rows, s.cols, s.d), -1);
    w.wait(scores, {Doing::LoadState, i}, WaitFor::Tile);
    w.wait(scores, {Doing::LoadK, -1}, WaitFor::Tile);
    w.row_max(1, 0, s, i, 0, -1);
    w.exponentiate(1, 0, s, i, 0, -1);
    w.row_sum(1, 0, s, i, 0, -1);
    w.add(1, 0, {Doing::Rescale, i}, w.arithmetic(double(6 * s.rows), double(2 * s.rows)), -1);
    w.wait(w.add(1, 0, {Doing::Accumulate, i}, w.product(s.rows, s.d, s.cols), -1), {Doing::LoadV, -1}, WaitFor::Tile);
    w.add(1, 0, {Doing::Normalise, i}, w.arithmetic(double(s.rows * (4 * s.d + 1))), -1);
    w.wait(w.add(2, 0, {Doing::Store, i}, w.moved(s.rows * (s.d * 4 + 8)), -1), {Doing::Normalise, i},
           WaitFor::Softmax);
  }
  return w.finish();
}

}  // namespace tilewalk
