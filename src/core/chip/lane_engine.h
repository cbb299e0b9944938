// A small deterministic simulation: operations in lanes, each with work for some resources. Used by core/chip/timeline,
// which says what the lanes mean. Times are cycles from 0.
//
// Operations of one (lane, row) run in the order given. One starts when the one before it in its row has ended, those
// it waits for have ended, and its latency since then has passed. Operations that work on one resource at the same time
// share it equally, as warp schedulers do; only the tensor cores finish the product that started first before the next.
// An operation ends when all its work is done and its own time has passed. Not modelled: issue slots, bank conflicts,
// power.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tilewalk {

enum class LaneResource { TensorCores, Exp, Fp32, Compare, Memory };  // Compare: maxima and conversions
inline constexpr int kLaneResourceCount = 5;

struct LaneOp {
  int lane = 0;
  int row = 0;                                    // 1: runs beside row 0 of the same lane
  std::array<double, kLaneResourceCount> work{};  // cycles, were it alone on the resource
  double latency = 0;                             // cycles from issue until its work may begin
  double own = 0;                                 // cycles it lasts at least, whoever else works: its own latencies
  std::vector<std::int32_t> after;                // operations that must have ended; any index, also later ones
  std::vector<double> lag;                        // beside `after`: cycles from their end until it is seen; empty: 0
  bool issued_ahead = false;  // its latency runs from the moment the one before it in its row was issued, not ended
};

struct LaneTimes {
  double issued = 0;  // all it waits for was there
  double start = 0, end = 0;
  std::int32_t last = -1;  // which of its `after` ended last; -1 if none or if its own row held it longer
};

struct LaneRun {
  bool deadlock = false;
  std::int32_t stuck = -1;  // deadlock: an operation that can never start
  double cycles = 0;
  std::array<double, kLaneResourceCount> busy{};  // cycles with work on the resource
  std::vector<LaneTimes> times;                   // of each operation
};

LaneRun run_lanes(const std::vector<LaneOp>&);

}  // namespace tilewalk
