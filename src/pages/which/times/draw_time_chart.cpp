#include "pages/which/times/draw_time_chart.h"

#include <algorithm>

#include "pages/compare/blocks/draw_axis_ticks.h"
#include "pages/which/path/draw_decision_path.h"
#include "ui/controls.h"

namespace tilewalk {
namespace {

struct ChartColumns {
  float bars, bars_end, time_end, speed_end;
};

// Larger figures where the panel is wide enough for bars beside them.
bool has_large_figures(const Panel& p) { return p.width > 800 * p.s; }
const Font& time_font(const Panel& p) { return has_large_figures(p) ? p.fonts.mono : p.fonts.mono_small; }
const Font& speed_font(const Panel& p, bool runs) {
  if (has_large_figures(p)) return runs ? p.fonts.title : p.fonts.large;
  return runs ? p.fonts.strong : p.fonts.body;
}

ChartColumns columns_of(const Panel& p, const TimeChart& chart) {
  float names = 0;
  for (const TimeBar& bar : chart.bars) names = std::max(names, draw::text_width(p.fonts.strong, bar.name));
  const float end = p.x + p.width, speed = draw::text_width(speed_font(p, true), "88.8×") + 10 * p.s,
              time = draw::text_width(time_font(p), "888.8 ms") + 8 * p.s;
  return {p.x + std::min(names + 16 * p.s, 0.36f * p.width), end - speed - time, end - speed, end};
}

std::string verdict_of(const WhichCard& card) { return card.badge + ": " + card.verdict_words; }

// Its verdict fits beside its bar, or is in front of the bar's tag.
bool is_verdict_beside(const Panel& p, const TimeBar& bar, const WhichCard& card, const ChartColumns& at) {
  const float free = (at.bars_end - at.bars) * (1 - float(bar.share)) - 8 * p.s;
  return !bar.tag.empty() || draw::text_width(p.fonts.tiny, verdict_of(card)) <= free;
}

float least_thickness(const Panel& p) { return std::max(16 * p.s, p.fonts.strong.size); }

// The height of all but the bars.
float words_height(const Panel& p, const WhichPage& page, bool with_verdicts) {
  const TimeChart& chart = page.chart;
  const float s = p.s, line = draw::leading(p.fonts.tiny);
  const ChartColumns at = columns_of(p, chart);
  float out =
      draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, p.width, 0, chart.title) + 22 * s + axis_high(p);
  for (const TimeBar& bar : chart.bars) {
    const bool below = bar.card && with_verdicts && !is_verdict_beside(p, bar, page.model->cards[*bar.card], at);
    out += (below ? line + 9 * s : 7 * s) + (bar.published_to > 0 ? line + 10 * s : 0);
  }
  return out;
}

// Rows without a bar, beside rows with one, are as high as their words.
float folded(const TimeChart& chart) {
  const auto rows =
      std::count_if(chart.bars.begin(), chart.bars.end(), [](const TimeBar& bar) { return bar.time.empty(); });
  return rows == std::ptrdiff_t(chart.bars.size()) ? 0.0f : float(rows);
}

// Of a bar: it grows where there is more space than the chart needs. In one column the panel is as high as its
// contents.
float thickness(const UiFrame& f, const Panel& p, const WhichPage& page, bool with_verdicts) {
  const float least = least_thickness(p);
  if (f.ui.stacks && f.layout.scale.stacked) return least;
  const float free = p.rect.y1 - 14 * p.s - p.y - words_height(p, page, with_verdicts);
  const float rows = folded(page.chart);
  return std::clamp((free - rows * least) / (float(page.chart.bars.size()) - rows), least, 96 * p.s);
}

const char* rect_kind(const WhichCard& card, const TimeBar& bar) {
  if (!card.recorded.empty()) return bar.hollow ? "without the mask " : "recorded ";
  return card.predicted.empty() ? "stand-in " : "predicted ";
}

void draw_bar(const Panel& p, const TimeBar& bar, const draw::Rect& track, const draw::Rect& at, ImU32 ink) {
  const float s = p.s;
  if (!bar.hollow) return draw::box(p.list, at, ink, 2 * s);
  const Font& tiny = p.fonts.tiny;
  draw::box(p.list, at, 0, 2 * s, ink, 1.4f * s);
  const float beside = track.x1 - at.x1 - 8 * s, inside = at.width() - 16 * s;
  const bool out = beside >= std::min(draw::text_width(tiny, bar.tag), inside);
  draw::text(p.list, tiny, out ? at.x1 + 8 * s : at.x0 + 8 * s, (at.y0 + at.y1 - tiny.size) / 2, p.colours.muted,
             draw::elided(tiny, bar.tag, out ? beside : inside));
}

// The range that others published, below the bar and on its scale.
void draw_published(const UiFrame& f, Panel& p, const TimeBar& bar, const WhichCard& card, const ChartColumns& at) {
  const float s = p.s, wide = at.bars_end - at.bars, from = at.bars + float(bar.published_from) * wide,
              to = std::max(from + 2 * s, at.bars + float(bar.published_to) * wide), y = p.y + 4 * s;
  const ImU32 ink = p.colours.muted;
  p.list->AddLine({from, y}, {to, y}, ink, 1.4f * s);
  for (const float x : {from, to}) p.list->AddLine({x, y - 3 * s}, {x, y + 3 * s}, ink, 1.4f * s);
  draw::text(p.list, p.fonts.tiny, at.bars, y + 5 * s, ink, draw::elided(p.fonts.tiny, card.published, wide));
  const draw::Rect rect{at.bars, y - 3 * s, at.bars_end, y + 5 * s + p.fonts.tiny.size};
  f.ui.rects.put("published " + card.title, rect);
  if (hit(f, "published " + card.title, rect).hovered) tooltip(f, card.published + "\n" + card.published_source);
  p.y += draw::leading(p.fonts.tiny) + 10 * s;
}

void draw_row(const UiFrame& f, Panel& p, TimeBar bar, const WhichCard* card, const ChartColumns& at, float high,
              bool with_verdicts) {
  const bool in_tag = with_verdicts && card && !bar.tag.empty();
  if (in_tag) bar.tag = verdict_of(*card) + " · " + bar.tag;
  const Palette& c = p.colours;
  const float s = p.s, top = p.y;
  const bool runs = card && card->verdict == WhichVerdict::Runs;
  const ImU32 ink = runs ? c.text : c.muted;
  const auto middle = [&](const Font& font) { return top + (high - font.size) / 2; };
  word(f, runs ? p.fonts.strong : p.fonts.body, p.x, middle(p.fonts.body), ink,
       draw::elided(p.fonts.body, bar.name, at.bars - p.x - 8 * s));
  const draw::Rect track{at.bars, top, at.bars_end, top + high};
  if (bar.time.empty()) {
    draw::text(p.list, p.fonts.tiny, at.bars, middle(p.fonts.tiny), c.faint,
               draw::elided(p.fonts.tiny, bar.tag, track.width()));
  } else {
    const draw::Rect filled{track.x0, top, track.x0 + std::max(2 * s, track.width() * float(bar.share)), track.y1};
    draw_bar(p, bar, track, filled, runs ? c.accent : card ? c.muted : c.faint);
    f.ui.rects.put((card ? rect_kind(*card, bar) : "compared ") + bar.name, filled);
  }
  const Font &time = time_font(p), &speed = speed_font(p, runs);
  draw::text_right(p.list, time, at.time_end, middle(time), ink, bar.time);
  draw::text_right(p.list, speed, at.speed_end, middle(speed), runs ? c.accent : ink, bar.speed);
  p.y += high + 2 * s;
  if (!card) return void(p.y += 5 * s);
  if (bar.published_to > 0) draw_published(f, p, bar, *card, at);
  if (with_verdicts) {
    const bool beside = is_verdict_beside(p, bar, *card, at);
    const float x = beside ? track.x0 + track.width() * float(bar.share) + 8 * s : at.bars;
    if (!in_tag)
      draw::text(p.list, p.fonts.tiny, x, beside ? middle(p.fonts.tiny) : p.y, verdict_ink(c, card->verdict),
                 draw::elided(p.fonts.tiny, verdict_of(*card), p.x + p.width - x));
    f.ui.rects.put("verdict " + card->title, {x, top, p.x + p.width, p.y});
    if (!beside) p.y += draw::leading(p.fonts.tiny) + 2 * s;
  }
  f.ui.rects.put("row " + card->title, {p.x, top, p.x + p.width, p.y});
  p.y += 5 * s;
}

}  // namespace

float least_chart_height(const Panel& p, const WhichPage& page) {
  if (page.chart.bars.empty()) return 0;
  return words_height(p, page, false) + least_thickness(p) * float(page.chart.bars.size());
}

void draw_time_chart(const UiFrame& f, Panel& p, const WhichPage& page, bool with_verdicts) {
  const TimeChart& chart = page.chart;
  if (chart.bars.empty()) return;
  const float s = p.s, top = p.y, thick = thickness(f, p, page, with_verdicts);
  const bool folds = folded(chart) > 0;
  if (!chart.title.empty())
    p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, chart.title) + 6 * s;
  const ChartColumns at = columns_of(p, chart);
  bool compared = false;
  for (const TimeBar& bar : chart.bars) {
    if (!bar.card && !std::exchange(compared, true)) {
      p.list->AddLine({p.x, p.y}, {p.x + p.width, p.y}, p.colours.row_line, draw::hairline());
      p.y += 8 * s;
    }
    draw_row(f, p, bar, bar.card ? &page.model->cards[*bar.card] : nullptr, at,
             folds && bar.time.empty() ? least_thickness(p) : thick, with_verdicts);
  }
  draw_axis(f, p, chart.axis, "which times", at.bars, at.bars_end);
  f.ui.rects.put("time chart", {p.x, top, p.x + p.width, p.y});
  p.y += 8 * s;
}

}  // namespace tilewalk
