// Two walks, one pipe: each side's tensors in HBM, its pipes, and its SRAM; the foot is in pipes_foot.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/units.h"
#include "pages/compare/compare_page.h"
#include "pages/compare/compare_parts.h"
#include "ui/panels/panels.h"
#include "ui/panels/pipes/pipes_foot.h"
#include "ui/panels/pipes/pipes_sram.h"
#include "ui/tour_strip.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

struct PipesScale {
  float pixels_a_byte = 0;    // width of a pipe for each byte of a visit
  float area_a_byte = 0;      // square pixels of an area for each byte in HBM
  std::vector<float> groups;  // width for each tensor: its area and its pipes
  float space = 0;            // between tensors
};

// SidePlaces on one side, from the top down.
struct SidePlaces {
  draw::Rect head, hbm, pipes, sram;
  float areas_high = 0;  // for the largest area
};

struct SidePen {
  const UiFrame& f;
  Panel& p;
  const PipesModel& m;
  const PipeSide& side;
  const SidePlaces& at;
  const PipesScale& scale;
  int index;
  float s;
};

constexpr float kLeastPipe = 2;

float pipe_width(const PipesScale& scale, const Pipe& pipe, float s) {
  return std::max(kLeastPipe * s, float(pipe.visit_bytes) * scale.pixels_a_byte);
}

// Width and height of an area: a square, or as high as there is room.
ImVec2 area_size(const PipesScale& scale, std::int64_t bytes, float most_high) {
  const float pixels = float(bytes) * scale.area_a_byte, edge = std::sqrt(pixels);
  return edge <= most_high ? ImVec2(std::max(2.0f, edge), std::max(2.0f, edge)) : ImVec2(pixels / most_high, most_high);
}

std::string letter_of(TensorId id) { return tensor_title(id); }

float group_width(const Panel& p, const PipesModel& m, const PipesScale& scale, std::size_t tensor, float areas_high) {
  float widest = draw::text_width(p.fonts.strong, letter_of(m.sides[0].areas[tensor].tensor));
  for (const PipeSide& side : m.sides) {
    const PipeArea& area = side.areas[tensor];
    float pipes = 0;
    for (const Pipe& pipe : side.pipes)
      if (pipe.tensor == area.tensor) pipes += (pipes > 0 ? 6 * p.s : 0) + pipe_width(scale, pipe, p.s);
    widest = std::max({widest, pipes, area_size(scale, area.bytes, areas_high).x});
  }
  return widest;
}

// The largest scale at which both sides fit: one scale for both, so that equal widths are equal bytes.
PipesScale scale_for(const Panel& p, const PipesModel& m, float width, float areas_high) {
  double bytes_a_visit = 1, in_hbm = 1;
  for (const PipeSide& side : m.sides) {
    double sum = 0, areas = 0;
    for (const Pipe& pipe : side.pipes) sum += pipe.visit_bytes;
    for (const PipeArea& area : side.areas) areas += double(area.bytes);
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
    for (std::size_t i = 0; i < count; ++i) {
      scale.groups.push_back(group_width(p, m, scale, i, areas_high));
      sum += scale.groups.back();
    }
    scale.space = (width - sum) / float(count + 1);
    if (scale.space >= 12 * p.s) break;
  }
  scale.space = std::max(2.0f, scale.space);
  return scale;
}

float left_of(const SidePen& d, std::size_t tensor) {
  float x = d.at.hbm.x0 + d.scale.space;
  for (std::size_t i = 0; i < tensor; ++i) x += d.scale.groups[i] + d.scale.space;
  return x;
}

void draw_head(const SidePen& d) {
  const draw::Rect& r = d.at.head;
  const Fonts& fonts = d.p.fonts;
  d.p.caption_at(r.x0, r.y0, d.side.heading, r.width());
  const float y = r.y0 + 20 * d.s, x = r.x0 + draw::text_width(fonts.title, d.side.moved) + 10 * d.s;
  draw::text(d.p.list, fonts.title, r.x0, y, d.p.colours.text, d.side.moved);
  const std::string of = draw::elided(fonts.body, d.side.of, r.x1 - x);
  draw::text(d.p.list, fonts.body, x, y + (fonts.title.size - fonts.body.size) * 0.8f, d.p.colours.muted, of);
  d.f.ui.rects.put(fmt::format("moved {}", d.index),
                   {r.x0, y, x + draw::text_width(fonts.body, of), y + fonts.title.size});
}

void draw_area(const SidePen& d, std::size_t tensor) {
  const PipeArea& area = d.side.areas[tensor];
  const Fonts& fonts = d.p.fonts;
  const float x = left_of(d, tensor), wide = d.scale.groups[tensor], bottom = d.at.hbm.y1 - 8 * d.s;
  const ImVec2 size = area_size(d.scale, area.bytes, d.at.areas_high);
  const float left = x + (wide - size.x) / 2;
  const draw::Rect r{left, bottom - size.y, left + size.x, bottom};
  const ImU32 colour = hue(d.p.colours, area.tensor);
  if (area.exists) {
    draw::box(d.p.list, r, mix(d.p.colours.panel, colour, 0.18f), 2 * d.s, mix(d.p.colours.panel, colour, 0.7f));
    const float filled = size.y * float(std::clamp(area.filled, 0.0, 1.0));
    if (filled > 0) draw::box(d.p.list, {r.x0, r.y1 - filled, r.x1, r.y1}, colour, 2 * d.s);
  } else {
    draw::dashed(d.p.list, r, d.p.colours.faint, {.length = 4 * d.s});
  }
  // Inside a large area: its name and its bytes; above a small one the name alone.
  const std::string name = letter_of(area.tensor);
  std::string lines[] = {area.exists ? name + "  " + area.text : name + " is never written",
                         area.exists ? area.note : area.text + " that do not exist"};
  const float room = size.x - 20 * d.s;
  if (!area.exists && draw::text_width(fonts.tiny, lines[1]) > room) lines[1] = area.text + " spared";
  if (draw::text_width(fonts.tiny, lines[1]) > room) lines[1] = area.brief;
  const bool fits =
      size.x >= draw::text_width(fonts.strong, lines[0]) + 10 * d.s && size.y >= 3 * draw::leading(fonts.strong);
  if (fits) {
    const bool full = area.exists && area.filled >= 1, partly = area.exists && area.filled > 0 && !full;
    const ImU32 ink = full ? ink_on(colour) : d.p.colours.text;
    const float line = draw::leading(fonts.strong), middle = (r.y0 + r.y1) / 2;
    if (partly) {  // the words are on both the filled part and the rest
      const float words =
          std::max(draw::text_width(fonts.strong, lines[0]), draw::text_width(fonts.tiny, lines[1])) / 2 + 8 * d.s;
      const float centre = (r.x0 + r.x1) / 2;
      draw::box(d.p.list, {centre - words, middle - line - 3 * d.s, centre + words, middle + line + 1 * d.s},
                d.p.colours.panel, 4 * d.s, d.p.colours.border);
    }
    draw::text_in(d.p.list, fonts.strong, {r.x0, middle - line, r.x1, middle}, ink, lines[0]);
    draw::text_in(d.p.list, fonts.tiny, {r.x0, middle, r.x1, middle + line}, full ? ink : d.p.colours.muted,
                  draw::elided(fonts.tiny, lines[1], size.x - 8 * d.s));
  } else {
    draw::text_in(d.p.list, fonts.strong, {x, r.y0 - 3 * d.s - fonts.strong.size, x + wide, r.y0 - 3 * d.s},
                  d.p.colours.dark ? mix(colour, d.p.colours.text, 0.2f) : mix(colour, d.p.colours.text, 0.6f), name);
  }
  d.f.ui.rects.put(fmt::format("area {} {}", d.index, name_of(area.tensor)), r);
  if (hit(d.f, fmt::format("hbm {} {}", d.index, name_of(area.tensor)), r).hovered)
    tooltip(d.f, fmt::format("{}: {}\n{}", name, area.text, area.note));
}

// Dots cross a pipe as its bytes do: a row of them passes for as many bytes as it has dots.
void draw_dots(const SidePen& d, const Pipe& pipe, const draw::Rect& r, ImU32 colour) {
  const float pitch_x = 8 * d.s, pitch_y = 9 * d.s, radius = std::max(1.0f, 1.7f * d.s);
  const int columns = std::max(1, int((r.width() - 2 * radius) / pitch_x));
  const double rows_moved = double(pipe.so_far) / double(d.m.dot_bytes) / columns;
  const double part = rows_moved - std::floor(rows_moved);
  const float first = r.x0 + (r.width() - float(columns - 1) * pitch_x) / 2;
  for (int c = 0; c < columns; ++c) {
    const double shift = std::fmod(part + double(c) * 0.37, 1.0) * pitch_y;
    for (float y = -pitch_y; y < r.height() + pitch_y; y += pitch_y) {
      const float down = y + float(shift), at = pipe.write ? r.y1 - down : r.y0 + down;
      if (at < r.y0 + radius || at > r.y1 - radius) continue;
      d.p.list->AddCircleFilled(ImVec2(first + float(c) * pitch_x, at), radius, colour, 6);
    }
  }
}

// Returns its place; empty where the pipe is too narrow or too low for it.
std::optional<draw::Rect> draw_pipe_label(const SidePen& d, const Pipe& pipe, const draw::Rect& r, ImU32 colour) {
  const Font& font = d.p.fonts.tiny;
  const float line = draw::leading(font), room = r.width() - 6 * d.s;
  std::vector<std::string> lines = {pipe.label, pipe.amount};
  if (const std::size_t comma = pipe.label.find(", ");
      comma != std::string::npos && draw::text_width(font, pipe.label) > room)
    lines = {pipe.label.substr(0, comma), pipe.label.substr(comma + 2), pipe.amount};
  if (!pipe.times.empty() && draw::text_width(font, pipe.times) <= room &&
      line * float(lines.size() + 1) + 46 * d.s < r.height())
    lines.push_back(pipe.times);
  const auto width = [&] {
    float widest = 0;
    for (const std::string& each : lines) widest = std::max(widest, draw::text_width(font, each));
    return widest;
  };
  // A narrow pipe says which way and how much, or when and which way, or which way alone.
  if (const std::size_t comma = pipe.label.find(", "); width() > room && comma != std::string::npos) {
    const std::string when = pipe.label.substr(0, comma), way = pipe.label.substr(comma + 2);
    const std::size_t of = pipe.amount.find(" of ");
    const std::vector<std::string> twice =
        of == std::string::npos ? std::vector{way, pipe.amount}
                                : std::vector{way, pipe.amount.substr(0, of), pipe.amount.substr(of + 1)};
    for (const auto& fewer : {std::vector{way, pipe.amount}, twice, std::vector{when, way}, std::vector{way}})
      if (lines = fewer; width() <= room) break;
  }
  const float widest = width();
  const float high = line * float(lines.size()) + 6 * d.s, middle = (r.y0 + r.y1) / 2;
  const float arrow = 14 * d.s;
  if (widest > room || high + 2 * arrow + 12 * d.s > r.height()) return std::nullopt;
  const draw::Rect box{(r.x0 + r.x1 - widest) / 2 - 3 * d.s, middle - high / 2, (r.x0 + r.x1 + widest) / 2 + 3 * d.s,
                       middle + high / 2};
  const bool now = pipe.state == PipeState::Now;
  if (now) draw::box(d.p.list, box, d.p.colours.panel, 4 * d.s, d.p.colours.border);
  float y = box.y0 + 3 * d.s;
  for (const std::string& each : lines) {
    draw::text(d.p.list, font, (r.x0 + r.x1 - draw::text_width(font, each)) / 2, y,
               now ? d.p.colours.text : d.p.colours.muted, each);
    y += line;
  }
  const draw::Rect place = pipe.write ? draw::Rect{box.x0, box.y0 - arrow - 6 * d.s, box.x1, box.y0 - 6 * d.s}
                                      : draw::Rect{box.x0, box.y1 + 6 * d.s, box.x1, box.y1 + 6 * d.s + arrow};
  draw::sign(d.p.list, pipe.write ? draw::Sign::Up : draw::Sign::Down, place,
             pipe.state == PipeState::ToCome ? d.p.colours.faint : colour, 1.3f * d.s);
  return box;
}

void draw_pipe(const SidePen& d, const Pipe& pipe, const draw::Rect& r) {
  const ImU32 colour = hue(d.p.colours, pipe.tensor), ground = d.p.colours.panel;
  switch (pipe.state) {
    case PipeState::ToCome:
      draw::dashed(d.p.list, r, mix(ground, colour, 0.6f), {.length = 4 * d.s, .sides_alone = true});
      break;
    case PipeState::Done:
      draw::box(d.p.list, r, mix(ground, colour, r.width() < 6 * d.s ? 0.6f : 0.25f), 0, mix(ground, colour, 0.55f));
      break;
    case PipeState::Now:
      draw::box(d.p.list, r, mix(ground, colour, r.width() < 6 * d.s ? 0.8f : 0.14f), 0, colour);
      if (r.width() >= 8 * d.s) draw_dots(d, pipe, r, d.p.colours.dark ? colour : mix(colour, d.p.colours.text, 0.35f));
      break;
  }
  const auto label = draw_pipe_label(d, pipe, r, d.p.colours.dark ? colour : mix(colour, d.p.colours.text, 0.45f));
  const std::string id =
      fmt::format("pipe {} {} {} {}", d.index, name_of(pipe.tensor), pipe.section, pipe.write ? "write" : "read");
  const draw::Rect wide{r.x0 - 2 * d.s, r.y0, r.x1 + 2 * d.s, r.y1};
  if (hit(d.f, id, wide).hovered)
    tooltip(d.f, fmt::format("{}: {}{}{}\n{} of {} so far\n{} a tile visit", letter_of(pipe.tensor), pipe.label,
                             pipe.times.empty() ? "" : ", all of it: ", pipe.times, format_bytes(pipe.so_far),
                             format_bytes(pipe.bytes), format_bytes(std::llround(pipe.visit_bytes))));
  d.f.ui.rects.put(id, r);
  if (label) d.f.ui.rects.put("label of " + id, *label);
}

void draw_pipes(const SidePen& d) {
  for (std::size_t tensor = 0; tensor < d.side.areas.size(); ++tensor) {
    float sum = 0;
    for (const Pipe& pipe : d.side.pipes)
      if (pipe.tensor == d.side.areas[tensor].tensor) sum += (sum > 0 ? 6 * d.s : 0) + pipe_width(d.scale, pipe, d.s);
    float x = left_of(d, tensor) + (d.scale.groups[tensor] - sum) / 2;
    for (const Pipe& pipe : d.side.pipes) {
      if (pipe.tensor != d.side.areas[tensor].tensor) continue;
      const float wide = pipe_width(d.scale, pipe, d.s);
      draw_pipe(d, pipe, {x, d.at.pipes.y0, x + wide, d.at.pipes.y1});
      x += wide + 6 * d.s;
    }
  }
}

// How many times fewer bytes, where this side has no pipes.
void draw_ratio(const SidePen& d) {
  if (d.m.lighter != d.index) return;
  const Fonts& fonts = d.p.fonts;
  float left = d.at.pipes.x0;
  for (std::size_t tensor = 0; tensor < d.side.areas.size(); ++tensor)
    if (d.side.areas[tensor].exists) left = left_of(d, tensor) + d.scale.groups[tensor];
  left += 16 * d.s;
  const float room = d.at.pipes.x1 - left, figure = draw::text_width(fonts.figure, d.m.ratio);
  const float words =
      std::max(draw::text_width(fonts.title, d.m.ratio_words), draw::text_width(fonts.body, d.m.ratio_detail));
  const bool beside = figure + 14 * d.s + words <= room;
  const float line = draw::leading(fonts.body),
              reason = draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, room, 0, d.m.ratio_reason);
  float high = fonts.figure.size + (beside ? 0 : fonts.title.size + line) + 8 * d.s + reason;
  if (figure > room || high > d.at.pipes.height()) {  // no space: beside the bytes moved
    const draw::Rect& head = d.at.head;
    const float base = std::max(head.y0, head.y1 - fonts.figure.size - 4 * d.s);
    const float moved =
        draw::text_width(fonts.title, d.side.moved) + draw::text_width(fonts.body, d.side.of) + 30 * d.s;
    const float words_wide = draw::text_width(fonts.title, d.m.ratio_words) + 10 * d.s;
    if (moved + figure + words_wide <= head.width()) {
      const float letters = base + (fonts.figure.size - fonts.title.size) * 0.8f;
      draw::text_right(d.p.list, fonts.title, head.x1, letters, d.p.colours.text, d.m.ratio_words);
      draw::text_right(d.p.list, fonts.figure, head.x1 - words_wide, base, d.p.colours.accent, d.m.ratio);
      d.f.ui.rects.put("ratio", {head.x1 - words_wide - figure, base, head.x1, base + fonts.figure.size});
      return;
    }
    draw::text_right(d.p.list, fonts.figure, head.x1, base, d.p.colours.accent, d.m.ratio);
    d.f.ui.rects.put("ratio", {head.x1 - figure, base, head.x1, base + fonts.figure.size});
    return;
  }
  float y = (d.at.pipes.y0 + d.at.pipes.y1 - high) / 2;
  draw::text(d.p.list, fonts.figure, left, y, d.p.colours.accent, d.m.ratio);
  d.f.ui.rects.put("ratio", {left, y, left + figure, y + fonts.figure.size});
  const float x = beside ? left + figure + 14 * d.s : left;
  if (!beside) y += fonts.figure.size;
  draw::text(d.p.list, fonts.title, x, y, d.p.colours.text,
             draw::elided(fonts.title, d.m.ratio_words, d.at.pipes.x1 - x));
  draw::text(d.p.list, fonts.body, x, y + fonts.title.size, d.p.colours.muted,
             draw::elided(fonts.body, d.m.ratio_detail, d.at.pipes.x1 - x));
  y += (beside ? std::max(fonts.figure.size, fonts.title.size + line) : fonts.title.size + line) + 8 * d.s;
  draw::paragraph(d.p.list, fonts.body, fonts.tiny, left, y, room, d.p.colours.muted, d.m.ratio_reason);
}

void draw_side(const SidePen& d) {
  draw_head(d);
  draw::box(d.p.list, d.at.hbm, d.p.colours.background, 7 * d.s, d.p.colours.border);
  d.p.caption_at(d.at.hbm.x0 + 10 * d.s, d.at.hbm.y0 + 6 * d.s, "HBM, areas to scale", d.at.hbm.width() - 20 * d.s);
  for (std::size_t i = 0; i < d.side.areas.size(); ++i) draw_area(d, i);
  draw_pipes(d);
  draw_ratio(d);
  draw_pipe_sram({d.f, d.p, d.side, d.at.sram, d.index, d.s});
}

void draw_title(const UiFrame& f, Panel& p, const ComparePage& page) {
  const float s = p.s;
  float right = draw_baseline_choice(f, p, p.x + p.width);
  right = draw_pace(f, p, right);
  right = draw_pipes_switch(f, p, right);
  right = draw_compared_choice(f, p, right);
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
  if (f.session.tour().watches())
    draw_tour_strip(f, p, {p.rect.x0, p.rect.y0, p.rect.x1, p.y + 30 * s});
  else
    draw_title(f, p, page);
  p.y += 36 * s;
  if (!page.pipes) {
    const std::string why = page.compare.problems.empty() ? page.lanes.empty_note : page.compare.problems.front();
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, why);
    return;
  }
  const PipesModel& m = *page.pipes;
  const float bottom = p.rect.y1 - 12 * s, foot = pipes_foot_height(p);
  const float gap = 20 * s, wide = (p.width - gap) / 2, high = bottom - foot - 12 * s - p.y;
  const float head = 28 * s + p.fonts.title.size,
              sram = std::clamp(high * 0.27f, 24 * s + 4 * draw::leading(p.fonts.body), 174 * s);
  const float hbm = std::clamp((high - head - sram) * 0.46f, 60 * s, 190 * s);
  const float areas_high = std::max(8 * s, hbm - 26 * s - draw::leading(p.fonts.strong));
  const PipesScale scale = scale_for(p, m, wide, areas_high);
  for (int i = 0; i < 2; ++i) {
    const float x = p.x + float(i) * (wide + gap), top = p.y;
    SidePlaces at;
    at.areas_high = areas_high;
    at.head = {x, top, x + wide, top + head};
    at.hbm = {x, at.head.y1, x + wide, at.head.y1 + hbm};
    at.sram = {x, top + high - sram, x + wide, top + high};
    at.pipes = {x, at.hbm.y1, x + wide, at.sram.y0};
    draw_side({f, p, m, m.sides[i], at, scale, i, s});
  }
  p.y += high + 12 * s;
  const Schedule* const moved = page.of_walk ? &f.session.schedule() : page.call.get();
  draw_pipes_foot(f, p, m, moved, {p.x, p.y, p.x + p.width, p.y + foot});
  p.y += foot;
}

}  // namespace tilewalk
