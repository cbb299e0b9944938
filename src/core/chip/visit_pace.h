// The pace of the model of time: what one tile visit takes on an SM, and what a thread block's begin and end take.
// Lanes, waves, comparison and prediction all take their time from here.
//
// Modelled: products at the rate that the card reaches by the instruction that the schedule uses (mma.sync, or a whole
// warpgroup's wgmma), exponentials and other operations by the card's units. Where the schedule lets an SM do both at
// the same time (FA-3, FA-4) a visit takes the longer of the products and the softmax's instructions, 1 / exp_per_cycle
// and five fp32 operations a score; elsewhere it takes the products and then the exponentials, one after the other: on
// an H200 they were measured alone, and FA-2's visit lasts as long as their sum. A scheduler that has one warp alone
// waits for that warp's own results. K and V that come slower than they are used set the pace. Begin and end of a
// thread block: its Q in and its O out at its share of the memory's rate, and one latency.
//
// Sources: assets/measurements/parts_h200_2026-11-22.csv (products and softmax alone), the same beside FA-2 and FA-3 as
// Nsight Compute saw them (kernels/NOTES.md). Constants hold for 16-bit numbers on Hopper; a lone warp of another card
// is assumed to lose as many cycles an instruction. Products by mma.sync are never faster than their operands come into
// shared memory and out of it. Not modelled: bank conflicts, power beyond the one clock under load, masks inside a
// tile.
#pragma once

#include "core/problem/device_model.h"
#include "core/problem/problem.h"

namespace tilewalk {

// The same with d as a kernel for 16-bit numbers computes it: built for 64, 128 and 256, a head size between takes the
// next larger build. Larger heads, fp32 and schedules without tile visits stay as they are.
Problem built_for(const Problem&);

inline constexpr double kOtherOpsPerScore = 5;  // scale and subtract, maximum, sum, rounding, one to spare

// Whether a scheduler of an SM with so many thread blocks has one warp, which waits for its own results.
bool has_lone_warps(const Problem&, int together);
// Shares of a unit's rate that so many thread blocks of an SM reach: less than 1 where warps are alone. The products'
// rate, in FLOPs a cycle of the SM: where they are slow, a wait beside each of them is a smaller part.
struct UnitShares {
  double products = 1, softmax = 1;
};
UnitShares unit_shares(const Problem&, double flop_per_cycle, int together);

class VisitPace {
 public:
  VisitPace(const Problem&, const DeviceModel&);

  // Cycles until each of so many thread blocks that share an SM has done one visit.
  double visit(int together) const;
  // Cycles that a thread block's begin and end add, beside as many others on every busy SM.
  double begin_and_end(int together) const;

  // FLOPs a cycle that the products of a thread block alone on its SM reach; where they run beside the softmax, the
  // tensor cores' own rate: how much of it is reached is the lanes' to say.
  double lone_product_rate() const { return lone_rate_; }

  double products() const { return products_; }  // cycles of one visit, at the rate reached
  double softmax() const { return softmax_; }  // where it runs beside products: all its instructions; else exponentials

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
