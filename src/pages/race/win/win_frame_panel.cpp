// The frame that says what a call wins: up to three lines in one size, the largest in which each fits, and the note
// below. It is drawn for a class alone: the letters are those of the presented page (PageRow::for_room).
#include <algorithm>

#include "pages/race/race_model.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

constexpr float kPitch = 1.3f;     // from line to line, in sizes of a speed-up
constexpr float kSpeedUp = 1.6f;   // size of a speed-up, in sizes of the words beside it
constexpr float kBaseline = 0.8f;  // of a size, from the top

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

}  // namespace

void draw_win_frame_panel(const UiFrame& f, Panel& p) {
  const WinFrame& m = *f.views.page<RaceModel>()->win;
  const float left = p.rect.x0 + 0.07f * p.rect.width(), room = 0.88f * p.rect.width();
  const float note = draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, room, 0, m.note);
  const float above = 0.5f * p.fonts.body.size;  // the note
  const float count = float(m.lines.size());
  WinFonts fonts = scaled(p, 1);
  float widest = 1;
  for (const WinLine& line : m.lines) widest = std::max(widest, width_of(fonts, line));
  const float high = (0.94f * p.rect.height() - note - above) / (count * kPitch * fonts.figure.size);
  fonts = scaled(p, std::min({1.0f, room / widest, high}));
  const float pitch = kPitch * fonts.figure.size;
  float y = p.rect.y0 + (p.rect.height() - count * pitch - note - above) / 2;
  for (std::size_t i = 0; i < m.lines.size(); ++i) {
    const WinLine& line = m.lines[i];
    const Font& figure = font_of_figure(fonts, line);
    const float base = y + kBaseline * fonts.figure.size, top = base - kBaseline * fonts.words.size,
                words = left + draw::text_width(figure, line.figure) + gap_of(fonts, line);
    draw::text(p.list, figure, left, base - kBaseline * figure.size, p.colours.accent, line.figure);
    draw::text(p.list, fonts.words, words, top, p.colours.text, line.words);
    f.ui.rects.put("line " + std::to_string(i), {left, top, left + width_of(fonts, line), top + fonts.words.size});
    y += pitch;
  }
  draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, left, y + above, room, p.colours.muted, m.note);
  f.ui.rects.put("note", {left, y + above, left + room, y + above + note});
}

}  // namespace tilewalk
