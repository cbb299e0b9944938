#include "pages/walk/one_row.h"

#include <algorithm>
#include <cmath>

#include "core/fields/validate.h"
#include "core/problem/format_value.h"
#include "view/walk/quick_replay.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostPairs = 4096;  // rows times columns of a head that a frame has time for

// The row that a later tile raises most, of a replayed Q tile; −1: none.
std::int64_t raised_row(OneRow& out) {
  std::int64_t best = -1;
  float least = 1;
  for (std::size_t visit = 1; visit < out.visits.size(); ++visit)
    for (std::size_t r = 0; r < out.visits[visit].alpha.size(); ++r) {
      const float alpha = out.visits[visit].alpha[r];
      if (!(alpha > 0) || alpha >= least) continue;
      least = alpha, best = std::int64_t(r), out.better = visit;
    }
  return best;
}

std::optional<OneRow> row_of_tile(Replay& replay, const QTileId& id) {
  OneRow out{.problem = replay.schedule().problem(), .q_tile = id.q_tile};
  ReplayedQTile tile = replay_q_tile(replay, id);
  out.visits = std::move(tile.visits);
  const std::int64_t at = raised_row(out);
  if (at < 0) return std::nullopt;
  out.row = id.q_tile * out.problem.tiling.br + at;
  const std::int64_t d = out.problem.shape.d;
  out.o.assign(tile.o.begin() + at * d, tile.o.begin() + (at + 1) * d);
  for (std::size_t visit = 0; visit < out.visits.size(); ++visit) {
    const VisitState& seen = out.visits[visit];
    for (std::int64_t c = 0; c < seen.cols; ++c)
      if (const float score = seen.s[std::size_t(at * seen.cols + c)]; std::isfinite(score))
        out.keys.push_back({.key = seen.kv_tile * out.problem.tiling.bc + c, .visit = visit, .score = score});
  }
  if (out.keys.size() > kMostRowKeys) return std::nullopt;
  return out;
}

void add_inputs(const Inputs& inputs, const HeadId& head, OneRow& out) {
  const InputHead q = input_head(out.problem, TensorId::Q, head), k = input_head(out.problem, TensorId::K, head),
                  v = input_head(out.problem, TensorId::V, head);
  const auto best = std::max_element(out.keys.begin(), out.keys.end(),
                                     [](const RowKey& a, const RowKey& b) { return a.score < b.score; });
  out.best = std::size_t(best - out.keys.begin());
  for (std::int64_t c = 0; c < out.problem.shape.d; ++c) out.q.push_back(inputs.at(q, out.row, c));
  for (RowKey& key : out.keys) {
    for (std::int64_t c = 0; c < out.problem.shape.d; ++c) key.k.push_back(inputs.at(k, key.key, c));
    key.value = inputs.at(v, key.key, 0);
  }
}

std::optional<OneRow> row_of_head(const Problem& p, const Inputs& inputs, const QTileId& near) {
  if (!is_hand_size(p) || p.shape.n_q * p.shape.n_kv > kMostPairs || !validate(p).empty()) return std::nullopt;
  Replay replay(make_schedule(p), inputs);
  const std::int64_t tiles = (p.shape.n_q + p.tiling.br - 1) / p.tiling.br;
  for (std::int64_t i = 0; i < tiles; ++i)
    if (auto row = row_of_tile(replay, {near.batch, near.head, (near.q_tile + i) % tiles})) {
      add_inputs(inputs, {near.batch, near.head}, *row);
      return row;
    }
  return std::nullopt;
}

}  // namespace

std::vector<float> OneRow::sums_after(std::size_t visit) const {
  const auto begin = visits[visit].o.begin() + std::ptrdiff_t(at()) * visits[visit].d;
  return {begin, begin + visits[visit].d};
}

double OneRow::weight(const RowKey& key, std::size_t visit) const {
  return std::exp2(double(key.score) - double(max_after(visit)));
}

OneRow one_row_of(const Problem& walked, const Inputs& inputs, const QTileId& near) {
  Problem p = walked, example;
  p.schedule = example.schedule;  // FA-2
  p.fault = Fault::None;
  if (auto row = row_of_head(p, inputs.under(p), near)) return *std::move(row);
  example.shape.mask.kind = MaskKind::Causal;
  return *row_of_head(example, Inputs(example), {0, 0, 2});
}

}  // namespace tilewalk
