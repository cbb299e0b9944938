// Two walks, one pipe: each side's tensors in HBM, its pipes, and its SRAM. The pipes are drawn in pipes_flow.cpp, the
// win in pipes_ratio.cpp, the foot in pipes_foot.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/units.h"
#include "pages/compare/compare_page.h"
#include "pages/compare/compare_parts.h"
#include "ui/controls.h"
#include "ui/panels/panels.h"
#include "ui/panels/pipes/pipes_foot.h"
#include "ui/panels/pipes/pipes_side.h"
#include "ui/panels/pipes/pipes_sram.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr float kLeastPipesHigh = 100;  // of the pipes, before scaling: a label between its dots

// Width and height of an area: a square, or as high as there is room.
ImVec2 area_size(const PipesScale& scale, std::int64_t bytes, float most_high) {
  const float pixels = float(bytes) * scale.area_a_byte, edge = std::sqrt(pixels);
  return edge <= most_high ? ImVec2(std::max(2.0f, edge), std::max(2.0f, edge)) : ImVec2(pixels / most_high, most_high);
}

// The tensor that replaces that one in its memory: its place among the areas; 0: none.
std::size_t later_in(const std::vector<PipeArea>& areas, std::size_t tensor) {
  for (std::size_t i = tensor + 1; i < areas.size(); ++i)
    if (areas[i].over == areas[tensor].tensor) return i;
  return 0;
}

// An area that two tensors share is over the groups of both, and widens neither.
float group_width(const Panel& p, const PipesModel& m, const PipesScale& scale, std::size_t tensor, float areas_high) {
  float widest = draw::text_width(p.fonts.strong, tensor_title(m.sides[0].areas[tensor].tensor));
  for (const PipeSide& side : m.sides) {
    const PipeArea& area = side.areas[tensor];
    float pipes = 0;
    for (const Pipe& pipe : side.pipes)
      if (pipe.tensor == area.tensor) pipes += (pipes > 0 ? 6 * p.s : 0) + pipe_width(scale, pipe, p.s);
    const bool own = !area.over && !later_in(side.areas, tensor);
    widest = std::max({widest, pipes, own ? area_size(scale, area.bytes, areas_high).x : 0});
  }
  return widest;
}

// The largest scale at which both sides fit: one scale for both, so that equal widths are equal bytes.
PipesScale scale_for(const Panel& p, const PipesModel& m, float width, float areas_high) {
  double bytes_a_visit = 1, in_hbm = 1;
  for (const PipeSide& side : m.sides) {
    double sum = 0, areas = 0;
    for (const Pipe& pipe : side.pipes) sum += pipe.visit_bytes;
    for (const PipeArea& area : side.areas)
      if (!area.over) areas += double(area.bytes);
    bytes_a_visit = std::max(bytes_a_visit, sum);
    in_hbm = std::max(in_hbm, areas);
  }
  const std::size_t count = m.sides[0].areas.size();
  PipesScale scale;
  for (float share = 0.8f; share > 0.02f; share *= 0.94f) {
    scale.pixels_a_byte = share * width / float(bytes_a_visit);
    scale.area_a_byte = 0.9f * share * width * areas_high / float(in_hbm);
    scale.groups.clear();
    float sum = 0;
    for (std::size_t i = 0; i < count; ++i) scale.groups.push_back(group_width(p, m, scale, i, areas_high));
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t later = later_in(m.sides[0].areas, i);
      if (!later) continue;
      float both = float(later - i) * 12 * p.s;
      for (std::size_t each = i; each <= later; ++each) both += scale.groups[each];
      const float lacks = area_size(scale, m.sides[0].areas[i].bytes, areas_high).x - both;
      if (lacks > 0) scale.groups[i] += lacks / 2, scale.groups[later] += lacks / 2;
    }
    for (const float group : scale.groups) sum += group;
    scale.space = (width - sum) / float(count + 1);
    if (scale.space >= 12 * p.s) break;
  }
  scale.space = std::max(2.0f, scale.space);
  return scale;
}

// right: the end of its free part.
void draw_head(const SidePen& d, float right) {
  const draw::Rect r{d.at.head.x0, d.at.head.y0, right, d.at.head.y1};
  const Fonts& fonts = d.p.fonts;
  d.p.caption_at(r.x0, r.y0, d.side.heading, d.at.head.width());
  const float y = r.y0 + 20 * d.s, low = y + fonts.figure.size * 0.9f;  // the letters stand on one line
  float x = r.x0;
  const auto put = [&](const Font& font, ImU32 ink, const std::string& text) {
    draw::text(d.p.list, font, x, low - font.size * 0.9f, ink, text);
    x += draw::text_width(font, text) + 10 * d.s;
  };
  put(fonts.figure, d.p.colours.text, d.side.share);
  d.f.ui.rects.put(fmt::format("share {}", d.index), {r.x0, y, x - 10 * d.s, y + fonts.figure.size});
  const float begin = x;
  put(fonts.title, d.p.colours.text, d.side.moved);
  std::string of = d.side.of;  // in little space without what the total depends on
  const auto too_wide = [&] { return draw::text_width(fonts.body, of) > r.x1 - x; };
  const std::string ways = ", read and written";
  if (const std::size_t at = of.find(ways); too_wide() && at != std::string::npos) of.erase(at, ways.size());
  for (const char* part : {" · ", ", "})
    if (too_wide()) of.resize(std::min(of.find(part), of.size()));
  put(fonts.body, d.p.colours.muted, draw::elided(fonts.body, of, r.x1 - x));
  d.f.ui.rects.put(fmt::format("moved {}", d.index), {begin, y, x - 10 * d.s, y + fonts.figure.size});
}

// Names above small areas stand on one line, whatever their areas' heights: above the highest of them, and above the
// bytes where one of them has space for these.
struct SmallAreas {
  float high = 0;
  bool bytes = false;
};

bool has_space_for_bytes(const SidePen& d, std::size_t tensor) {
  return draw::text_width(d.p.fonts.tiny, d.side.areas[tensor].text) + 8 * d.s <=
         d.scale.groups[tensor] + d.scale.space;
}

SmallAreas small_areas(const SidePen& d) {
  SmallAreas out;
  for (std::size_t i = 0; i < d.side.areas.size(); ++i) {
    const ImVec2 size = area_size(d.scale, d.side.areas[i].bytes, d.at.areas_high);
    if (d.side.areas[i].over || size.y >= 1.2f * draw::leading(d.p.fonts.strong)) continue;
    out.high = std::max(out.high, size.y);
    out.bytes |= has_space_for_bytes(d, i);
  }
  return out;
}

// In an area that is too narrow for its name and bytes in one line: number and unit below each other.
void draw_bytes_inside(const SidePen& d, const PipeArea& area, const draw::Rect& r) {
  const Font& font = d.p.fonts.tiny;
  const std::size_t unit = area.text.find(' ');
  if (unit == std::string::npos || r.height() < 2.2f * draw::leading(font)) return;
  const std::string lines[] = {area.text.substr(0, unit), area.text.substr(unit + 1)};
  float y = r.middle().y - draw::leading(font);
  for (const std::string& line : lines)
    if (draw::text_width(font, line) + 6 * d.s > r.width()) return;
  const bool full = area.exists && area.filled >= 1;
  if (!full && area.filled > 0)  // the words are on both the filled part and the rest
    draw::box(d.p.list, r.inset(3 * d.s), d.p.colours.panel, 4 * d.s, d.p.colours.border);
  for (const std::string& line : lines) {
    draw::text_in(d.p.list, font, {r.x0, y, r.x1, y + draw::leading(font)},
                  full ? ink_on(hue(d.p.colours, area.tensor)) : d.p.colours.text, line);
    y += draw::leading(font);
  }
  d.f.ui.rects.put(fmt::format("bytes {} {}", d.index, name_of(area.tensor)), r);
}

void note_area(const SidePen& d, const PipeArea& area, const draw::Rect& r) {
  d.f.ui.rects.put(fmt::format("area {} {}", d.index, name_of(area.tensor)), r);
  if (hit(d.f, fmt::format("hbm {} {}", d.index, name_of(area.tensor)), r).hovered)
    tooltip(d.f, fmt::format("{}: {}\n{}", area.name, area.text, area.note));
}

// For a class, whose letters are large: the words in the larger of the filled part and the rest, so that the fill
// shows. False where not even one line fits.
bool draw_words_beside_fill(const SidePen& d, const PipeArea& area, const draw::Rect& r, ImU32 on_rest,
                            const std::string (&lines)[2]) {
  const Fonts& fonts = d.p.fonts;
  const float line = draw::leading(fonts.strong), level = r.y1 - r.height() * float(area.filled);
  const bool above = level - r.y0 >= r.y1 - level;
  const draw::Rect part = above ? draw::Rect{r.x0, r.y0, r.x1, level} : draw::Rect{r.x0, level, r.x1, r.y1};
  if (part.height() < line) return false;
  const ImU32 ink = above ? on_rest : ink_on(hue(d.p.colours, area.tensor));
  const bool two = part.height() >= 2 * line;
  const float top = part.middle().y - (two ? line : line / 2);
  const draw::Rect words{r.x0, top, r.x1, top + line};
  draw::text_in(d.p.list, fonts.strong, words, ink, lines[0]);
  if (two)
    draw::text_in(d.p.list, fonts.tiny, {r.x0, words.y1, r.x1, words.y1 + line}, ink,
                  draw::elided(fonts.tiny, lines[1], r.width() - 8 * d.s));
  d.f.ui.rects.put(fmt::format("words {} {}", d.index, name_of(area.tensor)), words);
  d.f.ui.rects.put(fmt::format("fill {} {}", d.index, name_of(area.tensor)), {r.x0, level, r.x1, r.y1});
  return true;
}

void draw_area(const SidePen& d, std::size_t tensor) {
  const PipeArea& area = d.side.areas[tensor];
  if (area.over) return;  // in the area of the tensor that it replaces
  const std::size_t later = later_in(d.side.areas, tensor), last = later ? later : tensor;
  const PipeArea& shown = later && d.side.areas[later].filled > 0 ? d.side.areas[later] : area;
  const Fonts& fonts = d.p.fonts;
  const float x = left_of(d, tensor), wide = left_of(d, last) + d.scale.groups[last] - x,
              bottom = d.at.hbm.y1 - 8 * d.s;
  const ImVec2 size = area_size(d.scale, area.bytes, d.at.areas_high);
  const float left = x + (wide - size.x) / 2;
  const draw::Rect r{left, bottom - size.y, left + size.x, bottom};
  const ImU32 colour = hue(d.p.colours, area.tensor);
  if (area.exists) {
    draw::box(d.p.list, r, mix(d.p.colours.panel, colour, 0.18f), 2 * d.s, mix(d.p.colours.panel, colour, 0.7f));
    const auto fill = [&](const PipeArea& by) {
      const float filled = size.y * float(std::clamp(by.filled, 0.0, 1.0));
      if (filled > 0) draw::box(d.p.list, {r.x0, r.y1 - filled, r.x1, r.y1}, hue(d.p.colours, by.tensor), 2 * d.s);
    };
    fill(area);
    if (&shown != &area) fill(shown);
  } else {
    draw::dashed(d.p.list, r, d.p.colours.faint, {.length = 4 * d.s});
  }
  // Inside a large area: its name and its bytes; above a small one the name alone.
  const std::string& name = area.name;
  const char* const never = later ? " are never written" : " is never written";
  std::string lines[] = {area.exists ? name + "  " + area.text : name + never,
                         area.exists ? area.note : area.text + " that do not exist"};
  const float room = size.x - 20 * d.s;
  if (!area.exists && draw::text_width(fonts.tiny, lines[1]) > room) lines[1] = area.text + " spared";
  if (draw::text_width(fonts.tiny, lines[1]) > room) lines[1] = area.brief;
  if (!area.exists && draw::text_width(fonts.strong, lines[0]) + 10 * d.s > size.x) lines[0] = "no " + name;
  const float line = draw::leading(fonts.strong);
  if (size.x < draw::text_width(fonts.strong, lines[0]) + 10 * d.s && area.exists && size.y >= 2.2f * line &&
      std::max(draw::text_width(fonts.strong, name), draw::text_width(fonts.tiny, area.text)) + 8 * d.s <= size.x)
    lines[0] = name, lines[1] = area.text;  // the bytes below the name
  const bool two = size.y >= 2.2f * line,
             fits = size.x >= draw::text_width(fonts.strong, lines[0]) + 10 * d.s && size.y >= 1.2f * line;
  if (fits) {
    const bool full = area.exists && shown.filled >= 1, partly = area.exists && shown.filled > 0 && !full;
    const ImU32 ink = full ? ink_on(hue(d.p.colours, shown.tensor)) : d.p.colours.text;
    const ImU32 on_rest = &shown == &area ? d.p.colours.text : ink_on(colour);  // P replaces a whole S
    const float middle = (r.y0 + r.y1) / 2, top = two ? middle - line : middle - line / 2;
    if (partly && d.f.session.presents_page() && draw_words_beside_fill(d, shown, r, on_rest, lines))
      return note_area(d, area, r);
    if (partly) {  // the words are on both the filled part and the rest
      const float words =
          std::max(draw::text_width(fonts.strong, lines[0]), draw::text_width(fonts.tiny, lines[1])) / 2 + 8 * d.s;
      const float centre = (r.x0 + r.x1) / 2;
      const float y0 = std::max(r.y0 + 2 * d.s, top - 3 * d.s),
                  y1 = std::min(r.y1 - 2 * d.s, top + (two ? 2 : 1) * line + d.s);
      draw::box(d.p.list, {centre - words, y0, centre + words, y1}, d.p.colours.panel, 4 * d.s, d.p.colours.border);
    }
    draw::text_in(d.p.list, fonts.strong, {r.x0, top, r.x1, top + line}, ink, lines[0]);
    if (two)
      draw::text_in(d.p.list, fonts.tiny, {r.x0, middle, r.x1, middle + line}, full ? ink : d.p.colours.muted,
                    draw::elided(fonts.tiny, lines[1], size.x - 8 * d.s));
  } else {
    const SmallAreas small = small_areas(d);
    float above = std::min(r.y0, bottom - small.high) - 3 * d.s;
    const bool has_line = small.bytes && above - fonts.tiny.size - fonts.strong.size >= d.at.hbm.y0 + 6 * d.s;
    if (has_line && has_space_for_bytes(d, tensor)) {
      draw::text_in(d.p.list, fonts.tiny, {x, above - fonts.tiny.size, x + wide, above}, d.p.colours.muted, area.text);
      d.f.ui.rects.put(fmt::format("bytes {} {}", d.index, name_of(area.tensor)),
                       {x + wide / 2, above - fonts.tiny.size, x + wide / 2, above});
    }
    if (has_line) above -= fonts.tiny.size;
    draw_bytes_inside(d, area, r);
    d.f.ui.rects.put(fmt::format("name {} {}", d.index, name_of(area.tensor)),
                     {x, above - fonts.strong.size, x + wide, above});
    draw::text_in(d.p.list, fonts.strong, {x, above - fonts.strong.size, x + wide, above},
                  d.p.colours.dark ? mix(colour, d.p.colours.text, 0.2f) : mix(colour, d.p.colours.text, 0.6f), name);
  }
  note_area(d, area, r);
}

void draw_side(const SidePen& d, bool matrix) {
  draw::box(d.p.list, d.at.hbm, d.p.colours.background, 7 * d.s, d.p.colours.border);
  for (std::size_t i = 0; i < d.side.areas.size(); ++i) draw_area(d, i);
  const bool has_bare_numbers = draw_pipes(d);
  const std::string caption = "HBM, areas to scale" + (has_bare_numbers ? " · pipes in " + d.m.unit : "");
  const draw::Rect line{d.at.hbm.x0 + 10 * d.s, d.at.hbm.y0 + 6 * d.s, d.at.hbm.x1 - 10 * d.s, d.at.hbm.y0 + 22 * d.s};
  d.p.caption_at(line.x0, line.y0, caption, line.width());
  if (has_bare_numbers && draw::caption_width(d.p.theme, caption) <= line.width())
    d.f.ui.rects.put(fmt::format("unit {}", d.index), line);
  draw_head(d, draw_ratio(d));
  draw_pipe_sram({d.f, d.p, d.side, d.at.sram, d.index, d.s}, matrix);
}

void draw_title(const UiFrame& f, Panel& p, const ComparePage& page) {
  const float s = p.s;
  float right = p.x + p.width;
  if (shows_controls(f)) {
    right = draw_baseline_choice(f, p, right);
    right = draw_pace(f, p, right);
    right = draw_pipes_switch(f, p, right);
    right = draw_compared_choice(f, p, right);
  }
  const float title = draw::text_width(p.fonts.title, "Two walks, one pipe");
  if (p.x + title <= right) draw::text(p.list, p.fonts.title, p.x, p.y + 3 * s, p.colours.text, "Two walks, one pipe");
  if (!page.pipes) return;
  const float room = right - p.x - title - 14 * s;
  std::string words = page.pipes->dot_text + " · a pipe is as wide as its bytes a tile visit";
  if (draw::text_width(p.fonts.body, words) > room) words = page.pipes->dot_text;
  if (draw::text_width(p.fonts.body, words) <= room)
    draw::text(p.list, p.fonts.body, p.x + title + 14 * s, p.y + 6 * s, p.colours.muted, words);
}

}  // namespace

void draw_pipes_panel(const UiFrame& f, Panel& p) {
  const ComparePage& page = *f.views.page<ComparePage>();
  const float s = p.s;
  draw_title(f, p, page);
  p.y += 36 * s;
  if (!page.pipes) {
    const std::string why = page.compare.problems.empty() ? page.lanes.empty_note : page.compare.problems.front();
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, why);
    return;
  }
  const PipesModel& m = *page.pipes;
  const float bottom = p.rect.y1 - 12 * s, foot = pipes_foot_height(f, p);
  const bool room = f.session.presents_page();
  const float gap = 20 * s, wide = (p.width - gap) / 2, high = bottom - foot - (room ? 0 : 12 * s) - p.y;
  const float head = 24 * s + p.fonts.figure.size;
  float sram =
      room ? height_of_sram_for_class(p) : std::clamp(high * 0.28f, 24 * s + 4 * draw::leading(p.fonts.body), 184 * s);
  const float hbm = std::clamp((high - head - sram) * 0.46f, 60 * s, 190 * s);
  // In a low panel the pipes get the space of all but the first sentence about the SRAM.
  const float lacks = kLeastPipesHigh * s - (high - head - sram - hbm);
  if (!room && lacks > 0) sram = std::max(least_height_of_sram(p), sram - lacks);
  const float areas_high = std::max(8 * s, hbm - 26 * s - draw::leading(p.fonts.strong));
  const PipesScale scale = scale_for(p, m, wide, areas_high);
  SidePlaces places[2];
  for (int i = 0; i < 2; ++i) {
    const float x = p.x + float(i == m.left ? 0 : 1) * (wide + gap), top = p.y;
    SidePlaces& at = places[i];
    at.areas_high = areas_high;
    at.head = {x, top, x + wide, top + head};
    at.hbm = {x, at.head.y1, x + wide, at.head.y1 + hbm};
    at.sram = {x, top + high - sram, x + wide, top + high};
    at.pipes = {x, at.hbm.y1, x + wide, at.sram.y0};
  }
  const bool matrix =
      fits_matrix({f, p, m.sides[0], places[0].sram, 0, s}) && fits_matrix({f, p, m.sides[1], places[1].sram, 1, s});
  for (int i = 0; i < 2; ++i) draw_side({f, p, m, m.sides[i], places[i], scale, i, s}, matrix);
  p.y += high + 12 * s;
  const Schedule* const moved = page.of_walk ? &f.session.schedule() : page.call.get();
  draw_pipes_foot(f, p, m, moved, {p.x, p.y, p.x + p.width, p.y + foot});
  p.y += foot;
}

}  // namespace tilewalk
