#include "session/hand/hidden_answers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

using Letter = Quantity;

bool is_cell(Letter quantity) { return ledger_row(quantity).shape == QuantityShape::Cell; }
bool is_by_column(Letter quantity) { return ledger_row(quantity).shape == QuantityShape::ColByHead; }

using Flags = std::array<bool, std::size_t(kQuantityCount)>;  // by quantity

// The hidden quantities of one row, and of the gradients of its current KV tile.
struct Row {
  Flags any{};     // of cells: any of the current tile
  Flags whole{};   // of cells: all of them
  Flags before{};  // of running values: before the current visit
};

// Follows a row through the phases of the walk: a quantity with a hidden source is hidden, by the ledger of phases.
class Follower {
 public:
  Follower(const Schedule& schedule, std::int64_t row, const std::vector<HandKey>& open)
      : schedule_(schedule), about_(row_of(schedule.problem())), row_(row), open_(open) {}

  // The steps of a unit up to and including `last`.
  Row after(Row now, const HandUnit& unit, std::int64_t last) const {
    const Step first = schedule_.step(unit.first);
    if (first.in_visit() && first.visit == 0)  // the group may have no earlier unit
      for (const Phase phase : schedule_.section(first.section).prologue)
        for (const Made& made : made_by(about_, first.section_name, phase))
          if (made.is_fresh()) forget(now, made.quantity);
    for (const QuantityRow& each : quantity_ledger()) {
      const std::size_t q = std::size_t(each.id);
      if (each.running)
        now.before[q] = now.any[q];
      else if (!(each.shape == QuantityShape::Cell && keeps_cells(about_)))
        forget(now, each.id);
    }
    for (std::int64_t k = unit.first; k <= last && k < unit.end; ++k) step(now, schedule_.step(k));
    return now;
  }

  // In passes over whole rows later passes read the cells of earlier ones.
  static bool keeps_cells(const ScheduleRow& about) { return about.memory.scores_in_hbm; }

 private:
  static void forget(Row& row, Letter quantity) {
    const std::size_t q = std::size_t(quantity);
    row.any[q] = row.whole[q] = row.before[q] = false;
  }
  bool own(const Step& step, Letter quantity) const {
    return std::any_of(open_.begin(), open_.end(), [&](const HandKey& key) {
      return key.made_at == step.index && key.place.quantity == quantity &&
             (is_by_column(quantity) || key.place.row == row_);
    });
  }

  void step(Row& row, const Step& step) const {
    for (const Made& made : made_by(about_, step.section_name, step.phase)) {
      const std::size_t q = std::size_t(made.quantity);
      if (made.given || made.is_of_itself()) continue;
      if (made.is_fresh()) {
        forget(row, made.quantity);
        continue;
      }
      bool from_hidden = false;
      for (const MadeFrom& source : made.from)
        if (source.quantity)
          from_hidden = from_hidden || (source.before ? row.before : row.any)[std::size_t(*source.quantity)];
      // Each tile, or each split, has its own cells, so hidden ones stay hidden.
      const bool keeps = is_cell(made.quantity) ? keeps_cells(about_) : made.quantity == Letter::Partials;
      row.whole[q] = from_hidden || (keeps && row.whole[q]);
      row.any[q] = row.whole[q] || own(step, made.quantity) || (keeps && row.any[q]);
    }
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
  // Units with open fields, by row: those of this batch and of the heads that share this head's K and V.
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
      if (row == key.place.row || is_by_column(key.place.quantity)) units_of_row[row][unit.first] = unit.end - 1;
  }
  for (const auto& [row, units] : units_of_row) {
    const Follower follower(schedule, row, open);
    Row before;
    Flags columns{};  // of the current KV tile, from earlier units
    for (const auto& [first, last] : units) {
      const Step made = schedule.step(first);
      if (first == now.first) continue;
      const Row after = follower.after(before, {first, last + 1}, last);
      if (made.kv_tile == at.kv_tile)
        for (std::size_t q = 0; q < columns.size(); ++q) columns[q] = columns[q] || after.any[q];
      if (made.head == at.head) before = after;
    }
    const bool here = row >= at.row_begin && row < at.row_end;
    const Row state = here ? follower.after(before, now, at.index) : before;
    for (const QuantityRow& each : quantity_ledger()) {
      const std::size_t q = std::size_t(each.id);
      if (each.shape == QuantityShape::ColByHead && at.kv_tile >= 0)
        for (std::int64_t col = at.col_begin; col < at.col_end; ++col) {
          if (columns[q] || state.any[q]) places_.insert({each.id, col, -1});
          if (columns[q]) old_.insert({each.id, col, -1});
        }
      if (!here || each.shape == QuantityShape::ColByHead) continue;
      if (each.shape == QuantityShape::Cell ? state.whole[q] : state.any[q]) places_.insert({each.id, row, -1});
      if (state.before[q]) old_.insert({each.id, row, -1});
    }
    if (!here) continue;
    // Cells of a whole row stay hidden in later passes; cells of a tile only in its own visit.
    for (const HandKey& key : open)
      if (is_cell(key.place.quantity) && key.place.row == row && key.made_at <= at.index &&
          (Follower::keeps_cells(about) || key.made_at >= now.first))
        places_.insert(key.place);
  }
}

bool HiddenAnswers::hides(const HandPlace& place) const {
  if (hides_value(place) || ahead_.count(place)) return true;
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
  }
}

}  // namespace tilewalk
