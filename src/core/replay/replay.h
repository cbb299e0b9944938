// Replay: the values at any cursor. The state after k steps depends on k alone, never on earlier seeks.
//
// The arithmetic is that of kernels/README.md, operation by operation. This code is independent of the kernels and
// written for speed: vector lanes lie across rows (scores, max, sum) or across columns of O, so each element has its
// own order of operations and every lane width gives the same bits. Scores, m, l here are in log2 units (fp32). view/
// converts them to natural units where the problem is in base e.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/worker_pool.h"
#include "core/problem/inputs.h"
#include "core/values/state.h"
#include "core/walk/schedule.h"

namespace tilewalk {

class Replay {
 public:
  // With a worker pool, several workers replay the rows of a Q tile; the bits are the same without a pool.
  Replay(std::shared_ptr<const Schedule>, Inputs, const std::shared_ptr<WorkerPool>& = nullptr);
  ~Replay();
  Replay(Replay&&) noexcept;
  Replay& operator=(Replay&&) noexcept;

  const Schedule& schedule() const;
  const Inputs& inputs() const;

  // State after `cursor` steps. Cold cost: the visits of one Q tile before it (standard: its row of tiles). The
  // backward passes: the earlier visits of its Q tile and of its KV tile, and the forward pass of every Q tile among
  // them; the forward pass is cached, so only the first seek among the query heads of a KV head computes it.
  const State& at(std::int64_t cursor);

  // The same in slices, so that the caller stays responsive: call begin, then work until it returns true.
  void begin(std::int64_t cursor);
  bool work(std::int64_t max_visits);  // true when the state is ready
  double progress() const;             // 0 to 1
  const State& state() const;          // precondition: ready
  // While work goes on: the state at the cursor without dK and dV, as soon as the rest is computed; else null. The sums
  // of a KV tile need the forward pass of every Q tile before it, which takes seconds far into a long backward pass.
  const State* early_state();

  // Walks every visit of every Q tile in order (or of one Q tile) and passes each to the sink. False if the sink
  // stopped it.
  bool walk(VisitSink&);
  // That walk in pieces that are checked one by one: Q tiles in a forward pass, KV tiles in a backward pass, in the
  // order that costs least. Begin one, then walk_on until it is no longer More.
  std::int64_t walk_pieces() const;
  void begin_piece(std::int64_t piece);
  // The backward passes walk KV tile by KV tile; walk_q_tile there seeks each visit by itself, for small problems.
  bool walk_q_tile(const QTileId&, VisitSink&);
  // The backward passes: every visit of one KV tile, over the query heads that share it. KV tiles asked for in walk
  // order cost their own visits; any other order replays those before.
  bool walk_kv_tile(const KvTileId&, VisitSink&);
  // Those two in slices: begin one of them, then walk on until it is no longer More. A slice takes at most
  // `max_visits`, which lose what it took; a visit that is replayed on the way, and a pass of standard over a tile,
  // count too. No seek may come in between.
  void begin_q_tile(const QTileId&);
  void begin_kv_tile(const KvTileId&);
  Slice walk_on(VisitSink&, std::int64_t& max_visits);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A rectangle of the scores of a head.
struct ScoreRectangle {
  HeadId head;
  std::int64_t row_begin = 0, row_end = 0, col_begin = 0, col_end = 0;
};
// Its values for pictures: scaled and masked (-inf), in log2 units, row-major.
std::vector<float> scores_of(const Inputs&, const ScoreRectangle&);

}  // namespace tilewalk
