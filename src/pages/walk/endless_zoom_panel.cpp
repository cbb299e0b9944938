// The zoom out of one tile: the picture, to scale, and beside it the figure of the current square and the list of all
// squares. In a panel that is not wide the words are above the picture, and there is no list.
#include <algorithm>
#include <cmath>

#include "pages/walk/walk_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

constexpr float kWide = 1.25f;         // width over height from which the words are beside the picture
constexpr float kMargin = 8;           // design pixels left of column 0 and above row 0
constexpr float kLeastPitch = 11;      // design pixels between two lines of the grid
constexpr int kFinerBy = 4;            // cells of one grid in a cell of the next
constexpr float kLeastLabelled = 120;  // design pixels of a square's side

constexpr float kSkippedCover = 0.72f;  // of the track over what the mask skips

ImU32 kept_fill(const Panel& p, const EndlessZoomModel& m, std::size_t level) {
  const float share = 0.10f + 0.30f * float(m.levels.size() - 1 - level) / float(m.levels.size());
  const ImU32 fill = mix(p.colours.panel, hue(p.colours, TensorId::S), share);
  return level == m.at ? mix(fill, p.colours.accent, 0.45f) : fill;
}

ImU32 skipped_fill(const Panel& p, ImU32 kept) { return mix(kept, p.colours.track, kSkippedCover); }

// The level whose fill the legend shows: the current one, or the smallest around a tile, which has no fill.
std::size_t legend_level(const EndlessZoomModel& m) {
  std::size_t level = m.at;
  while (level + 1 < m.levels.size() && m.levels[level].on_chip) ++level;
  return level;
}

class ZoomPicture {
 public:
  ZoomPicture(const UiFrame& frame, Panel& panel, const EndlessZoomModel& model, const draw::Rect& area)
      : f(frame),
        p(panel),
        m(model),
        v(area),
        s(panel.s),
        o_{area.x0 + kMargin * panel.s, area.y0 + kMargin * panel.s, area.x1, area.y1},
        cell_(double(o_.width()) / model.extent) {}

  void draw() {
    p.list->PushClipRect(v.min(), v.max(), true);
    draw::box(p.list, v, p.colours.track, 0);
    for (std::size_t i = m.levels.size(); i-- > 0;)
      if (!m.levels[i].on_chip) area_of(i);
    grid();
    if (m.diagonal) above_diagonal();
    for (std::size_t i = m.levels.size(); i-- > 0;) border_of(m.levels[i]);
    for (std::size_t i = 0; i < m.levels.size(); ++i)
      if (!m.levels[i].on_chip) label_of(i);
    callouts();
    p.list->PopClipRect();
    draw::box(p.list, v, 0, 0, p.colours.border);
    f.ui.rects.put("picture", o_);
    steer();
  }

 private:
  // Lengths far beyond the picture are cut: what is drawn there is clipped anyway.
  float px(double cells) const { return float(std::min(cells * cell_, 4.0 * double(v.width()))); }
  draw::Rect place(const ZoomSquare& square) const {
    return {o_.x0, o_.y0, o_.x0 + px(double(square.cols)), o_.y0 + px(double(square.rows))};
  }

  void area_of(std::size_t i) const { draw::box(p.list, place(m.levels[i].square), kept_fill(p, m, i), 0); }

  void border_of(const ZoomLevel& level) const {
    const draw::Rect r = place(level.square);
    if (level.on_chip) {
      if (level.square.kind == ZoomSquareKind::Tile) cells_of(r, level.square);
      draw::box(p.list, r, 0, 0, p.colours.now_line, 2 * s);
    } else if (m.written) {
      draw::box(p.list, r, 0, 0, p.colours.text);
    } else if (&level == &m.levels[m.at]) {
      draw::box(p.list, r, 0, 0, p.colours.accent, 2 * s);
    } else {
      draw::dashed(p.list, r, p.colours.muted, {.length = 5 * s});
    }
    if (r.width() > 3 * s) f.ui.rects.put("square " + level.name, r);
  }

  // The scores of the tile, one by one while they are large enough.
  void cells_of(const draw::Rect& r, const ZoomSquare& square) const {
    if (cell_ < 6 * s) return;
    const ImU32 kept = kept_fill(p, m, legend_level(m)), skipped = skipped_fill(p, kept);
    for (std::int64_t i = 0; i < square.rows; ++i)
      for (std::int64_t j = 0; j < square.cols; ++j) {
        const draw::Rect cell{r.x0 + px(double(j)), r.y0 + px(double(i)), r.x0 + px(double(j + 1)),
                              r.y0 + px(double(i + 1))};
        draw::box(p.list, cell.inset(std::min(3 * s, float(cell_) * 0.06f)), m.diagonal && j > i ? skipped : kept,
                  3 * s, p.colours.row_line);
      }
  }

  void grid() const {
    const ZoomSquare& last = m.levels.back().square;
    const float least = kLeastPitch * s;
    for (double pitch = 1; pitch < double(last.side()); pitch *= kFinerBy) {
      if (px(pitch) < least || px(pitch) > v.width()) continue;
      const float strength = std::clamp((px(pitch) - least) / (12 * least), 0.05f, 0.5f);
      const ImU32 ink = with_alpha(p.colours.muted, strength);
      const float right = std::min(o_.x1, o_.x0 + px(double(last.cols))),
                  low = std::min(o_.y1, o_.y0 + px(double(last.rows)));
      for (float at = px(pitch); o_.x0 + at < right; at += px(pitch))
        p.list->AddLine(ImVec2(o_.x0 + at, o_.y0 + (m.diagonal ? at : 0)), ImVec2(o_.x0 + at, low), ink,
                        draw::hairline());
      for (float at = px(pitch); o_.y0 + at < low; at += px(pitch))
        p.list->AddLine(ImVec2(o_.x0, o_.y0 + at), ImVec2(m.diagonal ? std::min(right, o_.x0 + at) : right, o_.y0 + at),
                        ink, draw::hairline());
    }
  }

  void above_diagonal() const {
    const float whole = std::min(px(double(m.levels.back().square.side())), 2 * v.width());
    const ImVec2 corner = o_.min(), right(o_.x0 + whole, o_.y0), end(o_.x0 + whole, o_.y0 + whole);
    p.list->AddTriangleFilled(corner, right, end, with_alpha(p.colours.track, kSkippedCover));
    p.list->AddLine(corner, end, with_alpha(p.colours.muted, 0.6f), draw::hairline());
  }

  // At the lower left, in the part that no smaller square covers.
  void label_of(std::size_t i) const {
    const ZoomLevel& level = m.levels[i];
    const draw::Rect r = place(level.square);
    const bool at_hand = i == m.at;
    const Font &sides = at_hand ? p.fonts.title : p.fonts.strong, &size = at_hand ? p.fonts.strong : p.fonts.tiny;
    const std::string words = level.size + (m.written ? ", written and read back" : ", never written");
    const float pad = 10 * s, lines = draw::leading(sides) + draw::leading(size);
    const std::string brief = level.square.kind == ZoomSquareKind::Walk ? level.name + ", " + level.sides : level.sides,
                      whole = "one head: " + level.sides + " scores";
    const bool in_full = draw::text_width(sides, whole) + 2 * pad <= r.width();
    const std::string& name = in_full ? whole : brief;
    const float wide = std::max(draw::text_width(sides, name), draw::text_width(size, words));
    float inner = 0;
    for (std::size_t j = 0; j < i; ++j) inner = std::max(inner, place(m.levels[j].square).y1);
    const float top = r.y1 - pad - lines;
    const bool fits =
        r.width() >= kLeastLabelled * s && r.y1 <= v.y1 + 1 && top >= inner + 2 * s && wide + 2 * pad <= r.width();
    if (!fits) return;
    draw::box(p.list, {r.x0 + pad / 2, top - 3 * s, r.x0 + pad + wide + pad / 2, r.y1 - pad / 2},
              with_alpha(p.colours.panel, 0.8f), 5 * s);
    draw::text(p.list, sides, r.x0 + pad, top, p.colours.text, name);
    draw::text(p.list, size, r.x0 + pad, top + draw::leading(sides), at_hand ? p.colours.text : p.colours.muted, words);
    f.ui.rects.put("label " + level.name, {r.x0 + pad, top, r.x0 + pad + draw::text_width(sides, name), r.y1 - pad});
  }

  // The tiles, which exist: named at the upper right, with a line to each, however small it is.
  void callouts() const {
    const float pad = 9 * s, gap = 8 * s, high = draw::leading(p.fonts.strong) + draw::leading(p.fonts.tiny) + pad;
    float y = v.y0 + 14 * s;
    for (const ZoomLevel& level : m.levels) {
      if (!level.on_chip) continue;
      const draw::Rect square = place(level.square);
      if (level.square.kind == ZoomSquareKind::KernelTile && square.width() > 2 * v.width()) continue;
      const std::string words = "one visit: " + level.sides + " · " + level.size + ", exists";
      const float wide =
          std::max(draw::text_width(p.fonts.strong, level.name), draw::text_width(p.fonts.tiny, words)) + 2 * pad;
      const draw::Rect box{v.x1 - 14 * s - wide, y, v.x1 - 14 * s, y + high};
      const ImVec2 to(std::min(square.x1, box.x0 - 6 * s), std::clamp((box.y0 + box.y1) / 2, v.y0, square.y1)),
          from(box.x0, (box.y0 + box.y1) / 2);
      if (to.x < box.x0 - 8 * s) p.list->AddLine(from, to, p.colours.now_line, 1.4f * s);
      if (square.width() < 12 * s) p.list->AddCircle(to, 5 * s, p.colours.now_line, 24, 1.6f * s);
      draw::box(p.list, box, p.colours.raised, 6 * s, p.colours.now_line);
      draw::text(p.list, p.fonts.strong, box.x0 + pad, y + pad / 2, p.colours.text, level.name);
      draw::text(p.list, p.fonts.tiny, box.x0 + pad, y + pad / 2 + draw::leading(p.fonts.strong), p.colours.text,
                 words);
      f.ui.rects.put("callout " + level.name, box);
      y = box.y1 + gap;
    }
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

void draw_close(const UiFrame& f, const Panel& p, float right, float y) {
  const float s = p.s;
  if (is_post_layout(f.layout)) return;  // nobody can click a picture
  if (button(f, {.id = "close",
                 .rect = {right - 22 * s, y - 4 * s, right, y + 18 * s},
                 .label = "",
                 .tip = "Back to the walk (Esc)",
                 .sign = draw::Sign::Cross}))
    f.push(Action::EndlessZoom);
}

float lines(const Panel& p, const Font& font, float x, float y, float room, ImU32 ink, const std::string& text) {
  return text.empty() ? 0 : draw::paragraph(p.list, font, p.fonts.tiny, x, y, room, ink, text);
}

// What the two fills and the outline of the picture mean. Returns the lower end.
float draw_legend(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, float left, float y, float room) {
  const float s = p.s, sign = p.fonts.tiny.size, high = draw::leading(p.fonts.tiny);
  const ImU32 kept = kept_fill(p, m, legend_level(m));
  float x = left;
  const auto item = [&](const std::string& words, ImU32 fill, ImU32 border) {
    const float wide = sign + 6 * s + draw::text_width(p.fonts.tiny, words);
    if (x > left && x + wide > left + room) x = left, y += high;
    draw::box(p.list, {x, y, x + sign, y + sign}, fill, 0, border, border == p.colours.now_line ? 2 * s : 1);
    draw::text(p.list, p.fonts.tiny, x + sign + 6 * s, y, p.colours.text, words);
    f.ui.rects.put("legend " + words, {x, y, x + wide, y + high});
    x += wide + 16 * s;
  };
  item(m.diagonal ? "kept by the mask" : "scores", kept, p.colours.row_line);
  if (m.diagonal) item("skipped by the mask", skipped_fill(p, kept), p.colours.row_line);
  item("tile on chip", 0, p.colours.now_line);
  return y + high;
}

// The figure of the current square, and that of the tile. Returns the lower end.
float draw_figures(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, float x, float y, float room) {
  const float s = p.s, wide = draw::text_width(p.fonts.figure, m.figure);
  draw::text(p.list, p.fonts.figure, x, y, p.colours.text, m.figure);
  f.ui.rects.put("figure", {x, y, x + wide, y + p.fonts.figure.size});
  const float words = draw::text_width(p.fonts.title, m.figure_words);
  if (wide + 12 * s + words <= room) {
    draw::text(p.list, p.fonts.title, x + wide + 12 * s, y + p.fonts.figure.size * 0.80f - p.fonts.title.size * 0.80f,
               p.colours.text, m.figure_words);
    y += p.fonts.figure.size + 4 * s;
  } else {
    y += p.fonts.figure.size;
    y += lines(p, p.fonts.title, x, y, room, p.colours.text, m.figure_words);
  }
  y += lines(p, p.fonts.body, x, y, room, p.colours.muted, m.figure_detail);
  if (m.tile_figure.empty()) return y;
  y += 8 * s;
  const float tile = draw::text_width(p.fonts.title, m.tile_figure) + 10 * s, top = y;
  draw::text(p.list, p.fonts.title, x, y, p.colours.accent, m.tile_figure);
  y += std::max(draw::leading(p.fonts.title),
                lines(p, p.fonts.body, x + tile, y + (draw::leading(p.fonts.title) - draw::leading(p.fonts.body)) / 2,
                      room - tile, p.colours.text, m.tile_words));
  f.ui.rects.put("tile figure", {x, top, x + room, y});
  return y;
}

// The bars' axis of bytes, above them, with a line down to them for each mark. A mark too near to the end has no words.
void draw_ticks(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, float left, float right, float y,
                float bottom) {
  const Font& font = p.fonts.tiny;
  const float wide = right - left, top = y + draw::leading(font);
  float free = right + 1;
  for (std::size_t i = m.ticks.size(); i-- > 0;) {
    const ZoomTick& tick = m.ticks[i];
    const float x = left + wide * float(tick.share), words = draw::text_width(font, tick.text);
    p.list->AddLine(ImVec2(x, top), ImVec2(x, bottom), p.colours.row_line, draw::hairline());
    const float at = std::clamp(x - words / 2, left, right - words);
    if (at + words > free) continue;
    draw::text(p.list, font, at, y, p.colours.muted, tick.text);
    f.ui.rects.put("tick " + tick.text, {at, y, at + words, top});
    free = at - 8 * p.s;
  }
}

// One row a square, largest first, as in the picture from the outside in. A click moves the camera there.
void draw_levels(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, const draw::Rect& area) {
  const float s = p.s, least = draw::leading(p.fonts.body) + 4 * s;
  // In little space only those around the current square.
  const float rows = area.height() - draw::leading(p.fonts.tiny) - 3 * s;
  const std::size_t count = std::clamp<std::size_t>(std::size_t(std::max(1.0f, rows / least)), 1, m.levels.size());
  const std::size_t first = std::min(m.at > count / 2 ? m.at - count / 2 : 0, m.levels.size() - count);
  const float high = std::min(46 * s, rows / float(count));
  const float axis = draw::leading(p.fonts.tiny) + 3 * s;
  draw_ticks(f, p, m, area.x0 + 4 * s, area.x1 - 4 * s, area.y0, area.y0 + axis + high * float(count) - 2 * s);
  float y = area.y0 + axis;
  for (std::size_t i = first + count; i-- > first;) {
    const ZoomLevel& level = m.levels[i];
    const draw::Rect r{area.x0, y, area.x1, y + high - 2 * s};
    const Hit h = hit(f, "level " + level.name, r);
    const bool at_hand = i == m.at;
    if (at_hand || h.hovered)
      draw::box(p.list, r, at_hand ? p.colours.tab : p.colours.button_hover, 5 * s, at_hand ? p.colours.accent : 0);
    const float middle = (r.y0 + r.y1 - 4 * s) / 2, left = r.x0 + 10 * s, right = r.x1 - 10 * s;
    const draw::Rect bar{r.x0 + 4 * s, r.y1 - 5 * s, r.x0 + 4 * s + (r.width() - 8 * s) * float(level.share),
                         r.y1 - 2 * s};
    draw::box(p.list, bar, level.on_chip || at_hand ? p.colours.accent : p.colours.muted, 1.5f * s);
    f.ui.rects.put("bar " + level.name, bar);
    const ImU32 ink = level.on_chip ? p.colours.accent : p.colours.text;
    draw::text(p.list, at_hand ? p.fonts.strong : p.fonts.body, left, middle - p.fonts.body.size / 2, ink, level.name);
    draw::text_right(p.list, p.fonts.mono, right, middle - p.fonts.mono.size / 2, p.colours.text, level.size);
    const std::string between = level.square.kind == ZoomSquareKind::Length ? level.memory : level.sides;
    const float from = left + draw::text_width(p.fonts.strong, level.name) + 12 * s,
                to = right - draw::text_width(p.fonts.mono, "64.0 KiB") - 14 * s;
    if (draw::text_width(p.fonts.tiny, between) <= to - from)
      draw::text_right(p.list, p.fonts.tiny, to, middle - p.fonts.tiny.size / 2, p.colours.muted, between);
    if (h.hovered) tooltip(f, level.sides + ", " + level.size + ": " + level.memory);
    if (h.clicked) f.push(MoveZoom{level.square.t});
    y += high;
  }
}

float high_of_button(const Panel& p) { return std::max(30 * p.s, p.fonts.strong.em + 12 * p.s); }

void draw_play(const UiFrame& f, const Panel& p, const EndlessZoomModel& m, float x, float y, float right) {
  const float s = p.s;
  const std::string label = m.moves ? "Pause" : m.t >= 1 ? "Play again" : "Zoom out";
  const draw::Rect r{x, y, x + button_width(p.theme, "Play again", 30), y + high_of_button(p)};
  if (button(f, {.id = "play", .rect = r, .label = label, .tip = "Space", .strong = true})) f.push(Action::PlayPause);
  const std::string_view keys = "← → squares  ·  wheel  ·  Esc back";
  if (r.x1 + 12 * s + draw::text_width(p.fonts.tiny, keys) <= right)
    draw::text_right(p.list, p.fonts.tiny, right, (r.y0 + r.y1 - p.fonts.tiny.size) / 2, p.colours.muted, keys);
}

void draw_wide(const UiFrame& f, Panel& p, const EndlessZoomModel& m, float bottom) {
  const float s = p.s, high = bottom - p.y, gap = 24 * s;
  const float least = std::min(300 * p.e, p.width * 0.5f);  // for the words
  const float side = std::floor(std::min(high, p.width - gap - least));
  ZoomPicture(f, p, m, {p.x, p.y, p.x + side, p.y + side}).draw();
  const float x = p.x + side + gap, right = p.x + p.width, room = right - x;
  float y = p.y;
  p.caption_at(x, y, m.title, room - 30 * s);
  draw_close(f, p, right, y);
  y += 28 * s;
  y = draw_figures(f, p, m, x, y, room) + 10 * s;
  y = draw_legend(f, p, m, x, y, room) + 12 * s;
  const float play = bottom - high_of_button(p);
  const float most = 46 * s * float(m.levels.size()) + draw::leading(p.fonts.tiny) + 3 * s,
              scale = draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, room, 0, m.scale);
  const bool says_scale = play - 12 * s - y >= 22 * s * float(m.levels.size()) + scale + 10 * s;
  const float end = play - 12 * s - (says_scale ? scale + 10 * s : 0);
  draw_levels(f, p, m, {x, y, right, std::min(end, y + most)});
  if (says_scale) lines(p, p.fonts.tiny, x, std::min(end, y + most) + 8 * s, room, p.colours.muted, m.scale);
  draw_play(f, p, m, x, play, right);
}

void draw_upright(const UiFrame& f, Panel& p, const EndlessZoomModel& m, float bottom) {
  const float s = p.s, right = p.x + p.width;
  draw_close(f, p, right, p.y);
  float y = draw_figures(f, p, m, p.x, p.y, p.width - 34 * s) + 8 * s;
  y = draw_legend(f, p, m, p.x, y, p.width) + 10 * s;
  const float side = std::floor(std::min(p.width, bottom - y)), x = p.x + std::floor((p.width - side) / 2);
  ZoomPicture(f, p, m, {x, y, x + side, y + side}).draw();
}

}  // namespace

void draw_endless_zoom_panel(const UiFrame& f, Panel& p) {
  const EndlessZoomModel& m = *f.views.page<WalkPage>()->endless_zoom;
  const float bottom = p.rect.y1 - 12 * p.s;
  if (p.width >= kWide * (bottom - p.y))
    draw_wide(f, p, m, bottom);
  else
    draw_upright(f, p, m, bottom);
}

}  // namespace tilewalk
