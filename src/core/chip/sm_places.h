// Thread blocks that share an SM, cycle by cycle. Each place of the SM runs its queue, one block after the other; its
// speed depends on how many places still have a block. Blocks that visit tiles at the same time all make the same
// number of visits per cycle. A block that is alone at the end runs faster, as it waits only for its own results. Where
// a block loads its own tiles (no producer warp), its begin and end wait for memory: meanwhile its neighbours visit
// tiles as fast as without it. Not modelled: how far neighbours drift apart within their visits.
#pragma once

#include <span>
#include <vector>

#include "core/chip/fast_pace.h"
#include "core/chip/head_pace.h"
#include "core/chip/visit_pace.h"

namespace tilewalk {

struct QueuedBlock {
  std::int64_t count = 1;  // number of equal blocks that run as one
  double visits = 0;       // of each block
  double edges = 1;        // of each block's begin and end, in those of a block with all rows
  // Of all: visits, and one for begin and end; where blocks draw tiles themselves (FA-3), in 64ths of a visit, tiles
  // with fewer rows being smaller. The order in which places receive thread blocks depends on this alone, so a faster
  // card assigns the same blocks to the same places and is never slower.
  std::int64_t size = 0;
  double start = 0, end = 0;  // cycles; computed by run_on_sm
};

// The cycles of a thread block's begin and end, and of one visit, while other blocks share the SM. Where a thread block
// walks a whole head, its visits are those of the head; where a schedule has no visits, one stands for the block's
// share of the passes.
class BlockCosts {
 public:
  // most: the most blocks that may share an SM. pass_cycles: for a schedule without lanes, a block's share of its
  // passes.
  // build: of the fast kernel whose measured pace counts; null: the pace is derived.
  BlockCosts(const Problem&, const DeviceModel&, int most, double pass_cycles,
             const fast::BuildChoice* build = nullptr);

  double edges(int together) const { return edges_[std::size_t(together - 1)]; }
  // With `busy` blocks on the SM, `at_edges` of them in their begin or end.
  double visit(int busy, int at_edges) const;
  // Of the begin and end of a place's first block, where every place of the SM has one: it follows no other block.
  double first_edges() const { return first_edges_; }
  // `count` equal blocks whose group has `of_group` visits (0: they do no work) and this many rows of a tile.
  QueuedBlock block(std::int64_t count, std::int64_t of_group, std::int64_t rows) const;

 private:
  std::vector<double> edges_, visit_;
  double of_block_ = 0;  // 0: the visits of its group
  double first_edges_ = 1;
  bool edges_wait_ = true;
  const FastPace* measured_ = nullptr;
  double draws_visits_ = 0;  // begin and end in visits, where blocks draw tiles
  double rounds_ = 0;        // of a block that walks a whole head at a measured pace, else 0: its edges are one a round
  void take_measured(const Problem&, const DeviceModel&, int most, const FastPace&, std::int64_t columns);
  void take_heads(const Problem&, const DeviceModel&, int most, const HeadPace&);
};

// Runs the places of one SM, each with its queue in order.
void run_on_sm(std::span<std::vector<QueuedBlock>> places, const BlockCosts&);

}  // namespace tilewalk
