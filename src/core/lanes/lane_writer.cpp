#include "core/lanes/lane_writer.h"

#include <algorithm>

#include "base/divide.h"

namespace tilewalk {
namespace {

constexpr double kPolynomialOps = 8;  // fp32 operations of a degree-3 exp2: three to split x, three fused, two to join
constexpr double kWarpgroupThreads = 128;

}  // namespace

LaneWriter::LaneWriter(const Problem& problem, const DeviceModel& device, const MemoryShare& memory,
                       double product_rate)
    : p(problem), device_(device), memory_(memory), product_rate_(product_rate) {}

LaneWriter::Work LaneWriter::product(std::int64_t rows, std::int64_t cols, std::int64_t depth) const {
  Work w{};
  if (rows == 0) return w;
  if (p.numerics.dtype == DType::Fp32)
    w[int(LaneResource::Fp32)] = double(rows * cols * depth) / device_.fp32_lanes;
  else
    w[int(LaneResource::TensorCores)] =
        2.0 * double(round_up(rows, 16) * round_up(cols, 8)) * double(round_up(depth, 16)) / product_rate_;
  return w;
}

LaneWriter::Work LaneWriter::arithmetic(double fp32, double exps, double compares) const {
  Work w{};
  w[int(LaneResource::Compare)] = compares / device_.compare_per_cycle;
  w[int(LaneResource::Fp32)] = fp32 / device_.fp32_lanes;
  w[int(LaneResource::Exp)] = exps / device_.exp_per_cycle;
  return w;
}

LaneWriter::Work LaneWriter::moved(std::int64_t bytes) const {
  Work w{};
  w[int(LaneResource::Memory)] = double(bytes) / memory_.bytes_per_cycle;
  return w;
}

std::size_t LaneWriter::add(int lane, int row, OpName name, Work work, int half) {
  const std::size_t at = out_.ops.size();
  LaneOp op;
  op.lane = lane;
  op.row = row;
  op.work = work;
  out_.ops.push_back(op);
  out_.what.push_back({.doing = name.doing, .visit = name.visit, .half = half});
  waits_.emplace_back();
  index_[name.key()] = std::int32_t(at);
  return at;
}

std::size_t LaneWriter::load(int lane, OpName name, std::int64_t bytes) {
  const std::size_t at = add(lane, 0, name, moved(bytes), -1);
  out_.ops[at].latency = memory_.latency_cycles;
  out_.ops[at].issued_ahead = true;
  return at;
}

void LaneWriter::row_max(int lane, int row, const VisitSizes& s, std::int64_t visit, int half, int shown) {
  wait(add(lane, row, {Doing::RowMax, visit, half}, arithmetic(0, 0, double(s.pairs)), shown),
       {Doing::Scores, visit, half}, WaitFor::Scores);
}

std::size_t LaneWriter::rescale(int lane, int row, const VisitSizes& s, std::int64_t visit, int half, int shown) {
  return add(lane, row, {Doing::Rescale, visit, half}, arithmetic(double(s.rows * (s.d + 1)), double(s.rows)), shown);
}

void LaneWriter::exponentiate(int lane, int row, const VisitSizes& s, std::int64_t visit, int half, int shown) {
  const double n = double(s.pairs), share = habits_.polynomial_share;
  const std::size_t at = add(lane, row, {Doing::Exponentiate, visit, half},
                             arithmetic(n + n * share * kPolynomialOps, n * (1 - share)), shown);
  if (!habits_.softmax_of_its_own) return;
  // The softmax of a warpgroup that has the units to itself: the measured time, less the time of its maxima and sums.
  const double softmax = n / kWarpgroupThreads * device_.softmax_cycles_per_score;
  const double beside = n / device_.compare_per_cycle + n / device_.fp32_lanes;
  out_.ops[at].own = std::max(0.0, softmax - beside);
}

void LaneWriter::row_sum(int lane, int row, const VisitSizes& s, std::int64_t visit, int half, int shown) {
  const double rounding = p.numerics.dtype == DType::Fp32 ? 0 : 0.5;  // two weights are rounded at once
  add(lane, row, {Doing::RowSum, visit, half}, arithmetic(double(s.pairs), 0, double(s.pairs) * rounding), shown);
}

void LaneWriter::normalise(int lane, int row, const VisitSizes& s, std::int64_t last_visit, int half, int shown) {
  const std::size_t at = add(lane, row, {Doing::Normalise, -1, half}, arithmetic(double(s.rows * (s.d + 2))), shown);
  wait(at, {Doing::Accumulate, last_visit, half}, WaitFor::Scores);
  wait(at, {Doing::RowSum, last_visit, half}, WaitFor::Softmax);
}

void LaneWriter::store(int lane, int row, const VisitSizes& s, std::int64_t bytes_a_row, int half, int shown) {
  wait(add(lane, row, {Doing::Store, -1, half}, moved(s.rows * bytes_a_row), shown), {Doing::Normalise, -1, half},
       WaitFor::Softmax);
}

LaneProgram LaneWriter::finish() {
  for (std::size_t i = 0; i < out_.ops.size(); ++i)
    for (const auto& [name, why] : waits_[i]) {
      const auto at = name.visit < -1 ? index_.end() : index_.find(name.key());
      if (at == index_.end()) continue;
      const Doing awaited = out_.what[std::size_t(at->second)].doing;
      out_.ops[i].after.push_back(at->second);
      out_.ops[i].lag.push_back(seen_late(awaited, why) ? device_.product_seen_cycles : 0);
      out_.what[i].why.push_back(why);
    }
  return std::move(out_);
}

// The turn at the tensor cores passes on as soon as they are free; every other operation has to see the product.
bool LaneWriter::seen_late(Doing doing, WaitFor why) const {
  return habits_.products_seen_late && (doing == Doing::Scores || doing == Doing::Accumulate) && why != WaitFor::Turn;
}

}  // namespace tilewalk
