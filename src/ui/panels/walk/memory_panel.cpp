#include <algorithm>

#include "base/units.h"
#include "pages/walk/walk_page.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/panels.h"
#include "ui/panels/walk/crossing_note.h"
#include "ui/panels/walk/fault_lines.h"
#include "view/words/glossary.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// The same for every number of a tile: digits have different widths.
float width_of(const Panel& p, std::string label) {
  const ImFont& font = *p.fonts.strong.font;
  const auto narrower = [&](char a, char b) {
    return font.GetCharAdvance(ImWchar(a)) < font.GetCharAdvance(ImWchar(b));
  };
  constexpr std::string_view digits = "0123456789";
  const char widest = *std::max_element(digits.begin(), digits.end(), narrower);
  for (char& c : label)
    if (c >= '0' && c <= '9') c = widest;
  return std::max(30 * p.s, draw::text_width(p.fonts.strong, label) + 10 * p.s);
}

// The width beside a scroll bar, even where this step has none.
float kept_width(const Panel& p) {
  return std::min(p.width, p.rect.width() - 28 * p.s - ImGui::GetStyle().ScrollbarSize);
}

float lines_of_residents(const Panel& p, const std::vector<std::string>& labels) {
  const float room = kept_width(p) - 22 * p.s;
  float lines = 1, x = 0;
  for (const std::string& label : labels) {
    if (x > 0 && x + width_of(p, label) > room) x = 0, lines += 1;
    x += width_of(p, label) + 4 * p.s;
  }
  return lines;
}

// "352 B of 1.00 KiB; H200 has 227 KiB" takes two lines.
bool has_second_line(const MemoryModel& m) { return m.sram_text.find("; ") != std::string::npos; }

constexpr float kBetweenMoves = 10;

float width_of(const Panel& p, const MemoryMove& move) {
  return 18 * p.s + draw::text_width(p.fonts.mono_strong, move.label) + 6 * p.s +
         draw::text_width(p.fonts.mono, move.bytes);
}

// Lines for the moves of a step.
float lines_of_moves(const Panel& p, const std::vector<MemoryMove>& moves) {
  float lines = 1, x = 0;
  for (const MemoryMove& move : moves) {
    if (x > 0 && x + width_of(p, move) > kept_width(p)) x = 0, lines += 1;
    x += width_of(p, move) + kBetweenMoves * p.s;
  }
  return lines;
}

float moves_height(const MemoryModel& m, const Panel& p) {
  float lines = lines_of_moves(p, m.moves);
  for (const auto& moves : m.room.moves) lines = std::max(lines, lines_of_moves(p, moves));
  return 8 * p.s + 20 * p.e * lines;
}

// Rows of HBM shrink down to this share of their height, so that SRAM is in view below them.
constexpr float kLeastOfRow = 0.5f;

float row_count(const MemoryModel& m) { return float(std::max<std::size_t>(1, m.hbm.size())); }

// Of the panel, for the rows of HBM and for SRAM.
float memories_height(const MemoryModel& m, const Panel& p) { return p.rect.height() - moves_height(m, p) - 72 * p.s; }

// High enough for the largest set of residents in this walk; where that would be cut, for those of this step.
float sram_height(const MemoryModel& m, const Panel& p) {
  std::vector<std::string> now;
  for (const MemoryResident& r : m.residents) now.push_back(r.label);
  const float needed = lines_of_residents(p, now);
  float kept = needed;
  for (const auto& labels : m.room.residents) kept = std::max(kept, lines_of_residents(p, labels));
  const auto height = [&](float lines) {
    return (32 + 32 * lines + 16) * p.s + (has_second_line(m) ? 2 : 1) * 17 * p.e + 8 * p.s;
  };
  const float room = memories_height(m, p) - kLeastOfRow * row_count(m) * 33 * p.s;
  return height(height(kept) <= room ? kept : needed);
}

// Folds tiles at the ends, never the tile of the step at hand; without the signs where even these do not fit.
std::vector<MemoryTile> tiles_that_fit(const std::vector<MemoryTile>& all, float room, float wide, float dots,
                                       float gap) {
  std::vector<MemoryTile> out = all;
  const auto is_fold = [](const MemoryTile& shown) { return shown.tile < 0; };
  const auto is_too_wide = [&] {
    float need = -gap;
    for (const MemoryTile& shown : out) need += (is_fold(shown) ? dots : wide) + gap;
    return need > room;
  };
  while (is_too_wide()) {
    const auto first = std::find_if_not(out.begin(), out.end(), is_fold);
    const auto last = std::find_if_not(out.rbegin(), out.rend(), is_fold).base() - 1;
    if (last - first < 1) break;
    const auto now = std::find_if(first, last + 1, [](const MemoryTile& shown) { return shown.now; });
    if (now <= last && last - now < now - first) {
      *first = {-1, MemoryTileState::Idle, "…"};
      if (first != out.begin()) out.erase(out.begin());
    } else {
      *last = {-1, MemoryTileState::Idle, "…"};
      if (last + 1 != out.end()) out.erase(last + 1);
    }
  }
  if (is_too_wide()) std::erase_if(out, is_fold);
  return out;
}

// The designed width; narrower, down to the names, where not all fit.
float tile_width(const Panel& p, const std::vector<MemoryTile>& tiles, float room, float gap) {
  float names = 0;
  for (const MemoryTile& shown : tiles) names = std::max(names, draw::text_width(p.fonts.caption, shown.label));
  const float count = float(std::max<std::size_t>(1, tiles.size()));
  const float least = names + 4 * p.s;
  return std::clamp((room + gap) / count - gap, least, std::max(33 * p.s, least));
}

// The part of a row of tiles that is written.
void draw_part(Panel& p, const draw::Rect& r, ImU32 colour, double share) {
  if (share > 0) draw::box(p.list, {r.x0, r.y0, r.x0 + float(share) * r.width(), r.y1}, colour, 5 * p.s);
}

// "SRAM · one thread block", or its beginning where that is too long.
std::string title_that_fits(const Panel& p, const std::string& title, float room) {
  return draw::caption_width(p.theme, title) <= room ? title : title.substr(0, title.find(" · "));
}

void draw_rows(const UiFrame& f, Panel& p) {
  const std::optional<Moving> on_way = moving(f);
  const MemoryModel& m = f.views.page<WalkPage>()->memory;
  // Up to six rows have the designed height; more share it. In little space the rows shrink for SRAM below them, if
  // SRAM is then visible.
  const float s = p.s, rows = row_count(m), shares = (memories_height(m, p) - sram_height(m, p)) / (rows * 33 * s);
  const float fit = std::min({1.0f, 6.0f / rows, shares < kLeastOfRow ? 1.0f : shares});
  const float high = 28 * s * fit, note_high = std::min(22 * s, high);
  if (on_way) on_way->places.at[{PlaceKind::RowGap}] = {0, 0, 0, 5 * s * fit};
  float label = 24 * s;
  for (const MemoryRow& row : m.hbm) label = std::max(label, draw::text_width(p.fonts.strong, row.label) + 8 * s);
  for (const MemoryRow& row : m.hbm) {
    const float middle = p.y + ((row.tiles.empty() ? note_high : high) / 2);
    draw::text(p.list, p.fonts.strong, p.x, middle - p.fonts.strong.size / 2, p.colours.muted, row.label);
    const auto put_label = [&](const std::string& id, const Font& font, float x, float wide) {
      f.ui.rects.put("hbm label " + id, {x, middle - font.em / 2, x + wide, middle + font.em / 2});
    };
    put_label(row.label, p.fonts.strong, p.x, draw::text_width(p.fonts.strong, row.label));
    std::string size = row.size;  // "needs 1.00 KiB a head", without its end where that does not fit
    const bool never = row.tiles.empty();
    const float note = never ? draw::text_width(p.fonts.body, row.note) + 6 * s : 0;
    const auto fits = [&] { return label + note + draw::text_width(p.fonts.mono_small, size) <= p.width; };
    if (const std::size_t end = size.find(" a head"); !fits() && end != std::string::npos) size.resize(end);
    if (never && !fits()) size = row.note;  // the words are more than the bytes
    const float size_left = p.x + p.width - draw::text_width(p.fonts.mono_small, size);
    draw::text(p.list, p.fonts.mono_small, size_left, middle - p.fonts.mono_small.size / 2, p.colours.muted, size);
    put_label("size of " + row.label, p.fonts.mono_small, size_left, p.x + p.width - size_left);
    if (never && size != row.note) {
      draw::text(p.list, p.fonts.body, p.x + label, middle - p.fonts.body.size / 2, p.colours.faint, row.note);
      put_label("note of " + row.label, p.fonts.body, p.x + label, note);
    }
    const ImU32 colour = hue(p.colours, row.tensor);
    float x = p.x + label;
    const float gap = 4 * s, left = size_left - 4 * s - x, wide = tile_width(p, row.tiles, left, gap);
    const std::vector<MemoryTile> tiles = tiles_that_fit(row.tiles, left, wide, 14 * s, gap);
    for (const MemoryTile& shown : tiles) {
      const draw::Rect r{x, p.y, x + (shown.tile < 0 ? 14 * s : wide), p.y + high};
      if (r.x1 > size_left - 3 * s) break;
      if (shown.tile < 0) {
        draw::text_in(p.list, p.fonts.body, r, p.colours.faint, "…");
      } else {
        if (on_way) on_way->places.at[{PlaceKind::HbmTile, int(row.tensor), 0, 0, shown.label}] = r;
        f.ui.rects.put("hbm tile " + shown.label, r);
        if (on_its_way(on_way, row.tensor, shown.label, false)) {
          if (shown.written_now > 0) draw_part(p, r, colour, shown.written - shown.written_now);
          draw_awaited(p.list, r, colour, 5 * s, s);
          x = r.x1 + gap;
          continue;
        }
        const bool lit = shown.state == MemoryTileState::OnChip;
        const float idle = f.session.state().started ? 0.70f : 0.25f;  // at first all that there is lies in HBM
        const ImU32 fill = lit                                         ? colour
                           : shown.state == MemoryTileState::Written   ? mix(colour, p.colours.panel, 0.22f)
                           : shown.state == MemoryTileState::Unwritten ? p.colours.quiet_fill
                                                                       : mix(colour, p.colours.panel, idle);
        const bool in_part = shown.written < 1;
        if (in_part) draw_part(p, r, colour, shown.written);
        draw::box(p.list, r, in_part ? 0 : fill, 5 * s,
                  shown.state == MemoryTileState::Unwritten ? p.colours.cell_line
                  : lit                                     ? p.colours.now_line
                                                            : 0,
                  lit ? 1.5f * s : draw::hairline());
        draw::text_in(p.list,
                      draw::text_width(p.fonts.caption, shown.label) < wide - 4 * s ? p.fonts.caption : p.fonts.tiny, r,
                      shown.state == MemoryTileState::Unwritten ? mix(p.colours.faint, p.colours.muted, 0.5f)
                      : in_part                                 ? p.colours.text
                      : shown.state == MemoryTileState::Idle    ? mix(ink_on(fill), fill, 0.25f)
                                                                : ink_on(fill),
                      shown.label);
      }
      x = r.x1 + gap;
    }
    const draw::Rect area{p.x, p.y, p.x + p.width, p.y + (row.tiles.empty() ? note_high : high)};
    if (pointed_at(f, "row " + row.label, area)) tooltip(f, row.help);
    p.y = area.y1 + 5 * s * fit;
  }
}

constexpr float kCorridor = 120, kLeastCorridor = 60;  // between the two memories, in design pixels

// What is left for it when the levels' one line, or all lines about a mistake, are kept; never less than the lines of
// the moves.
float corridor_height(const UiFrame& f, const Panel& p, float top) {
  const MemoryModel& m = f.views.page<WalkPage>()->memory;
  const std::optional<FaultModel>& fault = f.views.page<WalkPage>()->fault;
  const float apart = fault             ? fault_height(p, *fault)
                      : m.apart.empty() ? 0
                                        : 12 * p.s + 2 * draw::leading(p.fonts.body);
  const float room = p.rect.y1 - 12 * p.s - top - ImGui::GetScrollY() - sram_height(m, p) - 12 * p.s;
  const float wished = std::clamp(room - apart, kLeastCorridor * p.s, kCorridor * p.s);
  return std::max(moves_height(m, p), room >= kLeastCorridor * p.s ? wished : 0);
}

// "▼ K1 64 B", in lines, centred in the corridor.
void draw_moved(Panel& p, const MemoryModel& m, const draw::Rect& area, float y) {
  const float s = p.s, line = 20 * p.e;
  float total = -kBetweenMoves * s;
  for (const MemoryMove& move : m.moves) total += width_of(p, move) + kBetweenMoves * s;
  float x = p.x + std::max(0.0f, (p.width - total) / 2);
  for (const MemoryMove& move : m.moves) {
    if (x > p.x && x + width_of(p, move) > p.x + p.width + 1) x = p.x, y += line;
    if (y + line > area.y1 + 1) return;
    const ImU32 colour = letters_of(p.colours, move.tensor);
    draw::sign(p.list, move.to_sram ? draw::Sign::Down : draw::Sign::Up, {x, y, x + 14 * s, y + p.fonts.mono.size},
               colour, s);
    const float label = x + 18 * s, bytes = label + draw::text_width(p.fonts.mono_strong, move.label) + 6 * s;
    draw::text(p.list, p.fonts.mono_strong, label, y, colour, move.label);
    draw::text(p.list, p.fonts.mono, bytes, y, p.colours.text, move.bytes);
    x += width_of(p, move) + kBetweenMoves * s;
  }
}

// Between the two memories: what crosses, or that nothing does.
void draw_corridor(const UiFrame& f, Panel& p) {
  const MemoryModel& m = f.views.page<WalkPage>()->memory;
  const float s = p.s, line = 20 * p.e;
  const draw::Rect area{p.x, p.y, p.x + p.width, p.y + corridor_height(f, p, p.y)};
  f.ui.rects.put("corridor", area);
  p.y = area.y1 + 4 * s;
  const std::optional<Moving> on_way = moving(f);
  if (on_way) on_way->places.at[{PlaceKind::Corridor}] = {p.rect.x0, area.y0, p.rect.x1, area.y1};
  if (on_way && m.moves_now) return;  // moving tiles have their bytes beside them
  const std::string& note = m.so_far.empty() ? m.moves_note : m.so_far;
  if (m.moves_now)
    draw_moved(p, m, area, (area.y0 + area.y1 - line * lines_of_moves(p, m.moves)) / 2 + 2 * s);
  else if (!note.empty())
    draw_crossing_note(f, p, area, note);
  halo(f, p.list, "moves", {area.x0 - 5 * s, area.y0, area.x1 + 5 * s, area.y1 - 2 * s});
  if (pointed_at(f, "moves", area)) tooltip(f, m.moves_now ? "What this step moves between HBM and SRAM." : note);
}

// The bytes of SRAM, as far as they have landed.
std::int64_t bytes_on_chip(const std::optional<Moving>& m, const MemoryResident& r) {
  const double share = m ? m->motion.share_on_chip(r.tensor, r.tile, m->t) : 1;
  return share >= 1 ? r.bytes : std::int64_t(share * double(r.bytes));
}

// Outlines of what SRAM will hold, before the first step.
void draw_to_come(const UiFrame& f, Panel& p, const draw::Rect& room) {
  const MemoryModel& m = f.views.page<WalkPage>()->memory;
  if (m.to_come.empty()) return draw::text(p.list, p.fonts.body, room.x0, room.y0 + 6 * p.s, p.colours.faint, "empty");
  float x = room.x0, y = room.y0;
  for (const MemoryResident& r : m.to_come) {
    const float wide = width_of(p, r.label);
    if (x + wide > room.x1 && x > room.x0) x = room.x0, y += 32 * p.s;
    const draw::Rect box{x, y, x + wide, y + 27 * p.s};
    const ImU32 colour = mix(hue(p.colours, r.tensor), p.colours.raised, 0.35f);
    draw_awaited(p.list, box, colour, 5 * p.s, p.s);
    draw::text_in(p.list, p.fonts.strong, box, letters_of(p.colours, r.tensor), r.label);
    f.ui.rects.put("sram to come " + r.tile, box);
    x = box.x1 + 4 * p.s;
  }
}

void draw_sram(const UiFrame& f, Panel& p) {
  const std::optional<Moving> on_way = moving(f);
  const MemoryModel& m = f.views.page<WalkPage>()->memory;
  const float s = p.s, pad = 11 * s;
  const draw::Rect frame{p.x, p.y, p.x + p.width, p.y + sram_height(m, p)};
  draw::box(p.list, frame, p.colours.raised, 8 * s, mix(p.colours.border, p.colours.accent, 0.45f), 1.6f * s);
  halo(f, p.list, "sram", frame);
  bring_outlined_into_view(f, p, "sram", "hbm", frame);
  // The tiles are above the title, so that what falls into SRAM does not cross it.
  float y = frame.y0 + pad;
  float x = frame.x0 + pad;
  for (const MemoryResident& r : m.residents) {
    const float w = width_of(p, r.label);
    if (x + w > frame.x1 - pad && x > frame.x0 + pad) x = frame.x0 + pad, y += 32 * s;
    const ImU32 fill = hue(p.colours, r.tensor);
    const draw::Rect box{x, y, x + w, y + 27 * s};
    if (on_way) on_way->places.at[{PlaceKind::SramTile, int(r.tensor), 0, 0, r.tile}] = box;
    f.ui.rects.put("sram tile " + r.tile, box);
    if (on_its_way(on_way, r.tensor, r.tile, true)) {
      draw_awaited(p.list, box, fill, 5 * s, s);
      draw::text_in(p.list, p.fonts.strong, box, letters_of(p.colours, r.tensor), r.label);
    } else {
      draw::box(p.list, box, fill, 5 * s, r.fresh ? p.colours.now_line : 0, 1.5f * s);
      draw::text_in(p.list, p.fonts.strong, box, ink_on(fill), r.label);
    }
    if (pointed_at(f, "resident " + r.label, box))
      tooltip(f, r.label + ": " + std::to_string(r.bytes) + " bytes on chip\n" +
                     meanings(terms_in(r.label + ", " + tensor_title(r.tensor))));
    x = box.x1 + 4 * s;
  }
  const float next_x = std::min(x, frame.x1 - pad - 34 * s);  // of a tile without a place of its own
  if (on_way) on_way->places.at[{PlaceKind::SramTile, -1}] = {next_x, y, next_x + 34 * s, y + 27 * s};
  if (m.residents.empty() && !on_way) draw_to_come(f, p, frame.inset(pad));
  const float title = frame.y1 - (has_second_line(m) ? 2 : 1) * 17 * p.e - 28 * s;
  p.caption_at(frame.x0 + pad, title, title_that_fits(p, m.sram_title, frame.width() - 2 * pad),
               frame.width() - 2 * pad);
  f.ui.rects.put("sram title", {frame.x0 + pad, title, frame.x1 - pad, frame.y1});
  y = title - 13 * s;
  const draw::Rect bar{frame.x0 + pad, y, frame.x1 - pad, y + 7 * s};
  if (!m.sram_text.empty()) draw::box(p.list, bar, p.colours.dark ? p.colours.button : p.colours.track, 3 * s);
  float at = bar.x0;
  std::int64_t landed = 0;
  for (const MemoryResident& r : m.residents) {
    const std::int64_t bytes = bytes_on_chip(on_way, r);
    landed += bytes;
    const float share = float(r.share) * (r.bytes > 0 ? float(bytes) / float(r.bytes) : 1),
                next = std::min(bar.x1, at + share * bar.width());
    draw::box(p.list, {at, bar.y0, next, bar.y1}, hue(p.colours, r.tensor), 0);
    at = next;
  }
  if (m.too_large) draw::box(p.list, bar, p.colours.bad, 3 * s);
  std::string text = m.sram_text;
  if (const std::size_t of = text.find(" of "); landed != m.filled_bytes && of != std::string::npos)
    text = format_bytes(landed) + text.substr(of);
  f.ui.rects.put("sram bytes " + std::to_string(landed), bar);
  const std::size_t cut = text.find("; ");
  const ImU32 ink = m.too_large ? p.colours.bad : p.colours.muted;
  const std::string lines[] = {text.substr(0, cut), cut == std::string::npos ? "" : text.substr(cut + 2)};
  for (int i = 0; i < 2; ++i)
    draw::text(p.list, p.fonts.mono_small, bar.x0, title + 18 * s + float(i) * 17 * p.e, ink,
               draw::elided(p.fonts.mono_small, lines[i], bar.width()));
  p.y = frame.y1 + 12 * s;
}

float paragraph_height(const Panel& p, const std::string& text, float width) {
  return draw::paragraph(nullptr, p.fonts.body, p.fonts.mono_small, 0, 0, width, 0, text);
}

// The purpose and the cost of the step, where the two memories leave room for the longest of them: the sentence and the
// arithmetic say the same at length.
void draw_this_step(const UiFrame& f, Panel& p) {
  const MemoryModel& m = f.views.page<WalkPage>()->memory;
  // By the width beside a scroll bar: else the bar would come and go, frame after frame.
  const float width = kept_width(p);
  float most = paragraph_height(p, m.purpose, width);
  for (const std::string& purpose : m.room.purposes) most = std::max(most, paragraph_height(p, purpose, width));
  const float two_lines = 2 * draw::leading(p.fonts.body);
  if (p.rect.y1 - 10 * p.s - p.y - ImGui::GetScrollY() < 36 * p.s + most + 3 * p.s + two_lines) return;
  p.y += 12 * p.s;
  p.caption("This step");
  p.y -= 4 * p.s;
  draw::paragraph(p.list, p.fonts.body, p.fonts.mono_small, p.x, p.y, p.width, p.colours.text, m.purpose);
  f.ui.rects.put("this step", {p.x, p.y, p.x + p.width, p.y + most});
  p.y += most + 3 * p.s;
  draw::paragraph(p.list, p.fonts.body, p.fonts.mono_small, p.x, p.y, p.width, p.colours.muted, m.cost);
  p.y += two_lines;
}

// Size and speed of the memories where there is space: with a caption, without, or how far apart they are alone.
void draw_levels(const UiFrame& f, Panel& p) {
  const MemoryModel& m = f.views.page<WalkPage>()->memory;
  if (m.levels_title.empty()) return;
  const std::string* const texts[] = {&m.hbm_level, &m.sram_level, &m.apart};
  const float width = kept_width(p);
  float all = 0;
  for (const std::string* text : texts) all += paragraph_height(p, *text, width);
  const float room = p.rect.y1 - 12 * p.s - p.y - ImGui::GetScrollY() - 12 * p.s, caption = 26 * p.s;
  if (room < paragraph_height(p, m.apart, width)) return;
  p.y += 12 * p.s;
  if (room >= caption + all) {
    p.caption(m.levels_title);
    p.y -= 4 * p.s;
  }
  for (const std::string* text : texts)
    if (room >= all || text == &m.apart)
      p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.mono_small, p.x, p.y, p.width,
                             text == &m.apart ? p.colours.muted : p.colours.text, *text);
  const draw::Rect at{p.x, p.y - std::min(all, room), p.x + p.width, p.y};
  f.ui.rects.put(room >= all ? "levels" : "apart", at);
  if (!m.sram_tip.empty() && pointed_at(f, "levels", at)) tooltip(f, m.sram_tip);
}

}  // namespace

void draw_memory_panel(const UiFrame& f, Panel& p) {
  const MemoryModel& m = f.views.page<WalkPage>()->memory;
  p.caption(title_that_fits(p, m.hbm_title, p.width));
  const float top = p.y;
  draw_rows(f, p);
  halo(f, p.list, "hbm", {p.x - 5 * p.s, top - 2 * p.s, p.x + p.width + 5 * p.s, p.y});
  draw_corridor(f, p);
  draw_sram(f, p);
  // A mistake's explanation comes before the words about the step, so that it needs no scrolling.
  if (const std::optional<FaultModel>& fault = f.views.page<WalkPage>()->fault) {
    draw_fault(f, p, *fault);
    if (p.y < p.rect.y1 - 60 * p.s) draw_this_step(f, p);
    return;
  }
  if (shows_tour_card(f) && !opens_with_card(f)) draw_what_attention_is(f, p);
  draw_levels(f, p);
  draw_this_step(f, p);
}

}  // namespace tilewalk
