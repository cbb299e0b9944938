#include "pages/compare/blocks/draw_filled_sms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/widgets.h"

namespace tilewalk {
namespace {

// Neighbouring rounds differ in hue and in lightness.
ImU32 shade_of_round(int round) {
  constexpr std::array<float, 3> kPlaces = {0.25f, 0.5f, 0.75f};
  return viridis(kPlaces[std::size_t(std::max(0, round - 1)) % kPlaces.size()]);
}

// Of an SM that has no work left, and of a wave to come; an empty square for an SM that never has work.
ImU32 pale_shade(const Palette& c, int round) {
  return round < 1 ? c.panel : mix(c.panel, shade_of_round(round), 0.35f);
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

constexpr float kLeastSegment = 3;  // before scaling: narrower waves are one bar

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
    const ImU32 before = pale_shade(p.colours, std::max(1, sm.round - 1)),
                shade = sm.works ? shade_of_round(sm.round) : pale_shade(p.colours, sm.round);
    if (sm.works) draw::box(p.list, r, before, 2.5f * p.s);
    // The round at hand fills the square from below, over the one before it.
    draw::box(p.list, {r.x0, r.y1 - r.height() * done, r.x1, r.y1}, shade, 2.5f * p.s);
    if (!sm.works && sm.round > 0) draw::hatch(p.list, r, p.colours.cell_line, 5 * p.s, p.s);
    draw::box(p.list, r, 0, 2.5f * p.s, sm.works ? shade : p.colours.cell_line);
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
  words("wave", 6 * s);
  for (int round = 1; round <= 3; ++round) {
    const ImU32 shade = shade_of_round(round);
    draw::text_in(p.list, p.fonts.tiny, swatch(shade, 0, 3 * s), ink_on(shade), std::to_string(round));
  }
  x += 11 * s;
  draw::hatch(p.list, swatch(pale_shade(p.colours, 1), p.colours.cell_line, 5 * s), p.colours.cell_line, 5 * s, s);
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

std::optional<double> draw_waves_over_time(const UiFrame& f, Panel& p, const FilledSms& m, double longest_ms,
                                           const draw::Rect& area) {
  const float s = p.s, all = float(std::max<std::size_t>(1, m.sms.size()));
  const float wide = float(longest_ms > 0 ? m.ms / longest_ms : 1) * area.width();
  const auto x = [&](double share) { return area.x0 + float(share) * wide; };
  const auto y = [&](int sms) { return area.y1 - float(sms) / all * area.height(); };
  draw::box(p.list, area, p.colours.raised, 2 * s);
  const bool apart = !m.waves.empty() && wide / float(m.waves.size()) >= kLeastSegment * s;
  std::vector<WaveSegment> waves = m.waves;
  if (!apart) waves = {{.begin = 0, .end = 1}};
  int most = 1, used = 0;
  for (const WaveSegment& wave : m.waves) most = std::max(most, wave.number);
  for (const BusySms& busy : m.busy) used = std::max(used, busy.sms);
  const float widest = draw::text_width(p.fonts.caption, std::to_string(most)) + 6 * s;
  for (const WaveSegment& wave : waves) {
    const ImU32 shade = shade_of_round(wave.number), pale = pale_shade(p.colours, wave.number);
    for (std::size_t i = 0; i + 1 < m.busy.size(); ++i) {
      const double from = std::max(m.busy[i].at, wave.begin), to = std::min(m.busy[i + 1].at, wave.end);
      const double now = std::clamp(m.now, from, std::max(from, to));
      const bool tail = m.busy[i].at >= m.tail_from && !m.tail.empty();
      const float top = y(m.busy[i].sms);
      if (x(now) - x(from) >= 0.01f)
        draw::box(p.list, {x(from), top, x(now), area.y1}, tail ? p.colours.changed : shade, 0);
      if (x(to) - x(now) >= 0.01f) draw::box(p.list, {x(now), top, x(to), area.y1}, tail ? p.colours.changed : pale, 0);
    }
    const draw::Rect box{x(wave.begin), y(used), x(wave.end), area.y1};
    if (m.now >= wave.begin && m.now < wave.end) {
      draw::box(p.list, box, 0, 0, p.colours.now_line, 2 * s);
      f.ui.rects.put("running wave", box);
    }
    if (!apart || widest > box.width() || p.fonts.caption.size > box.height()) continue;
    draw::text_in(p.list, p.fonts.caption, box, ink_on(m.now >= (wave.begin + wave.end) / 2 ? shade : pale),
                  std::to_string(wave.number));
  }
  const auto note = [&](const char* id, const std::string& words, const draw::Rect& room) {
    const float takes = draw::text_width(p.fonts.tiny, words);
    if (words.empty() || takes + 12 * s > room.width() || p.fonts.tiny.size + 2 * s > room.height()) return;
    const float left = room.x0 + 8 * s, top = (room.y0 + room.y1 - p.fonts.tiny.size) / 2;
    draw::text(p.list, p.fonts.tiny, left, top, p.colours.muted, words);
    f.ui.rects.put(id, {left, top, left + takes, top + p.fonts.tiny.size});
  };
  note("idle", m.idle, {std::max(area.x0, x(m.now)), area.y0, x(1), y(used)});
  note("after", m.after, {std::max(x(1), x(m.now)), area.y0, area.x1, area.y1});
  const float at = std::round(x(m.now));
  p.list->AddLine(ImVec2(at, area.y0 - 3 * s), ImVec2(at, area.y1 + 3 * s), p.colours.now_line, std::max(1.0f, 2 * s));
  const Hit h = hit(f, "waves", {area.x0, area.y0, x(1), area.y1});
  const double there = std::clamp(double((ImGui::GetIO().MousePos.x - area.x0) / std::max(1.0f, wide)), 0.0, 1.0);
  if (h.hovered) {
    const auto under =
        std::find_if(m.waves.begin(), m.waves.end(), [&](const WaveSegment& w) { return there < w.end; });
    tooltip(f, fmt::format("{}Click or drag: to that moment.",
                           under == m.waves.end() ? "" : fmt::format("Wave {}. ", under->number)));
  }
  return h.held || h.clicked ? std::optional(there) : std::nullopt;
}

}  // namespace tilewalk
