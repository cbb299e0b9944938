#include "ui/tour_strip.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/widgets.h"

namespace tilewalk {
namespace {

std::string clock_text(int seconds) { return fmt::format("{}:{:02}", seconds / 60, seconds % 60); }

constexpr float kTitle = 0.6f;  // of the strip's height, at most

Font scaled(const Font& font, float by) { return {font.font, font.size * by, font.em * by}; }

}  // namespace

// Its letters fit its height: they do not grow with those of the page below it.
void draw_tour_strip(const UiFrame& f, Panel& panel, const draw::Rect& place) {
  const float fits = std::min(1.0f, kTitle * place.height() / panel.fonts.title.size);
  const Font mono = scaled(panel.fonts.mono_small, fits), large = scaled(panel.fonts.title, fits),
             strong = scaled(panel.fonts.strong, fits);
  const float s = panel.s * fits, middle = (place.y0 + place.y1) / 2 - 3 * s;  // above the bar
  const std::span<const TourChapter> chapters = tour_chapters();
  const double now = f.session.tour().seconds(), all = tour_length();
  const std::size_t at = tour_chapter_at(now, f.session.cursor());
  const draw::Rect close{place.x1 - 32 * s, middle - 11 * s, place.x1 - 10 * s, middle + 11 * s};
  if (button(f, {.id = "stop watching", .rect = close, .label = "", .tip = "Stop", .sign = draw::Sign::Cross}))
    f.push(Action::CloseTour);
  const std::string time = clock_text(int(std::max(0.0, now))) + " / " + clock_text(tour_seconds());
  const float time_x = close.x0 - 10 * s - draw::text_width(mono, time), x = place.x0 + 14 * s;
  draw::text(panel.list, mono, time_x, middle - mono.size / 2, panel.colours.muted, time);
  f.ui.rects.put("tour time", {time_x, place.y0, close.x0, place.y1});
  const std::string number = fmt::format("{} of {}: ", at + 1, chapters.size());
  const Font& font =
      draw::text_width(large, "Watch · " + number + chapters[at].title) < time_x - 20 * s - x ? large : strong;
  const std::string words = "Watch · " + number;
  draw::text(panel.list, font, x, middle - font.size / 2, panel.colours.accent, words);
  const float title_x = x + draw::text_width(font, words);
  draw::text(panel.list, font, title_x, middle - font.size / 2, panel.colours.text,
             draw::elided(font, chapters[at].title, time_x - 16 * s - title_x));
  // A bar at the lower edge, with a mark at the start of each later chapter.
  const draw::Rect bar{place.x0 + 14 * s, place.y1 - 6 * s, place.x1 - 10 * s, place.y1 - 3 * s};
  draw::box(panel.list, bar, mix(panel.colours.panel, panel.colours.muted, 0.4f), 1.5f * s);
  draw::box(panel.list, {bar.x0, bar.y0, bar.x0 + bar.width() * float(std::clamp(now / all, 0.0, 1.0)), bar.y1},
            panel.colours.accent, 1.5f * s);
  for (const TourChapter& chapter : chapters.subspan(1)) {
    const float mark = bar.x0 + bar.width() * float(chapter.begin / all);
    draw::box(panel.list, {mark - s, bar.y0 - s, mark + s, bar.y1 + s}, panel.colours.text, 0);
  }
  f.ui.rects.put("tour bar", bar);
}

}  // namespace tilewalk
