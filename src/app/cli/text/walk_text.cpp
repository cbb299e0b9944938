#include "app/cli/text/walk_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/output.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/hand/hide.h"
#include "view/scores/scores_model.h"
#include "view/scores/tile_values.h"
#include "view/sentence/sentence.h"
#include "view/walk/memory_model.h"
#include "view/walk/o_tile_model.h"
#include "view/walk/softmax_model.h"
#include "view/walk/timeline_model.h"
#include "view/walk/traffic_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMapSide = 32;    // tiles a side of the map
constexpr std::int64_t kTableSide = 16;  // rows and columns of a table of values

// [begin, end) of at most `side` around `at`.
TileRange around(std::int64_t at, std::int64_t count, std::int64_t side) {
  const std::int64_t begin = std::clamp<std::int64_t>(at - side / 2, 0, std::max<std::int64_t>(0, count - side));
  return {begin, std::min(count, begin + side)};
}

constexpr const char* kAskedByHand = "?";  // or computed from such a number

// A table of the cells of these rows and columns, with a head for each.
template <class RowHead, class ColHead, class Cell>
std::string grid_text(const char* corner, TileRange rows, TileRange cols, const RowHead& row_head,
                      const ColHead& col_head, const Cell& cell) {
  std::vector<std::string> heads = {corner};
  for (std::int64_t c = cols.begin; c < cols.end; ++c) heads.push_back(col_head(c));
  std::vector<std::vector<std::string>> lines;
  for (std::int64_t r = rows.begin; r < rows.end; ++r) {
    std::vector<std::string>& line = lines.emplace_back(1, row_head(r));
    for (std::int64_t c = cols.begin; c < cols.end; ++c) line.push_back(cell(r, c));
  }
  return table_text(heads, lines, "  ");
}

// The first rows and columns of a table of values, and how many were left out.
template <class ColHead, class Cell>
std::string values_text(std::int64_t row_begin, std::int64_t rows, std::int64_t cols, const ColHead& col_head,
                        const Cell& cell) {
  const std::int64_t r = std::min(rows, kTableSide), c = std::min(cols, kTableSide);
  std::string out = grid_text(
      "row", {0, r}, {0, c}, [&](std::int64_t row) { return std::to_string(row_begin + row); }, col_head, cell);
  if (r < rows || c < cols)
    out += fmt::format("  (the first {} of {} rows and {} of {} columns; --json has all)\n", r, rows, c, cols);
  return out;
}

// A dot for cells of P and dS that the mask leaves out: their 0 is by rule, not by rounding.
std::string matrix_text(const Problem& p, const SeenState& seen, Quantity quantity) {
  const Step& step = seen.state().step;
  const Band band = p.shape.band();
  const std::int64_t cols = step.cols(), rows = step.rows();
  if (cols <= 0 || std::int64_t(values_of(seen, quantity).size()) != rows * cols) return "";
  const bool score = ledger_row(quantity).is_score;
  const auto cell = [&](std::int64_t r, std::int64_t c) -> std::string {
    const Shown<float> value = seen.at(quantity, std::size_t(r * cols + c));
    if (value.hidden()) return kAskedByHand;
    if (value.value() == 0 && !band.allows(step.row_begin + r, step.col_begin + c)) return "·";
    return format_value(p, score ? display_score(p, value.value()) : value.value());
  };
  return values_text(
      step.row_begin, rows, cols, [&](std::int64_t c) { return fmt::format("col {}", step.col_begin + c); }, cell);
}

std::string operand_text(const Problem& p, const OperandTile& tile) {
  if (tile.empty()) return "";
  return tile_name(tile.tensor, tile.tile) + "\n" +
         values_text(
             tile.row_begin, tile.rows, tile.d, [](std::int64_t x) { return fmt::format("x {}", x); },
             [&](std::int64_t r, std::int64_t x) { return format_value(p, tile.at(tile.row_begin + r, x)); });
}

}  // namespace

std::string visit_text(const Schedule& schedule, const Inputs& inputs, const SeenState& seen) {
  const State& state = seen.state();
  const Problem& p = schedule.problem();
  std::string out;
  for (const TensorId tensor : inputs_of(row_of(p)))
    out += operand_text(p, operand_at(schedule, inputs, state, tensor));
  for (const Quantity quantity : quantities_at(state))
    out += fmt::format("{}{}\n", formula_of(schedule, state, quantity),
                       quantity == Quantity::S ? ", −∞ where masked" : "") +
           matrix_text(p, seen, quantity);
  return out;
}

std::string heading_text(const Schedule& schedule) {
  const Problem& p = schedule.problem();
  return fmt::format("{} · {}\n", title_of(p.schedule), problem_title(p));
}

std::string tile_map_text(const Schedule& schedule, const State& state) {
  const Problem& p = schedule.problem();
  const TileRange rows = around(state.started ? state.step.q_tile : 0, p.q_tiles(), kMapSide);
  const TileRange cols =
      around(state.started ? std::max<std::int64_t>(0, state.step.kv_tile) : 0, p.kv_tiles(), kMapSide);
  const auto cell = [&](std::int64_t r, std::int64_t c) -> std::string {
    const bool full = schedule.tile_class(r, c) == TileClass::Full;
    switch (tile_state(schedule, state, r, c)) {
      case TileState::Skipped: return "-";
      case TileState::Now: return full ? "[F]" : "[P]";
      case TileState::Done: return full ? "F" : "P";
      case TileState::Pending: return full ? "f" : "p";
    }
    return "";
  };
  std::string out = "Score tiles: F full, P partial, - skipped; capital done, small to do, [ ] now\n" +
                    grid_text(
                        "", rows, cols, [](std::int64_t r) { return fmt::format("Q{}", r); },
                        [](std::int64_t c) { return fmt::format("K{}", c); }, cell);
  if (rows.count() < p.q_tiles() || cols.count() < p.kv_tiles())
    out += fmt::format("  (Q tiles {} to {} of {}, KV tiles {} to {} of {})\n", rows.begin, rows.end - 1, p.q_tiles(),
                       cols.begin, cols.end - 1, p.kv_tiles());
  return out;
}

std::string softmax_text(const Schedule& schedule, const SeenState& seen) {
  const SoftmaxModel model = build_softmax_model(schedule, seen);
  if (model.rows.empty()) return "";
  std::vector<std::vector<std::string>> lines;
  for (const SoftmaxRow& row : model.rows) {
    if (std::int64_t(lines.size()) == kTableSide) break;
    lines.push_back(row.cells);
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      if (row.cells[c].empty()) lines.back()[c] = row.hidden[c] ? kAskedByHand : ".";
  }
  std::string out = model.title + (model.meeting.empty() ? "" : " · " + model.meeting) +
                    (schedule.problem().numerics.base == Base::E ? " (m in natural units)" : " (m in powers of two)") +
                    "\n" + table_text(model.columns, lines, "  ");
  if (model.rows.size() > lines.size())
    out += fmt::format("  (the first {} of {} rows; --json has all)\n", lines.size(), model.rows.size());
  return out;
}

std::string o_tile_text(const Schedule& schedule, const SeenState& seen) {
  const OTileModel model = build_o_tile_model(schedule, seen, int(kTableSide), int(kTableSide), int(kTableSide));
  if (model.values.empty()) return model.note.empty() ? "" : model.title + ": " + model.note + "\n";
  const auto cell = [&](std::int64_t r, std::int64_t c) -> std::string {
    const std::size_t at = std::size_t(r * model.cols + c);
    const bool hidden = !model.hidden.empty() && model.hidden[at];
    return hidden ? kAskedByHand : format_value(schedule.problem(), model.values[at]);
  };
  return model.title + "\n" +
         grid_text(
             "row", {0, model.rows}, {0, model.cols},
             [&](std::int64_t r) { return std::to_string(model.row_begin + r * model.row_stride); },
             [&](std::int64_t c) { return fmt::format("x {}", c * model.col_stride); }, cell);
}

std::string memory_text(const Schedule& schedule, const State& state) {
  const MemoryModel model = build_memory_model(schedule, state, 16);
  std::string out = "HBM · global memory ([ ] on chip, * written)\n";
  for (const MemoryRow& row : model.hbm) {
    out += fmt::format("  {:<2} ", row.label);
    for (const MemoryTile& shown : row.tiles)
      out += shown.state == MemoryTileState::OnChip    ? "[" + shown.label + "] "
             : shown.state == MemoryTileState::Written ? shown.label + "* "
                                                       : shown.label + " ";
    out += row.note + (row.note.empty() ? "" : " ") + "· " + row.size + "\n";
  }
  if (!model.moves.empty()) out += model.moves_now ? "Moving now: " : "Moved earlier in this visit: ";
  out += listed(model.moves, ", ", [](const auto& move) {
    return fmt::format("{} {} {}", move.label, move.bytes, move.to_sram ? "to SRAM" : "to HBM");
  });
  if (!model.moves.empty()) out += "\n";
  if (!model.moves_note.empty()) out += "Moves: " + model.moves_note + "\n";
  out += model.sram_title + ": " + model.sram_text + "\n  ";
  for (const MemoryResident& resident : model.residents)
    out += fmt::format("{} {} B{}  ", resident.label, resident.bytes, resident.fresh ? " (changed)" : "");
  return out + "\n";
}

std::string traffic_text(const Schedule& schedule, std::int64_t cursor) {
  const TrafficModel model = build_traffic_model(schedule, whole_runs(schedule), cursor);
  std::string out = "HBM traffic, as the kernel asks for it\n";
  for (const TrafficBar& bar : model.bars) {
    const std::string basis = bar.basis.empty() ? "" : " (" + bar.basis + ")";
    out += fmt::format("  {}{}: {}\n", bar.label, basis, bar.text);
  }
  std::vector<std::vector<std::string>> lines;
  for (const TrafficModel::Line& line : model.lines)
    lines.push_back({line.tensor, line.read_so_far, line.write_so_far, line.read_total, line.write_total});
  out += table_text({"", "read so far", "written so far", "read in all", "written in all"}, lines, "  ");
  out += "  " + model.visits + "\n  So far: " + model.flops + "\n  " + model.textbook + "\n";
  return out;
}

std::string state_text(const Schedule& schedule, const Inputs& inputs, const SeenState& seen) {
  const State& state = seen.state();
  const Problem& p = schedule.problem();
  const TimelineModel timeline = build_timeline_model(schedule, state, {}, 1000);
  std::string out = heading_text(schedule);
  out += fmt::format("step {} of {}", state.cursor, schedule.step_count());
  for (const std::string& part : {timeline.visit_text, timeline.phase_text})
    if (!part.empty()) out += " · " + part;
  if (p.shape.batch * p.shape.heads > 1 && state.started)
    out += fmt::format("\nbatch {}, head {} on KV head {}", state.step.batch, state.step.head,
                       p.shape.kv_head_of(state.step.head));
  out += "\n" + (seen.hides_any() ? std::string(kSentenceWaits) : step_sentence(schedule, state)) + "\n";
  if (state.started) out += phase_purpose(schedule, state.step) + "\n" + step_cost_text(schedule, state) + "\n";
  out += "\n" + tile_map_text(schedule, state) + "\n" + memory_text(schedule, state) + "\n";
  if (state.started) {
    out += visit_text(schedule, inputs, seen);
    out += softmax_text(schedule, seen) + o_tile_text(schedule, seen) + "\n";
  }
  return out + traffic_text(schedule, state.cursor);
}

}  // namespace tilewalk
