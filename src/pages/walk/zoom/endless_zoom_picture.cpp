// The picture of the zoom: squares to scale, the tile at hand with its scores, and a wall of matrices.
#include <algorithm>
#include <cmath>

#include "pages/walk/zoom/zoom_parts.h"
#include "ui/matrix/number_block.h"

namespace tilewalk {
namespace {

constexpr float kLeastPitch = 11;      // design pixels between two lines of the grid
constexpr int kFinerBy = 4;            // cells of one grid in a cell of the next
constexpr float kLeastLabelled = 120;  // design pixels of a square's side
constexpr float kLeastLetters = 0.7f;  // of the small letters, for the name of a batch
constexpr float kLeastSlot = 12;       // design pixels of a matrix of the wall that is drawn by itself

constexpr float kSkippedCover = 0.72f;  // of the track over what the mask skips

class ZoomPicture {
 public:
  ZoomPicture(const UiFrame& frame, Panel& panel, const EndlessZoomModel& model, const draw::Rect& area)
      : f(frame),
        p(panel),
        m(model),
        v(area),
        s(panel.s),
        o_{area.x0 + kZoomMargin * panel.s, area.y0 + kZoomMargin * panel.s, area.x1, area.y1},
        cell_(double(o_.width()) / model.extent) {}

  void draw() {
    p.list->PushClipRect(v.min(), v.max(), true);
    draw::box(p.list, v, p.colours.track, 0);
    if (m.matrix + 1 < m.levels.size()) wall();
    for (std::size_t i = m.matrix + 1; i-- > 0;)
      if (!m.levels[i].on_chip) area_of(i);
    grid();
    if (m.call_diagonal) above_diagonal(place(m.levels[m.matrix]));
    for (const ZoomLevel& level : m.levels)
      if (level.square.kind == ZoomSquareKind::Walk && m.walk_diagonal && !m.call_diagonal)
        above_diagonal(place(level));
    for (std::size_t i = m.levels.size(); i-- > 0;) border_of(m.levels[i]);
    for (std::size_t i = 0; i < m.levels.size(); ++i)
      if (!m.levels[i].on_chip) label_of(i);
    if (px(1) >= 2 * s) score();
    end();
    p.list->PopClipRect();
    draw::box(p.list, v, 0, 0, p.colours.border);
    f.ui.rects.put("picture", o_);
    steer();
  }
  draw::Rect place(const ZoomLevel& level) const {
    return {at_col(double(level.col)), at_row(double(level.row)), at_col(double(level.col + level.square.cols)),
            at_row(double(level.row + level.square.rows))};
  }

 private:
  // Limits lengths far beyond the picture, where everything is clipped.
  float px(double cells) const { return float(std::min(cells * cell_, 4.0 * double(v.width()))); }
  float at_col(double col) const { return o_.x0 + far(col - m.col); }
  float at_row(double row) const { return o_.y0 + far(row - m.row); }
  float far(double cells) const {
    const double most = 4.0 * double(v.width());
    return float(std::clamp(cells * cell_, -most, most));
  }
  // Sides outside the picture come near to it, so that no dashes are drawn far from it.
  draw::Rect near_view(const draw::Rect& r) const {
    const float by = 10 * s;
    return {std::max(r.x0, v.x0 - by), std::max(r.y0, v.y0 - by), std::min(r.x1, v.x1 + by), std::min(r.y1, v.y1 + by)};
  }
  void area_of(std::size_t i) const { draw::box(p.list, place(m.levels[i]), kept_fill(p, m, i), 0); }

  // A line between two matrices takes its width from both.
  void wall() const {
    const double side = double(m.levels[m.matrix].square.side());
    const HeadsWall& w = m.wall;
    const ImU32 fill = kept_fill(p, m, m.matrix + 1);
    const float slot = px(side);
    if (slot * float(w.heads_across) < kLeastSlot * s) return draw::box(p.list, place(m.levels.back()), fill, 0);
    for (std::int64_t b = 0; b < w.batch; ++b) {
      const double left = double(b % w.batch_across * w.heads_across) * side,
                   top = double(b / w.batch_across * w.heads_down) * side;
      if (at_col(left) > v.x1 || at_row(top) > v.y1) continue;
      const draw::Rect block{at_col(left), at_row(top), at_col(left + double(w.heads_across) * side),
                             at_row(top + double(w.heads_down) * side)};
      if (slot < kLeastSlot * s) {
        draw::box(p.list, block.inset(draw::hairline()), fill, 0);
        continue;
      }
      for (std::int64_t h = 0; h < w.heads; ++h) slot_of(left, top, side, h, fill);
      draw::box(p.list, block, 0, 0, p.colours.text, 2 * draw::hairline());
    }
    if (slot >= kLeastSlot * s) name_batches();
  }

  // Right of the wall, a name for each row of its blocks: on two lines where one is too wide, and there smaller letters
  // if they must be.
  void name_batches() const {
    const HeadsWall& w = m.wall;
    const double side = double(m.levels[m.matrix].square.side());
    const float x = at_col(double(w.batch_across * w.heads_across) * side) + 4 * s, room = v.x1 - s - x;
    for (std::size_t i = 0; i < m.batches.size(); ++i) {
      const float y0 = at_row(double(std::int64_t(i) * w.heads_down) * side),
                  y1 = at_row(double(std::int64_t(i + 1) * w.heads_down) * side);
      std::string words = m.batches[i].words;
      Font font = p.fonts.tiny;
      if (draw::text_width(font, words) > room) {
        words.replace(words.find(' '), 1, "\n");
        const float share = std::max(kLeastLetters, std::min(1.0f, room / draw::widest_line(font, words)));
        font.size *= share, font.em *= share;
      }
      const std::size_t end = std::min(words.find('\n'), words.size());
      const float line = draw::leading(font), high = end < words.size() ? 2 * line : line, y = (y0 + y1 - high) / 2,
                  wide = draw::widest_line(font, words);
      if (wide > room + 1 || high > y1 - y0 || y + high > v.y1) continue;
      draw::text(p.list, font, x, y, p.colours.text, words.substr(0, end));
      if (end < words.size()) draw::text(p.list, font, x, y + line, p.colours.text, words.substr(end + 1));
      f.ui.rects.put(m.batches[i].words, {x, y, x + wide, y + high});
    }
  }

  void slot_of(double left, double top, double side, std::int64_t head, ImU32 fill) const {
    const ZoomSquare& one = m.levels[m.matrix].square;
    const double x = left + double(head % m.wall.heads_across) * side,
                 y = top + double(head / m.wall.heads_across) * side;
    const draw::Rect r{at_col(x), at_row(y), at_col(x + double(one.cols)), at_row(y + double(one.rows))};
    if (r.x0 > v.x1 || r.y0 > v.y1) return;
    draw::box(p.list, r.inset(draw::hairline()), fill, 0);
    if (m.call_diagonal) above_diagonal(r.inset(draw::hairline()));
  }

  void score() const {
    const ZoomLevel& one = m.levels.front();
    const draw::Rect r = place(one);
    draw_zoom_score(f, p, m.tile, r);
    draw::box(p.list, r, 0, 2 * s, p.colours.now_line, 2 * s);
    f.ui.rects.put("score", r);
  }

  // The last level in a few words over it, with a line from those of the tile to the tile.
  void end() const {
    if (m.end_words.empty()) return;
    const draw::Rect all = place(m.levels[m.at]);
    const float pad = 18 * s;
    const Font *large = &p.fonts.figure, *small = &p.fonts.large;
    const auto wide = [&] {
      return std::max(draw::text_width(*large, m.end_words), draw::text_width(*small, m.end_tile)) + 2 * pad;
    };
    if (wide() > all.width()) large = &p.fonts.title, small = &p.fonts.strong;
    if (wide() > all.width()) return;
    const float high = draw::leading(*large) + draw::leading(*small) + 2 * pad, x0 = (all.x0 + all.x1 - wide()) / 2,
                y0 = (all.y0 + all.y1 - high) / 2;
    const draw::Rect box{x0, y0, x0 + wide(), y0 + high};
    p.list->AddLine(all.min(), box.min(), p.colours.now_line, 2 * s);
    draw::box(p.list, box, p.colours.panel, 8 * s, p.colours.now_line, 2 * s);
    draw::text(p.list, *large, x0 + pad, y0 + pad, p.colours.text, m.end_words);
    draw::text(p.list, *small, x0 + pad, y0 + pad + draw::leading(*large), p.colours.accent, m.end_tile);
    f.ui.rects.put("end", box);
  }

  void border_of(const ZoomLevel& level) const {
    const draw::Rect r = place(level);
    if (level.square.kind == ZoomSquareKind::Score) return;
    const bool current = &level == &m.levels[m.at];
    if (!level.on_chip && !current && r.width() < kLeastBesideRing * s) return;
    if (level.on_chip) {
      if (level.square.kind == ZoomSquareKind::Tile) cells_of(r, level.square);
      draw::box(p.list, r, 0, 0, p.colours.now_line, 2 * s);
    } else if (m.written) {
      draw::box(p.list, r, 0, 0, p.colours.text);
    } else if (current) {
      draw::box(p.list, r, 0, 0, p.colours.accent, 2 * s);
    } else {
      draw::dashed(p.list, near_view(r), p.colours.muted, {.length = 5 * s});
    }
    if (r.width() > 3 * s) f.ui.rects.put("square " + level.name, r);
  }

  // The scores of the tile in the colours of the walk; numbers where all of them fit.
  void cells_of(const draw::Rect& r, const ZoomSquare& square) const {
    const ZoomTile& tile = m.tile;
    const float wide = px(double(std::min(square.cols, m.levels[m.matrix].square.cols))) / float(tile.cols),
                high = px(double(std::min(square.rows, m.levels[m.matrix].square.rows))) / float(tile.rows);
    if (std::min(wide, high) < 2) return;
    const float gap = std::min(wide, high) > 14 ? std::max(1.0f, s) : 0, round = gap > 0 ? 2 * s : 0;
    NumberStyle style;
    if (double(tile.cols) * double(tile.rows) == double(square.cols) * double(square.rows)) {
      std::vector<float> values;
      for (const ZoomCell& cell : tile.cells)
        if (!cell.masked && !cell.hidden) values.push_back(cell.value);
      style = number_style(f.session.problem(), values, wide, high,
                           {{&p.fonts.mono_large, 18 * s, 12 * s}, {&p.fonts.mono, 8 * s, 4 * s}});
    }
    for (std::int64_t i = 0; i < tile.rows; ++i)
      for (std::int64_t j = 0; j < tile.cols; ++j) {
        const draw::Rect cell = draw::Rect{r.x0 + wide * float(j), r.y0 + high * float(i), r.x0 + wide * float(j + 1),
                                           r.y0 + high * float(i + 1)}
                                    .inset(gap);
        if (cell.x0 > v.x1 || cell.y0 > v.y1 || cell.x1 < v.x0 || cell.y1 < v.y0) continue;
        const ZoomCell& score = tile.at(i, j);
        const ImU32 fill = score.masked || score.hidden
                               ? p.colours.masked
                               : viridis((score.value - tile.low) / std::max(1e-6f, tile.high - tile.low));
        draw::box(p.list, cell, fill, round);
        if (style.font && !score.masked)
          draw::text_in(p.list, *style.font, cell, ink_on(fill),
                        score.hidden ? "?" : style.of(f.session.problem(), score.value));
      }
  }

  void grid() const {
    const ZoomSquare& last = m.levels[m.matrix].square;
    const float least = kLeastPitch * s, right = std::min(o_.x1, at_col(double(last.cols))),
                low = std::min(o_.y1, at_row(double(last.rows))), left = std::max(v.x0, at_col(0)),
                top = std::max(v.y0, at_row(0));
    for (double pitch = 1; pitch < double(last.side()); pitch *= kFinerBy) {
      if (px(pitch) < least || px(pitch) > v.width()) continue;
      const float strength = std::clamp((px(pitch) - least) / (12 * least), 0.05f, 0.5f);
      const ImU32 ink = with_alpha(p.colours.muted, strength);
      for (double col = pitch * std::max(1.0, std::floor(m.col / pitch)); at_col(col) < right; col += pitch)
        p.list->AddLine(ImVec2(at_col(col), m.diagonal ? std::max(top, at_row(col)) : top), ImVec2(at_col(col), low),
                        ink, draw::hairline());
      for (double row = pitch * std::max(1.0, std::floor(m.row / pitch)); at_row(row) < low; row += pitch)
        p.list->AddLine(ImVec2(left, at_row(row)),
                        ImVec2(m.diagonal ? std::min(right, at_col(row)) : right, at_row(row)), ink, draw::hairline());
    }
  }

  // Far corners are in the same proportion on both axes, so that the diagonal keeps its place.
  void above_diagonal(const draw::Rect& r) const {
    const float side = std::min(r.width(), r.height());
    const ImVec2 corner = r.min(), right(r.x0 + side, r.y0), end(r.x0 + side, r.y0 + side);
    p.list->AddTriangleFilled(corner, right, end, with_alpha(p.colours.track, kSkippedCover));
    p.list->AddLine(corner, end, with_alpha(p.colours.muted, 0.6f), draw::hairline());
  }

  // At the lower left, in the part that no smaller square covers.
  void label_of(std::size_t i) const {
    const ZoomLevel& level = m.levels[i];
    const draw::Rect r = place(level);
    const bool at_hand = i == m.at;
    const Font &sides = at_hand ? p.fonts.title : p.fonts.strong, &size = at_hand ? p.fonts.strong : p.fonts.tiny;
    const std::string words = level.size + (m.written ? ", written and read back" : ", never written");
    const float pad = 10 * s, lines = draw::leading(sides) + draw::leading(size);
    const bool heads = level.square.kind == ZoomSquareKind::Heads;
    const std::string brief = level.square.kind == ZoomSquareKind::Walk ? level.name + ", " + level.sides : level.sides,
                      whole = heads ? level.sides : "one head: " + level.sides + " scores";
    const bool in_full = draw::text_width(sides, whole) + 2 * pad <= r.width();
    const std::string& name = in_full ? whole : brief;
    const float wide = std::max(draw::text_width(sides, name), draw::text_width(size, words));
    float inner = 0;  // only squares above the label leave it less room
    for (std::size_t j = 0; j < i; ++j)
      if (const draw::Rect other = place(m.levels[j]); other.x0 < r.x0 + pad + wide + pad / 2)
        inner = std::max(inner, other.y1);
    const float below = r.y1 + pad;  // of all heads, whose picture a label would cover
    const float top = heads && below + lines + pad / 2 <= v.y1 ? below : r.y1 - pad - lines;
    const float bottom = top + lines + pad / 2;
    const bool fits = r.width() >= kLeastLabelled * s && r.y1 <= v.y1 + 1 && bottom <= v.y1 && top >= inner + 2 * s &&
                      wide + 2 * pad <= r.width();
    if (!fits) return;
    draw::box(p.list, {r.x0 + pad / 2, top - 3 * s, r.x0 + pad + wide + pad / 2, bottom},
              with_alpha(p.colours.panel, 0.8f), 5 * s);
    draw::text(p.list, sides, r.x0 + pad, top, p.colours.text, name);
    draw::text(p.list, size, r.x0 + pad, top + draw::leading(sides), at_hand ? p.colours.text : p.colours.muted, words);
    f.ui.rects.put("label " + level.name, {r.x0 + pad, top, r.x0 + pad + draw::text_width(sides, name), top + lines});
  }

  void steer() const {
    const Hit h = hit(f, "zoom picture", v);
    const float wheel = ImGui::GetIO().MouseWheel;
    if (!h.hovered || wheel == 0) return;
    constexpr double kNotch = 0.5;  // doublings
    f.push(HoldZoom{std::clamp(m.t - double(wheel) * kNotch / m.doublings, 0.0, 1.0)});
  }

  const UiFrame& f;
  Panel& p;
  const EndlessZoomModel& m;
  const draw::Rect v;
  const float s;
  const draw::Rect o_;  // from row 0 and column 0 on
  const double cell_;   // pixels
};

}  // namespace

ImU32 kept_fill(const Panel& p, const EndlessZoomModel& m, std::size_t level) {
  const float share = 0.10f + 0.30f * float(m.levels.size() - 1 - level) / float(m.levels.size());
  const ImU32 fill = mix(p.colours.panel, hue(p.colours, TensorId::S), share);
  return level == m.at ? mix(fill, p.colours.accent, 0.45f) : fill;
}

ImU32 skipped_fill(const Panel& p, ImU32 kept) { return mix(kept, p.colours.track, kSkippedCover); }

std::size_t legend_level(const EndlessZoomModel& m) {
  std::size_t level = m.at;
  while (level + 1 < m.levels.size() && m.levels[level].on_chip) ++level;
  return level;
}

void draw_zoom_picture(const UiFrame& f, Panel& p, const EndlessZoomModel& m, const draw::Rect& area) {
  ZoomPicture(f, p, m, area).draw();
}

draw::Rect zoom_place(const UiFrame& f, Panel& p, const EndlessZoomModel& m, const draw::Rect& area,
                      const ZoomLevel& level) {
  return ZoomPicture(f, p, m, area).place(level);
}

}  // namespace tilewalk
