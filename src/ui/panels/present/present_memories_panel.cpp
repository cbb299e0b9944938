// HBM above SRAM; what crosses is named between them, and its tiles are outlined in both.
#include <algorithm>
#include <tuple>

#include "base/units.h"
#include "base/words.h"
#include "ui/mistake_marks.h"
#include "ui/panels/present/present_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr float kHighestChip = 1.4f;  // in widths of a tile

struct Chip {
  draw::Rect at;
  TensorId tensor{};
  std::string label;
  bool there = true;  // false: in HBM, not written yet
};

bool crosses(const PresentMemories& m, const Chip& chip, bool in_sram) {
  return std::any_of(m.moves.begin(), m.moves.end(), [&](const MemoryMove& move) {
    return move.tensor == chip.tensor && (in_sram ? move.label : move.in_hbm) == chip.label;
  });
}

// A tile that is stored and not in HBM yet: it is on its way, and so not in its place too.
bool has_left_sram(const PresentPen& p, const Chip& chip) {
  if (!p.moving) return false;
  const std::vector<MovingTile>& all = p.moving->motion.tiles;
  return std::any_of(all.begin(), all.end(), [&](const MovingTile& tile) {
    return !tile.to_sram && tile.tensor == chip.tensor && tile.label == chip.label &&
           tile.crossing.is_under_way(p.moving->t);
  });
}

// What a deliberate mistake made wrong in that tile is on chip.
bool is_wrong(const PresentPen& p, const Chip& chip) {
  const std::vector<std::string>& wrong = p.m.memories.wrong;
  return shows_wrong(p) && std::any_of(wrong.begin(), wrong.end(), [&](const std::string& letter) {
           return chip.label.find(letter) != std::string::npos;
         });
}

// A frame with a cross, or where the result is right with "!", on its upper right corner.
void draw_ring_of_mistake(const PresentPen& p, const Chip& chip) {
  const ImU32 ink = ink_of_mistake(p.f, p.c);
  draw::box(p.list, chip.at, 0, 4 * p.s, ink, 3 * p.s);
  const float side = std::min(11 * p.s, 0.45f * chip.at.height());
  const draw::Rect corner{chip.at.x1 - 0.7f * side, chip.at.y0 - 0.3f * side, chip.at.x1 + 0.3f * side,
                          chip.at.y0 + 0.7f * side};
  draw::box(p.list, corner, p.c.panel, 2 * p.s, ink, p.s);
  draw::sign(p.list, sign_of_mistake(p.f), corner, ink, 0.06f * side);
  p.f.ui.rects.put("wrong " + chip.label, chip.at);
}

void draw_chip(const PresentPen& p, const Chip& chip, bool in_sram) {
  const ImU32 full = hue(p.c, chip.tensor), fill = chip.there ? full : mix(full, p.c.panel, 0.72f);
  if (p.moving)
    p.moving->places.at[{in_sram ? PlaceKind::SramTile : PlaceKind::HbmTile, int(chip.tensor), 0, 0, chip.label}] =
        chip.at;
  if (on_its_way(p.moving, chip.tensor, chip.label, in_sram)) {
    draw_awaited(p.list, chip.at, full, 4 * p.s, p.s);
    return;
  }
  const bool moves = crosses(p.m.memories, chip, in_sram);
  if (in_sram && moves && has_left_sram(p, chip)) {
    draw::box(p.list, chip.at, 0, 4 * p.s, mix(full, p.c.panel, 0.4f), draw::hairline());
    p.f.ui.rects.put("left " + chip.label, chip.at);
    return;
  }
  draw::box(p.list, chip.at, fill, 4 * p.s, moves ? p.c.now_line : 0, moves ? 2 * p.s : draw::hairline());
  const Font* font = draw::font_that_fits({&p.fonts.strong, &p.fonts.body, &p.fonts.caption, &p.fonts.tiny}, chip.label,
                                          chip.at.width() - 4 * p.s, 2 * chip.at.height());
  if (!font && draw::text_width(p.fonts.tiny, chip.label) < chip.at.width() - 1) font = &p.fonts.tiny;
  draw::text_in(p.list, font ? *font : p.fonts.body, chip.at, ink_on(fill),
                font ? chip.label : draw::elided(p.fonts.body, chip.label, chip.at.width()));
  if (in_sram && is_wrong(p, chip)) draw_ring_of_mistake(p, chip);
}

void draw_plane(const PresentPen& p, const draw::Rect& r, ImU32 fill, ImU32 line, const char* name) {
  draw::box(p.list, r, fill, 5 * p.s, line);
  draw::text(p.list, p.fonts.strong, r.x0 + 5 * p.s, r.y0 + (r.height() - p.fonts.strong.size) / 2, p.c.text, name);
}

// "64 B"; on its way "48 of 64 B".
std::string landed_bytes(const PresentPen& p, const MemoryMove& move) {
  if (!p.moving) return move.bytes;
  for (const MovingTile& tile : p.moving->motion.tiles)
    if (tile.tensor == move.tensor && tile.to_sram == move.to_sram && !tile.counting().has_landed(p.moving->t))
      return part_of_text(format_bytes(tile.bytes_landed(p.moving->t)), move.bytes);
  return move.bytes;
}

// "▼ K2: 48 of 64 B read", "K2: 48 of 64 B read", and "48 of 64 B read" beside the tile's lane.
enum class MoveWords { WithArrow, WithName, Brief };
std::string words_of(const MemoryMove& move, const std::string& bytes, MoveWords form = MoveWords::WithArrow) {
  std::string name = form == MoveWords::Brief ? "" : move.label + ": ";
  if (form == MoveWords::WithArrow) name = (move.to_sram ? "▼ " : "▲ ") + name;
  return name + bytes + (move.to_sram ? " read" : " written");
}

// The longest form that is no wider: each tile with its bytes, or their names alone: the sentence has their bytes.
std::string crossing_words(const PresentPen& p, float room) {
  const std::vector<MemoryMove>& moves = p.m.memories.moves;
  if (moves.empty()) return p.m.memories.so_far;
  std::string words, read, written;
  for (const MemoryMove& move : moves) {
    add_to_list(words, words_of(move, landed_bytes(p, move)), "   ");
    add_to_list(move.to_sram ? read : written, move.label);
  }
  if (draw::text_width(p.fonts.strong, words) <= room) return words;
  std::string names;
  if (!read.empty()) names = "▼ " + read + " read";
  if (!written.empty()) add_to_list(names, "▲ " + written + " written", "   ");
  return names;
}

struct Crossing {
  draw::Rect at;  // of the tile in SRAM: its lane is above it
  std::string label;
};

// The words of two tiles that cross are on the outer sides of their lanes, as wide as they get. Returns false where
// they have no room there.
bool draw_words_beside(const PresentPen& p, std::vector<Crossing> crossing, float left, float gap) {
  const std::vector<MemoryMove>& moves = p.m.memories.moves;
  if (moves.size() != 2 || crossing.size() != 2) return false;
  std::sort(crossing.begin(), crossing.end(), [](const Crossing& a, const Crossing& b) { return a.at.x0 < b.at.x0; });
  const auto move_of = [&](const Crossing& each) {
    return std::find_if(moves.begin(), moves.end(), [&](const MemoryMove& move) { return move.label == each.label; });
  };
  const auto first = move_of(crossing[0]), second = move_of(crossing[1]);
  if (first == moves.end() || second == moves.end()) return false;
  const draw::Rect& between = p.at.between;
  const Font& font = p.fonts.strong;
  MoveWords form = MoveWords::WithArrow;
  const auto widest = [&](const MemoryMove& move) {
    return draw::text_width(font, words_of(move, part_of_text(move.bytes, move.bytes), form));
  };
  const auto has_room = [&] {
    return crossing[0].at.x0 - gap - widest(*first) >= left && crossing[1].at.x1 + gap + widest(*second) <= between.x1;
  };
  if (!has_room()) form = MoveWords::WithName;
  if (!has_room()) form = MoveWords::Brief;
  if (!has_room()) return false;
  const float end = crossing[0].at.x0 - gap, begin = crossing[1].at.x1 + gap, y = between.middle().y - font.size / 2;
  const std::string words[] = {words_of(*first, landed_bytes(p, *first), form),
                               words_of(*second, landed_bytes(p, *second), form)};
  draw::text_right(p.list, font, end, y, letters_of(p.c, first->tensor), words[0]);
  draw::text(p.list, font, begin, y, letters_of(p.c, second->tensor), words[1]);
  p.f.ui.rects.put("crossing words", {end - draw::text_width(font, words[0]), between.y0, end, between.y1});
  p.f.ui.rects.put("crossing words 2", {begin, between.y0, begin + draw::text_width(font, words[1]), between.y1});
  return true;
}

// Right of all that crosses, else left of it, so that nothing falls over the words.
float words_left(const std::vector<draw::Rect>& crossing, float left, float right, float wide, float gap) {
  float least = right, most = left;
  for (const draw::Rect& r : crossing) least = std::min(least, r.x0), most = std::max(most, r.x1);
  if (crossing.empty() || left + wide + gap <= least) return left;
  return most + gap + wide <= right ? most + gap : left;
}

}  // namespace

void draw_present_memories(const PresentPen& p) {
  const PresentMemories& m = p.m.memories;
  const draw::Rect &hbm = p.at.hbm, &sram = p.at.sram;
  const float s = p.s, pad = 3 * s, left = hbm.x0 + p.at.memory_name, wide = hbm.x1 - pad - left;
  const float unit = std::min(wide / float(std::max(1.0, m.width())), 2.2f * p.at.line), gap = 3 * s;
  draw_plane(p, hbm, p.c.panel, p.c.cell_line, "HBM");
  draw_plane(p, sram, p.c.row_mark, p.c.accent, "SRAM");
  if (p.moving) p.moving->places.at[{PlaceKind::SramTile, -1}] = sram;
  const float high = std::min(std::min(hbm.height(), sram.height()) - 2 * pad, kHighestChip * unit);
  const auto place = [&](const draw::Rect& plane, float x, double tiles) {
    const float middle = (plane.y0 + plane.y1) / 2;
    return draw::Rect{x, middle - high / 2, x + unit * float(tiles) - gap, middle + high / 2};
  };
  float x = left;
  std::vector<draw::Rect> crossing;
  std::vector<Crossing> lanes;
  for (const PresentGroup& group : m.groups) {
    const float begin = x;
    std::vector<std::pair<std::string, float>> above;
    for (const MemoryTile& tile : group.tiles) {
      const double tiles = tile.tile < 0 ? kWidthOfFold : 1;
      const draw::Rect at = place(hbm, x, tiles);
      if (tile.tile < 0)
        draw::text_in(p.list, p.fonts.strong, at, p.c.muted, tile.label);
      else
        draw_chip(p, {at, group.tensor, tile.label, tile.state != MemoryTileState::Unwritten}, false);
      above.emplace_back(tile.label, x);
      x += unit * float(tiles);
    }
    for (std::size_t i = 0; i < group.on_chip.size(); ++i) {
      const auto same =
          std::find_if(above.begin(), above.end(), [&](const auto& tile) { return tile.first == group.on_chip[i]; });
      const Chip chip{place(sram, same == above.end() ? begin + unit * float(i) : same->second, 1), group.tensor,
                      group.on_chip[i]};
      if (crosses(m, chip, true)) {
        crossing.push_back(chip.at), lanes.push_back({chip.at, chip.label});
        p.f.ui.rects.put("lane " + chip.label, {chip.at.x0, p.at.between.y0, chip.at.x1, p.at.between.y1});
      }
      draw_chip(p, chip, true);
    }
    x = begin + unit * float(group.width() + (group.thin ? 0 : kBetweenGroups));
  }
  for (const MemoryResident& resident : m.only_on_chip) {
    draw_chip(p, {place(sram, x, 1), resident.tensor, resident.label}, true);
    x += unit;
  }
  p.f.ui.rects.put("memories", {hbm.x0, hbm.y0, hbm.x1, sram.y1});
  if (draw_words_beside(p, lanes, left, 12 * s)) return;
  const draw::Rect& between = p.at.between;
  const std::string words = crossing_words(p, between.x1 - left);
  const auto has_room = [&](const Font& font) {
    const float wide_in = draw::text_width(font, words), at = words_left(crossing, left, between.x1, wide_in, 12 * s);
    return std::none_of(crossing.begin(), crossing.end(),
                        [&](const draw::Rect& r) { return r.x0 < at + wide_in && at < r.x1; });
  };
  const Font& font = p.m.only_memories && has_room(p.fonts.large) ? p.fonts.large : p.fonts.strong;
  const float words_wide = draw::text_width(font, words),
              at = words_left(crossing, left, between.x1, words_wide, 12 * s);
  draw::text(p.list, font, at, between.y0 + (between.height() - font.size) / 2,
             m.moves.empty() ? p.c.muted : p.c.accent, draw::elided(font, words, between.x1 - at));
  p.f.ui.rects.put("crossing words", {at, between.y0, std::min(at + words_wide, between.x1), between.y1});
}

}  // namespace tilewalk
