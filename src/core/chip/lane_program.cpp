#include "core/chip/lane_program.h"

#include <algorithm>
#include <unordered_map>

namespace tilewalk {
namespace {

constexpr double kPolynomialOps = 8;  // fp32 operations of a degree-3 exp2: three to split x, three fused, two to join

constexpr double kWarpgroupThreads = 128;

std::int64_t whole(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

// An operation's name before it has an index: half 0 where the whole Q tile is meant.
struct Name {
  Doing doing;
  std::int64_t visit;
  int half = 0;
  std::uint64_t key() const {
    return (std::uint64_t(visit + 1) << 8) | (std::uint64_t(doing) << 2) | std::uint64_t(half);
  }
};

class Writer {
 public:
  Writer(const Problem& problem, const DeviceModel& device, const MemoryShare& memory)
      : p(problem), device_(device), memory_(memory) {}

  const Problem& p;

  using Work = std::array<double, kLaneResourceCount>;
  Work product(std::int64_t rows, std::int64_t cols, std::int64_t depth) const {
    Work w{};
    if (rows == 0) return w;
    if (p.numerics.dtype == DType::Fp32)
      w[int(LaneResource::Fp32)] = double(rows * cols * depth) / device_.fp32_lanes;
    else
      w[int(LaneResource::TensorCores)] =
          2.0 * double(whole(rows, 16) * whole(cols, 8)) * double(whole(depth, 16)) / device_.matrix16_flop_per_cycle;
    return w;
  }
  // compares: maxima and conversions.
  Work arithmetic(double fp32, double exps = 0, double compares = 0) const {
    Work w{};
    w[int(LaneResource::Compare)] = compares / device_.compare_per_cycle;
    w[int(LaneResource::Fp32)] = fp32 / device_.fp32_lanes;
    w[int(LaneResource::Exp)] = exps / device_.exp_per_cycle;
    return w;
  }
  Work moved(std::int64_t bytes) const {
    Work w{};
    w[int(LaneResource::Memory)] = double(bytes) / memory_.bytes_per_cycle;
    return w;
  }

  std::size_t add(int lane, int row, Name name, Work work, int half) {
    const std::size_t at = out.ops.size();
    LaneOp op;
    op.lane = lane;
    op.row = row;
    op.work = work;
    out.ops.push_back(op);
    out.what.push_back({name.doing, name.visit, half, {}});
    waits_.emplace_back();
    index_[name.key()] = std::int32_t(at);
    return at;
  }
  std::size_t load(int lane, Name name, std::int64_t bytes) {
    const std::size_t at = add(lane, 0, name, moved(bytes), -1);
    out.ops[at].latency = memory_.latency_cycles;
    out.ops[at].issued_ahead = true;
    return at;
  }
  void wait(std::size_t op, Name for_name, WaitFor why) { waits_[op].push_back({for_name, why}); }

  // Names become indices; those that the program lacks (visits before the first, a half without rows) fall away.
  LaneProgram finish() {
    for (std::size_t i = 0; i < out.ops.size(); ++i)
      for (const auto& [name, why] : waits_[i]) {
        const auto at = name.visit < -1 ? index_.end() : index_.find(name.key());
        if (at == index_.end()) continue;
        out.ops[i].after.push_back(at->second);
        out.ops[i].lag.push_back(seen_late(out.what[std::size_t(at->second)].doing, why) ? device_.product_seen_cycles
                                                                                         : 0);
        out.what[i].why.push_back(why);
      }
    return std::move(out);
  }

  // The exponentials of a warpgroup that has the units to itself last what its measured softmax leaves beside the time
  // of its maxima and sums.
  void own_time(std::size_t exponentials, std::int64_t pairs) {
    const double softmax = double(pairs) / kWarpgroupThreads * device_.softmax_cycles_per_score;
    const double beside = double(pairs) / device_.compare_per_cycle + double(pairs) / device_.fp32_lanes;
    out.ops[exponentials].own = std::max(0.0, softmax - beside);
  }

  LaneProgram out;

 private:
  // A turn at the tensor cores passes on as soon as they are free; everybody else has to see the product.
  bool seen_late(Doing doing, WaitFor why) const {
    return p.schedule == ScheduleKind::FlashV3 && (doing == Doing::Scores || doing == Doing::Accumulate) &&
           why != WaitFor::Turn;
  }

  const DeviceModel& device_;
  const MemoryShare& memory_;
  std::vector<std::vector<std::pair<Name, WaitFor>>> waits_;
  std::unordered_map<std::uint64_t, std::int32_t> index_;
};

struct Sizes {
  std::int64_t rows, cols, d, e, pairs;
  explicit Sizes(const Problem& p, std::int64_t r)
      : rows(r), cols(p.tiling.bc), d(p.shape.d), e(p.numerics.element_bytes()), pairs(r * p.tiling.bc) {}
};

void add_row_max(Writer& w, int lane, int row, const Sizes& s, std::int64_t j, int half, int shown) {
  w.wait(w.add(lane, row, {Doing::RowMax, j, half}, w.arithmetic(0, 0, double(s.pairs)), shown),
         {Doing::Scores, j, half}, WaitFor::Scores);
}
std::size_t add_rescale(Writer& w, int lane, int row, const Sizes& s, std::int64_t j, int half, int shown) {
  return w.add(lane, row, {Doing::Rescale, j, half}, w.arithmetic(double(s.rows * (s.d + 1)), double(s.rows)), shown);
}
void add_exponentiate(Writer& w, int lane, int row, const Sizes& s, std::int64_t j, int half, int shown) {
  const double share = w.p.schedule == ScheduleKind::FlashV4 ? w.p.lanes.exp2_share : 0;
  const double n = double(s.pairs);
  const std::size_t at = w.add(lane, row, {Doing::Exponentiate, j, half},
                               w.arithmetic(n + n * share * kPolynomialOps, n * (1 - share)), shown);
  if (w.p.schedule == ScheduleKind::FlashV3) w.own_time(at, s.pairs);
}
void add_row_sum(Writer& w, int lane, int row, const Sizes& s, std::int64_t j, int half, int shown) {
  const double rounding = w.p.numerics.dtype == DType::Fp32 ? 0 : 0.5;  // two weights are rounded at once
  w.add(lane, row, {Doing::RowSum, j, half}, w.arithmetic(double(s.pairs), 0, double(s.pairs) * rounding), shown);
}
void add_normalise(Writer& w, int lane, int row, const Sizes& s, std::int64_t last, int half, int shown) {
  const std::size_t at =
      w.add(lane, row, {Doing::Normalise, -1, half}, w.arithmetic(double(s.rows * (s.d + 2))), shown);
  w.wait(at, {Doing::Accumulate, last, half}, WaitFor::Scores);
  w.wait(at, {Doing::RowSum, last, half}, WaitFor::Softmax);
}
void add_store(Writer& w, int lane, int row, const Sizes& s, std::int64_t bytes_a_row, int half, int shown) {
  w.wait(w.add(lane, row, {Doing::Store, -1, half}, w.moved(s.rows * bytes_a_row), shown), {Doing::Normalise, -1, half},
         WaitFor::Softmax);
}

// flash_v2 and each share of split_kv: one lane of loads that run ahead, one of everything else. K of the next tile is
// asked for when the scores are done, V of the next when the product is.
LaneProgram two_lanes(Writer w, std::int64_t visits) {
  const Sizes s(w.p, w.p.tiling.br);
  w.out.lanes = {{"loads", false, 0, 0}, {"compute", false, 0, 0}};
  w.load(0, {Doing::LoadQ, -1}, s.rows * s.d * s.e);
  for (std::int64_t j = 0; j < visits; ++j) {
    w.wait(w.load(0, {Doing::LoadK, j}, s.cols * s.d * s.e), {Doing::Scores, j - 1}, WaitFor::Stage);
    w.wait(w.load(0, {Doing::LoadV, j}, s.cols * s.d * s.e), {Doing::Accumulate, j - 1}, WaitFor::Stage);
  }
  for (std::int64_t j = 0; j < visits; ++j) {
    const std::size_t scores = w.add(1, 0, {Doing::Scores, j}, w.product(s.rows, s.cols, s.d), -1);
    w.wait(scores, {Doing::LoadK, j}, WaitFor::Tile);
    w.wait(scores, {Doing::LoadQ, -1}, WaitFor::Tile);
    add_row_max(w, 1, 0, s, j, 0, -1);
    if (j > 0) add_rescale(w, 1, 0, s, j, 0, -1);
    add_exponentiate(w, 1, 0, s, j, 0, -1);
    add_row_sum(w, 1, 0, s, j, 0, -1);
    w.wait(w.add(1, 0, {Doing::Accumulate, j}, w.product(s.rows, s.d, s.cols), -1), {Doing::LoadV, j}, WaitFor::Tile);
  }
  add_normalise(w, 1, 0, s, visits - 1, 0, -1);
  const bool partial = w.p.schedule == ScheduleKind::SplitKv;
  add_store(w, 1, 0, s, partial ? s.d * 4 + 4 : s.d * s.e + 4, 0, -1);
  return w.finish();
}

// flash_v1: a KV tile stays, and each Q tile comes with its O, m and l and takes them back before the next may come.
LaneProgram flash_v1_lanes(Writer w, std::int64_t visits) {
  const Sizes s(w.p, w.p.tiling.br);
  w.out.lanes = {{"loads", false, 0, 0}, {"compute", false, 0, 0}, {"stores", false, 0, 0}};
  w.load(0, {Doing::LoadK, -1}, s.cols * s.d * s.e);
  w.load(0, {Doing::LoadV, -1}, s.cols * s.d * s.e);
  for (std::int64_t i = 0; i < visits; ++i)
    w.wait(w.load(0, {Doing::LoadState, i}, s.rows * (s.d * (s.e + 4) + 8)), {Doing::Store, i - 1},
           i > 0 ? WaitFor::Stage : WaitFor::Tile);
  for (std::int64_t i = 0; i < visits; ++i) {
    const std::size_t scores = w.add(1, 0, {Doing::Scores, i}, w.product(s.rows, s.cols, s.d), -1);
    w.wait(scores, {Doing::LoadState, i}, WaitFor::Tile);
    w.wait(scores, {Doing::LoadK, -1}, WaitFor::Tile);
    add_row_max(w, 1, 0, s, i, 0, -1);
    add_exponentiate(w, 1, 0, s, i, 0, -1);
    add_row_sum(w, 1, 0, s, i, 0, -1);
    w.add(1, 0, {Doing::Rescale, i}, w.arithmetic(double(6 * s.rows), double(2 * s.rows)), -1);
    w.wait(w.add(1, 0, {Doing::Accumulate, i}, w.product(s.rows, s.d, s.cols), -1), {Doing::LoadV, -1}, WaitFor::Tile);
    w.add(1, 0, {Doing::Normalise, i}, w.arithmetic(double(s.rows * (4 * s.d + 1))), -1);
    w.wait(w.add(2, 0, {Doing::Store, i}, w.moved(s.rows * (s.d * 4 + 8)), -1), {Doing::Normalise, i},
           WaitFor::Softmax);
  }
  return w.finish();
}

// Who uses tile t of the circular buffer: K0 V0 K1 V1 …
Name user_of(std::int64_t t, int half) { return {t % 2 == 0 ? Doing::Scores : Doing::Accumulate, t / 2, half}; }

// flash_v3: Algorithm 1, or with overlap Algorithm 2, of its paper in each of two consumers.
class FlashV3Program {
 public:
  FlashV3Program(Writer writer, std::int64_t visits)
      : w(std::move(writer)),
        n(visits),
        halves{Sizes(w.p, (w.p.tiling.br + 1) / 2), Sizes(w.p, w.p.tiling.br / 2)},
        consumers(w.p.tiling.br > 1 ? 2 : 1) {}

  LaneProgram write() {
    const bool overlap = w.p.lanes.overlap;
    w.out.lanes = {{w.p.lanes.warp_specialised ? "producer" : "loads", false, 0, 0},
                   {"consumer 0", overlap, 0, 0},
                   {"consumer 1", overlap, 0, 0}};
    const Sizes s(w.p, w.p.tiling.br);
    w.load(0, {Doing::LoadQ, -1}, s.rows * s.d * s.e);
    for (std::int64_t t = 0; t < 2 * n; ++t) {
      const std::size_t load = w.load(0, {t % 2 == 0 ? Doing::LoadK : Doing::LoadV, t / 2}, s.cols * s.d * s.e);
      for (int c = 0; c < consumers && t >= w.p.tiling.stages; ++c) w.wait(load, user_of(t - w.p.tiling.stages, c), WaitFor::Stage);
      loads_.push_back(load);
    }
    for (int c = 0; c < consumers; ++c) overlap ? overlapped(c) : plain(c);
    return w.finish();
  }

 private:
  bool turns() const { return w.p.lanes.ping_pong && consumers == 2; }

  std::size_t scores(int c, std::int64_t j) {
    const std::size_t at =
        w.add(1 + c, 0, {Doing::Scores, j, c}, w.product(halves[c].rows, halves[c].cols, halves[c].d), c);
    w.wait(at, {Doing::LoadK, j}, WaitFor::Tile);
    if (j == 0) w.wait(at, {Doing::LoadQ, -1}, WaitFor::Tile);
    if (j == 0 && c == 1 && turns()) w.wait(at, {Doing::Scores, 0, 0}, WaitFor::Turn);
    return at;
  }
  std::size_t accumulate(int c, std::int64_t j) {
    const std::size_t at =
        w.add(1 + c, 0, {Doing::Accumulate, j, c}, w.product(halves[c].rows, halves[c].d, halves[c].cols), c);
    w.wait(at, {Doing::LoadV, j}, WaitFor::Tile);
    w.wait(at, {Doing::RowSum, j, c}, WaitFor::Softmax);
    return at;
  }

  // Without a producer, consumer 0 refills before `op`, once it has done `done` and consumer 1 has released what it
  // has: tiles up to the one that follows tile `freed` by the buffer's length.
  void refill(int c, std::size_t op, Name done, std::int64_t freed) {
    if (w.p.lanes.warp_specialised || c != 0) return;
    bool any = false;
    for (; refilled_ < std::int64_t(loads_.size()) && refilled_ <= freed + w.p.tiling.stages; ++refilled_) {
      if (refilled_ < w.p.tiling.stages) continue;
      w.wait(loads_[std::size_t(refilled_)], done, WaitFor::Stage);
      any = true;
    }
    if (!any || consumers == 1) return;
    for (std::int64_t t = std::max<std::int64_t>(0, freed - 1); t <= freed; ++t)
      w.wait(op, user_of(t, 1), WaitFor::Partner);
  }

  // Softmax of a tile, then PV of it and the next scores: with ping-pong those two products are one turn.
  void plain(int c) {
    const Sizes& s = halves[c];
    scores(c, 0);
    for (std::int64_t j = 0; j < n; ++j) {
      add_row_max(w, 1 + c, 0, s, j, c, c);
      if (j > 0) add_rescale(w, 1 + c, 0, s, j, c, c);
      add_exponentiate(w, 1 + c, 0, s, j, c, c);
      add_row_sum(w, 1 + c, 0, s, j, c, c);
      const std::size_t pv = accumulate(c, j);
      refill(c, pv, {Doing::RowSum, j, c}, 2 * j);
      if (turns() && c == 0) w.wait(pv, {Doing::Scores, j, 1}, WaitFor::Turn);
      if (turns() && c == 1)
        w.wait(pv, j + 1 < n ? Name{Doing::Scores, j + 1, 0} : Name{Doing::Accumulate, j, 0}, WaitFor::Turn);
      if (j + 1 == n) break;
      const std::size_t next = scores(c, j + 1);
      if (w.p.tiling.stages == 1) refill(c, next, {Doing::Accumulate, j, c}, 2 * j + 1);
    }
    add_normalise(w, 1 + c, 0, s, n - 1, c, c);
    add_store(w, 1 + c, 0, s, s.d * s.e + 4, c, c);
  }

  // The next scores are issued before PV of this tile, and the softmax of the next runs beside that PV.
  void overlapped(int c) {
    const Sizes& s = halves[c];
    scores(c, 0);
    for (std::int64_t j = 0; j < n; ++j) {
      add_row_max(w, 1 + c, 1, s, j, c, c);
      add_exponentiate(w, 1 + c, 1, s, j, c, c);
      add_row_sum(w, 1 + c, 1, s, j, c, c);
      if (j > 0) w.wait(add_rescale(w, 1 + c, 1, s, j, c, c), {Doing::Accumulate, j - 1, c}, WaitFor::Scores);
      const Name done{j > 0 ? Doing::Rescale : Doing::RowSum, j, c};
      const bool last = j + 1 == n;
      std::size_t first = 0;
      if (!last) {
        first = scores(c, j + 1);
        w.wait(first, done, WaitFor::Softmax);
      }
      const std::size_t pv = accumulate(c, j);
      w.wait(pv, done, WaitFor::Correction);
      if (last) first = pv;
      refill(c, first, done, 2 * j);
      if (turns() && c == 0)
        w.wait(first, j > 0 ? Name{Doing::Accumulate, j - 1, 1} : Name{Doing::Scores, 0, 1}, WaitFor::Turn);
      if (turns() && c == 1) w.wait(first, {Doing::Accumulate, j, 0}, WaitFor::Turn);
    }
    add_normalise(w, 1 + c, 1, s, n - 1, c, c);
    add_store(w, 1 + c, 1, s, s.d * s.e + 4, c, c);
  }

  Writer w;
  std::int64_t n;
  Sizes halves[2];
  int consumers;
  std::vector<std::size_t> loads_;
  std::int64_t refilled_ = 0;
};

// flash_v4: one warp issues all products, two Q tiles (here: halves) in turn; O is corrected off the softmax's path,
// and only where some row followed its max. S and P of a half share their place, so its next scores come after its PV.
LaneProgram flash_v4_lanes(Writer w, std::int64_t visits, const std::vector<bool>& rescaled) {
  const Problem& p = w.p;
  const Sizes all(p, p.tiling.br), halves[2] = {Sizes(p, (p.tiling.br + 1) / 2), Sizes(p, p.tiling.br / 2)};
  const int count = p.tiling.br > 1 ? 2 : 1;
  for (const char* name : {"load", "MMA", "softmax 0", "softmax 1", "correction", "store"})
    w.out.lanes.push_back({name, false, 0, 0});
  w.load(0, {Doing::LoadQ, -1}, all.rows * all.d * all.e);
  for (std::int64_t t = 0; t < 2 * visits; ++t) {
    const std::size_t load = w.load(0, {t % 2 == 0 ? Doing::LoadK : Doing::LoadV, t / 2}, all.cols * all.d * all.e);
    for (int h = 0; h < count && t >= p.tiling.stages; ++h) w.wait(load, user_of(t - p.tiling.stages, h), WaitFor::Stage);
  }
  const auto follows = [&](std::int64_t j) {
    if (j == 0) return false;
    return rescaled.empty() ? p.tiling.rescale_threshold == 0 : std::size_t(j) < rescaled.size() && rescaled[std::size_t(j)];
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
      add_row_max(w, 2 + h, 0, halves[h], j, h, h);
      add_exponentiate(w, 2 + h, 0, halves[h], j, h, h);
      add_row_sum(w, 2 + h, 0, halves[h], j, h, h);
    }
  for (std::int64_t j = 0; j < visits; ++j)
    for (int h = 0; h < count && follows(j); ++h) {
      const std::size_t at = add_rescale(w, 4, 0, halves[h], j, h, h);
      w.wait(at, {Doing::RowMax, j, h}, WaitFor::Softmax);
      w.wait(at, {Doing::Accumulate, j - 1, h}, WaitFor::Scores);
    }
  for (int h = 0; h < count; ++h) {
    add_normalise(w, 4, 0, halves[h], visits - 1, h, h);
    add_store(w, 5, 0, halves[h], all.d * all.e + 4, h, h);
  }
  return w.finish();
}

}  // namespace

LaneProgram lane_program(const Problem& p, const DeviceModel& device, const MemoryShare& memory, std::int64_t visits,
                         const std::vector<bool>& rescaled) {
  Writer w(p, device, memory);
  if (visits == 0) return {};
  switch (p.schedule) {
    case ScheduleKind::FlashV1: return flash_v1_lanes(std::move(w), visits);
    case ScheduleKind::FlashV2:
    case ScheduleKind::SplitKv: return two_lanes(std::move(w), visits);
    case ScheduleKind::FlashV3: return FlashV3Program(std::move(w), visits).write();
    case ScheduleKind::FlashV4: return flash_v4_lanes(std::move(w), visits, rescaled);
    default: break;
  }
  return {};
}

}  // namespace tilewalk
