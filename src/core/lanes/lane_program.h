// What each lane of a thread block does, in order, and what it waits for. A schedule writes the program
// (core/schedules/*_lanes.cpp) and core/chip/lane_engine runs it. Plain values; only the engine computes times.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewalk {

enum class Doing {
  LoadQ,
  LoadK,
  LoadV,
  LoadState,
  Scores,
  RowMax,
  Rescale,
  Exponentiate,
  RowSum,
  Accumulate,
  Normalise,
  Store,
  Waiting
};
enum class WaitFor {
  Nothing,     // not waiting
  Tile,        // a tile is on its way from memory
  Stage,       // no stage of the buffer is empty
  Turn,        // the other consumer has the tensor cores
  Scores,      // a product is not finished
  Softmax,     // weights are not ready
  Correction,  // O is not rescaled yet
  Partner,     // a barrier with the other consumer
  Memory,      // latency
};
const char* name_of(Doing);
const char* reason_of(WaitFor);  // "a tile on its way", for captions

enum class LaneResource { TensorCores, Exp, Fp32, Compare, Memory };  // Compare: maxima and conversions
inline constexpr int kLaneResourceCount = 5;

struct LaneOp {
  int lane = 0;
  int row = 0;                                    // 1: runs beside row 0 of the same lane
  std::array<double, kLaneResourceCount> work{};  // cycles, if it were alone on the resource
  double latency = 0;                             // cycles from issue until its work may begin
  double own = 0;                   // shortest duration in cycles, whatever other lanes do: its own latencies
  std::vector<std::int32_t> after;  // operations that must have ended; any index, also of later ones
  std::vector<double> lag;          // for each of `after`: cycles from its end until this operation sees it; empty: 0
  bool issued_ahead = false;  // its latency counts from the issue, not the end, of the operation before it in its row
};

struct ProgramOp {
  Doing doing = Doing::Waiting;
  std::int64_t visit = -1;  // -1 outside visits
  int half = -1;
  std::vector<WaitFor> why{};  // beside LaneOp::after
};

struct ProgramLane {
  std::string name;       // "consumer 0"
  bool two_rows = false;  // products continue beside the arithmetic of its warps
};

struct LaneProgram {
  std::vector<ProgramLane> lanes;
  std::vector<LaneOp> ops;
  std::vector<ProgramOp> what;  // of each op
};

// One SM's share of the memory while its neighbours read too.
struct MemoryShare {
  double bytes_per_cycle = 1;
  double latency_cycles = 0;
  double l2_share = 0;  // of the bytes, served by L2
};

}  // namespace tilewalk
