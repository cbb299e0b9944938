// The pipes of one side: as wide as their bytes a tile visit, with dots that cross and a label.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/units.h"
#include "ui/panels/pipes/pipes_side.h"
#include "ui/widgets.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr float kLeastPipe = 2, kDotPitch = 9;

// Dots cross a pipe as its bytes do: a row of them passes for as many bytes as it has dots.
void draw_dots(const SidePen& d, const Pipe& pipe, const draw::Rect& r, ImU32 colour) {
  const float pitch_x = 8 * d.s, pitch_y = kDotPitch * d.s, radius = std::max(1.0f, 1.7f * d.s);
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

// The lines of a pipe's label, the fullest that fit: the pass, the direction, the bytes. Bytes come first. In a narrow
// pipe they are a number alone, whose unit is in the caption. name: "S", in front of the direction, or above it; empty:
// none.
std::vector<std::string> label_lines(const Font& font, const Pipe& pipe, const std::string& name, float room,
                                     std::size_t most_lines) {
  const std::size_t comma = pipe.label.find(", "), of = pipe.amount.find(" of ");
  const bool passes = comma != std::string::npos;
  const std::string when = passes ? pipe.label.substr(0, comma) : "",
                    way = passes ? pipe.label.substr(comma + 2) : pipe.label;
  std::vector<std::vector<std::string>> amounts = {{pipe.amount}};
  if (of != std::string::npos) {  // "5.40 of 16.0 GiB"
    const std::string all = pipe.amount.substr(of + 4);
    amounts.push_back({pipe.amount.substr(0, of), "of " + all});
    amounts.push_back({pipe.amount.substr(0, of) + " of", all});
  }
  amounts.push_back({pipe.number});
  const auto fits = [&](const std::vector<std::string>& lines) {
    return lines.size() <= most_lines && std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
             return draw::text_width(font, line) <= room;
           });
  };
  const std::vector<std::vector<std::string>> heads =
      name.empty() ? std::vector{std::vector{pipe.label}, std::vector{when, way}, std::vector{way}}
                   : std::vector{std::vector{name + " " + way}, std::vector{name, way}, std::vector{name}};
  for (const auto& amount : amounts)
    for (std::vector<std::string> lines : heads) {
      if (lines.front().empty()) continue;
      lines.insert(lines.end(), amount.begin(), amount.end());
      if (fits(lines)) return lines;
    }
  if (name.empty())
    for (const auto& amount : amounts)
      if (fits(amount)) return amount;
  for (const auto& lines : heads)
    if (!lines.front().empty() && fits(lines)) return lines;
  return {};
}

// True for S and P in front of a class: they share an area in HBM, whose name is over none of their pipes.
bool has_own_name(const SidePen& d, const Pipe& pipe) {
  const auto shares = [&](const PipeArea& area) {
    return area.over && (area.tensor == pipe.tensor || *area.over == pipe.tensor);
  };
  return d.f.session.presents_page() && std::any_of(d.side.areas.begin(), d.side.areas.end(), shares);
}

struct PipeLabel {
  draw::Rect at;
  bool number_alone = false;
};

// Returns its place; empty where the pipe is too narrow or too low for it. A low pipe has no arrow: the words say which
// way. Where bytes cross, a row of dots at each end stays in sight.
std::optional<PipeLabel> draw_pipe_label(const SidePen& d, const Pipe& pipe, const draw::Rect& r, ImU32 colour) {
  const Font& font = d.p.fonts.tiny;
  const float line = draw::leading(font), room = r.width() - 6 * d.s, arrow = 14 * d.s;
  const auto draw_arrow = [&](const draw::Rect& at) {
    draw::sign(d.p.list, pipe.write ? draw::Sign::Up : draw::Sign::Down, at,
               pipe.state == PipeState::ToCome ? d.p.colours.faint : colour, 1.3f * d.s);
  };
  const bool now = pipe.state == PipeState::Now;
  const float most = r.height() - (now ? 2 * (kDotPitch + 4) : 10) * d.s;
  const std::string name = has_own_name(d, pipe) ? name_of(pipe.tensor) : "";
  std::vector<std::string> lines = label_lines(font, pipe, name, room, std::size_t(std::max(0.0f, most / line)));
  if (lines.empty()) {
    const float middle = (r.y0 + r.y1) / 2;
    if (room < arrow) return std::nullopt;
    if (now) {  // off the dots
      const float x = (r.x0 + r.x1) / 2, half = arrow / 2 + 3 * d.s;
      draw::box(d.p.list, {x - half, middle - half, x + half, middle + half}, d.p.colours.panel, 4 * d.s);
    }
    draw_arrow({r.x0, middle - arrow / 2, r.x1, middle + arrow / 2});
    return std::nullopt;
  }
  const bool number_alone = lines.back() == pipe.number;
  if (!pipe.times.empty() && draw::text_width(font, pipe.times) <= room &&
      line * float(lines.size() + 1) + 46 * d.s < r.height())
    lines.push_back(pipe.times);
  float widest = 0;
  for (const std::string& each : lines) widest = std::max(widest, draw::text_width(font, each));
  const float high = line * float(lines.size()) + 6 * d.s, middle = (r.y0 + r.y1) / 2;
  const draw::Rect box{(r.x0 + r.x1 - widest) / 2 - 3 * d.s, middle - high / 2, (r.x0 + r.x1 + widest) / 2 + 3 * d.s,
                       middle + high / 2};
  if (now) draw::box(d.p.list, box, d.p.colours.panel, 4 * d.s, d.p.colours.border);
  float y = box.y0 + 3 * d.s;
  for (const std::string& each : lines) {
    draw::text(d.p.list, font, (r.x0 + r.x1 - draw::text_width(font, each)) / 2, y,
               now ? d.p.colours.text : d.p.colours.muted, each);
    y += line;
  }
  const PipeLabel label{box, number_alone};
  if (high + 2 * arrow + 12 * d.s > r.height()) return label;
  const draw::Rect place = pipe.write ? draw::Rect{box.x0, box.y0 - arrow - 6 * d.s, box.x1, box.y0 - 6 * d.s}
                                      : draw::Rect{box.x0, box.y1 + 6 * d.s, box.x1, box.y1 + 6 * d.s + arrow};
  if (now)
    draw::box(d.p.list,
              {place.x0 + (place.width() - arrow) / 2 - 3 * d.s, place.y0 - 2 * d.s,
               place.x0 + (place.width() + arrow) / 2 + 3 * d.s, place.y1 + 2 * d.s},
              d.p.colours.panel, 4 * d.s);
  draw_arrow(place);
  return label;
}

// True if its label is a number without a unit.
bool draw_pipe(const SidePen& d, const Pipe& pipe, const draw::Rect& r) {
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
    tooltip(d.f, fmt::format("{}: {}{}{}\n{} of {} so far\n{} a tile visit", tensor_title(pipe.tensor), pipe.label,
                             pipe.times.empty() ? "" : ", all of it: ", pipe.times, format_bytes(pipe.so_far),
                             format_bytes(pipe.bytes), format_bytes(std::llround(pipe.visit_bytes))));
  d.f.ui.rects.put(id, r);
  if (label) d.f.ui.rects.put("label of " + id, label->at);
  if (label && has_own_name(d, pipe)) d.f.ui.rects.put("name of " + id, label->at);
  return label && label->number_alone;
}

}  // namespace

float pipe_width(const PipesScale& scale, const Pipe& pipe, float s) {
  return std::max(kLeastPipe * s, float(pipe.visit_bytes) * scale.pixels_a_byte);
}

float left_of(const SidePen& d, std::size_t tensor) {
  float x = d.at.hbm.x0 + d.scale.space;
  for (std::size_t i = 0; i < tensor; ++i) x += d.scale.groups[i] + d.scale.space;
  return x;
}

bool draw_pipes(const SidePen& d) {
  bool numbers_alone = false;
  for (std::size_t tensor = 0; tensor < d.side.areas.size(); ++tensor) {
    float sum = 0;
    for (const Pipe& pipe : d.side.pipes)
      if (pipe.tensor == d.side.areas[tensor].tensor) sum += (sum > 0 ? 6 * d.s : 0) + pipe_width(d.scale, pipe, d.s);
    float x = left_of(d, tensor) + (d.scale.groups[tensor] - sum) / 2;
    for (const Pipe& pipe : d.side.pipes) {
      if (pipe.tensor != d.side.areas[tensor].tensor) continue;
      const float wide = pipe_width(d.scale, pipe, d.s);
      numbers_alone |= draw_pipe(d, pipe, {x, d.at.pipes.y0, x + wide, d.at.pipes.y1});
      x += wide + 6 * d.s;
    }
  }
  return numbers_alone;
}

}  // namespace tilewalk
