// Values of one Q tile at a time: what each schedule's replay provides to core/replay/replay. Internal to core.
#pragma once

#include <memory>
#include <vector>

#include "base/worker_pool.h"
#include "core/problem/inputs.h"
#include "core/values/state.h"
#include "core/values/tile_ops.h"
#include "core/walk/schedule.h"

namespace tilewalk {

class GroupReplay {
 public:
  virtual ~GroupReplay() = default;
  virtual void open(const QTileId&) = 0;           // forgets everything
  virtual void aim(const Step&) = 0;               // a step of the open group
  virtual bool work(std::int64_t max_visits) = 0;  // towards it; true when the visits before it are done
  virtual double progress() const = 0;
  // For replay by several workers: the KV tiles whose K and V rows work and fill will read for the aimed step, and
  // pointers to these rows (row 0 of the open KV head). The lender keeps the pointers valid during work and fill.
  virtual TileRange ahead() const { return {}; }
  virtual void lend(const float* /*k*/, const float* /*v*/) {}
  virtual void fill(State&) = 0;  // the state after the aimed step; precondition: work returned true
  virtual bool shows_early() const { return false; }  // fill is complete except for dk and dv
  // Every visit of the open group, from the start: call begin, then walk in slices of at most `max_visits` visits; each
  // slice subtracts what it used. A pass over a tile that passes nothing to the sink counts as one too. Call nothing
  // else in between.
  virtual void begin_walk() = 0;
  virtual Slice walk(VisitSink&, std::int64_t& max_visits) = 0;
  // The same where a group is a KV tile of a KV head (the backward passes).
  virtual void begin_kv_walk(const KvTileId&) {}
  virtual Slice walk_kv_tile(VisitSink&, std::int64_t& /*max_visits*/) { return Slice::Stopped; }
};

// The rows of each Q tile that worker `index` of `of` workers replays: whole vectors of kLanePad rows, so with few rows
// some workers have none.
struct RowShare {
  std::int64_t index = 0, of = 1;
};

// The Q tile transposed, and the loads and masks every schedule's replay needs.
struct QTileValues {
  const Problem* p = nullptr;
  const Inputs* inputs = nullptr;
  Band band;  // as the fault in force leaves it
  QTileId at;
  std::int64_t row_begin = 0, rows = 0, stride = 0, o_stride = 0;  // of this share
  std::int64_t tile_begin = 0, tile_rows = 0;                      // of the whole tile
  std::vector<float> qt;                                           // [d][stride]

  QTileValues(const Problem&, const Inputs&, RowShare = {});
  void open(const QTileId&);
  // Columns a visit computes: the tile's own, or bc of them where the ragged-read fault is on.
  std::int64_t cols_of(std::int64_t kv_tile) const;
  // Scores of one tile, scaled, [col][stride], before the mask.
  void scores(std::int64_t kv_tile, float* st);
  void scores(std::int64_t kv_tile, std::vector<float>& st);  // resizes st if it is too small
  void mask(std::int64_t kv_tile, float* st) const;
  bool left_out(std::int64_t kv_tile) const;  // by the skip-diagonal fault
  // Rows of K or V of the tile: d apart, or o_stride apart. Valid until the next call.
  const float* rows_of(TensorId, std::int64_t kv_tile);
  const float* wide_rows(TensorId, std::int64_t kv_tile);
  const float* v_rows(std::int64_t kv_tile) { return wide_rows(TensorId::V, kv_tile); }
  void lend(const float* k, const float* v) { lent_k_ = k, lent_v_ = v; }  // used instead of the inputs

 private:
  RowShare share_;
  const float* lent_k_ = nullptr;
  const float* lent_v_ = nullptr;
  std::vector<float> scratch_, padded_rows_, wide_;
};

// Whole rows of S, P, dP and dS are stored in a State only up to this many values.
inline constexpr std::int64_t kShownRowElements = std::int64_t(1) << 22;

// The KV tiles of the visits [first, end) of a walk over `walked`.
TileRange tiles_of_visits(const TileRange& walked, KvOrder, std::int64_t first, std::int64_t end);
// [col][stride] to rows x cols.
std::vector<float> untransposed(const float* st, std::int64_t rows, std::int64_t cols, std::int64_t stride);
// [row][o_stride] to rows x d.
std::vector<float> packed_rows(const std::vector<float>& o, std::int64_t rows, std::int64_t d, std::int64_t o_stride);
std::vector<float> first_of(const std::vector<float>&, std::int64_t count);
// The same into memory that is there already.
void pack_rows(const std::vector<float>& o, std::int64_t rows, std::int64_t d, std::int64_t o_stride,
               std::vector<float>& out);
void take_first(const std::vector<float>& from, std::int64_t count, std::vector<float>& out);
// L of `rows` rows: m + log2 l, and +inf for a row without visible columns.
std::vector<float> lse_of(const std::vector<float>& m, const std::vector<float>& l, std::int64_t rows);

}  // namespace tilewalk
