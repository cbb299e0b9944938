// The arithmetic of what the sentence names, beside the matrix: products one below the other, exponents and weights as
// bars, formulas with their numbers.
#include <algorithm>

#include "pages/walk/walk_page.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/scores/scores_parts.h"

namespace tilewalk {
namespace {

constexpr float kLeastPlaceWide = 128, kLeastPlaceLines = 4;  // in design pixels; of its place

struct ArithmeticPen {
  const UiFrame& f;
  ImDrawList* list;
  const Palette& c;
  const draw::Rect& place;
  double t;
  float s;
  const Font& font;
  float y;
  float middle;  // between the factors
};

// At 42 % of the width, or right of the longest left factor.
float middle_of(const Arithmetic& all, const Font& font, float width) {
  float middle = 0.42f * width;
  for (const ArithmeticLine& line : all.lines)
    if (line.is_product()) middle = std::max(middle, draw::text_width(font, line.text));
  return middle;
}

ImU32 factor_ink(const ArithmeticPen& pen, const std::optional<TensorId>& tensor) {
  if (!tensor) return pen.c.text;
  return letters_of(pen.c, *tensor);
}

// Two factors, on both sides of a line down the middle.
void draw_factors(ArithmeticPen& pen, const ArithmeticLine& line) {
  const float dot = draw::text_width(pen.font, " · "), middle = pen.middle;
  draw::text_right(pen.list, pen.font, middle, pen.y, factor_ink(pen, line.of), line.text);
  pen.f.ui.rects.put("factor " + line.text,
                     {middle - draw::text_width(pen.font, line.text), pen.y, middle, pen.y + draw::leading(pen.font)});
  if (line.of || line.by) draw::text(pen.list, pen.font, middle, pen.y, pen.c.muted, " · ");
  draw::text(pen.list, pen.font, middle + dot, pen.y, factor_ink(pen, line.by), line.factor);
}

// On one line, else with its result on a line of its own.
std::string in_lines(const ArithmeticLine& line, double t, const Font& font, const Font& raised, float width) {
  std::string text = line.at(t);
  if (line.result.empty() || draw::line_width(font, raised, line.at(1)) <= width) return text;
  return line.span.has_landed(t) ? line.text + "\n= " + line.result : text;
}

void draw_arithmetic_lines(ArithmeticPen& pen, const Arithmetic& all) {
  const float leading = draw::leading(pen.font);
  for (const ArithmeticLine& line : all.lines) {
    if (line.is_product()) {
      if (line.is_printed(pen.t)) draw_factors(pen, line);
      pen.y += leading;
      continue;
    }
    const Font& raised = pen.f.theme.fonts.tiny;
    const float width = pen.place.width();
    const std::string text = in_lines(line, pen.t, pen.font, raised, width);
    const float high =
        draw::paragraph(nullptr, pen.font, raised, 0, 0, width, 0, in_lines(line, 1, pen.font, raised, width));
    if (!text.empty())
      draw::paragraph(pen.list, pen.font, raised, pen.place.x0, pen.y, width,
                      line.span.has_landed(pen.t) ? pen.c.fresh : pen.c.text, text);
    pen.y += high + 2 * pen.s;
  }
}

constexpr float kBarsHigh = 88;  // with their distance from the lines
float bar_label(const UiFrame& f) { return f.theme.fonts.mono_small.em + 3 * f.theme.s; }

// Above each bar the power, below it the weight, as high as the weight.
void draw_weight_bars(ArithmeticPen& pen, const Arithmetic& all) {
  const Font& font = pen.f.theme.fonts.mono_small;
  const float count = float(all.bars.size()), each = pen.place.width() / std::max(1.0f, count),
              label = bar_label(pen.f);
  const float top = pen.y + 4 * pen.s + label, foot = std::min(pen.place.y1 - label, pen.y + kBarsHigh * pen.s + label);
  const Font& raised = pen.f.theme.fonts.tiny;
  if (foot - top < 24 * pen.s || each < draw::line_width(font, raised, "e^(−0.00)")) return;
  for (std::size_t i = 0; i < all.bars.size(); ++i) {
    const ArithmeticBar& bar = all.bars[i];
    const float grown = float(bar.span.share(pen.t));
    const float x0 = pen.place.x0 + each * float(i), x1 = x0 + each, weight = std::clamp(bar.weight, 0.0f, 1.0f);
    const draw::Rect full{x0 + 4 * pen.s, top, x1 - 4 * pen.s, foot};
    const float high = full.height() * weight;
    const ImU32 ink = bar.named ? pen.c.text : pen.c.muted;
    draw::box(pen.list, {full.x0, foot - std::max(pen.s, high * grown), full.x1, foot}, viridis(weight), 2 * pen.s,
              bar.named ? pen.c.now_line : 0, 1.5f * pen.s);
    if (grown < 1) draw::dashed(pen.list, {full.x0, foot - high, full.x1, foot}, pen.c.muted, {.length = 3 * pen.s});
    const float wide = draw::line_width(font, raised, bar.power);
    draw::paragraph(pen.list, font, raised, (x0 + x1 - wide) / 2, foot - high - label, 2 * wide, ink, bar.power);
    if (bar.span.has_landed(pen.t)) draw::text_in(pen.list, font, {x0, foot, x1, foot + label}, ink, bar.result);
  }
  pen.y = foot + label;
}

// "O: row 9, column 0 · rounded" as far as whole parts of it fit: on the first lines beside the name of the values
// above the matrix, at the right.
std::string title_in(const UiFrame& f, const std::string& whole, const draw::Rect& place, float y) {
  const Font& font = f.theme.fonts.caption;
  const bool beside_name = y < scores_area(f.layout.scores, f.theme).y0 + draw::leading(f.theme.fonts.tiny);
  const float name = draw::text_width(f.theme.fonts.tiny, "dO00") + 8 * f.theme.s,
              room = place.width() - (beside_name ? name : 0);
  for (const std::size_t end : {whole.size(), whole.find(" · "), whole.find(", ")})
    if (const std::string title = whole.substr(0, end); draw::text_width(font, title) <= room) return title;
  return draw::elided(font, whole.substr(0, whole.find(", ")), room);
}

// Of the title and the lines, bars left out.
float height_of(const UiFrame& f, const Arithmetic& all, float width, const Font& font, bool titled) {
  float high = titled ? draw::leading(f.theme.fonts.caption) : 0;
  for (const ArithmeticLine& line : all.lines)
    high += line.is_product() ? draw::leading(font)
                              : draw::paragraph(nullptr, font, f.theme.fonts.tiny, 0, 0, width, 0,
                                                in_lines(line, 1, font, f.theme.fonts.tiny, width)) +
                                    2 * f.theme.s;
  return high;
}

// With room for bars below the lines.
bool fits_in(const UiFrame& f, const Arithmetic& all, const draw::Rect& place, const Font& font, bool titled) {
  for (const ArithmeticLine& line : all.lines)
    if (line.is_product() &&
        (draw::text_width(font, line.text + " · " + line.factor) > 0.92f * place.width() ||
         middle_of(all, font, place.width()) + draw::text_width(font, " · " + line.factor) > place.width()))
      return false;
  return height_of(f, all, place.width(), font, titled) + (all.bars.empty() ? 0 : 70 * f.theme.s) <= place.height();
}

// Where something so high begins. A place above its row has one height for all phases of a visit, so that nothing jumps
// from phase to phase: that of the longest sum, or of a power with its bars.
float top_of(const UiFrame& f, const draw::Rect& place, float high) {
  if (place.y1 >= scores_area(f.layout.scores, f.theme).y1) return place.y0;
  const float line = draw::leading(f.theme.fonts.mono),
              lines = std::max(7 * line, 2 * line + (kBarsHigh + 4) * f.theme.s + 2 * bar_label(f)),
              kept = draw::leading(f.theme.fonts.caption) + lines;
  return std::max(place.y0, place.y1 - std::max(high, kept));
}

}  // namespace

std::optional<draw::Rect> arithmetic_place(const UiFrame& f) {
  const ScoresModel& g = f.views.page<WalkPage>()->scores;
  const draw::Rect &panel = f.layout.scores, area = scores_area(panel, f.theme);
  const float s = f.theme.s;
  if (g.operand_w <= 0 || !g.cells_drawn) return std::nullopt;
  const float left = panel.x0 + 14 * s, right = area.x0 + float(g.x0 - g.label_w) - 39 * s, top = area.y0 - 18 * s;
  const std::optional<draw::Rect> block = left_operand_rect(g, area, s);
  draw::Rect place{left, top, right, area.y1};
  // Above all that is there, or below it.
  float begin = place.y1, end = place.y0;
  if (block) begin = block->y0 - f.theme.fonts.tiny.size - 8 * s, end = block->y1 + 8 * s;
  if (begin < end && begin - place.y0 > place.y1 - end)
    place.y1 = begin;
  else if (begin < end)
    place.y0 = end;
  const float lines = kLeastPlaceLines * draw::leading(f.theme.fonts.mono_small);
  if (place.width() < kLeastPlaceWide * f.theme.e || place.height() < lines) return std::nullopt;
  return place;
}

void draw_arithmetic(const UiFrame& f, ImDrawList* list, const Palette& colours, const draw::Rect& place,
                     const Arithmetic& all) {
  if (all.empty()) return;
  // In the largest letters in which all of it fits; in little space without its title.
  const Fonts& fonts = f.theme.fonts;
  const std::pair<const Font*, bool> ways[] = {
      {&fonts.mono, true}, {&fonts.mono_small, true}, {&fonts.mono_small, false}, {&fonts.tiny, false}};
  const auto* way = std::find_if(std::begin(ways), std::end(ways),
                                 [&](const auto& each) { return fits_in(f, all, place, *each.first, each.second); });
  if (way == std::end(ways)) {
    const auto in_sentence = [&](ImDrawList* to, float y, double t) {
      return draw::paragraph(to, fonts.mono_small, fonts.tiny, place.x0, y, place.width(), colours.fresh,
                             all.on_one_line(t));
    };
    const float top = top_of(f, place, in_sentence(nullptr, 0, 1)), high = in_sentence(list, top, t_of(f));
    f.ui.rects.put("arithmetic lines", {place.x0, top, place.x1, top + high});
    return;
  }
  const auto& [font, titled] = *way;
  const float bars = all.bars.empty() ? 0 : kBarsHigh * f.theme.s + 2 * bar_label(f);
  const float top = top_of(f, place, height_of(f, all, place.width(), *font, titled) + bars);
  ArithmeticPen pen{
      f, list, colours, place, t_of(f), f.theme.s, *font, top, place.x0 + middle_of(all, *font, place.width())};
  if (titled) {
    const std::string title = title_in(f, all.title_at(pen.t), place, pen.y);
    draw::text(list, fonts.caption, place.x0, pen.y, colours.muted, title);
    f.ui.rects.put("arithmetic title " + title,
                   {place.x0, pen.y, place.x0 + draw::text_width(fonts.caption, title), pen.y + fonts.caption.size});
    pen.y += draw::leading(fonts.caption);
  }
  const float raised = 6 * f.theme.s;  // an exponent of the first line
  list->PushClipRect(ImVec2(place.x0, place.y0 - raised), ImVec2(place.x1, place.y1), true);
  draw_arithmetic_lines(pen, all);
  draw_weight_bars(pen, all);
  list->PopClipRect();
  f.ui.rects.put("arithmetic lines", {place.x0, top, place.x1, pen.y});
}

}  // namespace tilewalk
