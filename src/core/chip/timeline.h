// The modelled timeline of one thread block alone on its SM: who does what, when, in cycles of one SM's clock.
//
// Modelled: lanes (a producer and two consumer warpgroups in flash_v3; load, MMA, two softmax, correction and store
// warps in flash_v4; loads and compute elsewhere), in-order issue in each, the circular buffer of `stages` tiles, the
// barriers that order them, tensor cores, exponential unit, fp32 lanes and this SM's share of memory bandwidth, with
// latency. Those who use one unit at the same time share it equally; the tensor cores take products in the order they
// were issued. Products are done in whole 16 x 8 x 16 instructions, at the rate that core/chip/visit_pace says; fp32
// products use the fp32 lanes. Other rates: core/problem/device_model. On Hopper cards flash_v3's warpgroups also have
// two times of their own, measured on an H200: a product is seen late, and a softmax takes longer than its units need.
//
// What the lanes' own sum leaves out (instruction issue, waits for results, tensor cores below their rate, clocks under
// load) is in the pace of the model of time. All times here are stretched by one factor, so that a visit takes that
// pace; what the lanes add is who waits for whom, and what an option costs.
//
// Held against the chip (flash_v3, d 128, six builds with a producer, H200): a visit there takes 1.14 to 1.21 times the
// modelled cycles, whatever is left out, so variants compare within 4 %. The FlashAttention-3 paper's ablation (H100):
// 772, 660 and 726 modelled TFLOP/s where it has 661, 582 (no pipelining) and 570 (no specialisation). Ping-pong wins
// nothing here (on that H200 -3 to +3 %). Not modelled: other thread blocks on the SM, masks inside a tile.
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
  int row = 0;                // 1: beside row 0 of the same lane, where products run on while the warps do arithmetic
  double start = 0, end = 0;  // cycles
  Doing doing = Doing::Waiting;
  WaitFor wait = WaitFor::Nothing;
  std::int64_t kv_tile = -1;                      // -1 outside tile visits
  std::int64_t q_tile = -1;                       // flash_v1: the Q tile of the visit; else the group's
  int half = -1;                                  // which half of the Q tile's rows; -1: all of them
  std::int64_t first_step = 0, end_step = 0;      // the schedule's steps it belongs to; empty for waiting
  std::array<double, kLaneResourceCount> work{};  // cycles, were it alone on the unit
};

struct TimelineLane {
  std::string name;  // "consumer 0"
  bool two_rows = false;
  double busy = 0;   // cycles, rows taken together
  double stall = 0;  // cycles waiting between its first and last work
};

struct TimelineOptions {
  std::int64_t batch = 0, head = 0;
  std::int64_t group = 0;           // Q tile; KV tile in flash_v1; q_tile * splits + split in split_kv
  std::int64_t most_visits = 1024;  // simulated; later ones are added at the pace of the last half of these
  std::vector<bool> rescaled;       // flash_v4, by visit: some row followed its max. Empty: none after the first
                                    // visit, or every one where the threshold is 0
  MemoryShare memory{0, 0, 0};      // all 0: memory_share(problem, device)
};

struct Timeline {
  bool deadlock = false;
  std::vector<TimelineLane> lanes;
  std::vector<Segment> segments;  // by lane, then row, then start
  std::int64_t visits = 0, simulated_visits = 0;
  double stretch = 1;                             // lane_stretch
  double cycles = 0;                              // of all visits
  double simulated_cycles = 0;                    // of those the segments show
  std::array<double, kLaneResourceCount> busy{};  // cycles, of those simulated
  double product_utilisation = 0;                 // share of the simulated cycles that the products need at peak rate
  MemoryShare memory;
};

// The SM's share when all thread blocks of the run are spread over the device: K and V tiles that several running
// thread blocks read come from DRAM once and from L2 for the others.
MemoryShare memory_share(const Problem&, const DeviceModel&);

// The same problem with all that its lanes can do, and buffers enough for it.
Problem with_every_lane_option(Problem);

// The lanes' own cycles of a visit once their pipeline is full, not stretched; 0 where there are no lanes.
double lane_cycles_per_visit(const Problem&, const DeviceModel&, const MemoryShare&);

// Whether a visit in the lanes takes so long mostly because its bytes are late (small tiles): then the pace of
// core/chip/visit_pace, which knows nothing of it, does not hold, and the lanes' own cycles do.
bool latency_decides(const Problem&, const DeviceModel&);

// What the lanes' own cycles are multiplied by, so that a visit of a thread block alone on its SM takes what the model
// of time says (core/chip/visit_pace) where the lanes have every option. 1 where the schedule has no lanes, and where
// latency decides.
double lane_stretch(const Problem&, const DeviceModel&);

// Precondition: the problem's device is known. A schedule without lanes has an empty timeline.
Timeline build_timeline(const Schedule&, const TimelineOptions& = {});

// Cycles of a group with so many visits; no segments. Simulated up to 48 visits, then at a constant pace.
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

// What an optimisation takes away: cycles of the same group with and without it.
struct Removal {
  LaneOption option = LaneOption::PingPong;
  bool on = false;  // as the problem has it
  double cycles_on = 0, cycles_off = 0;
  bool refused = false;  // the other setting would deadlock; its cycles are 0
};
std::vector<Removal> what_it_removes(const Problem&, const TimelineOptions& = {});

}  // namespace tilewalk
