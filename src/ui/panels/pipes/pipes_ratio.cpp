// How many times fewer bytes one side moves: the largest figure of the page, where that side has no pipes. The reason
// is written below it if there is room, else it is in the tooltip.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "ui/panels/pipes/pipes_side.h"
#include "ui/widgets.h"

namespace tilewalk {
namespace {

constexpr float kLeastOfWin = 1.3f;  // of Fonts::figure, in which smaller figures keep more of their sharpness
constexpr float kStepOfWin = 0.05f;

float widest_word(const Font& font, std::string_view words) {
  float widest = 0;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    widest = std::max(widest, draw::text_width(font, words.substr(begin, end - begin)));
    begin = end + 1;
  }
  return widest;
}

// The last two words stay on one line: "asked for".
std::string words_of(const PipesModel& m) {
  std::string out = m.ratio_words;
  if (const std::size_t space = out.rfind(' '); space != std::string::npos) out.replace(space, 1, "\u00a0");
  return out;
}

struct RatioLayout {
  Font font;
  std::string detail;                                             // beside the figure, below the words
  float figure = 0, words = 0, beside = 0, high = 0, reason = 0;  // widths, then heights
};

RatioLayout layout_ratio(const SidePen& d, const Font& font, float room, bool with_detail, bool with_reason) {
  const Fonts& fonts = d.p.fonts;
  RatioLayout out{
      .font = font, .detail = with_detail ? d.m.ratio_detail : "", .figure = draw::text_width(font, d.m.ratio)};
  out.words = room - out.figure - 14 * d.s;
  const auto words_high = [&](const Font& each, const std::string& words) {
    return draw::paragraph(nullptr, each, each, 0, 0, out.words, 0, words);
  };
  if (out.words > 0)
    out.beside = words_high(fonts.title, words_of(d.m)) + (with_detail ? words_high(fonts.body, out.detail) : 0);
  if (with_reason) out.reason = draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, room, 0, d.m.ratio_reason);
  out.high = std::max(font.size, out.beside) + out.reason;
  return out;
}

// False where a word would be wider than its column, or the lines higher than their place.
bool fits(const SidePen& d, const RatioLayout& layout, float high) {
  const Fonts& fonts = d.p.fonts;
  const float word = std::max(widest_word(fonts.title, words_of(d.m)), widest_word(fonts.body, layout.detail));
  return word <= layout.words && layout.high <= high;
}

// The details come before the size of the figure as long as it is the largest of the page, and this before the reason.
std::optional<RatioLayout> largest_ratio(const SidePen& d, float room, float high) {
  const Fonts& fonts = d.p.fonts;
  const bool for_room = d.f.session.presents_page();  // the bytes are in the heads, and the figure is large
  for (const bool detail : {true, false}) {
    if (detail && for_room) continue;
    for (float share = 1; std::floor(fonts.win.size * share) > kLeastOfWin * fonts.figure.size; share -= kStepOfWin) {
      const Font font{fonts.win.font, std::floor(fonts.win.size * share), fonts.win.em * share};
      for (const bool reason : {true, false})
        if (const RatioLayout each = layout_ratio(d, font, room, detail, reason); fits(d, each, high)) return each;
    }
  }
  for (const bool detail : {true, false}) {
    if (detail && for_room) continue;
    if (const RatioLayout small = layout_ratio(d, fonts.figure, room, detail, false); fits(d, small, high))
      return small;
  }
  return std::nullopt;
}

}  // namespace

float draw_ratio(const SidePen& d) {
  float end = d.at.head.x1;
  if (d.m.lighter != d.index) return end;
  const Fonts& fonts = d.p.fonts;
  float left = d.at.pipes.x0;
  for (std::size_t tensor = 0; tensor < d.side.areas.size(); ++tensor)
    if (d.side.areas[tensor].exists) left = left_of(d, tensor) + d.scale.groups[tensor];
  left += 16 * d.s;
  const float room = d.at.pipes.x1 - left;
  const std::optional<RatioLayout> found = largest_ratio(d, room, d.at.pipes.height() - 8 * d.s);
  draw::Rect at;
  if (found) {
    const float y = (d.at.pipes.y0 + d.at.pipes.y1 - found->high) / 2, x = left + found->figure + 14 * d.s;
    const float line = std::max(found->font.size, found->beside);
    at = {left, y + (line - found->font.size) / 2, left + found->figure, y + (line + found->font.size) / 2};
    float down = y + (line - found->beside) / 2;
    down += draw::paragraph(d.p.list, fonts.title, fonts.title, x, down, found->words, d.p.colours.text, words_of(d.m));
    draw::paragraph(d.p.list, fonts.body, fonts.body, x, down, found->words, d.p.colours.muted, found->detail);
    if (found->reason > 0)
      draw::paragraph(d.p.list, fonts.body, fonts.tiny, left, y + line, room, d.p.colours.muted, d.m.ratio_reason);
  } else {  // beside the bytes moved
    const draw::Rect& head = d.at.head;
    const float y = std::max(head.y0, head.y1 - fonts.figure.size - 4 * d.s);
    const float moved = draw::text_width(fonts.figure, d.side.share) + draw::text_width(fonts.title, d.side.moved) +
                        draw::text_width(fonts.body, d.side.of) + 40 * d.s;
    const float words = draw::text_width(fonts.title, d.m.ratio_words) + 10 * d.s,
                figure = draw::text_width(fonts.figure, d.m.ratio);
    float right = head.x1;
    if (moved + figure + words <= head.width()) {
      draw::text_right(d.p.list, fonts.title, right, y + (fonts.figure.size - fonts.title.size) * 0.8f,
                       d.p.colours.text, d.m.ratio_words);
      right -= words;
    }
    at = {right - figure, y, right, y + fonts.figure.size};
    end = at.x0 - 12 * d.s;
  }
  draw::text(d.p.list, found ? found->font : fonts.figure, at.x0, at.y0, d.p.colours.accent, d.m.ratio);
  d.f.ui.rects.put("ratio", at);
  if (hit(d.f, "ratio words", at).hovered)
    tooltip(d.f, fmt::format("{} {}: {}\n{}", d.m.ratio, d.m.ratio_words, d.m.ratio_detail, d.m.ratio_reason));
  return end;
}

}  // namespace tilewalk
