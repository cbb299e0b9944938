#include "session/hand/hand_veil.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

using Quantity = HandQuantity;

bool holds_cells(Quantity quantity) {
  return quantity == Quantity::S || quantity == Quantity::P || quantity == Quantity::DP || quantity == Quantity::DS;
}

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
  bool own(const Step& step, Quantity quantity) const {
    return std::any_of(open_.begin(), open_.end(), [&](const HandKey& key) {
      const bool column = quantity == Quantity::DK || quantity == Quantity::DV;
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
      case Phase::Scores: r.s = r.s || own(step, Quantity::S); break;
      case Phase::RowMax:
        r.tile_max = !whole_rows && (r.s || own(step, Quantity::TileMax));
        if (!per_tile) r.m = r.m || r.s || own(step, Quantity::M) || own(step, Quantity::Follow);
        break;
      case Phase::Rescale:
        if (per_tile) {
          r.m = r.m || r.tile_max || own(step, Quantity::M);
          r.beta = r.m || r.tile_max || own(step, Quantity::Beta);
        }
        r.alpha = r.m || own(step, Quantity::Alpha);
        if (per_tile)
          r.l = r.l || r.alpha || r.beta || r.tile_sum || own(step, Quantity::L);
        else
          r.o = r.o || r.alpha;
        break;
      case Phase::Exponentiate:
        r.whole_p = r.whole_p || r.s || (per_tile ? r.tile_max : r.m);
        break;
      case Phase::Divide: r.whole_p = r.whole_p || r.l || r.m; break;
      case Phase::RowSum:
        if (per_tile)
          r.tile_sum = r.p || own(step, Quantity::TileSum);
        else
          r.l = r.l || r.alpha || r.p || own(step, Quantity::L);
        break;
      case Phase::Accumulate:
        if (!per_tile) r.o = r.o || r.p || own(step, Quantity::O);
        break;
      case Phase::Normalise:
        r.o = r.o || r.l || (per_tile && (r.alpha || r.beta || r.p)) || own(step, Quantity::O);
        r.log_sum = r.m || r.l || own(step, Quantity::LogSum);
        break;
      case Phase::StorePartial: r.parts = r.parts || r.o || r.log_sum || r.m || r.l; break;
      case Phase::LoadPartials: r.m = r.l = r.o = false; break;
      case Phase::MergeMax: r.m = r.parts || own(step, Quantity::M); break;
      case Phase::MergeWeights:
        r.weight = r.m || r.parts || own(step, Quantity::Weight);
        r.l = r.weight || own(step, Quantity::L);
        break;
      case Phase::MergeO: r.o = r.weight || r.parts || own(step, Quantity::O); break;
      case Phase::RowDot: r.d = r.d || own(step, Quantity::D) || (stored && (r.p || r.dp)); break;
      case Phase::GradP: r.dp = own(step, Quantity::DP) || (stored && r.dp); break;
      case Phase::GradS:
        r.whole_ds = r.p || r.dp || r.d;
        r.ds = r.whole_ds || own(step, Quantity::DS);
        break;
      case Phase::GradV: r.dv = r.dv || r.p || own(step, Quantity::DV); break;
      case Phase::GradQ: r.dq = r.dq || r.ds || own(step, Quantity::DQ); break;
      case Phase::GradK: r.dk = r.dk || r.ds || own(step, Quantity::DK); break;
      default: break;
    }
    if (makes_p || step.phase == Phase::Exponentiate) r.p = r.p || r.whole_p || (makes_p && own(step, Quantity::P));
  }

  const Schedule& schedule_;
  const ScheduleRow& about_;
  std::int64_t row_;
  const std::vector<HandKey>& open_;
};

}  // namespace

HandVeil::HandVeil(const Schedule& schedule, const Step& at, const std::vector<HandKey>& open) {
  if (open.empty()) return;
  const ScheduleRow& about = row_of(schedule.problem());
  const HandUnit now = unit_of(schedule, at);
  const std::int64_t group = schedule.problem().shape.head_group();
  // Units with something open in them, of this batch and of the heads that share K and V with this one, by their rows.
  std::map<std::int64_t, std::map<std::int64_t, std::int64_t>> units_of_row;  // row, first step, last step
  for (const HandKey& key : open) {
    const Step made = schedule.step(key.made_at);
    if (made.batch != at.batch || made.head / group != at.head / group) continue;
    if (key.place.quantity == Quantity::S && made.head == at.head) places_.insert(key.place);
    if (key.made_at > at.index) {
      if (key.made_at < now.end) ahead_.insert(key.place);
      continue;
    }
    const HandUnit unit = unit_of(schedule, made);
    for (std::int64_t row = made.row_begin; row < made.row_end; ++row)
      if (row == key.place.row || key.place.quantity == Quantity::DK || key.place.quantity == Quantity::DV)
        units_of_row[row][unit.first] = unit.end - 1;
  }
  const auto hide = [this](Quantity quantity, std::int64_t row) { places_.insert({quantity, row, -1}); };
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
        if (columns.dk || state.dk) hide(Quantity::DK, col);
        if (columns.dv || state.dv) hide(Quantity::DV, col);
        if (columns.dk) old_.insert({Quantity::DK, col, -1});
        if (columns.dv) old_.insert({Quantity::DV, col, -1});
      }
    if (!here) continue;
    if (state.tile_max) hide(Quantity::TileMax, row);
    if (state.tile_sum) hide(Quantity::TileSum, row);
    if (state.m) hide(Quantity::M, row), hide(Quantity::Follow, row);
    if (state.alpha) hide(Quantity::Alpha, row);
    if (state.beta) hide(Quantity::Beta, row);
    if (state.l) hide(Quantity::L, row);
    if (state.o) hide(Quantity::O, row);
    if (state.log_sum) hide(Quantity::LogSum, row);
    if (state.weight) hide(Quantity::Weight, row);
    if (state.d) hide(Quantity::D, row);
    if (state.dq) hide(Quantity::DQ, row);
    if (state.whole_p) hide(Quantity::P, row);
    if (state.whole_ds) hide(Quantity::DS, row);
    if (state.m_old) old_.insert({Quantity::M, row, -1});
    if (state.l_old) old_.insert({Quantity::L, row, -1});
    if (state.o_old) old_.insert({Quantity::O, row, -1});
    if (state.dq_old) old_.insert({Quantity::DQ, row, -1});
    if (state.parts_old) old_.insert({Quantity::LogSum, row, -1});
    // Cells of a whole row stay hidden in later passes over it; those of a tile in its own visit.
    const bool whole_rows = about.walk.softmax == SoftmaxKind::WholeRows || about.walk.softmax == SoftmaxKind::Stored;
    for (const HandKey& key : open)
      if (holds_cells(key.place.quantity) && key.place.row == row && key.made_at <= at.index &&
          (whole_rows || key.made_at >= now.first))
        places_.insert(key.place);
  }
}

bool HandVeil::hides(const HandPlace& place) const {
  if (places_.count(place) || places_.count({place.quantity, place.row, -1}) || ahead_.count(place)) return true;
  if (place.col >= 0) return false;
  const auto next = places_.lower_bound(place);
  return next != places_.end() && next->quantity == place.quantity && next->row == place.row;
}

bool HandVeil::hides_old(Quantity quantity, std::int64_t row) const { return old_.count({quantity, row, -1}) > 0; }

bool HandVeil::hides_row(std::int64_t row) const {
  const auto of_row = [row](const HandPlace& place) {
    return place.row == row && place.quantity != Quantity::DK && place.quantity != Quantity::DV;
  };
  return std::any_of(places_.begin(), places_.end(), of_row) || std::any_of(old_.begin(), old_.end(), of_row);
}

bool HandVeil::hides_cells(Quantity quantity) const {
  return std::any_of(places_.begin(), places_.end(),
                     [quantity](const HandPlace& place) { return place.quantity == quantity; });
}

void HandVeil::put_on(State& state) const {
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
    if (r < 0 || r >= step.rows()) continue;
    if (place.quantity == Quantity::M) row_value(state.m_old, r);
    if (place.quantity == Quantity::L) row_value(state.l_old, r);
  }
  for (const HandPlace& place : places_) {
    const bool column = place.quantity == Quantity::DK || place.quantity == Quantity::DV;
    const std::int64_t r = place.row - (column ? step.col_begin : step.row_begin);
    if (r < 0 || r >= (column ? cols : step.rows())) continue;
    const std::int64_t d = std::int64_t(column                                ? std::max(state.dk.size(), state.dv.size())
                                        : place.quantity == Quantity::DQ ? state.dq.size()
                                                                         : state.o.size()) /
                           std::max<std::int64_t>(1, column ? cols : step.rows());
    switch (place.quantity) {
      case Quantity::S: cells(state.s, r, place); break;
      case Quantity::P: cells(state.p, r, place); break;
      case Quantity::DP: cells(state.dp, r, place); break;
      case Quantity::DS: cells(state.ds, r, place); break;
      case Quantity::TileMax: row_value(state.tile_max, r); break;
      case Quantity::TileSum: row_value(state.tile_l, r); break;
      case Quantity::M: row_value(state.m, r); break;
      case Quantity::Alpha: row_value(state.alpha, r); break;
      case Quantity::Beta: row_value(state.beta, r); break;
      case Quantity::L: row_value(state.l, r); break;
      case Quantity::LogSum: row_value(state.lse, r); break;
      case Quantity::D: row_value(state.D, r); break;
      case Quantity::O:
        blank(state.o, r * d, d);
        blank(state.pv, r * d, d);
        break;
      case Quantity::DQ: blank(state.dq, r * d, d); break;
      case Quantity::DK: blank(state.dk, r * d, d); break;
      case Quantity::DV: blank(state.dv, r * d, d); break;
      case Quantity::Follow:
      case Quantity::Weight: break;
    }
  }
}

}  // namespace tilewalk
