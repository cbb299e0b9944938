#include "view/walk/quick_replay.h"

#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr double kQuickProducts = double(1 << 27);  // multiply-adds: some 20 ms of one thread

}  // namespace

bool is_quick_to_replay(const Problem& p) {
  const bool backward = makes(row_of(p), Quantity::DQ);
  const double pairs = double(p.shape.n_q) * double(p.shape.n_kv) * double(p.shape.d);
  return pairs * (backward ? 5.0 * double(p.shape.head_group()) : 2.0) <= kQuickProducts;
}

}  // namespace tilewalk
