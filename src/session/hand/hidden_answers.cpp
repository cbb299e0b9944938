#include "session/hand/hidden_answers.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

using Letter = Quantity;

bool holds_cells(Letter quantity) { return ledger_row(quantity).shape == QuantityShape::Cell; }

// What is hidden of one row, and of the gradients of the KV tile that it meets.
struct Row {
  bool tile_max = false, m = false, alpha = false, beta = false, tile_sum = false, l = false, o = false;
  bool s = false, p = false, dp = false, ds = false;  // any of the tile at hand
  bool whole_p = false, whole_dp = false, whole_ds = false;
  bool parts = false, log_sum = false, weight = false, d = false, dq = false, dk = false, dv = false;
  bool m_old = false, l_old = false, o_old = false, dq_old = false, dk_old = false, dv_old = false, parts_old = false;
};

class Follower {
 public:
  Follower(const Schedule& schedule, std::int64_t row, const std::vector<HandKey>& open)
      : schedule_(schedule), about_(row_of(schedule.problem())), row_(row), open_(open) {}

  // The steps of a unit up to and including `last`.
  Row after(Row before, const HandUnit& unit, std::int64_t last) const {
    Row now = before;
    const bool whole_rows = kind() == SoftmaxKind::WholeRows || kind() == SoftmaxKind::Stored;
    const Step first = schedule_.step(unit.first);
    now.tile_max = now.alpha = now.beta = now.tile_sum = now.weight = now.log_sum = false;
    if (!whole_rows) now.s = now.p = now.dp = now.ds = now.whole_p = now.whole_dp = now.whole_ds = false;
    if (first.in_visit() && first.visit == 0 && about_.family.backward && schedule_.kv_outside(first.section))
      now.dk = now.dv = false;
    now.m_old = now.m, now.l_old = now.l, now.o_old = now.o, now.parts_old = now.parts;
    now.dq_old = now.dq, now.dk_old = now.dk, now.dv_old = now.dv;
    for (std::int64_t k = unit.first; k <= last && k < unit.end; ++k) step(now, schedule_.step(k));
    return now;
  }

 private:
  SoftmaxKind kind() const { return about_.walk.softmax; }
  bool own(const Step& step, Letter quantity) const {
    return std::any_of(open_.begin(), open_.end(), [&](const HandKey& key) {
      const bool column = quantity == Letter::DK || quantity == Letter::DV;
      return key.made_at == step.index && key.place.quantity == quantity && (column || key.place.row == row_);
    });
  }

  void step(Row& r, const Step& step) const {
    const bool online = kind() == SoftmaxKind::Online, per_tile = kind() == SoftmaxKind::PerTile,
               whole_rows = kind() == SoftmaxKind::WholeRows, stored = kind() == SoftmaxKind::Stored;
    const bool makes_p = step.phase == about_.trace.made_by.weights && !stored;
    switch (step.phase) {
      case Phase::LoadQ:
        if (online) {
          const bool parts = r.parts;
          r = {};
          r.parts = parts;
        }
        break;
      case Phase::Scores: r.s = r.s || own(step, Letter::S); break;
      case Phase::RowMax:
        r.tile_max = !whole_rows && (r.s || own(step, Letter::TileMax));
        if (!per_tile) r.m = r.m || r.s || own(step, Letter::M) || own(step, Letter::Follow);
        break;
      case Phase::Rescale:
        if (per_tile) {
          r.m = r.m || r.tile_max || own(step, Letter::M);
          r.beta = r.m || r.tile_max || own(step, Letter::Beta);
        }
        r.alpha = r.m || own(step, Letter::Alpha);
        if (per_tile)
          r.l = r.l || r.alpha || r.beta || r.tile_sum || own(step, Letter::L);
        else
          r.o = r.o || r.alpha;
        break;
      case Phase::Exponentiate: r.whole_p = r.whole_p || r.s || (per_tile ? r.tile_max : r.m); break;
      case Phase::Divide: r.whole_p = r.whole_p || r.l || r.m; break;
      case Phase::RowSum:
        if (per_tile)
          r.tile_sum = r.p || own(step, Letter::TileSum);
        else
          r.l = r.l || r.alpha || r.p || own(step, Letter::L);
        break;
      case Phase::Accumulate:
        if (!per_tile) r.o = r.o || r.p || own(step, Letter::O);
        break;
      case Phase::Normalise:
        r.o = r.o || r.l || (per_tile && (r.alpha || r.beta || r.p)) || own(step, Letter::O);
        r.log_sum = r.m || r.l || own(step, Letter::LogSum);
        break;
      case Phase::StorePartial: r.parts = r.parts || r.o || r.log_sum || r.m || r.l; break;
      case Phase::LoadPartials: r.m = r.l = r.o = false; break;
      case Phase::MergeMax: r.m = r.parts || own(step, Letter::M); break;
      case Phase::MergeWeights:
        r.weight = r.m || r.parts || own(step, Letter::Weight);
        r.l = r.weight || own(step, Letter::L);
        break;
      case Phase::MergeO: r.o = r.weight || r.parts || own(step, Letter::O); break;
      case Phase::RowDot: r.d = r.d || own(step, Letter::D) || (stored && (r.p || r.dp)); break;
      case Phase::GradP: r.dp = own(step, Letter::DP) || (stored && r.dp); break;
      case Phase::GradS:
        r.whole_ds = r.p || r.dp || r.d;
        r.ds = r.whole_ds || own(step, Letter::DS);
        break;
      case Phase::GradV: r.dv = r.dv || r.p || own(step, Letter::DV); break;
      case Phase::GradQ: r.dq = r.dq || r.ds || own(step, Letter::DQ); break;
      case Phase::GradK: r.dk = r.dk || r.ds || own(step, Letter::DK); break;
      default: break;
    }
    if (makes_p || step.phase == Phase::Exponentiate) r.p = r.p || r.whole_p || (makes_p && own(step, Letter::P));
  }

  const Schedule& schedule_;
  const ScheduleRow& about_;
  std::int64_t row_;
  const std::vector<HandKey>& open_;
};

}  // namespace

HiddenAnswers::HiddenAnswers(const Schedule& schedule, const Step& at, const std::vector<HandKey>& open) {
  if (open.empty()) return;
  const ScheduleRow& about = row_of(schedule.problem());
  const HandUnit now = unit_of(schedule, at);
  const std::int64_t group = schedule.problem().shape.head_group();
  // Units with something open in them, of this batch and of the heads that share K and V with this one, by their rows.
  std::map<std::int64_t, std::map<std::int64_t, std::int64_t>> units_of_row;  // row, first step, last step
  for (const HandKey& key : open) {
    const Step made = schedule.step(key.made_at);
    if (made.batch != at.batch || made.head / group != at.head / group) continue;
    if (key.place.quantity == Letter::S && made.head == at.head) places_.insert(key.place);
    if (key.made_at > at.index) {
      if (key.made_at < now.end) ahead_.insert(key.place);
      continue;
    }
    const HandUnit unit = unit_of(schedule, made);
    for (std::int64_t row = made.row_begin; row < made.row_end; ++row)
      if (row == key.place.row || key.place.quantity == Letter::DK || key.place.quantity == Letter::DV)
        units_of_row[row][unit.first] = unit.end - 1;
  }
  const auto hide = [this](Letter quantity, std::int64_t row) { places_.insert({quantity, row, -1}); };
  for (const auto& [row, units] : units_of_row) {
    const Follower follower(schedule, row, open);
    Row before, columns;
    for (const auto& [first, last] : units) {
      const Step made = schedule.step(first);
      if (first == now.first) continue;
      const Row after = follower.after(before, {first, last + 1}, last);
      if (made.kv_tile == at.kv_tile) columns.dk |= after.dk, columns.dv |= after.dv;
      if (made.head == at.head) before = after;
    }
    const bool here = row >= at.row_begin && row < at.row_end;
    Row state = before;
    if (here) state = follower.after(before, now, at.index);
    if (about.family.backward && at.kv_tile >= 0)
      for (std::int64_t col = at.col_begin; col < at.col_end; ++col) {
        if (columns.dk || state.dk) hide(Letter::DK, col);
        if (columns.dv || state.dv) hide(Letter::DV, col);
        if (columns.dk) old_.insert({Letter::DK, col, -1});
        if (columns.dv) old_.insert({Letter::DV, col, -1});
      }
    if (!here) continue;
    if (state.tile_max) hide(Letter::TileMax, row);
    if (state.tile_sum) hide(Letter::TileSum, row);
    if (state.m) hide(Letter::M, row), hide(Letter::Follow, row);
    if (state.alpha) hide(Letter::Alpha, row);
    if (state.beta) hide(Letter::Beta, row);
    if (state.l) hide(Letter::L, row);
    if (state.o) hide(Letter::O, row);
    if (state.log_sum) hide(Letter::LogSum, row);
    if (state.weight) hide(Letter::Weight, row);
    if (state.d) hide(Letter::D, row);
    if (state.dq) hide(Letter::DQ, row);
    if (state.whole_p) hide(Letter::P, row);
    if (state.whole_ds) hide(Letter::DS, row);
    if (state.m_old) old_.insert({Letter::M, row, -1});
    if (state.l_old) old_.insert({Letter::L, row, -1});
    if (state.o_old) old_.insert({Letter::O, row, -1});
    if (state.dq_old) old_.insert({Letter::DQ, row, -1});
    if (state.parts_old) old_.insert({Letter::LogSum, row, -1});
    // Cells of a whole row stay hidden in later passes over it; those of a tile in its own visit.
    const bool whole_rows = about.walk.softmax == SoftmaxKind::WholeRows || about.walk.softmax == SoftmaxKind::Stored;
    for (const HandKey& key : open)
      if (holds_cells(key.place.quantity) && key.place.row == row && key.made_at <= at.index &&
          (whole_rows || key.made_at >= now.first))
        places_.insert(key.place);
  }
}

bool HiddenAnswers::hides(const HandPlace& place) const {
  if (places_.count(place) || places_.count({place.quantity, place.row, -1}) || ahead_.count(place)) return true;
  if (place.col >= 0) return false;
  const auto next = places_.lower_bound(place);
  return next != places_.end() && next->quantity == place.quantity && next->row == place.row;
}

bool HiddenAnswers::hides_old(Letter quantity, std::int64_t row) const { return old_.count({quantity, row, -1}) > 0; }

bool HiddenAnswers::hides_cells(Letter quantity) const {
  return std::any_of(places_.begin(), places_.end(),
                     [quantity](const HandPlace& place) { return place.quantity == quantity; });
}

void HiddenAnswers::put_on(State& state) const {
  const Step& step = state.step;
  const std::int64_t cols = step.cols();
  const auto blank = [](std::vector<float>& values, std::int64_t at, std::int64_t count) {
    for (std::int64_t i = std::max<std::int64_t>(at, 0); i < at + count && i < std::int64_t(values.size()); ++i)
      values[std::size_t(i)] = NAN;
  };
  const auto row_value = [&](std::vector<float>& values, std::int64_t r) { blank(values, r, 1); };
  const auto cells = [&](std::vector<float>& values, std::int64_t r, const HandPlace& place) {
    if (place.col < 0) return blank(values, r * cols, cols);
    const std::int64_t c = place.col - step.col_begin;
    if (c >= 0 && c < cols) blank(values, r * cols + c, 1);
  };
  for (const HandPlace& place : old_) {
    const std::int64_t r = place.row - step.row_begin;
    const QuantityRow& quantity = ledger_row(place.quantity);
    if (r >= 0 && r < step.rows() && quantity.before) row_value(state.*quantity.before, r);
  }
  for (const HandPlace& place : places_) {
    const QuantityRow& quantity = ledger_row(place.quantity);
    const bool column = quantity.shape == QuantityShape::ColByHead;
    const std::int64_t r = place.row - (column ? step.col_begin : step.row_begin), rows = column ? cols : step.rows();
    if (r < 0 || r >= rows || !quantity.values) continue;
    std::vector<float>& values = state.*quantity.values;
    const std::int64_t wide = std::int64_t(values.size()) / std::max<std::int64_t>(1, rows);
    switch (quantity.shape) {
      case QuantityShape::Cell: cells(values, r, place); break;
      case QuantityShape::Row: row_value(values, r); break;
      case QuantityShape::RowByHead:
      case QuantityShape::ColByHead: blank(values, r * wide, wide); break;
      case QuantityShape::RowBySplit: break;
    }
    if (place.quantity == Letter::O) blank(state.pv, r * wide, wide);
  }
}

}  // namespace tilewalk
