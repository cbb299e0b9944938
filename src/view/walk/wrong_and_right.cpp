#include "view/walk/wrong_and_right.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/units.h"
#include "core/problem/fault_effects.h"
#include "core/problem/format_value.h"
#include "core/schedules/registry.h"
#include "view/sentence/named_cell.h"

namespace tilewalk {
namespace {

struct PrintedDifference {
  Quantity quantity{};
  std::size_t element = 0;
  double is = 0, should = 0, size = -1;
};

// A difference that is not a number is larger than any other.
double size_of(double is, double should) {
  const double size = std::fabs(is - should);
  return std::isnan(size) ? HUGE_VAL : size;
}

// The row and the column of an element; −1: it has no column.
std::pair<std::int64_t, std::int64_t> place_of(const Problem& p, const Step& step, const PrintedDifference& d) {
  const std::int64_t at = std::int64_t(d.element), head = p.shape.d;
  switch (ledger_row(d.quantity).shape) {
    case QuantityShape::Row: return {step.row_begin + at, -1};
    case QuantityShape::Cell: return {step.row_begin + at / step.cols(), step.col_begin + at % step.cols()};
    case QuantityShape::RowByHead: return {step.row_begin + at / head, at % head};
    case QuantityShape::ColByHead: return {step.col_begin + at / head, at % head};
    case QuantityShape::RowBySplit: break;
  }
  return {-1, -1};
}

// "row 9, column 0 is 1.07, not 0.91"; col −1: the number has no column.
std::string is_not(std::int64_t row, std::int64_t col, const PrintedDifference& d) {
  return fmt::format("row {}{} is {}, not {}", row, col < 0 ? "" : fmt::format(", column {}", col),
                     compact_number(d.is), compact_number(d.should));
}

// The element that the sentence names; −1: none.
std::int64_t named_element(const Problem& p, const State& state, QuantityShape shape) {
  const std::int64_t spoken = spoken_row(p, state);
  if (spoken < 0) return -1;
  if (shape == QuantityShape::Row) return spoken;
  if (shape == QuantityShape::RowByHead) return spoken * p.shape.d;
  const NamedCell named = shape == QuantityShape::Cell ? named_cell(p, state) : NamedCell{};
  return named.col < 0 ? -1 : spoken * state.step.cols() + named.col - state.step.col_begin;
}

void compare(const Problem& p, const State& state, const State& right, Quantity quantity, PrintedDifference& largest) {
  const QuantityRow& row = ledger_row(quantity);
  if (!row.values || row.shape == QuantityShape::RowBySplit) return;
  const std::vector<float>&values = state.*row.values, &should = right.*row.values;
  if (values.size() != should.size()) return;
  const std::int64_t named = named_element(p, state, row.shape);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double a = row.is_score ? display_score(p, values[i]) : values[i],
                 b = row.is_score ? display_score(p, should[i]) : should[i];
    if (!differs_in_print(a, b)) continue;
    const double size = std::int64_t(i) == named ? HUGE_VAL : size_of(a, b);
    if (size > largest.size) largest = {quantity, i, a, b, size};
  }
}

bool names(const NamedCell& named, const WrongNumber& wrong) {
  if (named.row != wrong.row) return false;
  switch (ledger_row(wrong.quantity).shape) {
    case QuantityShape::Cell: return named.col == wrong.col;
    case QuantityShape::RowByHead: return std::max<std::int64_t>(0, named.head_col) == wrong.col;
    default: return true;
  }
}

// "Row 6 sees no key after 6, so key 7 should be masked."; empty where the mask lets no such key of this tile in.
std::string wrongly_seen(const Problem& p, const Step& step, std::int64_t row) {
  const Band should = p.shape.band(), is = masked_band(p);
  for (std::int64_t col = step.col_begin; col < step.col_end; ++col)
    if (is.allows(row, col) && !should.allows(row, col))
      return fmt::format("Row {} sees no key{}, so key {} should be masked.", row,
                         col > 0 ? fmt::format(" after {}", col - 1) : "", col);
  return {};
}

// A number on the way is another one, and still the result is right: a forward pass divides by ℓ, in which the same
// factor is.
const char* right_all_the_same(const Problem& p) {
  return makes(row_of(p), Quantity::DQ) ? "The finished gradient is right all the same."
                                        : "Divided by ℓ, O is right all the same.";
}

}  // namespace

bool differs_in_print(double is, double should) { return is != should && compact_number(is) != compact_number(should); }

bool is_wrong(const Problem& p, const State& state, const State& right) {
  for (const QuantityRow& row : quantity_ledger()) {
    if (!row.values) continue;
    const std::vector<float>&values = state.*row.values, &should = right.*row.values;
    if (values.size() != should.size()) continue;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (row.is_score ? differs_in_print(display_score(p, values[i]), display_score(p, should[i]))
                       : differs_in_print(values[i], should[i]))
        return true;
  }
  return false;
}

std::optional<WrongNumber> wrong_number(const Schedule& schedule, const State& state, const State& right,
                                        bool output_right) {
  if (!state.started) return std::nullopt;
  const Problem& p = schedule.problem();
  PrintedDifference largest;
  for (const Made& made : made_by(row_of(p), state.step.section_name, state.step.phase))
    compare(p, state, right, made.quantity, largest);
  const bool stored = largest.size < 0;
  if (stored) {
    const Cost cost = schedule.cost_of(state.step);
    for (const QuantityRow& row : quantity_ledger())
      if (row.tensor && cost.of(*row.tensor).write_bytes > 0) compare(p, state, right, row.id, largest);
  }
  if (largest.size < 0) return std::nullopt;
  const auto [row, col] = place_of(p, state.step, largest);
  const std::string number = fmt::format("{}{} in {}", stored ? "the stored " : "", ledger_row(largest.quantity).letter,
                                         is_not(row, col, largest));
  return WrongNumber{largest.quantity, row, col,
                     output_right ? fmt::format("By mistake {}. {}", number, right_all_the_same(p))
                                  : fmt::format("Wrong: {}.", number)};
}

std::vector<Quantity> wrong_running(const Problem& p, const State& state, const State& right) {
  std::vector<Quantity> out;
  if (!state.started || makes(row_of(p), Quantity::DQ)) return out;
  for (const QuantityRow& row : quantity_ledger()) {
    const std::int64_t cols = row.shape == QuantityShape::RowByHead ? p.shape.d : 1;
    if (!row.running || !row.values || std::ssize(state.*row.values) != state.step.rows() * cols) continue;
    PrintedDifference largest;
    compare(p, state, right, row.id, largest);
    if (largest.size >= 0) out.push_back(row.id);
  }
  return out;
}

std::optional<WrongNumber> still_wrong(const Schedule& schedule, const State& state, const State& right) {
  const Problem& p = schedule.problem();
  std::vector<Quantity> wrong = wrong_running(p, state, right);
  std::erase_if(wrong, [&](Quantity quantity) { return made_by(row_of(p), state.step, quantity) != nullptr; });
  if (wrong.empty()) return std::nullopt;
  PrintedDifference largest;
  compare(p, state, right, wrong.back(), largest);  // O, which is what the walk is for, is the last
  const auto [row, col] = place_of(p, state.step, largest);
  return WrongNumber{
      largest.quantity, row, col,
      fmt::format("{} is still wrong: {}.", ledger_row(largest.quantity).letter, is_not(row, col, largest))};
}

SentenceBesideWrong sentence_beside(const Problem& p, const State& state, const std::string& sentence,
                                    const WrongNumber& wrong) {
  const NamedCell named = named_cell(p, state);
  if (ledger_row(wrong.quantity).shape == QuantityShape::ColByHead || names(named, wrong)) return {sentence};
  if (named.row < 0) return {sentence, false};
  std::string text = sentence.substr(0, sentence.find(fmt::format("Row {}", named.row)));
  text += wrongly_seen(p, state.step, wrong.row);
  if (text.ends_with(' ')) text.pop_back();
  return {text, false};
}

bool output_stays_right(const Session& session) {
  const auto& accuracy = session.checks().accuracy();
  return session.problem().fault != Fault::None && accuracy && accuracy->verdict == Verdict::WithinRule;
}

bool output_is_wrong(const Session& session) {
  const auto& accuracy = session.checks().accuracy();
  return accuracy && (accuracy->verdict == Verdict::Diverged || accuracy->verdict == Verdict::NotFinite);
}

std::optional<WrongRow> most_wrong_row(const std::vector<float>& is, const std::vector<float>& should,
                                       std::int64_t cols, std::int64_t row_begin) {
  if (is.size() != should.size() || cols < 1) return std::nullopt;
  std::optional<std::size_t> worst;
  double most = -1;
  for (std::size_t i = 0; i < is.size(); ++i)
    if (const double size = size_of(is[i], should[i]); differs_in_print(is[i], should[i]) && size > most)
      worst = i, most = size;
  if (!worst) return std::nullopt;
  const std::size_t first = *worst - *worst % std::size_t(cols);
  WrongRow out{.row = row_begin + std::int64_t(first) / cols, .col = std::int64_t(*worst - first), .pairs = {}};
  for (std::size_t at = first; at < first + std::size_t(cols); ++at)
    out.pairs.push_back({signed_number(is[at]), signed_number(should[at]), differs_in_print(is[at], should[at])});
  return out;
}

std::string worst_of_output(const char* letter, const std::vector<float>& is, const std::vector<float>& should,
                            std::int64_t cols, std::int64_t row_begin) {
  if (is.size() != should.size() || cols < 1) return "";
  PrintedDifference worst;
  std::int64_t count = 0, first = -1, last = -1;
  for (std::size_t i = 0; i < is.size(); ++i) {
    if (!differs_in_print(is[i], should[i])) continue;
    last = row_begin + std::int64_t(i) / cols;
    if (count++ == 0) first = last;
    if (const double size = size_of(is[i], should[i]); size > worst.size) worst = {{}, i, is[i], should[i], size};
  }
  if (count == 0) return "";
  const std::int64_t at = std::int64_t(worst.element);
  std::string text = fmt::format("{} in {}", letter, is_not(row_begin + at / cols, at % cols, worst));
  if (count > 1) text += fmt::format(": the largest of {} wrong numbers", format_count(count));
  return text + (count == 1      ? "."
                 : first == last ? fmt::format(" in row {}.", first)
                                 : fmt::format(" in rows {} to {}.", first, last));
}

}  // namespace tilewalk
