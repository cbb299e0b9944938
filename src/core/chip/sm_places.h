// Thread blocks that share an SM, cycle by cycle: each place runs its queue, one block after the other, and how fast
// depends on how many places still have one. Blocks go in step: while so many share the SM, each makes as many tile
// visits as the others, so one that is left alone at the end goes on faster, as its own results are all it waits for.
// Not modelled: how far neighbours drift apart; what a block's begin hides behind a neighbour's visits.
#pragma once

#include <span>
#include <vector>

#include "core/chip/visit_pace.h"

namespace tilewalk {

// What a thread block's begin and end, and one of its visits, take beside others. Where a thread block walks a whole
// head its visits are the head's; where a schedule has no visits, one stands for its share of the passes.
class BlockCosts {
 public:
  // most: blocks that may share an SM. pass_cycles: of a schedule without lanes, a block's share of its passes.
  BlockCosts(const Problem&, const DeviceModel&, int most, double pass_cycles);

  double edges(int together) const { return edges_[std::size_t(together - 1)]; }
  double visit(int together) const { return visit_[std::size_t(together - 1)]; }
  // Visits of a block of a group with so many; 0: the block is over at once.
  double visits(std::int64_t of_group) const { return of_block_ > 0 ? of_block_ : double(of_group); }
  // In visits, with one for begin and end. Who takes which thread block goes by this, so that a faster card, which has
  // them from the same places, is never slower.
  std::int64_t in_visits(std::int64_t of_group) const { return of_block_ > 0 || of_group > 0 ? of_group + 1 : 0; }

 private:
  std::vector<double> edges_, visit_;
  double of_block_ = 0;  // 0: its group's
};

struct QueuedBlock {
  std::int64_t count = 1;     // so many alike, run as one
  double visits = 0;          // of each
  double start = 0, end = 0;  // cycles; found by run_on_sm
};

// The places of one SM, each with its queue in order.
void run_on_sm(std::span<std::vector<QueuedBlock>> places, const BlockCosts&);

}  // namespace tilewalk
