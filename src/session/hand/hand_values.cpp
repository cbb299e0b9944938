#include "session/hand/hand_values.h"

#include <algorithm>
#include <cmath>

#include "core/problem/format_value.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

using Letter = Quantity;

}  // namespace

std::optional<double> number_at(const Problem& p, const State& state, const HandPlace& place) {
  const QuantityRow& row = ledger_row(place.quantity);
  const auto value = [&](std::vector<float> State::*values) {
    const std::int64_t col = row.shape == QuantityShape::Row ? 0 : place.col;
    return value_at(state, row.shape, state.*values, place.row, col, p.shape.d);
  };
  if (place.quantity == Letter::Follow) {
    const auto now = value(&State::m), old = value(&State::m_old), best = value(&State::tile_max);
    if (!now || !old || !best) return std::nullopt;
    return *now != *old ? 1.0 : 0.0;
  }
  if (!row.values) return std::nullopt;
  const std::optional<float> held = value(row.values);
  if (!held) return std::nullopt;
  return double(row.is_score ? display_score(p, *held) : *held);
}

HandValues::HandValues(std::shared_ptr<const Schedule> schedule, const Inputs& inputs)
    : schedule_(std::move(schedule)), replay_(schedule_, inputs) {}

std::optional<double> HandValues::right(const HandKey& key) {
  if (key.place.quantity == Letter::Weight) {
    const std::vector<double> sums = log_sums(schedule_->step(key.made_at), key.place.row);
    if (key.place.col >= std::int64_t(sums.size())) return std::nullopt;
    const double mine = sums[std::size_t(key.place.col)];
    if (std::isinf(mine)) return 0.0;
    double most = -INFINITY;
    for (const double sum : sums)
      if (!std::isinf(sum)) most = std::max(most, sum);
    return problem().numerics.base == Base::E ? std::exp(mine - most) : std::exp2(mine - most);
  }
  return number_at(problem(), after(key.made_at), key.place);
}

std::optional<double> HandValues::under(Fault fault, const HandKey& key) {
  if (!fault_applies(fault, problem().schedule)) return std::nullopt;
  std::unique_ptr<Replay>& replay = mistaken_[fault];
  if (!replay) {
    Problem mistaken = problem();
    mistaken.fault = fault;
    replay = std::make_unique<Replay>(make_schedule(mistaken), inputs().under(mistaken));
  }
  if (replay->schedule().step_count() != schedule_->step_count()) return std::nullopt;
  return number_at(replay->schedule().problem(), replay->at(key.made_at + 1), key.place);
}

std::vector<double> HandValues::log_sums(const Step& step, std::int64_t row) {
  std::vector<double> out;
  const std::int64_t splits = problem().tiling.splits;
  for (std::int64_t s = 0; s < splits; ++s) {
    const std::int64_t end =
        schedule_->end_step_of_group(0, {.batch = step.batch, .head = step.head, .group = step.q_tile * splits + s});
    out.push_back(number_at(problem(), after(end - 1), {Letter::LogSum, row}).value_or(INFINITY));
  }
  return out;
}

std::int64_t HandValues::most_changing_row(const Step& step) {
  const auto [known, fresh] = telling_.try_emplace({step.batch, step.head, step.q_tile}, step.row_end - 1);
  if (!fresh) return known->second;
  constexpr std::int64_t kMostVisits = 16;
  const TileRange range = schedule_->visited(step.q_tile);
  std::vector<int> grows(std::size_t(step.rows()), 0);
  for (std::int64_t kv = range.begin; kv < std::min(range.end, range.begin + kMostVisits); ++kv) {
    const std::int64_t end = schedule_->end_step_of_visit(
        schedule_->visit_section(), {.batch = step.batch, .head = step.head, .q_tile = step.q_tile, .kv_tile = kv});
    if (end < 0) continue;
    const State& state = after(end - 1);
    for (std::size_t r = 0; r < grows.size() && r < std::min(state.alpha.size(), state.m_old.size()); ++r)
      grows[r] += !std::isinf(state.m_old[r]) && state.alpha[r] < 1;
  }
  for (std::size_t r = 0; r < grows.size(); ++r)
    if (grows[r] > 0 && (grows[r] > grows[std::size_t(known->second - step.row_begin)]))
      known->second = step.row_begin + std::int64_t(r);
  return known->second;
}

}  // namespace tilewalk
