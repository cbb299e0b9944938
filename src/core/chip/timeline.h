// The modelled timeline of one thread block alone on its SM: what each lane does and when, in cycles of one SM's clock.
//
// Modelled: lanes (a producer and two or three consumer warpgroups in flash_v3, three above 128 rows; load, MMA, two
// softmax, correction and store warps in flash_v4; loads and compute elsewhere), in-order issue in each, the circular
// buffer of `stages` tiles, the barriers that order them, tensor cores, exponential unit, fp32 lanes and this SM's
// share of memory bandwidth, with latency. Operations that use one unit at the same time share it equally; the tensor
// cores process products in the order of issue. Products are done in whole 16 x 8 x 16 instructions, at the rate that
// core/chip/visit_pace gives; fp32 products use the fp32 lanes. Other rates: core/problem/device_model. On Hopper cards
// flash_v3's warpgroups also have two times of their own, measured on an H200: a delay until the warpgroup sees a
// finished product, and a softmax that takes longer than its units need.
//
// The sum over the lanes leaves some things out (instruction issue, waits for results, tensor cores below their rate,
// clocks under load). The pace of the model of time includes them, so all times here are stretched by one factor until
// a visit takes that pace. The lanes add which lane waits for which, and what an option costs.
//
// Compared with the chip (flash_v3, d 128, six builds with a producer, H200): a visit there takes 1.14 to 1.21 times
// the modelled cycles, whichever option is off, so variants compare within 4 %. The FlashAttention-3 paper's ablation
// (H100): 772, 660 and 726 modelled TFLOP/s where it has 661, 582 (no pipelining) and 570 (no specialisation).
// Ping-pong gains nothing here (on that H200 -3 to +3 %).
// Not modelled: other thread blocks on the SM, masks inside a tile.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/chip/lane_option.h"
#include "core/lanes/lane_program.h"
#include "core/problem/device_model.h"
#include "core/walk/schedule.h"

namespace tilewalk {

struct Segment {
  int lane = 0;
  int row = 0;                // 1: parallel to row 0 of the same lane; products continue while the warps do arithmetic
  double start = 0, end = 0;  // cycles
  Doing doing = Doing::Waiting;
  WaitFor wait = WaitFor::Nothing;
  std::int64_t kv_tile = -1;                      // -1 outside tile visits
  std::int64_t q_tile = -1;                       // flash_v1: the Q tile of the visit; else the group's
  int half = -1;                                  // which half (or third) of the Q tile's rows; -1: all rows
  std::int64_t first_step = 0, end_step = 0;      // the schedule's steps that it belongs to; empty for waiting
  std::array<double, kLaneResourceCount> work{};  // cycles, if it were alone on the unit
};

struct TimelineLane {
  std::string name;  // "consumer 0"
  bool two_rows = false;
  double busy = 0;   // cycles, all rows of the lane together
  double stall = 0;  // cycles of waiting between its first and last work
};

struct TimelineOptions {
  std::int64_t batch = 0, head = 0;
  std::int64_t group = 0;           // Q tile; KV tile in flash_v1; q_tile * splits + split in split_kv
  std::int64_t most_visits = 1024;  // visits to simulate; later visits are added at the pace of the last half of these
  std::vector<bool> rescaled;       // flash_v4, by visit: at least one row followed its max. Empty: no visit after the
                                    // first, or every visit where the threshold is 0
  MemoryShare memory{0, 0, 0};      // all 0: memory_share(problem, device)
};

struct Timeline {
  bool deadlock = false;
  std::vector<TimelineLane> lanes;
  std::vector<Segment> segments;  // by lane, then row, then start
  std::int64_t visits = 0, simulated_visits = 0;
  double stretch = 1;                             // lane_stretch
  double cycles = 0;                              // of all visits
  double simulated_cycles = 0;                    // of the visits that the segments show
  std::array<double, kLaneResourceCount> busy{};  // cycles, of the simulated visits
  double product_utilisation = 0;  // share of the simulated cycles that the products would need at peak rate
  MemoryShare memory;
};

// One SM's share of the memory when all thread blocks of the run are spread over the device. Where several running
// thread blocks read the same K and V tiles, one read comes from DRAM and the others from L2.
MemoryShare memory_share(const Problem&, const DeviceModel&);

// The same problem with every lane option on, and with enough buffers for them.
Problem with_every_lane_option(Problem);

// Cycles of a visit by the lanes alone, once their pipeline is full, before stretching; 0 where there are no lanes.
double lane_cycles_per_visit(const Problem&, const DeviceModel&, const MemoryShare&);

// True if a visit in the lanes is slow mostly because its bytes arrive late (small tiles). The pace of
// core/chip/visit_pace does not include this delay, so the lanes' own cycles are used instead.
bool latency_decides(const Problem&, const DeviceModel&);

// The factor for the lanes' cycles by which a visit of a thread block alone on its SM takes what the model of time says
// (core/chip/visit_pace) where the lanes have every option. 1 where the schedule has no lanes, and where
// latency_decides.
double lane_stretch(const Problem&, const DeviceModel&);

// Precondition: the problem's device is known. A schedule without lanes has an empty timeline.
Timeline build_timeline(const Schedule&, const TimelineOptions& = {});

// Cycles of a group with this many visits; no segments. Simulates up to 48 visits, then adds visits at a constant pace.
class GroupCycles {
 public:
  GroupCycles(const Problem&, const MemoryShare&);
  double operator()(std::int64_t visits);

 private:
  double simulated(std::int64_t visits);
  Problem p_;
  MemoryShare memory_;
  double stretch_;
  std::vector<double> known_;  // cycles by visits; negative: not yet
};

// What one optimisation saves: cycles of the same group with and without it.
struct Removal {
  LaneOption option = LaneOption::PingPong;
  bool on = false;  // as the problem sets it
  double cycles_on = 0, cycles_off = 0;
  bool refused = false;  // the other setting would deadlock; its cycles are 0
};
std::vector<Removal> what_it_removes(const Problem&, const TimelineOptions& = {});

}  // namespace tilewalk
