#include "view/present/present_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/hand/hand_model.h"
#include "view/hand/hide.h"
#include "view/present/present_division.h"
#include "view/present/present_mistake.h"
#include "view/present/present_table.h"
#include "view/present/question.h"
#include "view/scores/score_sample.h"
#include "view/scores/tile_values.h"
#include "view/sentence/film_caption.h"
#include "view/sentence/named_cell.h"
#include "view/sentence/sentence_parts.h"
#include "view/walk/o_tile_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

struct Values {  // of the current tile; null where not computed yet
  Quantity quantity = Quantity::S;
  const std::vector<float>* values = nullptr;
  std::int64_t rows = 0, cols = 0, row_begin = 0, col_begin = 0;
  bool scores = false;  // in log2 units
  bool output = false;
  std::string title;
};

// of: the quantity whose operands meet.
std::string meeting(const Step& step, Quantity of = Quantity::S) {
  const TensorId left = left_operand_of(of), upper = upper_operand_of(of);
  if (step.q_tile < 0) return tile_name(upper, step.kv_tile);
  if (step.kv_tile < 0) return tile_name(left, step.q_tile);
  return tile_name(left, step.q_tile) + " meets " + tile_name(upper, step.kv_tile);
}

Values values_at(const Session& session, const State& state) {
  const Schedule& schedule = session.schedule();
  const Problem& p = session.problem();
  Values out;
  if (!state.started) {
    out.title = "Nothing is on chip yet";
    return out;
  }
  const Step& step = state.step;
  out.rows = step.rows(), out.row_begin = step.row_begin, out.col_begin = step.col_begin;
  if (const auto quantity = quantity_shown(state, session.walk().cells()); quantity && out.rows > 0) {
    out.quantity = *quantity;
    out.values = &values_of(state, *quantity);
    out.cols = std::int64_t(out.values->size()) / out.rows;
    out.scores = *quantity == Quantity::S;
    out.title = formula_of(schedule, state, *quantity) + " · " + meeting(step, *quantity);
    return out;
  }
  const ShownTile shown = shown_tile(schedule, state);
  if (!step.in_visit() && !session.hand().hides() && shown.values && shown.rows > 0 && !shown.values->empty()) {
    out.quantity = shown.quantity;
    out.values = shown.values;
    out.rows = shown.rows, out.cols = p.shape.d, out.row_begin = shown.row_begin, out.col_begin = 0;
    out.output = true;
    out.title = build_o_tile_model(schedule, state, 1, 1).title;
    return out;
  }
  out.cols = std::max<std::int64_t>(0, step.cols());
  out.title = out.cols > 0 && out.rows > 0 ? "Scores to come · " + meeting(step) : meeting(step);
  return out;
}

std::int64_t largest_of_row(const Values& v, std::int64_t r) {
  std::int64_t best = 0;
  for (std::int64_t c = 0; c < v.cols; ++c) {
    const float x = (*v.values)[std::size_t(r * v.cols + c)];
    if (std::isfinite(x) && !(x <= (*v.values)[std::size_t(r * v.cols + best)])) best = c;
  }
  return best;
}

// `beside`: the same columns as that one, where this tile has them.
PresentTile tile_of(const Session& session, const SeenState& seen, const PresentRoom& room, std::int64_t spoken,
                    const std::optional<Question>& open, const PresentTile* beside = nullptr) {
  const Values v = values_at(session, seen.state());
  const Problem& p = session.problem();
  PresentTile tile;
  tile.title = v.title;
  tile.two_signs = v.output || v.quantity == Quantity::DP || v.quantity == Quantity::DS;
  tile.quantity = v.quantity;
  if (v.rows <= 0 || v.cols <= 0) return tile;
  spoken = std::clamp<std::int64_t>(spoken, -1, v.rows - 1);
  const std::int64_t row = std::max<std::int64_t>(0, spoken);
  const std::int64_t col = beside                   ? beside->col_begin - v.col_begin + std::ssize(beside->columns) / 2
                           : open && open->col >= 0 ? open->col
                           : v.values && !v.output  ? largest_of_row(v, row)
                                                    : 0;
  const bool whole = v.rows <= room.whole_rows && v.cols <= room.tile_cols;
  const ShownSpan rows = around(row, whole ? v.rows : room.tile_rows, v.rows),
                  cols = around(col, room.tile_cols, v.cols);
  if (rows.count < v.rows || cols.count < v.cols)
    tile.part = fmt::format("{} of {} rows, {} of {} columns", rows.count, format_count(v.rows), cols.count,
                            format_count(v.cols));
  if (spoken >= 0 && names_spoken_row(p, seen)) tile.spoken = int(spoken - rows.begin);
  for (std::int64_t c = 0; c < cols.count; ++c) tile.columns.push_back(std::to_string(v.col_begin + cols.begin + c));
  tile.row_begin = v.row_begin + rows.begin, tile.col_begin = v.col_begin + cols.begin;
  float low = 0, high = 0;
  const auto value = [&](std::int64_t r, std::int64_t c) {
    const float x = (*v.values)[std::size_t((rows.begin + r) * v.cols + cols.begin + c)];
    return v.scores ? display_score(p, x) : x;
  };
  if (v.values && v.scores) {
    const ScoreRange range = score_range(session.inputs(), seen.state().step.head_id());
    low = range.low, high = range.high;
  } else if (v.values) {
    for (std::int64_t r = 0; r < rows.count; ++r)
      for (std::int64_t c = 0; c < cols.count; ++c)
        if (const float x = value(r, c); std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
    if (v.quantity == Quantity::P) high = std::max(high, 1.0f);
  }
  for (std::int64_t r = 0; r < rows.count; ++r) {
    tile.rows.push_back(std::to_string(v.row_begin + rows.begin + r));
    for (std::int64_t c = 0; c < cols.count; ++c) {
      PresentCell cell;
      if (v.values) {
        const float x = value(r, c), size = std::max(high, -low);
        const std::size_t at = std::size_t((rows.begin + r) * v.cols + cols.begin + c);
        cell.left_out =
            !v.output && x == 0 && !p.shape.band().allows(v.row_begin + rows.begin + r, v.col_begin + cols.begin + c);
        cell.text = seen.hides(v.quantity, at) ? "" : cell.left_out ? "·" : format_value(p, x);
        cell.at = !std::isfinite(x) ? 0
                  : tile.two_signs  ? (size > 0 ? x / size : 0)
                  : high - low > 0  ? std::clamp((x - low) / (high - low), 0.0f, 1.0f)
                                    : 0;
      }
      if (open && open->col >= 0 && open->row == rows.begin + r && open->col == cols.begin + c) {
        cell.text = "?";
        cell.at = 0;
        cell.asked = true;
      }
      tile.cells.push_back(std::move(cell));
    }
  }
  return tile;
}

// "P, S in cells to come": the numbers land from the first row to the last. The sentence has the formula, and a number
// that travels beside the title its space.
std::string two_quantities(Quantity lands, Quantity before) {
  if (ledger_row(lands).shape != QuantityShape::Cell || ledger_row(before).shape != QuantityShape::Cell) return "";
  return fmt::format("{}, {} in cells to come", ledger_row(lands).letter, ledger_row(before).letter);
}

bool has_numbers(const PresentTile& tile) {
  return std::any_of(tile.cells.begin(), tile.cells.end(), [](const PresentCell& cell) { return !cell.text.empty(); });
}

std::optional<PresentColumn> column_of(const Session& session, const State& state, int most_rows) {
  const Problem& p = session.problem();
  if (!is_hand_size(p)) return std::nullopt;
  const OperandTile tile =
      operand_at(session.schedule(), session.inputs(), state, operand_of(shown_tile(session.schedule(), state).tensor));
  if (tile.empty() || tile.rows > most_rows) return std::nullopt;
  PresentColumn out{.tensor = tile.tensor,
                    .row_begin = tile.row_begin,
                    .head_col = std::max<std::int64_t>(0, named_cell(p, state).head_col),
                    .title = {},
                    .values = {}};
  out.title = tile_name(tile.tensor, tile.tile);
  for (std::int64_t row = tile.row_begin; row < tile.row_begin + tile.rows; ++row)
    out.values.push_back(format_value(p, tile.at(row, out.head_col)));
  return out;
}

// Removes formulas whose numbers are all in the sentence: a room reads each number once.
void remove_said(Arithmetic& arithmetic, std::string_view sentence) {
  constexpr const char* kDigits = "0123456789";
  std::erase_if(arithmetic.lines, [&](const ArithmeticLine& line) {
    const std::string& text = line.text;
    std::size_t at = text.find_first_of(kDigits);
    if (line.is_product() || at == std::string::npos) return false;
    while (at != std::string::npos) {
      const std::size_t end = std::min(text.size(), text.find_first_not_of("0123456789.", at));
      if (sentence.find(std::string_view(text).substr(at, end - at)) == std::string_view::npos) return false;
      at = text.find_first_of(kDigits, end);
    }
    return true;
  });
}

std::vector<std::string> places(const Session& session, const TimelineModel& timeline) {
  const State& state = session.state();
  if (!state.started) return {"Before the first step"};
  const Step& step = state.step;
  std::string tiles;
  if (step.q_tile >= 0) tiles += fmt::format("Q tile {} · ", step.q_tile);
  if (step.kv_tile >= 0) tiles += fmt::format("KV tile {} · ", step.kv_tile);
  const std::string phase = timeline.phase_text.empty() ? name_of(step.phase) : timeline.phase_text;
  const std::string name = phase.substr(phase.find(": ") == std::string::npos ? 0 : phase.find(": ") + 2);
  std::vector<std::string> out;
  if (session.problem().shape.heads * session.problem().shape.batch > 1)
    out.push_back(fmt::format("head {} · {}{}", step.head, tiles, phase));
  out.push_back(tiles + phase);
  out.push_back(tiles + name);
  if (step.in_visit())
    out.push_back(
        fmt::format("{} · {} · {}", tile_name(TensorId::Q, step.q_tile), tile_name(TensorId::K, step.kv_tile), name));
  out.push_back(name);
  return out;
}

}  // namespace

PresentModel build_present_model(const Session& session, const PresentRoom& room) {
  const Schedule& schedule = session.schedule();
  const SeenState seen = session.hand().seen();  // work by hand hides numbers here too
  const State& state = seen.state();
  PresentModel m;
  m.blank = session.view().blank();
  m.asks_first = session.view().asks_first();
  std::optional<Question> open;
  if (session.hides_answer()) open = question_at(schedule, state, &session.inputs());
  m.question_open = open.has_value();
  const std::int64_t spoken = spoken_row(schedule.problem(), state);
  SoftmaxModel softmax = build_softmax_model(schedule, seen);
  hide(softmax, session.hand());
  m.tile = tile_of(session, seen, room, spoken, open);
  const bool in_visit = state.started && state.step.in_visit();
  if (m.tile.cells.empty() || (!in_visit && !has_numbers(m.tile))) m.map = build_present_map(schedule, state);
  m.memories = build_present_memories(schedule, state, room.memory_tiles);
  m.only_memories = state.started && !open && !m.memories.moves.empty() &&
                    made_by(row_of(schedule.problem()), state.step.section_name, state.step.phase).empty();
  const bool adds = state.started && (!open || open->head_col >= 0) && adds_to_output(schedule, state.step);
  // If the room is asked for α, the table shows the answer, and O is not shown.
  const bool shrinks = state.started && !m.asks_first && shrinks_output(schedule, state.step), output = adds || shrinks;
  const int rows = m.tile.part.empty() ? room.whole_rows : room.table_rows;
  const bool divides =
      !open && !output && !m.asks_first && !session.hand().hides() && divides_output(schedule.problem(), state, m.tile);
  const std::optional<ShownTile> other =
      output || divides || open || session.hand().hides() ? std::nullopt : other_gradient(schedule, state);
  m.table = output    ? output_table(schedule, seen, rows, spoken, shrinks)
            : divides ? undivided_table(schedule.problem(), state, m.tile)
            : other   ? output_table(schedule, seen, *other, rows, spoken, false)
                      : table_of(softmax, rows, spoken, open);
  if (open && open->head_col >= 0) put_question_mark(m.table, state.step.row_begin + open->row, open->head_col);
  if (adds && !session.hand().hides()) m.column = column_of(session, state, rows);
  if (const State* before = session.walk().before(); before && !open && !session.hand().on())
    m.moving = {build_motion(schedule, *before, state), tile_of(session, *before, room, spoken, open, &m.tile),
                output ? output_table(schedule, *before, shown_tile(schedule, *before, m.table.quantities.back()), rows,
                                      spoken, shrinks)
                : divides || other ? m.table
                                   : table_of(build_softmax_model(schedule, *before), rows, spoken, open)};
  if (!output && !divides && !other && !open && !session.hand().hides())
    drop_unknown_columns(schedule, state, m.table, m.moving ? &m.moving->table : nullptr);
  if (m.moving && m.moving->tile.quantity != m.tile.quantity && has_numbers(m.moving->tile) && m.map == std::nullopt)
    m.moving->tile_title = two_quantities(m.tile.quantity, m.moving->tile.quantity);
  const bool film = session.tour().watches() && state.started;
  m.sentence = open   ? open->text
               : film ? film_caption(schedule, state, session.document().view.unit != StepUnit::Phase)
                      : softmax.sentence;
  const std::string by_hand = open ? "" : hand_question(session);
  m.asks_by_hand = !by_hand.empty();
  if (m.asks_by_hand) m.sentence = by_hand;
  if (m.moving) m.moving->landing = landing_words(schedule.problem(), state, m.moving->motion, m.sentence);
  if (!open && !session.hand().hides())
    m.meeting = build_present_meeting(schedule, session.inputs(), seen, m.moving ? &m.moving->motion : nullptr,
                                      std::max(2, rows));
  if (film)
    m.arithmetic = {};  // longer than its step plays
  else if (m.meeting)
    m.arithmetic.lines = {m.meeting->total};
  else if (!open && !session.hand().hides())
    m.arithmetic = build_arithmetic(schedule, session.inputs(), seen, m.moving ? &m.moving->motion : nullptr);
  remove_said(m.arithmetic, m.sentence);
  bool wrong_now = false;
  if (const State* right = session.walk().right(); right && !open && !session.hand().hides()) {
    mark_wrong(m.tile, tile_of(session, *right, room, spoken, open, &m.tile));
    const PresentTable should = output    ? output_table(schedule, *right, rows, spoken, shrinks)
                                : divides ? undivided_table(schedule.problem(), *right, m.tile)
                                          : table_of(build_softmax_model(schedule, *right), rows, spoken, open);
    if (ArithmeticLine forgotten = adds ? forgotten_product(session, state, spoken) : ArithmeticLine();
        !forgotten.text.empty())
      m.arithmetic.lines = {std::move(forgotten)};
    mark_wrong(m.table, should);
    const bool output_right = output_stays_right(session);
    const std::optional<WrongNumber> wrong = wrong_number(schedule, state, *right, output_right);
    add_right_row(m.table, should);
    if (wrong) {
      explain_wrong(m, schedule, state, *wrong, output_right);
      if (!output && m.tile.quantity == Quantity::O && made_by(row_of(schedule.problem()), state.step, Quantity::O)) {
        m.table = output_table(schedule, *right, rows, spoken, false);
        m.table.title = "Without the mistake";
        for (PresentTableRow& row : m.table.rows) row.right = true;
        if (m.moving) m.moving->table = m.table;
      }
    } else if (!output_right) {
      explain_still_wrong(m, schedule, state, *right);
    }
    if (!output_right)
      for (const Quantity quantity : wrong_running(schedule.problem(), state, *right))
        m.memories.wrong.emplace_back(ledger_row(quantity).letter);
    wrong_now = !output_right && is_wrong(schedule.problem(), state, *right);
  }
  m.timeline = build_timeline_model(schedule, state, session.check(), room.strip_width);
  for (TimelineBox& box : m.timeline.boxes) box.wrong_now = wrong_now && box.now && !box.skipped;
  m.place = places(session, m.timeline);
  m.mistake = mistake_in_strip(session);
  m.output_right = output_stays_right(session);
  return m;
}

}  // namespace tilewalk
