// Builds lane programs: operations with their work, named before they have an index, and what each waits for. One
// writer builds one program; finish() returns it.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/lanes/lane_program.h"
#include "core/problem/device_model.h"
#include "core/problem/problem.h"

namespace tilewalk {

// An operation's name before it has an index; half is 0 for the whole Q tile.
struct OpName {
  Doing doing;
  std::int64_t visit;
  int half = 0;
  std::uint64_t key() const {
    return (std::uint64_t(visit + 1) << 8) | (std::uint64_t(doing) << 2) | std::uint64_t(half);
  }
};

// The sizes of a tile visit for this many of the Q tile's rows.
struct VisitSizes {
  std::int64_t rows, cols, d, e, pairs;
  VisitSizes(const Problem& p, std::int64_t r)
      : rows(r), cols(p.tiling.bc), d(p.shape.d), e(p.numerics.element_bytes()), pairs(r * p.tiling.bc) {}
};

// Measured behaviour of a schedule's warps that the rates of the units do not explain.
struct LaneHabits {
  bool products_seen_late = false;  // other lanes see a product some cycles after it has ended
  bool softmax_of_its_own = false;  // a softmax lasts at least as long as measured
  double polynomial_share = 0;      // share of the exponentials that fp32 operations compute
};

class LaneWriter {
 public:
  using Work = std::array<double, kLaneResourceCount>;

  // The problem, device and memory share must outlive the writer. product_rate: of 16-bit products, FLOPs a cycle of an
  // SM.
  LaneWriter(const Problem&, const DeviceModel&, const MemoryShare&, double product_rate);
  void set(const LaneHabits& habits) { habits_ = habits; }

  Work product(std::int64_t rows, std::int64_t cols, std::int64_t depth) const;
  Work arithmetic(double fp32, double exps = 0, double compares = 0) const;  // compares: maxima and conversions
  Work moved(std::int64_t bytes) const;

  void lane(const char* name, bool two_rows = false) { out_.lanes.push_back({name, two_rows}); }
  std::size_t add(int lane, int row, OpName, Work, int half);
  std::size_t load(int lane, OpName, std::int64_t bytes);
  void wait(std::size_t op, OpName for_name, WaitFor why) { waits_[op].push_back({for_name, why}); }

  // The softmax of a visit, and the end of a Q tile; `shown` is the half as displayed, -1 for all rows.
  void row_max(int lane, int row, const VisitSizes&, std::int64_t visit, int half, int shown);
  std::size_t rescale(int lane, int row, const VisitSizes&, std::int64_t visit, int half, int shown);
  void exponentiate(int lane, int row, const VisitSizes&, std::int64_t visit, int half, int shown);
  void row_sum(int lane, int row, const VisitSizes&, std::int64_t visit, int half, int shown);
  void normalise(int lane, int row, const VisitSizes&, std::int64_t last_visit, int half, int shown);
  void store(int lane, int row, const VisitSizes&, std::int64_t bytes_a_row, int half, int shown);

  // Replaces names by indices, and drops names that the program lacks (visits before the first, a half without rows).
  LaneProgram finish();

  const Problem& p;

 private:
  bool seen_late(Doing, WaitFor) const;

  const DeviceModel& device_;
  const MemoryShare& memory_;
  const double product_rate_;
  LaneHabits habits_;
  LaneProgram out_;
  std::vector<std::vector<std::pair<OpName, WaitFor>>> waits_;
  std::unordered_map<std::uint64_t, std::int32_t> index_;
};

// The operation that uses tile t of a circular buffer which holds K and V in turn: K0 V0 K1 V1 …
inline OpName user_of_tile(std::int64_t t, int half) {
  return {t % 2 == 0 ? Doing::Scores : Doing::Accumulate, t / 2, half};
}

}  // namespace tilewalk
