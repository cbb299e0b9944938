#include "pages/walk/card_results.h"

#include <algorithm>
#include <cmath>

#include "core/schedules/registry.h"
#include "view/walk/o_tile_model.h"

namespace tilewalk {
namespace {

void find_range(CardResult& result) {
  bool any = false;
  for (const float v : result.values) {
    if (!std::isfinite(v)) continue;
    result.least = any ? std::min(result.least, v) : v;
    result.most = any ? std::max(result.most, v) : v;
    any = true;
  }
}

CardResult empty_result(TensorId tensor, std::int64_t rows, std::int64_t cols, std::int64_t tile_rows) {
  return {.tensor = tensor,
          .rows = rows,
          .cols = cols,
          .tile_rows = tile_rows,
          .values = std::vector<float>(std::size_t(rows * cols))};
}

// Copies each finished tile to its rows.
class Collector final : public VisitSink {
 public:
  Collector(const Problem& p, const HeadId& head, bool backward) : p_(p), head_(head) {
    const Shape& shape = p.shape;
    if (!backward) {
      results.push_back(empty_result(TensorId::O, shape.n_q, shape.d, p.tiling.br));
      return;
    }
    results.push_back(empty_result(TensorId::dQ, shape.n_q, shape.d, p.tiling.br));
    for (const TensorId tensor : {TensorId::dK, TensorId::dV})
      results.push_back(empty_result(tensor, shape.n_kv, shape.d, p.tiling.bc));
  }

  bool on_visit(const VisitState&) override { return true; }
  bool wants_scores() const override { return false; }
  bool on_q_tile(const QTileId& id, const std::vector<float>& o, const std::vector<float>&) override {
    if (results.size() == 1) put(results[0], id.q_tile * p_.tiling.br, o);
    return true;
  }
  bool on_q_gradient(const QTileId& id, const std::vector<float>& dq) override {
    if (id.head == head_.head) put(results[0], id.q_tile * p_.tiling.br, dq);
    return true;
  }
  bool on_kv_gradients(const KvTileId& id, const std::vector<float>& dk, const std::vector<float>& dv) override {
    put(results[1], id.kv_tile * p_.tiling.bc, dk);
    put(results[2], id.kv_tile * p_.tiling.bc, dv);
    return true;
  }

  std::vector<CardResult> results;

 private:
  static void put(CardResult& to, std::int64_t row, const std::vector<float>& values) {
    const std::size_t at = std::size_t(row * to.cols);
    const std::size_t count = at < to.values.size() ? std::min(values.size(), to.values.size() - at) : 0;
    std::copy_n(values.begin(), count, to.values.begin() + std::ptrdiff_t(at));
  }

  const Problem& p_;
  const HeadId head_;
};

}  // namespace

std::vector<CardResult> whole_results(const std::shared_ptr<const Schedule>& schedule, const Inputs& inputs,
                                      const HeadId& head) {
  const Problem& p = schedule->problem();
  const bool backward = makes(row_of(p), Quantity::DQ);
  Replay replay(schedule, inputs);
  Collector all(p, head, backward);
  const std::int64_t pieces = backward ? p.kv_tiles() : p.q_tiles();
  const std::int64_t first = backward ? (head.batch * p.shape.kv_heads + head.head / p.shape.head_group()) * pieces
                                      : (head.batch * p.shape.heads + head.head) * pieces;
  for (std::int64_t piece = first; piece < first + pieces; ++piece) {
    replay.begin_piece(piece);
    std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
    replay.walk_on(all, no_limit);
  }
  for (CardResult& result : all.results) find_range(result);
  return std::move(all.results);
}

std::vector<CardResult> last_tile(const Schedule& schedule, const State& state) {
  const ShownTile shown = shown_tile(schedule, state);
  if (!shown.values || shown.rows <= 0) return {};
  CardResult result = empty_result(shown.tensor, shown.rows, schedule.problem().shape.d, shown.rows);
  if (result.values.size() != shown.values->size()) return {};
  result.row_begin = shown.row_begin;
  result.values = *shown.values;
  find_range(result);
  return {std::move(result)};
}

}  // namespace tilewalk
