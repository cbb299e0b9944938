// What the step makes, on its way: two factors meet and the sum grows by their product, a max rises, a factor comes
// down on the row that it shrinks. Numbers travel where they can be read, else dots.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/problem/format_value.h"
#include "ui/panels/motion/flight.h"
#include "ui/panels/motion/motion_pen.h"
#include "ui/panels/motion/number_way.h"
#include "view/scores/tile_values.h"
#include "view/sentence/sentence_parts.h"

namespace tilewalk {
namespace {

// What one element is made from: the places of a number, or of a row or column of them.
struct Source {
  std::vector<draw::Rect> each;
  draw::Rect all;
  ImU32 colour;
  std::vector<float> weights = {};  // of each, from 0 to 1; empty: all alike
  std::vector<ImU32> colours = {};  // of each cell of the matrix: those of its map
};

ImU32 colour_of(const Source& source, std::size_t i) {
  return i < source.colours.size() ? source.colours[i] : source.colour;
}

MovingPlace place_of(QuantityShape shape, Quantity quantity, std::int64_t row, std::int64_t col) {
  switch (shape) {
    case QuantityShape::Cell: return {PlaceKind::Score, int(quantity), row, col};
    case QuantityShape::Row: return {PlaceKind::Figure, int(quantity), row, 0};
    default: break;
  }
  // A product by itself, as FA-1 makes it, waits where it will be added.
  return {PlaceKind::Output, int(ledger_row(quantity).tensor ? quantity : Quantity::O), row, col};
}

// P of a cell of the current tile; 1 where the state has none.
float weight_at(const MotionPen& pen, std::int64_t row, std::int64_t col) {
  const State& state = pen.f.session.state();
  const std::int64_t i = row - state.step.row_begin, j = col - state.step.col_begin, cols = state.step.cols();
  if (i < 0 || j < 0 || j >= cols || std::int64_t(state.p.size()) <= i * cols + j) return 1;
  return std::clamp(state.p[std::size_t(i * cols + j)], 0.0f, 1.0f);
}

// The map of a quantity's cells. dP and dS have two signs, and their largest magnitude in the tile has the full colour;
// weights are from 0 to 1.
class CellColours {
 public:
  CellColours(const MotionPen& pen, Quantity quantity)
      : pen_(pen), is_signed_(quantity == Quantity::DP || quantity == Quantity::DS) {
    if (!is_signed_) return;
    values_ = values_of(pen.f.session.state(), quantity);
    for (const float v : values_)
      if (std::isfinite(v)) largest_ = std::max(largest_, std::fabs(v));
  }
  ImU32 at(std::int64_t row, std::int64_t col) const {
    if (!is_signed_) return viridis(weight_at(pen_, row, col));
    const Step& step = pen_.f.session.state().step;
    const std::int64_t i = (row - step.row_begin) * step.cols() + col - step.col_begin;
    if (i < 0 || i >= std::int64_t(values_.size())) return pen_.c.accent;
    return diverging(pen_.c, largest_ > 0 ? values_[std::size_t(i)] / largest_ : 0);
  }

 private:
  const MotionPen& pen_;
  bool is_signed_;
  std::span<const float> values_ = {};
  float largest_ = 0;
};

// All places of a kind in a row, in a column, or at both.
Source line_of(const MotionPen& pen, PlaceKind kind, int of, std::optional<std::int64_t> row,
               std::optional<std::int64_t> col, ImU32 colour, const char* name = "",
               std::optional<Quantity> cells = std::nullopt) {
  const CellColours colours(pen, cells.value_or(Quantity::P));
  Source out{.each = {}, .all = {}, .colour = colour};
  for (const auto& [place, r] : pen.m.places.at) {
    if (kind == PlaceKind::Operand && place.kind == kind && place.of == of && place.name != name) continue;
    if (place.kind != kind || (of >= 0 && place.of != of) || (row && place.row != *row) || (col && place.col != *col))
      continue;
    out.all = out.each.empty() ? r : out.all.joined(r);
    out.each.push_back(r);
    if (kind == PlaceKind::Score) out.weights.push_back(weight_at(pen, place.row, place.col));
    if (cells) out.colours.push_back(colours.at(place.row, place.col));
  }
  return out;
}

// A score is a row of the left operand by a row of the upper one; an output is a row or a column of weights by a column
// of what they weigh.
Source source_of(const MotionPen& pen, const MadeFrom& from, const MovingValues& v, std::int64_t row,
                 std::int64_t col) {
  constexpr auto kAny = std::nullopt;
  if (!from.quantity) {
    const int input = int(from.input);
    const ImU32 colour = hue(pen.c, from.input);
    const bool is_twice = std::any_of(pen.m.places.at.begin(), pen.m.places.at.end(), [&](const auto& each) {
      return each.first.kind == PlaceKind::Operand && each.first.of == input && each.first.name == kBesideOutput;
    });
    const char* const beside = is_twice ? kBesideOutput : "";
    const bool upper = from.input == TensorId::K || from.input == TensorId::V;
    Source numbers =
        v.shape == QuantityShape::Cell  ? line_of(pen, PlaceKind::Operand, input, upper ? col : row, kAny, colour)
        : v.shape == QuantityShape::Row ? line_of(pen, PlaceKind::Operand, input, row, kAny, colour)
                                        : line_of(pen, PlaceKind::Operand, input, kAny, col, colour, beside);
    if (const auto chip = pen.m.places.all_of(PlaceKind::SramTile, input); chip && numbers.each.empty())
      numbers.each = {*chip}, numbers.all = *chip;  // a room sees the tile on chip, and no numbers of it
    return numbers;
  }
  switch (ledger_row(*from.quantity).shape) {
    case QuantityShape::Cell:
      if (v.shape == QuantityShape::Cell) return {};  // the cell itself
      if (v.shape == QuantityShape::ColByHead)
        return line_of(pen, PlaceKind::Score, -1, kAny, row, pen.c.accent, "", from.quantity);
      return line_of(pen, PlaceKind::Score, -1, row, kAny, pen.c.accent, "", from.quantity);
    case QuantityShape::Row:
      if (*from.quantity == v.quantity()) return {};
      return line_of(pen, PlaceKind::Figure, int(*from.quantity), row, kAny,
                     *from.quantity == Quantity::Alpha ? pen.c.changed : pen.c.fresh);
    default: return {};
  }
}

// A room's lifted row is on its way over places that are ringed.
void draw_ring(const MotionPen& pen, const draw::Rect& r) {
  if (const auto lifted = pen.f.ui.rects.find("present/lifted row"); lifted && lifted->touches(r)) return;
  pen.f.ui.rects.put("ring", r);
  draw::box(pen.list, {r.x0 - 1.5f * pen.s, r.y0 - 1.5f * pen.s, r.x1 + 1.5f * pen.s, r.y1 + 1.5f * pen.s}, 0,
            3 * pen.s, pen.c.now_line, 1.8f * pen.s);
}

// The larger of the old max and the new, where it is another one.
void draw_rising(const MotionPen& pen, const MovingValues& v, std::int64_t row, const draw::Rect& to, float share) {
  const State& state = pen.f.session.state();
  const std::size_t i = std::size_t(row - v.row_begin);
  if (i >= state.m.size() || (i < state.m_old.size() && state.m_old[i] == state.m[i])) return;
  const Problem& problem = pen.f.session.problem();
  const draw::Rect* from = nullptr;
  float value = 0;
  const std::int64_t cols = state.step.cols();
  if (std::int64_t(state.s.size()) != v.rows * cols) return;
  for (std::int64_t c = 0; c < cols; ++c) {
    const std::int64_t col = state.step.col_begin + c;
    const draw::Rect* at = pen.m.places.find({PlaceKind::Score, int(Quantity::S), row, col});
    const float score = state.s[i * std::size_t(cols) + std::size_t(c)];
    if (at && problem.shape.band().allows(row, col) && (!from || score > value)) from = at, value = score;
  }
  if (!from) return;
  draw_ring(pen, *from);
  draw_dotted_way(pen, *from, to, "max", pen.c.muted);
  draw_chip(pen, *from, to, share, format_value(problem, display_score(problem, value)), pen.c.fresh);
}

// α on its way to the row that it shrinks, whose values change when it is there.
void draw_shrinking_factor(const MotionPen& pen, const MovingValues& v) {
  const float factor = v.shrink(v.named_row);
  if (v.named_row < 0 || factor >= 1 || factor <= 0 || !v.span.is_under_way(pen.m.t)) return;
  const draw::Rect* const from = pen.m.places.find({PlaceKind::Figure, int(Quantity::Alpha), v.named_row, 0});
  const draw::Rect* const first = pen.m.places.find(place_of(v.shape, v.quantity(), v.named_row, v.col_begin));
  if (!from || !first) return;
  draw_ring(pen, *from);
  const float share = float(v.factor_way(pen.m.t));
  if (share >= 1) return;
  draw_dotted_way(pen, *from, *first, "factor", pen.c.muted);
  draw_chip(pen, *from, *first, share, "×" + weight_text(pen.f.session.problem(), factor), pen.c.changed);
}

// A figure of the table as it goes into a formula: a factor, what is subtracted, what is divided by.
std::string figure_text(const MotionPen& pen, const MovingValues& v, const MadeFrom& from, std::int64_t row) {
  const QuantityRow& about = ledger_row(*from.quantity);
  const auto held = about.values;
  const std::int64_t i = row - pen.f.session.state().step.row_begin;
  if (!held || about.shape != QuantityShape::Row || i < 0) return "";
  const std::vector<float>& values = pen.f.session.state().*held;
  if (i >= std::int64_t(values.size())) return "";
  const Problem& problem = pen.f.session.problem();
  const float value = values[std::size_t(i)];
  const double shown = about.is_score ? display_score(problem, value) : double(value);
  if (v.made.subtrahend() == from.quantity || from.quantity == Quantity::D)  // "− 0.92": no number of the table
    return (shown < 0 ? "+ " : "− ") + signed_number(std::fabs(shown));
  const std::string text = about.is_score ? number_in_text(problem, shown) : weight_text(problem, value);
  if (from.quantity == Quantity::Alpha || from.quantity == Quantity::Beta) return "×" + text;
  const bool divides = from.quantity == Quantity::L && (v.quantity() == Quantity::O || v.quantity() == Quantity::P);
  return (divides ? "÷" : "") + text;
}

// "− 0.92", "+ 0.04": over 0.92 or −0.04 it would read as another number of the table.
bool is_subtracted(std::string_view figure) { return figure.starts_with("− ") || figure.starts_with("+ "); }

// What has landed so far, in the place of the number that it becomes.
void draw_sum(const MotionPen& pen, std::string sum, const draw::Rect& to) {
  pen.f.ui.rects.put("sum " + sum, to);
  std::erase_if(pen.m.places.blank, [&](const draw::Rect& r) { return to.holds(r.middle()); });
  const Fonts& fonts = pen.f.theme.fonts;
  const auto fitting = [&] {
    return draw::font_that_fits({&fonts.mono, &fonts.mono_small, &fonts.tiny}, sum, to.width() - 2, to.height());
  };
  const Font* font = fitting();
  if (!font) sum = sum.substr(sum.rfind(' ') + 1), font = fitting();  // without the sign of a sum
  // No colour of a legend: the sum is not what the cell will show.
  draw::box(pen.list, to, pen.c.panel, 3 * pen.s);
  if (font) draw::text_in(pen.list, *font, to, pen.c.fresh, sum);
}

// Of the screen for a room, or of the walk; null: neither is shown.
const Arithmetic* arithmetic_of(const Views& views) {
  if (views.present) return &views.present->arithmetic;
  const WalkPage* const page = views.page<WalkPage>();
  return page ? &page->arithmetic : nullptr;
}

// Pairs of factors, each pair at the place that its arithmetic is printed from; where they meet the sum grows.
bool draw_factors_on_way(const MotionPen& pen, const MovingValues& v, std::int64_t row, std::int64_t col,
                         const draw::Rect& to) {
  const std::vector<const MadeFrom*> factors = factors_of(v.made);
  const Arithmetic* const arithmetic = arithmetic_of(pen.f.views);
  if (factors.empty() || !arithmetic) return false;
  const Source a = source_of(pen, *factors[0], v, row, col), b = source_of(pen, *factors[1], v, row, col);
  bool any = false;
  const ArithmeticLine* met = nullptr;
  for (const ArithmeticLine& line : arithmetic->lines) {
    const std::size_t i = std::size_t(line.index);
    if (line.makes != v.quantity() || line.index < 0 || i >= a.each.size() || i >= b.each.size()) continue;
    any = true;
    if (line.span.has_landed(pen.m.t)) met = &line;
    if (!line.span.is_under_way(pen.m.t)) continue;
    const float share = float(line.span.share(pen.m.t));
    draw_chip(pen, a.each[i], to, share, line.text, colour_of(a, i), {.arrives = false});
    draw_chip(pen, b.each[i], to, share, line.factor, colour_of(b, i), {.arrives = false});
  }
  if (!any) return false;
  draw_ring(pen, a.all), draw_ring(pen, b.all);
  if (met) draw_sum(pen, met->sum, to);
  return true;
}

constexpr float kLeastDot = 1.4f, kLargestDot = 8;

// The area of a weight's dot grows with it.
float dot_radius(float weight) { return std::max(kLeastDot, kLargestDot * std::sqrt(weight)); }

// What a row or a column sends leaves it at the side of the target, one after the other, on a straight way.
ImVec2 in_train(const MotionPen& pen, const Source& source, std::size_t i, const draw::Rect& to, float share) {
  constexpr float kTrain = 0.3f;  // of the time, from the first to the last
  const ImVec2 middle = source.all.middle(), target = to.middle();
  const float count = float(source.each.size()), later = count > 1 ? kTrain * float(i) / (count - 1) : 0,
              way = std::clamp((share * (1 + kTrain) - later), 0.0f, 1.0f);
  ImVec2 from = middle;
  if (count > 1) {
    const float dx = target.x - middle.x, dy = target.y - middle.y, gap = 3 * pen.s;
    if (source.all.width() > source.all.height())
      from.x = dx > 0 ? source.all.x1 + gap : source.all.x0 - gap;
    else
      from.y = dy > 0 ? source.all.y1 + gap : source.all.y0 - gap;
  }
  return {from.x + (target.x - from.x) * way, from.y + (target.y - from.y) * way};
}

bool covers_text(const MotionPen& pen, const ImVec2& at, float radius) {
  return std::any_of(pen.m.places.at.begin(), pen.m.places.at.end(), [&](const auto& each) {
    return has_text(each.first.kind) && each.second.inset(-radius).holds(at);
  });
}

void draw_dots(const MotionPen& pen, const Source& source, bool weighs, const draw::Rect& to, float share) {
  for (std::size_t i = 0; i < source.each.size(); ++i) {
    const ImVec2 at = in_train(pen, source, i, to, share);
    const float radius = weighs ? dot_radius(source.weights[i]) : kDotRadius;
    if (covers_text(pen, at, radius * pen.s)) continue;
    pen.list->AddCircleFilled(at, (radius + 1.3f) * pen.s, pen.c.background, 16);
    pen.list->AddCircleFilled(at, radius * pen.s, weighs ? viridis(source.weights[i]) : source.colour, 16);
  }
}

// A row's weights on their way to its sum, one after the other.
void draw_weights(const MotionPen& pen, const Source& source, const draw::Rect& to, float share) {
  constexpr float kTrain = 0.5f;
  const float last = std::max(1.0f, float(source.each.size()) - 1);
  const auto way_of = [&](std::size_t i) { return share * (1 + kTrain) - kTrain * float(i) / last; };
  float sum = 0;
  for (std::size_t i = 0; i < source.each.size(); ++i)
    if (way_of(i) >= 1) sum += source.weights[i];
  if (sum > 0) draw_sum(pen, "Σ " + number_in_text(pen.f.session.problem(), sum), to);
  draw_dotted_way(pen, source.each.back(), to, "weights", pen.c.muted);
  for (std::size_t i = 0; i < source.each.size(); ++i) {
    const float way = way_of(i);
    if (way <= 0 || way >= 1 || source.weights[i] <= 0) continue;
    draw_chip(pen, source.each[i], to, way, weight_text(pen.f.session.problem(), source.weights[i]),
              colour_of(source, i));
  }
}

}  // namespace

// Of the row that the sentence names, or of all where it names none. One place is ringed, and what it is made from.
void draw_made(const MotionPen& pen, const MovingValues& v) {
  if (!v.shrinks.empty()) return draw_lifted_row(pen, v), draw_shrinking_factor(pen, v);
  const auto ringed = v.ringed(pen.m.t);
  for (const auto& [row, col] : v.under_way(pen.m.t)) {
    const Span span = v.of(row, col);
    const draw::Rect* to = pen.m.places.find(place_of(v.shape, v.quantity(), row, col));
    if (!to) continue;
    const float share = float(span.share(pen.m.t));
    const bool is_ringed = ringed && *ringed == std::pair{row, col};
    if (v.named_row >= 0 && !is_ringed) continue;
    if (v.quantity() == Quantity::M) {
      draw_rising(pen, v, row, *to, share);
      continue;
    }
    const bool pairs = is_ringed && draw_factors_on_way(pen, v, row, col, *to);
    for (const MadeFrom& from : v.made.from) {
      const bool is_figure = from.quantity && ledger_row(*from.quantity).shape == QuantityShape::Row;
      // The table's place of a running value is that of the new one.
      if (is_figure && from.before) continue;
      // A sum of pairs that starts with a row of O has shrunk before.
      if (pairs && (!is_figure || v.made.reads_before(v.quantity()))) continue;
      const Source source = source_of(pen, from, v, row, col);
      if (source.each.empty()) continue;
      if (is_ringed) draw_ring(pen, source.all);
      const bool weighs = from.quantity == Quantity::P && source.weights.size() == source.each.size();
      const bool reads = is_hand_size(pen.f.session.problem()) && is_ringed;
      const std::string figure = reads && is_figure ? figure_text(pen, v, from, row) : "";
      if (!figure.empty()) {
        draw_dotted_way(pen, source.each[0], *to, figure, pen.c.muted);
        // Into a figure of the table weights flow too, which arrive there.
        draw_chip(pen, source.each[0], *to, share, figure, source.colour,
                  {.reads_as_source = !is_subtracted(figure), .arrives = v.shape != QuantityShape::Row});
      } else if (reads && weighs && v.shape == QuantityShape::Row) {
        draw_weights(pen, source, *to, share);
      } else {
        draw_dots(pen, source, weighs, *to, share);
      }
    }
    if (!is_ringed) continue;
    draw_ring(pen, *to);
    pen.f.ui.rects.put("ringed", *to);
  }
}

}  // namespace tilewalk
