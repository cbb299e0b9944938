#include "view/walk/softmax_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/schedules/registry.h"
#include "view/sentence/named_cell.h"
#include "view/sentence/sentence.h"
#include "view/words/units.h"

namespace tilewalk {

namespace {

using Asked = Quantity;
std::optional<HandPlace> of(Asked quantity) { return HandPlace{quantity, 0}; }

enum class Table { WholeRows, Online, Tile, Merge, FromL, FromMaxSum, Stored };

Table main_table_of(const Problem& p) {
  switch (row_of(p).walk.softmax) {
    case SoftmaxKind::WholeRows: return Table::WholeRows;
    case SoftmaxKind::Online: return Table::Online;
    case SoftmaxKind::PerTile: return Table::Tile;
    case SoftmaxKind::FromL: return Table::FromL;
    case SoftmaxKind::FromMaxSum: return Table::FromMaxSum;
    case SoftmaxKind::Stored: return Table::Stored;
  }
  return Table::Online;
}

Table table_of(const Problem& p, const State& state) {
  return state.started && state.step.section_name == SectionName::Merge ? Table::Merge : main_table_of(p);
}

void set_columns(SoftmaxModel& model, Table table) {
  switch (table) {
    case Table::WholeRows:
      model.title = "Max and sum of each whole row", model.short_title = "Max and sum";
      model.columns = {"row", "max", "sum"};
      model.asked = {{}, of(Asked::M), of(Asked::L)};
      model.new_columns = {1, 2};
      break;
    case Table::Online:
      model.title = "Running max and sum", model.short_title = "Max and sum";
      model.columns = {"row", "m", "tile max", "m new", "α", "ℓ", "ℓ new"};
      model.asked = {{}, {}, {}, of(Asked::M), of(Asked::Alpha), {}, of(Asked::L)};
      model.alpha_column = 4;
      model.new_columns = {3, 6};
      break;
    case Table::Tile:
      model.title = "Running max and sum", model.short_title = "Max and sum";
      model.columns = {"row", "m", "tile max", "tile ℓ", "m new", "α", "β", "ℓ", "ℓ new"};
      model.asked = {
          {}, {},          of(Asked::TileMax), of(Asked::TileSum), of(Asked::M), of(Asked::Alpha), of(Asked::Beta),
          {}, of(Asked::L)};
      model.alpha_column = 5;
      model.new_columns = {4, 8};
      break;
    case Table::Merge:
      model.title = "Largest L and weights of each row's splits", model.short_title = "L and weights";
      model.columns = {"row", "M", "sum of w", "L"};
      model.asked = {{}, of(Asked::M), of(Asked::L), {}};
      model.new_columns = {3};
      break;
    case Table::FromL:
      model.title = "L and D of each row", model.short_title = "L and D";
      model.columns = {"row", "L", "D"};
      model.asked = {{}, {}, of(Asked::D)};
      break;
    case Table::FromMaxSum:
      model.title = "Max m, sum ℓ and D of each row", model.short_title = "m, ℓ and D";
      model.columns = {"row", "m", "ℓ", "D"};
      model.asked = {{}, {}, {}, of(Asked::D)};
      model.new_columns = {3};
      break;
    case Table::Stored:
      model.title = "D of each row", model.short_title = "D";
      model.columns = {"row", "D"};
      model.asked = {{}, of(Asked::D)};
      model.new_columns = {1};
      break;
  }
}

}  // namespace

SoftmaxModel build_softmax_model(const Schedule& schedule, const SeenState& seen) {
  const State& state = seen.state();
  const Problem& p = schedule.problem();
  const Table table = table_of(p, state);
  SoftmaxModel model;
  model.sentence = step_sentence(schedule, state);
  set_columns(model, main_table_of(p));
  model.most_columns = model.columns;
  if (table != main_table_of(p)) set_columns(model, table);
  model.most_rows = std::min(p.tiling.br, p.shape.n_q);
  if (!state.started) {
    for (std::int64_t r = 0; r < model.most_rows; ++r) {
      SoftmaxRow row;
      row.row = r;
      row.cells = {fmt::format("{}", r)};
      row.cells.resize(model.columns.size());
      row.brief = row.cells;
      row.hidden.resize(row.cells.size());
      model.rows.push_back(std::move(row));
    }
    return model;
  }
  const Step& step = state.step;
  const std::string q = tile_name(TensorId::Q, step.q_tile), k = tile_name(TensorId::K, step.kv_tile);
  if (step.q_tile < 0)
    model.meeting = fmt::format("KV tile {}", step.kv_tile), model.tiles = k;
  else if (step.kv_tile < 0)
    model.meeting = fmt::format("Q tile {}", step.q_tile), model.tiles = q;
  else
    model.meeting = fmt::format("Q tile {} meets KV tile {}", step.q_tile, step.kv_tile), model.tiles = q + " × " + k;
  if (schedule.section(step.section).splits) {
    model.meeting += fmt::format(" · split {} of {}", step.split + 1, p.tiling.splits);
    model.tiles += fmt::format(" · split {} of {}", step.split + 1, p.tiling.splits);
  }
  if (step.q_tile < 0) return model;

  using Cell = std::optional<Shown<float>>;  // empty: not computed yet
  const auto now = [&](Quantity quantity, std::int64_t r) {
    const bool held = r < std::int64_t((state.*ledger_row(quantity).values).size());
    return held ? Cell(seen.at(quantity, std::size_t(r))) : Cell();
  };
  // The value before this visit; where the state has no copy of it, the current one.
  const auto before = [&](Quantity quantity, std::int64_t r) {
    const std::vector<float>& kept = state.*ledger_row(quantity).before;
    if (kept.empty()) return now(quantity, r);
    return r < std::int64_t(kept.size()) ? Cell(seen.before(quantity, std::size_t(r))) : Cell();
  };
  const bool has_max = has_made(schedule, step, Quantity::M), has_sum = has_made(schedule, step, Quantity::L);
  const bool joined = !state.alpha.empty();
  const std::int64_t named = named_cell(p, state).row;
  for (std::int64_t r = 0; r < step.rows(); ++r) {
    SoftmaxRow row;
    row.row = step.row_begin + r;
    row.cells.push_back(fmt::format("{}", row.row));
    row.brief = row.cells;
    row.hidden = {false};
    const auto put = [&](Quantity quantity, const Cell& cell) {
      const bool known = cell && !cell->hidden();
      const double value = !known ? 0 : ledger_row(quantity).is_score ? display_score(p, cell->value()) : cell->value();
      row.cells.push_back(known ? format_value(p, value) : "");
      row.brief.push_back(known ? compact_number(value) : "");
      row.hidden.push_back(cell && cell->hidden());
    };
    const auto put_now = [&](std::initializer_list<Quantity> quantities) {
      for (const Quantity quantity : quantities) put(quantity, now(quantity, r));
    };
    const auto put_if = [&](bool made, Quantity quantity) { put(quantity, made ? now(quantity, r) : Cell()); };
    switch (table) {
      case Table::WholeRows: put_now({Quantity::M, Quantity::L}); break;
      case Table::Online: {
        const bool visit = step.in_visit();
        put(Quantity::M, visit && has_max ? before(Quantity::M, r) : now(Quantity::M, r));
        const Cell max = visit && has_max ? now(Quantity::M, r) : Cell();
        // The larger of m and the tile's max would be the answer.
        put_if(max && !max->hidden(), Quantity::TileMax);
        put(Quantity::M, max);
        put_if(visit, Quantity::Alpha);
        put(Quantity::L, visit ? before(Quantity::L, r) : now(Quantity::L, r));
        put_if(visit && has_sum, Quantity::L);
        break;
      }
      case Table::Tile:
        put(Quantity::M, before(Quantity::M, r));
        put_now({Quantity::TileMax, Quantity::TileSum});
        put_if(joined, Quantity::M);
        put_now({Quantity::Alpha, Quantity::Beta});
        put(Quantity::L, before(Quantity::L, r));
        put_if(joined, Quantity::L);
        break;
      case Table::Merge: put_now({Quantity::M, Quantity::L, Quantity::LogSum}); break;
      case Table::FromL: put_now({Quantity::LogSum, Quantity::D}); break;
      case Table::FromMaxSum: put_now({Quantity::M, Quantity::L, Quantity::D}); break;
      case Table::Stored: put_now({Quantity::D}); break;
    }
    const Cell alpha = now(Quantity::Alpha, r);
    row.rescaled = step.in_visit() && alpha && !alpha->hidden() && alpha->value() != 1.0f && alpha->value() > 0;
    row.spoken = row.row == named;
    model.rows.push_back(std::move(row));
  }
  return model;
}

}  // namespace tilewalk
