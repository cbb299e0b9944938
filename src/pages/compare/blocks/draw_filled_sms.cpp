#include "pages/compare/blocks/draw_filled_sms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/widgets.h"

namespace tilewalk {
namespace {

// Neighbouring rounds differ; after the darkest the lightest follows.
ImU32 shade_of_round(const Palette& c, int round) {
  constexpr std::array<float, 3> kShares = {0.4f, 0.7f, 1.0f};
  return round < 1 ? mix(c.to_do, c.done, 0.15f)
                   : mix(c.to_do, c.done, kShares[std::size_t(round - 1) % kShares.size()]);
}

// Of an SM that has no work left; an empty square for one that never has any.
ImU32 ended_shade(const Palette& c, int round) {
  return round < 1 ? c.panel : mix(c.panel, shade_of_round(c, round), 0.35f);
}

// Columns of equal squares for which the squares are largest.
int columns_of(int count, float width, float height) {
  int best = 1;
  float side = 0;
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const float fits = std::min(width / float(columns), height / float(rows));
    if (fits > side) side = fits, best = columns;
  }
  return best;
}

constexpr float kLeastSegment = 5;  // before scaling: narrower waves are one bar

}  // namespace

void draw_filled_squares(const UiFrame& f, Panel& p, const FilledSms& m, const draw::Rect& area) {
  const int count = int(m.sms.size()), columns = columns_of(count, area.width(), area.height());
  const int rows = (count + columns - 1) / std::max(1, columns);
  const float pitch = std::min(area.width() / float(columns), area.height() / float(std::max(1, rows)));
  const float gap = std::max(1.0f, std::round(pitch * 0.12f));
  int most = 0;
  for (const WaveSegment& wave : m.waves) most = std::max(most, wave.number);
  const Font* const font = draw::font_that_fits({&p.fonts.title, &p.fonts.strong, &p.fonts.caption},
                                                std::to_string(most), pitch - gap - 4 * p.s, pitch - gap - 4 * p.s);
  for (int i = 0; i < count; ++i) {
    const FilledSm& sm = m.sms[std::size_t(i)];
    const float x = area.x0 + float(i % columns) * pitch, y = area.y0 + float(i / columns) * pitch;
    const draw::Rect r{x, y, x + pitch - gap, y + pitch - gap};
    const float done = float(std::clamp(sm.works ? sm.share : 1.0, 0.0, 1.0));
    const ImU32 before = shade_of_round(p.colours, sm.round - 1),
                shade = sm.works ? shade_of_round(p.colours, sm.round) : ended_shade(p.colours, sm.round);
    if (sm.works) draw::box(p.list, r, before, 2.5f * p.s);
    // The round at hand fills the square from below, over the one before it.
    draw::box(p.list, {r.x0, r.y1 - r.height() * done, r.x1, r.y1}, shade, 2.5f * p.s);
    if (!sm.works && sm.round > 0) draw::hatch(p.list, r, p.colours.cell_line, 5 * p.s, p.s);
    draw::box(p.list, r, 0, 2.5f * p.s, sm.works ? p.colours.done : p.colours.cell_line);
    // One number for a run of equal ones.
    if (font && sm.round > 0 && (i == 0 || m.sms[std::size_t(i - 1)].round != sm.round)) {
      draw::text_in(p.list, *font, r, ink_on(done >= 0.5f ? shade : before), std::to_string(sm.round));
      f.ui.rects.put("wave of square " + std::to_string(i), r);
    }
    if (i == 0) f.ui.rects.put("square", r);
  }
  const draw::Rect grid{area.x0, area.y0, area.x0 + float(columns) * pitch, area.y0 + float(rows) * pitch};
  f.ui.rects.put("squares", grid);
  if (hit(f, "squares", grid).hovered)
    tooltip(f, "A square is an SM, with the number and the shade of the wave of its thread blocks.");
}

float draw_shade_key(const UiFrame& f, Panel& p, const FilledSms& m, float y) {
  const float s = p.s, side = p.fonts.tiny.em, middle = y + p.fonts.tiny.size / 2;
  float x = p.x;
  const auto words = [&](const std::string& text, float after) {
    draw::text(p.list, p.fonts.tiny, x, y, p.colours.muted, text);
    x += draw::text_width(p.fonts.tiny, text) + after;
  };
  const auto swatch = [&](ImU32 fill, ImU32 frame, float after) {
    const draw::Rect box{x, middle - side / 2, x + side, middle + side / 2};
    draw::box(p.list, box, fill, 2 * s, frame);
    x += side + after;
    return box;
  };
  words("waves", 6 * s);
  for (int round = 1; round <= 3; ++round) swatch(shade_of_round(p.colours, round), p.colours.done, 3 * s);
  x += 11 * s;
  draw::hatch(p.list, swatch(ended_shade(p.colours, 1), p.colours.cell_line, 5 * s), p.colours.cell_line, 5 * s, s);
  words("ended", 14 * s);
  if (m.some_idle) {
    swatch(p.colours.panel, p.colours.cell_line, 5 * s);
    words("no thread block", 14 * s);
  }
  const std::string fills = "filled from below: computed";
  if (x + draw::text_width(p.fonts.tiny, fills) <= p.x + p.width) words(fills, 0);
  f.ui.rects.put("shade key", {p.x, y, x, y + p.fonts.tiny.size});
  return draw::leading(p.fonts.tiny);
}

std::optional<double> draw_waves_strip(const UiFrame& f, Panel& p, const FilledSms& m, const draw::Rect& r) {
  const float s = p.s;
  const auto x = [&](double share) { return r.x0 + float(share) * r.width(); };
  const bool apart = m.waves.empty() || r.width() / float(m.waves.size()) >= kLeastSegment * s;
  if (!apart) {
    draw::box(p.list, r, p.colours.to_do, 3 * s);
    draw::box(p.list, {r.x0, r.y0, x(m.now), r.y1}, p.colours.done, 3 * s);
  }
  int most = 1;
  for (const WaveSegment& wave : m.waves) most = std::max(most, wave.number);
  const float widest = draw::text_width(p.fonts.caption, std::to_string(most)) + 6 * s;
  for (const WaveSegment& wave : m.waves) {
    if (!apart) break;
    const float gap = (wave.first_of_launch ? 4 : 2) * s;
    const draw::Rect box{wave.begin > 0 ? std::min(x(wave.begin) + gap, x(wave.end)) : r.x0, r.y0, x(wave.end), r.y1};
    const bool runs = m.now >= wave.begin && m.now < wave.end;
    draw::box(p.list, box, p.colours.to_do, 3 * s, p.colours.cell_line);
    if (m.now > wave.begin)
      draw::box(p.list, {box.x0, box.y0, std::clamp(x(m.now), box.x0, box.x1), box.y1}, p.colours.done, 3 * s);
    if (runs) {
      draw::box(p.list, box, 0, 3 * s, p.colours.now_line, 2 * s);
      f.ui.rects.put("running wave", box);
    }
    const std::string number = std::to_string(wave.number);
    if (widest > box.width()) continue;  // all of a launch, but a short last one, or none
    draw::text_in(p.list, p.fonts.caption, box,
                  ink_on(m.now >= (wave.begin + wave.end) / 2 ? p.colours.done : p.colours.to_do), number);
  }
  f.ui.rects.put("waves", r);
  const float at = std::round(x(m.now));
  p.list->AddLine(ImVec2(at, r.y0 - 3 * s), ImVec2(at, r.y1 + 3 * s), p.colours.now_line, std::max(1.0f, 2 * s));
  const Hit h = hit(f, "waves", r);
  const double there = std::clamp(double((ImGui::GetIO().MousePos.x - r.x0) / std::max(1.0f, r.width())), 0.0, 1.0);
  if (h.hovered) {
    const auto under =
        std::find_if(m.waves.begin(), m.waves.end(), [&](const WaveSegment& w) { return there < w.end; });
    tooltip(f, fmt::format("{}Click or drag: to that moment.",
                           under == m.waves.end() ? "" : fmt::format("Wave {}. ", under->number)));
  }
  return h.held || h.clicked ? std::optional(there) : std::nullopt;
}

void draw_busy_curve(const UiFrame& f, Panel& p, const FilledSms& m, double longest_ms, const draw::Rect& area) {
  const float s = p.s, all = float(std::max<std::size_t>(1, m.sms.size()));
  const double part = longest_ms > 0 ? m.ms / longest_ms : 1;
  const auto x = [&](double share) { return area.x0 + float(share * part) * area.width(); };
  const auto y = [&](int sms) { return area.y1 - float(sms) / all * area.height(); };
  draw::box(p.list, area, p.colours.raised, 2 * s);
  for (std::size_t i = 0; i + 1 < m.busy.size(); ++i) {
    const float from = x(m.busy[i].at), to = x(m.busy[i + 1].at);
    if (to - from < 0.01f) continue;
    const bool tail = m.busy[i].at >= m.tail_from && !m.tail.empty();
    draw::box(p.list, {from, y(m.busy[i].sms), to, area.y1}, tail ? p.colours.changed : p.colours.done, 0);
  }
  f.ui.rects.put("curve", {area.x0, area.y0, x(1), area.y1});
  const float at = std::round(x(m.now));
  p.list->AddLine(ImVec2(at, area.y0 - 3 * s), ImVec2(at, area.y1 + 3 * s), p.colours.now_line, std::max(1.0f, 2 * s));
  p.list->AddLine(ImVec2(area.x0, area.y1), ImVec2(area.x1, area.y1), p.colours.muted, draw::hairline());
  const float wide = draw::text_width(p.fonts.tiny, m.end_text);
  draw::text(p.list, p.fonts.tiny, std::clamp(x(1) - wide / 2, area.x0, area.x1 - wide), area.y1 + 3 * s,
             p.colours.muted, m.end_text);
}

}  // namespace tilewalk
