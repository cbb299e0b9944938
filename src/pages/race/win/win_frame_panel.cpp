// The frame that says what a call wins: up to three lines in one size, the largest in which each fits, below each the
// two bars whose ratio it says, and the note. It is drawn for a class alone: the letters are those of the presented
// page (PageRow::for_room).
#include <algorithm>

#include "pages/race/race_model.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

constexpr float kPitch = 1.25f;                       // from line to line, in sizes of a speed-up
constexpr float kSpeedUp = 1.6f;                      // size of a speed-up, in sizes of the words beside it
constexpr float kBaseline = 0.8f;                     // of a size, from the top
constexpr float kBelowBars = 0.25f;                   // of a speed-up's size, from the bars to the next line
constexpr float kBar = 0.05f, kBetweenBars = 0.006f;  // of the frame's height

struct WinFonts {
  Font figure, words;
};

WinFonts scaled(const Panel& p, float scale) {
  const Font &figure = p.fonts.figure, &win = p.fonts.win;
  const float words = std::floor(figure.size * scale), large = std::floor(words * kSpeedUp);
  return {{win.font, large, win.em * large / win.size}, {figure.font, words, figure.em * scale}};
}

// A figure with letters, such as "68.1 ms", has the font of the words.
const Font& font_of_figure(const WinFonts& fonts, const WinLine& line) {
  return line.figure.ends_with("×") ? fonts.figure : fonts.words;
}

float gap_of(const WinFonts& fonts, const WinLine& line) { return line.figure.empty() ? 0 : 0.3f * fonts.words.size; }

float width_of(const WinFonts& fonts, const WinLine& line) {
  return draw::text_width(font_of_figure(fonts, line), line.figure) + gap_of(fonts, line) +
         draw::text_width(fonts.words, line.words);
}

// The letters that set a line's height.
float size_of(const WinFonts& fonts, const WinLine& line) {
  return line.figure.empty() ? fonts.words.size : fonts.figure.size;
}

float bars_height(const WinLine& line, float frame) { return float(line.bars.size()) * (kBar + kBetweenBars) * frame; }

// The label is in its bar, or behind one that is too short for it.
void draw_bars(const UiFrame& f, const Panel& p, const WinLine& line, const draw::Rect& r, const std::string& id) {
  const float high = kBar * p.rect.height(), pad = 0.3f * high;
  const Font& large = p.fonts.large;
  const float by = std::min(1.0f, 0.95f * high / large.size);
  const Font font{large.font, large.size * by, large.em * by};
  float y = r.y0;
  for (std::size_t i = 0; i < line.bars.size(); ++i) {
    const WinBar& bar = line.bars[i];
    const draw::Rect box{r.x0, y, r.x0 + float(bar.share) * r.width(), y + high};
    const ImU32 colour = hue_of_generation(p.colours, bar.generation);
    draw::box(p.list, box, line.predicted ? 0 : colour, 0.15f * high, colour, 2 * draw::hairline());
    const bool inside = draw::text_width(font, bar.label) + 2 * pad <= box.width();
    const ImU32 ink = inside && !line.predicted ? ink_on(colour) : p.colours.text;
    draw::text(p.list, font, (inside ? box.x0 : box.x1) + pad, y + (high - font.size) / 2, ink, bar.label);
    f.ui.rects.put(id + (i == 0 ? " naive" : " fast"), box);
    f.ui.rects.put(id + (i == 0 ? " label naive" : " label fast"),
                   {box.x0, y + (high - font.size) / 2, box.x1, y + (high + font.size) / 2});
    y += high + kBetweenBars * p.rect.height();
  }
}

}  // namespace

void draw_win_frame_panel(const UiFrame& f, Panel& p) {
  const WinFrame& m = *f.views.page<RaceModel>()->win;
  const float left = p.rect.x0 + 0.07f * p.rect.width(), room = 0.88f * p.rect.width();
  const float note = draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, room, 0, m.note);
  const float above = 0.5f * p.fonts.body.size;  // the note
  WinFonts fonts = scaled(p, 1);
  float widest = 1, lines = 0, bars = 0;
  for (const WinLine& line : m.lines) {
    widest = std::max(widest, width_of(fonts, line));
    lines += kPitch * size_of(fonts, line);
    bars += bars_height(line, p.rect.height());
  }
  const float scale = std::min({1.0f, room / widest, (0.94f * p.rect.height() - note - above - bars) / lines});
  fonts = scaled(p, scale);
  float y = p.rect.y0 + (p.rect.height() - scale * lines - note - above - bars) / 2;
  for (std::size_t i = 0; i < m.lines.size(); ++i) {
    const WinLine& line = m.lines[i];
    const Font& figure = font_of_figure(fonts, line);
    const float size = size_of(fonts, line), base = y + kBaseline * size, top = base - kBaseline * fonts.words.size,
                words = left + draw::text_width(figure, line.figure) + gap_of(fonts, line);
    draw::text(p.list, figure, left, base - kBaseline * figure.size, p.colours.accent, line.figure);
    draw::text(p.list, fonts.words, words, top, p.colours.text, line.words);
    f.ui.rects.put("line " + std::to_string(i), {left, top, left + width_of(fonts, line), top + fonts.words.size});
    y += kPitch * size;
    draw_bars(f, p, line, {left, y - kBelowBars * size, left + room, y}, "bar " + std::to_string(i));
    y += bars_height(line, p.rect.height());
  }
  draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, left, y + above, room, p.colours.muted, m.note);
  f.ui.rects.put("note", {left, y + above, left + room, y + above + note});
}

}  // namespace tilewalk
