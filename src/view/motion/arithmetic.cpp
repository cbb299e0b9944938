#include "view/motion/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "core/problem/format_value.h"
#include "core/schedules/registry.h"
#include "view/scores/tile_values.h"
#include "view/sentence/sentence.h"
#include "view/sentence/sentence_parts.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostPrinted = kMostByHand;
constexpr const char* kSum = "Σ";  // of the products above it
constexpr double kOnTheWay = 1.6;  // how long factors travel, in times between two of them

struct ProductTerm {
  std::int64_t index = 0;
  double a = 0, b = 0;
  std::optional<TensorId> of = {}, by = {};
};

struct FilledWord {  // of a formula, and the numbers for it
  std::string letter, numbers;
};

class ArithmeticPencil {
 public:
  ArithmeticPencil(const Schedule& schedule, const Inputs& inputs, const SeenState& seen, const NamedCell& named)
      : schedule_(schedule), inputs_(inputs), seen_(seen), named_(named) {
    if (named_.head_col < 0) named_.head_col = 0;
  }

  bool needs_hidden() const { return needs_hidden_; }
  const Problem& problem() const { return schedule_.problem(); }
  const Step& step() const { return seen_.state().step; }
  const NamedCell& named() const { return named_; }
  bool allows(std::int64_t col) const { return problem().shape.band().allows(named_.row, col); }

  std::string text_of(Quantity quantity, double value) const {
    return ledger_row(quantity).is_score ? number_in_text(problem(), value) : weight_text(problem(), float(value));
  }

  // The named element, or one beside it in its row or column.
  std::optional<double> value(Quantity quantity, std::int64_t row, std::int64_t col) {
    const QuantityRow& about = ledger_row(quantity);
    if (!about.values || row < 0) return std::nullopt;
    const std::int64_t d = problem().shape.d;
    std::int64_t at = -1;
    switch (about.shape) {
      case QuantityShape::Cell: at = (row - step().row_begin) * step().cols() + col - step().col_begin; break;
      case QuantityShape::Row: at = row - step().row_begin; break;
      case QuantityShape::RowByHead: at = (row - step().row_begin) * d + col; break;
      case QuantityShape::ColByHead: at = (row - step().col_begin) * d + col; break;
      case QuantityShape::RowBySplit: return std::nullopt;
    }
    if (at < 0 || at >= std::int64_t((seen_.state().*about.values).size())) return std::nullopt;
    return shown(about, seen_.at(quantity, std::size_t(at)));
  }
  std::optional<double> before(Quantity quantity, std::int64_t row) {
    const QuantityRow& about = ledger_row(quantity);
    if (!about.before || about.shape != QuantityShape::Row) return std::nullopt;
    const std::int64_t at = row - step().row_begin;
    if (at < 0 || at >= std::int64_t((seen_.state().*about.before).size())) return std::nullopt;
    return shown(about, seen_.before(quantity, std::size_t(at)));
  }
  std::optional<double> named_value(Quantity quantity) {
    switch (ledger_row(quantity).shape) {
      case QuantityShape::Cell: return named_.col < 0 ? std::nullopt : value(quantity, named_.row, named_.col);
      case QuantityShape::Row: return value(quantity, named_.row, 0);
      case QuantityShape::RowByHead: return value(quantity, named_.row, named_.head_col);
      case QuantityShape::ColByHead: return value(quantity, named_.key, named_.head_col);
      default: return std::nullopt;
    }
  }

  // The products that the named element is the sum of; empty where it is no such sum, or has too many.
  std::vector<ProductTerm> terms_of(const Made& made) {
    const std::vector<const MadeFrom*> vectors = factors_of(made);
    if (vectors.empty() || !is_hand_size(problem())) return {};
    const Line a = line_of(made, *vectors[0], true), b = line_of(made, *vectors[1], false);
    std::vector<ProductTerm> out;
    if (a.values.empty() || a.values.size() != b.values.size()) return {};
    for (std::size_t i = 0; i < a.values.size(); ++i)
      if (a.values[i] && b.values[i]) out.push_back({std::int64_t(i), *a.values[i], *b.values[i], a.of, b.of});
    if (std::int64_t(out.size()) > kMostPrinted) out.clear();
    return out;
  }

  // "0.25 + 0.26 + 1.00 + 0.47": what the named row may see of a quantity. Empty: too many.
  std::string row_of_cells(Quantity quantity, const char* between) {
    std::string out;
    std::int64_t count = 0;
    for (std::int64_t col = step().col_begin; col < step().col_end; ++col) {
      if (!allows(col)) continue;
      const std::optional<double> each = value(quantity, named_.row, col);
      if (!each || ++count > kMostPrinted) return "";
      add_to_list(out, text_of(quantity, *each), between);
    }
    return out;
  }

 private:
  struct Line {
    std::vector<std::optional<double>> values;  // empty: masked
    std::optional<TensorId> of;
  };

  std::optional<double> shown(const QuantityRow& about, const Shown<float>& number) {
    needs_hidden_ = needs_hidden_ || number.hidden();
    if (number.hidden()) return std::nullopt;
    return about.is_score ? display_score(problem(), number.value()) : number.value();
  }

  // The row or column of a source that meets another in the named element.
  Line line_of(const Made& made, const MadeFrom& from, bool first) {
    const QuantityShape shape = ledger_row(made.quantity).shape;
    const std::int64_t d = problem().shape.d;
    Line out{{}, from.quantity ? std::nullopt : std::optional(from.input)};
    if (!from.quantity) {
      const OperandTile tile = operand_at(schedule_, inputs_, seen_.state(), from.input);
      if (tile.empty()) return out;
      if (shape == QuantityShape::Cell || shape == QuantityShape::Row) {
        const std::int64_t row = first || shape == QuantityShape::Row ? named_.row : named_.col;
        if (row < tile.row_begin || row >= tile.row_begin + tile.rows) return out;
        for (std::int64_t x = 0; x < d; ++x) out.values.emplace_back(tile.at(row, x));
      } else {
        for (std::int64_t row = tile.row_begin; row < tile.row_begin + tile.rows; ++row)
          out.values.emplace_back(tile.at(row, named_.head_col));
      }
      return out;
    }
    const Quantity quantity = *from.quantity;
    if (ledger_row(quantity).shape == QuantityShape::RowByHead) {
      for (std::int64_t x = 0; x < d; ++x) out.values.push_back(value(quantity, named_.row, x));
      return out;
    }
    if (ledger_row(quantity).shape != QuantityShape::Cell) return out;
    const auto add = [&](std::int64_t row, std::int64_t col) {
      std::optional<double> each = value(quantity, row, col);
      if (each && quantity == Quantity::P) each = round_to(problem().numerics.dtype, float(*each));
      if (!problem().shape.band().allows(row, col)) each.reset();
      out.values.push_back(each);
    };
    if (shape == QuantityShape::ColByHead)
      for (std::int64_t row = step().row_begin; row < step().row_end; ++row) add(row, named_.key);
    else
      for (std::int64_t col = step().col_begin; col < step().col_end; ++col) add(named_.row, col);
    return out;
  }

  const Schedule& schedule_;
  const Inputs& inputs_;
  const SeenState& seen_;
  NamedCell named_;
  bool needs_hidden_ = false;
};

// Replaces the letters of a formula, each by its numbers; of two letters that begin alike, the longer one.
std::string with_numbers(const std::string& formula, std::vector<FilledWord> words) {
  std::stable_sort(words.begin(), words.end(),
                   [](const FilledWord& a, const FilledWord& b) { return a.letter.size() > b.letter.size(); });
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::string out;
  for (std::size_t at = 0; at < formula.size();) {
    const auto fits = [&](const FilledWord& word) {
      const std::size_t end = at + word.letter.size();
      return formula.compare(at, word.letter.size(), word.letter) == 0 && (at == 0 || !is_letter(formula[at - 1])) &&
             (end >= formula.size() || !is_letter(formula[end]));
    };
    const auto word = std::find_if(words.begin(), words.end(), fits);
    if (word == words.end()) {
      out += formula[at++];
      continue;
    }
    out += word->numbers;
    at += word->letter.size();
  }
  const std::string twice = "− −";  // a difference of a negative number
  for (std::size_t at = out.find(twice); at != std::string::npos; at = out.find(twice)) out.replace(at, 7, "+ ");
  return out;
}

// The ledger's formula with the named numbers in it; empty if the state lacks one of them.
std::string filled_formula(ArithmeticPencil& pencil, const Made& made) {
  std::string text = right_side_of(pencil.problem(), made, Notation::Screen);
  if (text.empty()) return "";
  const QuantityShape shape = ledger_row(made.quantity).shape;
  std::vector<FilledWord> words;
  for (const MadeFrom& from : made.from) {
    if (!from.quantity) return "";
    const QuantityRow& about = ledger_row(*from.quantity);
    const std::string letter = about.letter;
    if (about.shape == QuantityShape::Cell && shape == QuantityShape::Row) {
      const bool largest = text.find("largest") != std::string::npos;
      const std::string all = pencil.row_of_cells(*from.quantity, largest ? ", " : " + ");
      if (all.empty()) return "";  // the sentence says as much
      for (const char* phrase : {"the row's largest S in this tile", "the largest S of the whole row"})
        words.push_back({phrase, "the largest of " + all});
      const std::string undivided = pencil.problem().numerics.base == Base::Two ? "2^(S − m)" : "e^(S − m)";
      for (const std::string& phrase :
           {std::string("the sum of the row of P in this tile"), std::string("the sum of the row of P"),
            "the sum of the whole row of " + undivided})
        words.push_back({phrase, all});
      continue;
    }
    std::optional<double> number =
        from.before ? pencil.before(*from.quantity, pencil.named().row) : pencil.named_value(*from.quantity);
    if (number && !from.before && *from.quantity == made.quantity) {  // O, before it was divided by ℓ
      const std::optional<double> by = made.reads(Quantity::L) ? pencil.named_value(Quantity::L) : std::nullopt;
      if (!by) return "";
      number = *number * *by;
    }
    if (!number) return "";
    const std::optional<double> rescaled = *from.quantity == Quantity::Alpha && made.reads_before(made.quantity)
                                               ? pencil.before(made.quantity, pencil.named().row)
                                               : std::nullopt;
    const std::string written =
        rescaled ? factor_text(pencil.problem(), float(*number), *rescaled) : pencil.text_of(*from.quantity, *number);
    if (from.before)
      words.push_back({letter + " old", written});
    else
      words.push_back({letter + " new", written}), words.push_back({letter, written});
  }
  return with_numbers(text, words);
}

std::string title_of_named(const NamedCell& named, const QuantityRow& about) {
  const QuantityShape shape = about.shape;
  const std::int64_t row = shape == QuantityShape::ColByHead ? named.key : named.row;
  if (shape == QuantityShape::Cell) return fmt::format("Row {}, column {}", row, named.col);
  if (shape != QuantityShape::Row) return fmt::format("{}: row {}, column {}", about.letter, row, named.head_col);
  return fmt::format("Row {}", row);
}

Span named_span(const Motion* moving, const Made& made, const NamedCell& named) {
  const MovingValues* v = moving ? moving->of(made.quantity) : nullptr;
  if (!v) return {0, 0};
  const std::int64_t row = v->shape == QuantityShape::ColByHead ? named.key : named.row;
  const std::int64_t col = v->shape == QuantityShape::Cell  ? named.col
                           : v->shape == QuantityShape::Row ? 0
                                                            : named.head_col;
  return v->holds(row, col) ? v->of(row, col) : v->span;
}

// The name of the output before products are added to it: "O rescaled", "dQ before". Before a number the O of "α·O"
// would read as a zero.
std::string start_of_sum(const Schedule& schedule, const Made& made) {
  const std::string letter = ledger_row(made.quantity).letter;
  for (const MadeAt& at : phases_that_make(schedule, made.quantity))
    if (shrinks_by_alpha(*at.made)) return letter + " rescaled";
  return letter + " before";
}

void add_product_lines(const Schedule& schedule, ArithmeticPencil& pencil, const Made& made,
                       const std::vector<ProductTerm>& terms, const Span& span, Arithmetic& out) {
  const std::optional<double> value = pencil.named_value(made.quantity);
  if (!value) return;
  const bool adds = std::any_of(made.from.begin(), made.from.end(),
                                [&](const MadeFrom& from) { return from.before && from.quantity == made.quantity; });
  double sum = 0;
  for (const ProductTerm& term : terms) sum += term.a * term.b;
  // Pairs of factors leave one after the other, each before the last one has met. With the last pair the sum is the
  // element, which lands then.
  const double part = (span.end - span.begin) / (double(terms.size()) + kOnTheWay - 1);
  double begin = span.begin, so_far = adds ? *value - sum : 0;
  const Problem& p = pencil.problem();
  if (adds)
    out.lines.push_back(
        {.text = start_of_sum(schedule, made), .factor = number_in_text(p, *value - sum), .span = {begin, begin}});
  for (const ProductTerm& term : terms) {
    so_far += term.a * term.b;
    out.lines.push_back({.text = number_in_text(p, term.a),
                         .factor = number_in_text(p, term.b),
                         .of = term.of,
                         .by = term.by,
                         .span = {begin, &term == &terms.back() ? span.end : begin + kOnTheWay * part},
                         .makes = made.quantity,
                         .index = term.index,
                         .sum = (adds ? "" : kSum + std::string(" ")) + number_in_text(p, so_far)});
    begin += part;
  }
  const double scale = made.quantity == Quantity::S ? p.scale_value() : 1;
  out.lines.push_back({.text = scale == 1 ? kSum : kSum + std::string(" × ") + signed_number(scale, 3),
                       .result = pencil.text_of(made.quantity, *value),
                       .span = {span.end, span.end}});
}

// Adds a bar for each score of the row that the sentence names: its power and its weight.
void add_weight_bars(ArithmeticPencil& pencil, const Made& made, const Motion* moving, Arithmetic& out) {
  const std::optional<Quantity> least = made.quantity == Quantity::P ? made.subtrahend() : std::nullopt;
  if (!least || !is_hand_size(pencil.problem())) return;
  const std::optional<double> from = pencil.named_value(*least);
  const Step& step = pencil.step();
  const Problem& p = pencil.problem();
  const char* const base = p.numerics.base == Base::Two ? "2" : "e";
  if (!from || step.cols() > kMostPrinted) return;
  const MovingValues* const v = moving ? moving->of(made.quantity) : nullptr;
  for (std::int64_t col = step.col_begin; col < step.col_end; ++col) {
    if (!pencil.allows(col)) continue;
    const std::optional<double> score = pencil.value(Quantity::S, pencil.named().row, col),
                                weight = pencil.value(Quantity::P, pencil.named().row, col);
    if (!score || !weight) return out.bars.clear();
    out.bars.push_back(
        {.col = col,
         .weight = float(*weight),
         .power = fmt::format("{}^({})", base, number_in_text(p, shown_value(p, *score) - shown_value(p, *from))),
         .result = weight_text(pencil.problem(), float(*weight)),
         .title = title_of_named({.row = pencil.named().row, .col = col}, ledger_row(made.quantity)) + " · rounded",
         .named = col == pencil.named().col,
         .span = v ? v->of(pencil.named().row, col) : Span{0, 0}});
  }
}

}  // namespace

std::vector<const MadeFrom*> factors_of(const Made& made) {
  std::vector<const MadeFrom*> out;
  for (const MadeFrom& from : made.from) {
    const QuantityRow* const of = from.quantity ? &ledger_row(*from.quantity) : nullptr;
    if (of && !from.before && of->shape == ledger_row(made.quantity).shape) return {};  // no index to sum over: dS
    if (!of || (!from.before && of->shape != QuantityShape::Row)) out.push_back(&from);
  }
  return out.size() == 2 ? out : std::vector<const MadeFrom*>{};
}

// The sentence of a rescale has α with its numbers.
static bool is_in_sentence(const Schedule& schedule, const State& state, const Made& made) {
  const std::string letter = letter_of(made, Notation::Screen);
  return made.quantity == Quantity::Alpha && step_sentence(schedule, state).find(letter + " = ") != std::string::npos;
}

Arithmetic build_arithmetic(const Schedule& schedule, const Inputs& inputs, const SeenState& seen,
                            const Motion* moving) {
  const State& state = seen.state();
  const Problem& p = schedule.problem();
  const NamedCell named = named_cell(p, state);
  Arithmetic out;
  if (!state.started || p.fault != Fault::None) return out;
  for (const Made& made : made_by(row_of(p), state.step.section_name, state.step.phase))
    if (made.is_of_itself() && ledger_row(made.quantity).shape == QuantityShape::Cell)
      return p.shape.mask.kind == MaskKind::None ? out : mask_arithmetic(p, state.step);
  if (named.row < 0 && named.key < 0) return out;
  ArithmeticPencil pencil(schedule, inputs, seen, named);
  for (const Made& made : made_by(row_of(p), state.step.section_name, state.step.phase)) {
    if (made.from.empty() || made.is_of_itself()) continue;
    const std::optional<double> value = pencil.named_value(made.quantity);
    if (!value) continue;
    const Span span = named_span(moving, made, pencil.named());
    const std::size_t lines = out.lines.size();
    if (shrinks_by_alpha(made)) {
      const std::optional<double> alpha = pencil.named_value(Quantity::Alpha);
      if (alpha && *alpha > 0)
        out.lines.push_back(
            {.text = fmt::format("{} new = {} × {}", ledger_row(made.quantity).letter,
                                 factor_text(p, float(*alpha), *value / *alpha), number_in_text(p, *value / *alpha)),
             .result = number_in_text(p, *value),
             .span = span});
    } else if (const std::vector<ProductTerm> terms = pencil.terms_of(made); !terms.empty()) {
      add_product_lines(schedule, pencil, made, terms, span, out);
    } else if (const std::string formula = filled_formula(pencil, made); !formula.empty()) {
      out.lines.push_back({.text = letter_of(made, Notation::Screen) + " = " + formula,
                           .result = pencil.text_of(made.quantity, *value),
                           .aside = (!made.asked && !made.result) || is_in_sentence(schedule, state, made),
                           .span = span});
    }
    add_weight_bars(pencil, made, moving, out);
    if (out.title.empty() && out.lines.size() > lines)
      out.title = title_of_named(pencil.named(), ledger_row(made.quantity)) + " · rounded";
  }
  if (pencil.needs_hidden()) return {};
  return out;
}

}  // namespace tilewalk
