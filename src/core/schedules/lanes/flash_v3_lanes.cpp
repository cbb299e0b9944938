#include <algorithm>

#include "core/schedules/rows.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kTwoConsumersRows = 128;  // a consumer warpgroup of the kernel has 64 rows
constexpr int kMostConsumers = 3;

int consumers_for(std::int64_t rows) { return rows > kTwoConsumersRows ? kMostConsumers : rows > 1 ? 2 : 1; }

// flash_v3: Algorithm 1 or, with overlap, Algorithm 2 of its paper, in each of two or three consumers.
class FlashV3Program {
 public:
  FlashV3Program(LaneWriter writer, std::int64_t visits)
      : w(std::move(writer)), n(visits), consumers(consumers_for(w.p.tiling.br)) {
    const std::int64_t rows = w.p.tiling.br;
    for (int c = 0; c < consumers; ++c) parts.emplace_back(w.p, rows / consumers + (c < rows % consumers ? 1 : 0));
  }

  LaneProgram write() {
    const bool overlap = w.p.lanes.overlap;
    w.set({.products_seen_late = true, .softmax_of_its_own = true});
    w.lane(w.p.lanes.warp_specialised ? "producer" : "loads");
    static constexpr const char* kNames[] = {"consumer 0", "consumer 1", "consumer 2"};
    for (int c = 0; c < std::max(2, consumers); ++c) w.lane(kNames[c], overlap);
    const VisitSizes s(w.p, w.p.tiling.br);
    w.load(0, {Doing::LoadQ, -1}, s.rows * s.d * s.e);
    for (std::int64_t t = 0; t < 2 * n; ++t) {
      const std::size_t load = w.load(0, {t % 2 == 0 ? Doing::LoadK : Doing::LoadV, t / 2}, s.cols * s.d * s.e);
      for (int c = 0; c < consumers && t >= w.p.tiling.stages; ++c)
        w.wait(load, user_of_tile(t - w.p.tiling.stages, c), WaitFor::Stage);
      loads_.push_back(load);
    }
    for (int c = 0; c < consumers; ++c) overlap ? overlapped(c) : plain(c);
    return w.finish();
  }

 private:
  bool turns() const { return w.p.lanes.ping_pong && consumers > 1; }
  int last() const { return consumers - 1; }

  std::size_t scores(int c, std::int64_t j) {
    const std::size_t at =
        w.add(1 + c, 0, {Doing::Scores, j, c},
              w.product(parts[std::size_t(c)].rows, parts[std::size_t(c)].cols, parts[std::size_t(c)].d), c);
    w.wait(at, {Doing::LoadK, j}, WaitFor::Tile);
    if (j == 0) w.wait(at, {Doing::LoadQ, -1}, WaitFor::Tile);
    if (j == 0 && c > 0 && turns()) w.wait(at, {Doing::Scores, 0, c - 1}, WaitFor::Turn);
    return at;
  }
  std::size_t accumulate(int c, std::int64_t j) {
    const std::size_t at =
        w.add(1 + c, 0, {Doing::Accumulate, j, c},
              w.product(parts[std::size_t(c)].rows, parts[std::size_t(c)].d, parts[std::size_t(c)].cols), c);
    w.wait(at, {Doing::LoadV, j}, WaitFor::Tile);
    w.wait(at, {Doing::RowSum, j, c}, WaitFor::Softmax);
    return at;
  }

  // Without a producer, consumer 0 refills the buffer before `op`, once it has done `done` and the others have
  // released its tiles: up to the tile that follows tile `freed` by the buffer's length.
  void refill(int c, std::size_t op, OpName done, std::int64_t freed) {
    if (w.p.lanes.warp_specialised || c != 0) return;
    bool any = false;
    for (; refilled_ < std::int64_t(loads_.size()) && refilled_ <= freed + w.p.tiling.stages; ++refilled_) {
      if (refilled_ < w.p.tiling.stages) continue;
      w.wait(loads_[std::size_t(refilled_)], done, WaitFor::Stage);
      any = true;
    }
    if (!any || consumers == 1) return;
    for (std::int64_t t = std::max<std::int64_t>(0, freed - 1); t <= freed; ++t)
      for (int other = 1; other < consumers; ++other) w.wait(op, user_of_tile(t, other), WaitFor::Partner);
  }

  // Softmax of a tile, then PV of it and the next scores: with ping-pong these two products are one turn.
  void plain(int c) {
    const VisitSizes& s = parts[std::size_t(c)];
    scores(c, 0);
    for (std::int64_t j = 0; j < n; ++j) {
      w.row_max(1 + c, 0, s, j, c, c);
      if (j > 0) w.rescale(1 + c, 0, s, j, c, c);
      w.exponentiate(1 + c, 0, s, j, c, c);
      w.row_sum(1 + c, 0, s, j, c, c);
      const std::size_t pv = accumulate(c, j);
      refill(c, pv, {Doing::RowSum, j, c}, 2 * j);
      if (turns() && c == 0) w.wait(pv, {Doing::Scores, j, last()}, WaitFor::Turn);
      if (turns() && c > 0)
        w.wait(pv, j + 1 < n ? OpName{Doing::Scores, j + 1, c - 1} : OpName{Doing::Accumulate, j, c - 1},
               WaitFor::Turn);
      if (j + 1 == n) break;
      const std::size_t next = scores(c, j + 1);
      if (w.p.tiling.stages == 1) refill(c, next, {Doing::Accumulate, j, c}, 2 * j + 1);
    }
    w.normalise(1 + c, 0, s, n - 1, c, c);
    w.store(1 + c, 0, s, s.d * s.e + 4, c, c);
  }

  // The next scores are issued before PV of this tile, and the softmax of the next runs beside that PV.
  void overlapped(int c) {
    const VisitSizes& s = parts[std::size_t(c)];
    scores(c, 0);
    for (std::int64_t j = 0; j < n; ++j) {
      w.row_max(1 + c, 1, s, j, c, c);
      w.exponentiate(1 + c, 1, s, j, c, c);
      w.row_sum(1 + c, 1, s, j, c, c);
      if (j > 0) w.wait(w.rescale(1 + c, 1, s, j, c, c), {Doing::Accumulate, j - 1, c}, WaitFor::Scores);
      const OpName done{j > 0 ? Doing::Rescale : Doing::RowSum, j, c};
      const bool ends = j + 1 == n;
      std::size_t first = 0;
      if (!ends) {
        first = scores(c, j + 1);
        w.wait(first, done, WaitFor::Softmax);
      }
      const std::size_t pv = accumulate(c, j);
      w.wait(pv, done, WaitFor::Correction);
      if (ends) first = pv;
      refill(c, first, done, 2 * j);
      if (turns() && c == 0)
        w.wait(first, j > 0 ? OpName{Doing::Accumulate, j - 1, last()} : OpName{Doing::Scores, 0, last()},
               WaitFor::Turn);
      if (turns() && c > 0) w.wait(first, {Doing::Accumulate, j, c - 1}, WaitFor::Turn);
    }
    w.normalise(1 + c, 1, s, n - 1, c, c);
    w.store(1 + c, 1, s, s.d * s.e + 4, c, c);
  }

  LaneWriter w;
  std::int64_t n;
  int consumers;
  std::vector<VisitSizes> parts;  // a consumer's rows
  std::vector<std::size_t> loads_;
  std::int64_t refilled_ = 0;
};

}  // namespace

LaneProgram flash_v3_lanes(LaneWriter w, std::int64_t visits, const std::vector<bool>&) {
  return FlashV3Program(std::move(w), visits).write();
}

}  // namespace tilewalk
