// The numbers of one row of O, as the online softmax of FA-2 makes them: its scores, and the max, sum and O after each
// tile. The row is the one whose max a later tile raises most. All from the replay, so in its arithmetic.
#pragma once

#include <optional>
#include <vector>

#include "core/problem/inputs.h"
#include "core/replay/replay.h"

namespace tilewalk {

inline constexpr std::size_t kMostRowKeys = 16;  // that are drawn beside each other

struct RowKey {
  std::int64_t key = 0;       // a row of K
  std::size_t visit = 0;      // of its tile, among the visits of the row's Q tile
  float score = 0;            // in log2 units
  float value = 0;            // of V, at this row and column 0
  std::vector<float> k = {};  // its row of K
};

struct OneRow {
  Problem problem;
  std::int64_t row = 0, q_tile = 0;
  std::vector<VisitState> visits = {};  // of its Q tile
  std::size_t better = 1;               // the visit that raises its max most; not the first
  std::vector<RowKey> keys = {};        // those that the mask lets the row see
  std::vector<float> q = {};            // the row of Q
  std::size_t best = 0;                 // of the keys: that with the largest score
  std::vector<float> o = {};            // divided by ℓ

  std::size_t at() const { return std::size_t(row - q_tile * problem.tiling.br); }  // in the Q tile
  float max_after(std::size_t visit) const { return visits[visit].m[at()]; }
  float sum_after(std::size_t visit) const { return visits[visit].l[at()]; }
  float alpha() const { return visits[better].alpha[at()]; }
  std::vector<float> sums_after(std::size_t visit) const;  // O, not divided
  double weight(const RowKey&, std::size_t visit) const;   // against the max after that visit
};

// Of the walk's problem under FA-2, from its Q tile on, where that is small and has such a row; else of the example, 16
// words with a causal mask. `near`: the Q tile looked at first.
OneRow one_row_of(const Problem&, const Inputs&, const QTileId& near);

}  // namespace tilewalk
