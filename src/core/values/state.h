// The values at a cursor, and the values after one tile visit. Scores, m and l are in log2 units (fp32); view/ converts
// them to natural units where the problem is in base e. Plain values, without the code that computes them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/walk/step.h"

namespace tilewalk {

// The values of the current Q tile after k steps. Arrays are row-major, rows x cols, rows x d, or rows; an array is
// empty while the walk has not computed it (or no longer stores it).
struct State {
  std::int64_t cursor = 0;
  bool started = false;         // false only at cursor 0
  Step step;                    // the step that led here (valid if started)
  std::vector<float> s;         // score tile: scaled, then masked. rows x cols of the current visit
  std::vector<float> p;         // exp2(s - m) (flash_v2), e/sum (standard). rows x cols of the current visit
  std::vector<float> o;         // rows x d; flash_v2: not yet divided by l until Normalise
  std::vector<float> m_old, m;  // running max before and after this visit
  std::vector<float> tile_max;  // max of this tile's own scores (flash_v2 shows it, flash_v1 computes with it)
  std::vector<float> alpha;     // exp2(m_old - m)
  std::vector<float> beta;      // flash_v1: exp2(tile_max - m)
  std::vector<float> tile_l;    // flash_v1: the tile's own sum, relative to tile_max
  std::vector<float> pv;        // flash_v1: this tile's P V, rows x d
  std::vector<float> l_old, l;  // running sum before and after this visit
  std::vector<float> lse;       // L, after Normalise; backward: the forward pass's result
  // The backward passes: p is the factor of dV, o the forward pass's O. backward_standard's pass 3 shows whole rows.
  std::vector<float> D;       // rowsum(dO o O), a value a row; backward_standard: rowsum(P o dP)
  std::vector<float> dp, ds;  // rows x cols of the current visit
  std::vector<float> dq;      // rows x d: as stored in HBM, or this visit's; times g once scaled
  std::vector<float> dk, dv;  // cols x d of the current KV tile: sums so far, over the query heads that share it
  bool sums_pending = false;  // dk and dv are missing, as they are still being replayed (Replay::early_state)

  bool operator==(const State&) const;  // bit for bit, NaN equal to itself
};

// The values after one tile visit: the unit of a trace. flash_v2: m, l, alpha, o after the visit, o not divided.
// flash_v1: the same, o divided, p relative to the tile's own max. standard: m and l are the row's final max and sum,
// alpha is empty, s is the stored tile, p the divided tile, o the partial sum after the visit's product in pass 3.
struct VisitState {
  std::int64_t batch = 0, head = 0, q_tile = 0, kv_tile = 0;
  std::int64_t rows = 0, cols = 0, d = 0;
  std::vector<float> m{}, l{}, alpha{}, s{}, p{}, o{};
  // The backward passes: s, p, dp, ds of the visit, and dq, dk, dv as after it, not yet times g; m, l, alpha and o are
  // empty. backward_standard has no s; its p and ds are as stored, and its dv, dp, dq, dk are those after passes 1, 2,
  // 4, 5.
  std::vector<float> dp{}, ds{}, dq{}, dk{}, dv{};

  TileId tile() const { return {batch, head, q_tile, kv_tile}; }
};

// The result of one slice of a walk.
enum class Slice { More, Whole, Stopped };  // Stopped: by the sink

// Receives the visits of a walk.
class VisitSink {
 public:
  virtual ~VisitSink() = default;
  // Called once per tile visit in walk order; return false to stop the walk.
  virtual bool on_visit(const VisitState&) = 0;
  // Called once per Q tile after its last visit: final O (rows x d, rounded to dtype) and L (rows).
  virtual bool on_q_tile(const QTileId&, const std::vector<float>& /*o*/, const std::vector<float>& /*lse*/) {
    return true;
  }
  // The backward passes: dK and dV of a KV tile after its last visit, and dQ of every Q tile after the last KV tile of
  // its KV head; times g and rounded to the dtype.
  virtual bool on_kv_gradients(const KvTileId&, const std::vector<float>& /*dk*/, const std::vector<float>& /*dv*/) {
    return true;
  }
  virtual bool on_q_gradient(const QTileId&, const std::vector<float>& /*dq*/) { return true; }
  virtual bool wants_scores() const { return true; }  // false: s, p, dp and ds may be left empty
};

}  // namespace tilewalk
