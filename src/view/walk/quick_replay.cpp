#include "view/walk/quick_replay.h"

#include <limits>

#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr double kQuickProducts = double(1 << 27);  // multiply-adds: some 20 ms of one thread

struct Keeper final : VisitSink {
  ReplayedQTile tile;
  bool on_visit(const VisitState& visit) override {
    tile.visits.push_back(visit);
    return true;
  }
  bool on_q_tile(const QTileId&, const std::vector<float>& o, const std::vector<float>&) override {
    tile.o = o;
    return true;
  }
};

}  // namespace

ReplayedQTile replay_q_tile(Replay& replay, const QTileId& id) {
  Keeper keeper;
  replay.begin_q_tile(id);
  std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
  replay.walk_on(keeper, no_limit);
  return std::move(keeper.tile);
}

bool is_quick_to_replay(const Problem& p) {
  const bool backward = makes(row_of(p), Quantity::DQ);
  const double pairs = double(p.shape.n_q) * double(p.shape.n_kv) * double(p.shape.d);
  return pairs * (backward ? 5.0 * double(p.shape.head_group()) : 2.0) <= kQuickProducts;
}

}  // namespace tilewalk
