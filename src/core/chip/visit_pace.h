// The pace of the model of time: how long one tile visit takes on an SM, and how long a thread block's begin and end
// take. Lanes, waves, comparison and prediction all use these times.
//
// Modelled: products at the rate that the card reaches with the schedule's instruction (mma.sync, or a whole
// warpgroup's wgmma), exponentials and other operations at the rates of the card's units.
// Where the schedule lets an SM do both at the same time (FA-3, FA-4), a visit takes the longer of the products and the
// softmax's instructions, 1 / exp_per_cycle and five fp32 operations a score. Elsewhere it takes the products and then
// the exponentials, one after the other: each was measured alone on an H200, and FA-2's visit lasts as long as their
// sum.
// A scheduler with a single warp waits for that warp's own results. Where K and V arrive more slowly than they are
// used, they set the pace. Begin and end of a thread block: loading its Q and storing its O at its share of the
// memory's rate, and one latency.
//
// Sources: assets/measurements/parts_h200_2026-11-22.csv (products and softmax alone), the same beside FA-2 and FA-3 as
// Nsight Compute saw them (kernels/NOTES.md). Constants are for 16-bit numbers on Hopper; a single warp of another card
// is assumed to lose as many cycles an instruction. Products by mma.sync are never faster than their operands move into
// and out of shared memory.
// The pace of the fast kernels' builds is measured as a whole (core/chip/fast_pace, core/chip/head_pace). This header
// gives the pace of other tiles, and of cards without such a measurement.
// Not modelled: bank conflicts, power beyond the one clock under load, masks inside a tile.
#pragma once

#include "core/problem/device_model.h"
#include "core/problem/problem.h"

namespace tilewalk {

// The same problem with d as a kernel for 16-bit numbers computes it. A head size between those of the builds
// (core/problem/fast_kernels.h) uses the next larger build. Larger heads, fp32 and schedules without tile visits are
// returned unchanged.
Problem built_for(const Problem&);

inline constexpr double kOtherOpsPerScore = 5;  // scale and subtract, maximum, sum, rounding, one to spare

// Share of the exponentials' rate that one warp a scheduler reaches: parts_h200, softmax alone, 0.57 to 0.86.
inline constexpr double kLoneSoftmax = 0.57;
// True if each scheduler of an SM with this many thread blocks has one warp, which waits for its own results.
bool has_lone_warps(const Problem&, int together);
// Shares of a unit's rate that this many thread blocks of an SM reach: less than 1 where warps are alone.
// flop_per_cycle: the products' rate, in FLOPs a cycle of the SM; where products are slow, the wait beside each is a
// smaller part.
struct UnitShares {
  double products = 1, softmax = 1;
};
UnitShares unit_shares(const Problem&, double flop_per_cycle, int together);

class VisitPace {
 public:
  // columns: of a build that is not padded to the head sizes of built_for(); 0: it is.
  VisitPace(const Problem&, const DeviceModel&, std::int64_t columns = 0);

  // Cycles until each of this many thread blocks that share an SM has done one visit.
  double visit(int together) const;
  double computing(int together) const;  // the same where K and V arrive in time
  // Cycles that a thread block's begin and end add, with this many blocks on every busy SM.
  double begin_and_end(int together) const;
  double loads(int together) const { return loads_ * together; }  // cycles in which the visits' K and V arrive

  // FLOPs a cycle that the products of a thread block alone on its SM reach. Where products run beside the softmax,
  // this is the tensor cores' own rate: the lanes compute how much of it is reached.
  double lone_product_rate() const { return lone_rate_; }

  double products() const { return products_; }  // cycles of one visit, at the rate reached
  // Cycles of one visit. Where softmax runs beside products: all its instructions; else only the exponentials.
  double softmax() const { return softmax_; }

 private:
  double lone_rate_ = 0, products_ = 0, softmax_ = 0, loads_ = 0, edges_ = 0, latency_ = 0;
  double exchange_alone_ = 0, exchange_ = 0;
  UnitShares alone_, beside_others_;
  bool beside_ = false;
};

// Tensor-core FLOPs a cycle of one SM that the schedule's products reach.
double product_rate(const Problem&, const DeviceModel&);

// Threads of a thread block, and the 32-bit registers that one needs where scores and sums stay in registers.
int threads_of_block(const Problem&);
int registers_of_thread(const Problem&);

}  // namespace tilewalk
