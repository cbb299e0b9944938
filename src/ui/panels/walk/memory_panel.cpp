#include <algorithm>
#include <map>

#include "ui/panels/panels.h"
#include "view/units.h"
#include "view/words/glossary.h"

namespace tilewalk {
namespace {

// Where tiles lie on screen, for those that move between the two memories.
struct Places {
  std::map<std::pair<TensorId, std::string>, draw::Rect> hbm, sram;
  draw::Rect sram_frame;
};

constexpr double kMoveSeconds = 0.35;

// 0 as the step is made, 1 once its moves have arrived.
double share_moved(const UiFrame& f) {
  UiState& ui = f.ui;
  const std::int64_t cursor = f.session.state().cursor;
  if (cursor != ui.cursor_before) ui.stepped_at = cursor == ui.cursor_before + 1 ? f.now : -1;
  ui.cursor_before = cursor;
  if (!ui.motion || !f.session.document().view.motion || ui.stepped_at < 0) return 1;
  return std::clamp((f.now - ui.stepped_at) / kMoveSeconds, 0.0, 1.0);
}

// What this step moves, on its way; each carries its bytes with it.
void draw_travellers(const UiFrame& f, Panel& p, const Places& places) {
  const MemoryModel& m = f.views.walk->memory;
  const double moved = share_moved(f);
  if (moved >= 1 || !m.moves_now) return;
  const float t = float(moved * moved * (3 - 2 * moved));
  for (const MemoryMove& move : m.moves) {
    const auto above = places.hbm.find({move.tensor, move.label}), below = places.sram.find({move.tensor, move.label});
    if (above == places.hbm.end()) continue;
    const draw::Rect from = above->second, to = below != places.sram.end() ? below->second : places.sram_frame;
    const float share = move.to_sram ? t : 1 - t, wide = std::max(from.width(), 34 * p.s), high = 22 * p.s;
    const float x = (from.x0 + from.x1) / 2 * (1 - share) + (to.x0 + to.x1) / 2 * share,
                y = (from.y0 + from.y1) / 2 * (1 - share) + (to.y0 + to.y1) / 2 * share;
    const draw::Rect box{x - wide / 2, y - high / 2, x + wide / 2, y + high / 2};
    const ImU32 fill = hue(p.colours, move.tensor);
    draw::box(p.list, box, fill, 5 * p.s, p.colours.now_line, 1.5f * p.s);
    draw::text_in(p.list, p.fonts.caption, box, ink_on(fill), move.label);
    draw::text(p.list, p.fonts.mono_small, box.x1 + 4 * p.s, y - p.fonts.mono_small.size / 2, p.colours.text,
               move.bytes);
  }
}

float width_of(const Panel& p, const MemoryResident& r) {
  return std::max(34 * p.s, draw::text_width(p.fonts.strong, r.label) + 14 * p.s);
}

// How many lines the residents take decides the height of the box.
float sram_height(const MemoryModel& m, const Panel& p) {
  const float room = p.width - 22 * p.s;
  float lines = 1, x = 0;
  for (const MemoryResident& r : m.residents) {
    if (x + width_of(p, r) > room && x > 0) x = 0, lines += 1;
    x += width_of(p, r) + 5 * p.s;
  }
  return (36 + 32 * lines + 42) * p.s;
}

// Before the tile at hand would go, the signs of those left out do, and then the others.
std::vector<MemoryChip> chips_that_fit(const std::vector<MemoryChip>& all, float room, float wide, float dots,
                                       float gap) {
  float need = -gap;
  for (const MemoryChip& chip : all) need += (chip.tile < 0 ? dots : wide) + gap;
  std::vector<MemoryChip> out = all;
  if (need <= room) return out;
  std::erase_if(out, [](const MemoryChip& chip) { return chip.tile < 0; });
  const auto most = std::size_t(std::max(1.0f, (room + gap) / (wide + gap)));
  while (out.size() > most) {
    const bool last_counts = out.back().state == ChipState::OnChip;
    out.erase(last_counts ? out.begin() : out.end() - 1);
  }
  return out;
}

void draw_rows(const UiFrame& f, Panel& p, Places& places) {
  const MemoryModel& m = f.views.walk->memory;
  // Up to six rows are comfortable; more share the same height. Where there is little, they give way to
  // SRAM below them, if that is then to be seen.
  const float s = p.s, rows = float(std::max<std::size_t>(1, m.hbm.size())),
              shares = (p.rect.height() - sram_height(m, p) - 80 * s) / (rows * 33 * s);
  const float fit = std::min({1.0f, 6.0f / rows, shares < 0.5f ? 1.0f : shares});
  const float high = 28 * s * fit, wide = 33 * s, step = 37 * s, note_high = std::min(22 * s, high);
  float label = 24 * s;
  for (const MemoryRow& row : m.hbm) label = std::max(label, draw::text_width(p.fonts.strong, row.label) + 8 * s);
  for (const MemoryRow& row : m.hbm) {
    const float middle = p.y + ((row.chips.empty() ? note_high : high) / 2);
    draw::text(p.list, p.fonts.strong, p.x, middle - p.fonts.strong.size / 2, p.colours.muted, row.label);
    const float size_left = p.x + p.width - draw::text_width(p.fonts.mono_small, row.size);
    draw::text(p.list, p.fonts.mono_small, size_left, middle - p.fonts.mono_small.size / 2, p.colours.muted, row.size);
    if (const float room = size_left - p.x - label - 8 * s; row.chips.empty() && room > 40 * s)
      draw::text(p.list, p.fonts.body, p.x + label, middle - p.fonts.body.size / 2, p.colours.faint,
                 draw::elided(p.fonts.body, row.note, room));
    const ImU32 colour = hue(p.colours, row.tensor);
    float x = p.x + label;
    const std::vector<MemoryChip> chips = chips_that_fit(row.chips, size_left - 4 * s - x, wide, 14 * s, step - wide);
    for (const MemoryChip& chip : chips) {
      const draw::Rect r{x, p.y, x + (chip.tile < 0 ? 14 * s : wide), p.y + high};
      if (r.x1 > size_left - 4 * s) break;
      if (chip.tile < 0) {
        draw::text_in(p.list, p.fonts.body, r, p.colours.faint, "…");
      } else {
        places.hbm[{row.tensor, chip.label}] = r;
        const bool lit = chip.state == ChipState::OnChip;
        const ImU32 fill = lit                                  ? colour
                           : chip.state == ChipState::Written   ? mix(colour, p.colours.panel, 0.22f)
                           : chip.state == ChipState::Unwritten ? p.colours.quiet_fill
                                                                : mix(colour, p.colours.panel, 0.70f);
        draw::box(p.list, r, fill, 5 * s,
                  chip.state == ChipState::Unwritten ? p.colours.cell_line
                  : lit                              ? p.colours.now_line
                                                     : 0,
                  lit ? 1.5f * s : draw::hairline());
        draw::text_in(p.list,
                      draw::text_width(p.fonts.caption, chip.label) < wide - 4 * s ? p.fonts.caption : p.fonts.tiny, r,
                      chip.state == ChipState::Unwritten ? mix(p.colours.faint, p.colours.muted, 0.5f)
                      : chip.state == ChipState::Idle    ? mix(ink_on(fill), fill, 0.25f)
                                                         : ink_on(fill),
                      chip.label);
      }
      x = r.x1 + (step - wide);
    }
    const draw::Rect area{p.x, p.y, p.x + p.width, p.y + (row.chips.empty() ? note_high : high)};
    if (hit(f, "row " + row.label, area).hovered) tooltip(f.theme, row.help);
    p.y = area.y1 + 5 * s * fit;
  }
}

void draw_moves(const UiFrame& f, Panel& p) {
  const MemoryModel& m = f.views.walk->memory;
  const float s = p.s;
  p.y += 4 * s;
  float total = 0;
  for (const MemoryMove& move : m.moves)
    total += (18 + 6 + 18) * s + draw::text_width(p.fonts.mono_strong, move.label) +
             draw::text_width(p.fonts.mono, move.bytes);
  float x = p.x + std::max(0.0f, (p.width - total + 18 * s) / 2);
  if (m.moves.empty())
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny,
                           p.x + std::max(0.0f, (p.width - draw::text_width(p.fonts.body, m.moves_note)) / 2), p.y,
                           p.width, p.colours.faint, m.moves_note) -
           p.fonts.body.size * 1.42f;
  for (const MemoryMove& move : m.moves) {
    if (x > p.x &&
        x + 24 * s + draw::text_width(p.fonts.mono_strong, move.label) + draw::text_width(p.fonts.mono, move.bytes) >
            p.x + p.width)
      x = p.x, p.y += 18 * s;
    // On white the hues alone are too light for a sign.
    const ImU32 full = mix(hue(p.colours, move.tensor), p.colours.text, p.colours.dark ? 0.0f : 0.5f);
    const ImU32 colour = m.moves_now ? full : mix(full, p.colours.panel, p.colours.dark ? 0.5f : 0.3f);
    draw::sign(p.list, move.to_sram ? draw::Sign::Down : draw::Sign::Up, {x, p.y, x + 14 * s, p.y + p.fonts.mono.size},
               colour, s);
    x += 18 * s;
    const ImU32 ink = m.moves_now ? full : p.colours.muted;
    draw::text(p.list, p.fonts.mono_strong, x, p.y, ink, move.label);
    x += draw::text_width(p.fonts.mono_strong, move.label) + 6 * s;
    draw::text(p.list, p.fonts.mono, x, p.y, m.moves_now ? p.colours.text : p.colours.muted, move.bytes);
    x += draw::text_width(p.fonts.mono, move.bytes) + 18 * s;
  }
  const draw::Rect area{p.x, p.y, p.x + p.width, p.y + 20 * s};
  halo(f, p.list, "moves", {area.x0 - 5 * s, area.y0, area.x1 + 5 * s, area.y1});
  if (hit(f, "moves", area).hovered)
    tooltip(f.theme, m.moves.empty() ? m.moves_note
                     : m.moves_now   ? "What this step moves between HBM and SRAM."
                                     : "Moved by an earlier step of this visit; this step moves nothing.");
  p.y += 26 * s;
}

void draw_sram(const UiFrame& f, Panel& p, Places& places) {
  const MemoryModel& m = f.views.walk->memory;
  const float s = p.s, pad = 11 * s;
  const draw::Rect frame{p.x, p.y, p.x + p.width, p.y + sram_height(m, p)};
  draw::box(p.list, frame, p.colours.raised, 8 * s, mix(p.colours.border, p.colours.accent, 0.45f), 1.6f * s);
  places.sram_frame = frame;
  halo(f, p.list, "sram", frame);
  p.caption_at(frame.x0 + pad, frame.y0 + pad, m.sram_title, frame.width() - 2 * pad);
  float y = frame.y0 + 32 * s;
  float x = frame.x0 + pad;
  for (const MemoryResident& r : m.residents) {
    const float w = width_of(p, r);
    if (x + w > frame.x1 - pad && x > frame.x0 + pad) x = frame.x0 + pad, y += 32 * s;
    const ImU32 fill = hue(p.colours, r.tensor);
    const draw::Rect box{x, y, x + w, y + 27 * s};
    places.sram[{r.tensor, r.label}] = box;
    draw::box(p.list, box, fill, 5 * s, r.fresh ? p.colours.now_line : 0, 1.5f * s);
    draw::text_in(p.list, p.fonts.strong, box, ink_on(fill), r.label);
    if (hit(f, "resident " + r.label, box).hovered)
      tooltip(f.theme, r.label + ": " + std::to_string(r.bytes) + " bytes on chip\n" +
                           meanings(terms_in(r.label + ", " + tensor_title(r.tensor))));
    x = box.x1 + 5 * s;
  }
  if (m.residents.empty()) draw::text(p.list, p.fonts.body, x, y + 6 * s, p.colours.faint, "empty");
  y += 36 * s;
  const draw::Rect bar{frame.x0 + pad, y, frame.x1 - pad, y + 7 * s};
  draw::box(p.list, bar, p.colours.dark ? p.colours.button : p.colours.track, 3 * s);
  float at = bar.x0;
  for (const MemoryResident& r : m.residents) {
    const float next = std::min(bar.x1, at + float(r.share) * bar.width());
    draw::box(p.list, {at, bar.y0, next, bar.y1}, hue(p.colours, r.tensor), 0);
    at = next;
  }
  if (m.too_large) draw::box(p.list, bar, p.colours.bad, 3 * s);
  draw::text(p.list, p.fonts.mono_small, bar.x0, bar.y1 + 8 * s, m.too_large ? p.colours.bad : p.colours.muted,
             draw::elided(p.fonts.mono_small, m.sram_text, bar.width()));
  p.y = frame.y1 + 20 * s;
}

// What is done wrong on purpose, and the two ways on: to where it shows, and back to right.
void draw_fault(const UiFrame& f, Panel& p, const FaultModel& m) {
  p.y += 14 * p.s;
  p.caption(m.title);
  p.y -= 2 * p.s;
  const auto line = [&](ImU32 colour, const std::string& text) {
    if (!text.empty())
      p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.mono_small, p.x, p.y, p.width, colour, text);
  };
  line(p.colours.text, m.about);
  line(p.colours.muted, m.harm);
  line(p.colours.bad, m.so_far);
  p.y += 6 * p.s;
  float x = p.x;
  const auto way = [&](const char* label, const Command& command) {
    const float w = draw::text_width(p.fonts.strong, label) + 24 * p.s;
    if (button(f, {.id = label, .rect = {x, p.y, x + w, p.y + 28 * p.s}, .label = label})) f.push(command);
    x += w + 8 * p.s;
  };
  if (m.first_step >= 0) way("Show where", GoToStep{m.first_step});
  way("Make it right", SetFault{});
  p.y += 34 * p.s;
}

// Size and speed of the two memories, where the panel has room for them.
void draw_levels(const UiFrame& f, Panel& p) {
  const MemoryModel& m = f.views.walk->memory;
  if (m.levels_title.empty() || p.y + 110 * p.s > p.rect.y1) return;
  p.y += 14 * p.s;
  p.caption(m.levels_title);
  p.y -= 2 * p.s;
  for (const std::string* text : {&m.hbm_level, &m.sram_level})
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.mono_small, p.x, p.y, p.width, p.colours.text, *text);
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.mono_small, p.x, p.y, p.width, p.colours.muted, m.apart);
}

}  // namespace

void draw_memory_panel(const UiFrame& f, Panel& p) {
  p.caption("HBM · global memory");
  Places places;
  const float top = p.y;
  draw_rows(f, p, places);
  halo(f, p.list, "hbm", {p.x - 5 * p.s, top - 2 * p.s, p.x + p.width + 5 * p.s, p.y});
  draw_moves(f, p);
  draw_sram(f, p, places);
  p.caption("This step");
  p.y -= 2 * p.s;
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.mono_small, p.x, p.y, p.width, p.colours.text,
                         f.views.walk->memory.purpose);
  p.y += 3 * p.s;
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.mono_small, p.x, p.y, p.width, p.colours.muted,
                         f.views.walk->memory.cost);
  if (f.views.walk->fault) draw_fault(f, p, *f.views.walk->fault);
  if (const auto& selected = f.views.walk->selected) {
    p.y += 14 * p.s;
    p.caption("Selected");
    p.y -= 2 * p.s;
    const auto line = [&](const Font& font, ImU32 colour, const std::string& text) {
      p.y += draw::paragraph(p.list, font, p.fonts.mono_small, p.x, p.y, p.width, colour, text);
    };
    line(p.fonts.strong, p.colours.text, selected->value);
    for (const std::string& text : selected->working) line(p.fonts.body, p.colours.text, text);
    line(p.fonts.body, p.colours.muted, selected->place);
    for (const std::string& text : selected->from) line(p.fonts.body, p.colours.muted, text);
    for (const std::string& text : selected->goes) line(p.fonts.body, p.colours.muted, text);
  }
  if (!f.views.walk->selected && !f.views.walk->fault) draw_levels(f, p);
  draw_travellers(f, p, places);
}

}  // namespace tilewalk
