// The explanation of one row: its sentence, the bars of the keys under their tiles, ℓ and the row of O, and the buttons
// that move it. In little height the words beside ℓ and O go. In a tour the sentence is alone. When presenting, the
// bars have the height of the buttons: keys move the row.
#include <fmt/format.h>

#include <algorithm>

#include "pages/walk/walk_page.h"
#include "ui/controls.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

constexpr const char* kValues = "V, column 0";
constexpr float kLeastOfRow = 140;  // of the bars with their tiles, keys and V, in design pixels

class RowPen {
 public:
  RowPen(const UiFrame& frame, Panel& panel, const OneRowModel& model)
      : f(frame), p(panel), m(model), s(panel.s), left_(panel.x), right_(panel.x + panel.width) {}

  void draw() {
    heading();
    const float foot = shows_controls(f) ? bar() : p.rect.y1;
    const float y = words();
    const float row = std::max(26 * s, p.fonts.mono.em + 12 * s);
    one_line_ = foot - y < 300 * s;
    const float sums = one_line_ ? row : 2 * row + 8 * s;
    plot({left_, y, right_, foot - 12 * s - sums - 12 * s});
    const float sums_y = foot - 12 * s - sums;
    draw_lower(sums_y, row);
  }

 private:
  void heading() {
    const float dots_w = 26 * s * float(kRowScenes);
    const std::string title = (shows_tour_card(f) ? "FlashAttention, tile by tile · " : "") + m.title;
    p.caption_at(left_, p.y, title, right_ - left_ - 30 * s - dots_w);
    dots({right_ - dots_w, p.y - 4 * s, right_, p.y + 18 * s});
    p.y += 28 * s;
  }

  // The sentence, and the note where it has room below it. Each scene has the same space for them, so that the bars
  // stay where they are. Returns the lower end.
  float words() {
    const float wide = right_ - left_, gap = 7 * s;
    const Font &font = p.fonts.large, &small = p.fonts.tiny;  // the font of figures has neither ℓ nor α
    const float sentence = draw::paragraph(p.list, font, p.fonts.mono, left_, p.y, wide, p.colours.text, m.sentence);
    f.ui.rects.put("sentence", {left_, p.y, right_, p.y + sentence});
    const float note = draw::paragraph(nullptr, small, small, 0, 0, wide, 0, m.note), top = p.y + sentence + gap;
    float room = 2 * draw::leading(font);
    if (shows_controls(f)) room = std::max(room, draw::leading(font) + gap + 2 * draw::leading(small));
    if (shows_controls(f) && !m.headline_alone && sentence + gap + note <= room) {
      draw::paragraph(p.list, small, small, left_, top, wide, p.colours.muted, m.note);
      f.ui.rects.put("note", {left_, top, right_, top + note});
    }
    return p.y + std::max(sentence, room) + 6 * s;
  }

  // What the bars show, below their keys. Returns the lower end of what is above it.
  float say_what_is_seen(const draw::Rect& r, float left) {
    const float high = draw::leading(p.fonts.body) + 4 * s;
    if (r.height() - high < kLeastOfRow * s || draw::text_width(p.fonts.body, m.seen) > r.x1 - left) return r.y1;
    if (m.headline_alone) return r.y1 - high;  // its space is kept
    draw::text(p.list, p.fonts.body, left, r.y1 - high + 6 * s, p.colours.text, m.seen);
    f.ui.rects.put("seen", {left, r.y1 - high + 4 * s, left + draw::text_width(p.fonts.body, m.seen), r.y1});
    return r.y1 - high;
  }

  void plot(draw::Rect r) {
    const std::size_t count = m.bars.size();
    if (count == 0) return;
    const float tag = draw::leading(p.fonts.strong) + 6 * s, line = draw::leading(p.fonts.mono_small);
    const float gap = 14 * s, names = draw::text_width(p.fonts.tiny, kValues) + 10 * s, wide = r.width() - names;
    const float pitch = std::min(96 * s, (wide - gap * float(m.tiles.size() - 1)) / float(count));
    const float used = pitch * float(count) + gap * float(m.tiles.size() - 1);
    r.y1 = say_what_is_seen(r, r.x0 + names + (wide - used) / 2);
    const float least = 60 * s;  // of the bars, below which V gives its line to them
    float value = line + 6 * s;
    if (r.height() - tag - 3 * line - 14 * s - value < least) value = 0;
    const draw::Rect bars{r.x0 + names + (wide - used) / 2, r.y0 + tag + line + 8 * s, 0,
                          r.y1 - 2 * line - 6 * s - value};
    const bool values = std::all_of(m.bars.begin(), m.bars.end(), [&](const RowBar& bar) {
      return value > 0 && !bar.value.empty() && draw::text_width(p.fonts.mono_small, bar.value) <= pitch - 4 * s;
    });
    const float high = bars.height();
    pairs_fit_ = std::all_of(m.tiles.begin(), m.tiles.end(), [&](const RowTile& tile) {
      return draw::text_width(p.fonts.strong, both_names(tile) + now_words(tile)) <= pitch * float(tile.count) - 8 * s;
    });
    float x = bars.x0;
    for (const RowTile& tile : m.tiles) {
      const draw::Rect head{x, r.y0, x + pitch * float(tile.count) - 2 * s, r.y0 + tag};
      draw_tag(tile, head);
      for (std::size_t i = tile.first; i < tile.first + tile.count; ++i, x += pitch) {
        draw_bar(m.bars[i], {x, bars.y0, x + pitch - 4 * s, bars.y1}, high, line);
        if (values) draw_value(m.bars[i], {x, r.y1 - value + 2 * s, x + pitch - 4 * s, r.y1});
      }
      const float axis = bars.y1 - float(m.axis) * high;
      p.list->AddLine(ImVec2(head.x0, axis), ImVec2(head.x1, axis), p.colours.muted, draw::hairline());
      x += gap;
    }
    const auto name = [&](const char* words, float y) {
      draw::text_right(p.list, p.fonts.tiny, bars.x0 - 10 * s, y, p.colours.muted, words);
    };
    name("key", bars.y1 + line + 4 * s);
    if (values) name(kValues, r.y1 - value / 2 + 1 * s - p.fonts.tiny.size / 2);
    if (!m.weights) return name("score", bars.y1 - float(m.axis) * high - line - 1 * s);
    name("score", bars.y1 + 2 * s);
    if (!m.has_unit) return;
    name("weight", bars.y1 - line - 1 * s);
    name("1", bars.y0 - p.fonts.tiny.size / 2);
    p.list->AddLine(ImVec2(bars.x0, bars.y0), ImVec2(bars.x0 + used, bars.y0), p.colours.row_line, draw::hairline());
  }

  static std::string both_names(const RowTile& tile) {
    return tile.v_name.empty() ? tile.name : tile.name + " · " + tile.v_name;
  }
  static std::string now_words(const RowTile& tile) {
    return tile.now == RowTileNow::InSram   ? " in SRAM"
           : tile.now == RowTileNow::Done   ? " used"
           : tile.now == RowTileNow::ToCome ? " in HBM"
                                            : "";
  }

  void draw_tag(const RowTile& tile, const draw::Rect& r) {
    const Palette& c = p.colours;
    const bool lit = tile.now == RowTileNow::Plain || tile.now == RowTileNow::InSram;
    const ImU32 fill = lit ? hue(c, TensorId::K) : mix(c.panel, hue(c, TensorId::K), 0.18f);
    draw::box(p.list, r, fill, 3 * s, tile.now == RowTileNow::InSram ? c.now_line : 0, 2 * s);
    const std::string both = both_names(tile), words = now_words(tile);
    std::string text = tile.name;
    for (const std::string& longer : {tile.name + words, pairs_fit_ ? both + words : tile.name})
      if (longer.size() > text.size() && draw::text_width(p.fonts.strong, longer) <= r.width() - 6 * s) text = longer;
    draw::text_in(p.list, p.fonts.strong, r, lit ? ink_on(fill) : c.muted, text);
    if (text.starts_with(both)) f.ui.rects.put("tile " + both, r);
    f.ui.rects.put("tile " + tile.name, r);
  }

  void draw_bar(const RowBar& bar, const draw::Rect& r, float high, float line) {
    const Palette& c = p.colours;
    const auto at = [&](double share) { return r.y1 - float(share) * high; };
    const draw::Rect box{r.x0, at(bar.high), r.x1, at(bar.low)};
    if (bar.fills) {
      const draw::Rect to{r.x0, at(bar.to_high), r.x1, at(bar.to_low)};
      draw::box(p.list, to, mix(c.panel, hue(c, TensorId::S), 0.2f), 2 * s, c.now_line, 2 * s);
      f.ui.rects.put("to come " + std::to_string(bar.key), to);
    }
    if (bar.visible) {
      const ImU32 fill = bar.too_large ? c.changed : mix(c.panel, hue(c, TensorId::S), bar.best ? 1.0f : 0.75f);
      if (bar.ghost > bar.high) draw::dashed(p.list, {r.x0, at(bar.ghost), r.x1, r.y1}, c.muted, {.length = 4 * s});
      draw::box(p.list, box, fill, 2 * s, bar.best ? c.text : 0, 1.5f * s);
      f.ui.rects.put("bar " + std::to_string(bar.key), box);
    }
    const auto figure = [&](const std::string& text, float y, ImU32 ink) {
      if (draw::text_width(p.fonts.mono_small, text) > r.width() + 4 * s) return;
      draw::text(p.list, p.fonts.mono_small, (r.x0 + r.x1 - draw::text_width(p.fonts.mono_small, text)) / 2, y, ink,
                 text);
    };
    // Above a bar, or below one that hangs from the axis.
    const bool hangs = !m.weights && bar.low < m.axis - 1e-6;
    const bool within_ghost = !bar.falls && box.y0 - line - 3 * s > at(bar.ghost);
    const float top = within_ghost ? box.y0 : at(std::max(bar.high, bar.ghost));
    const std::string id = "figure " + std::to_string(bar.key);
    if (bar.visible) f.ui.rects.put(id, {r.x0, top - line - 1 * s, r.x1, top - 1 * s});
    if (bar.visible) figure(bar.text, hangs ? box.y1 + 1 * s : top - line - 1 * s, c.text);
    if (m.weights) figure(bar.score, r.y1 + 2 * s, bar.visible ? c.text : c.muted);
    const float key_y = r.y1 + line + 4 * s;
    if (bar.fills) draw::box(p.list, {r.x0, key_y - 2 * s, r.x1, key_y + line}, hue(c, TensorId::K), 3 * s);
    figure(std::to_string(bar.key), key_y, bar.fills ? ink_on(hue(c, TensorId::K)) : c.muted);
  }

  // A number of V, below its key.
  void draw_value(const RowBar& bar, const draw::Rect& r) {
    const bool lit = bar.visible && !bar.used;
    const ImU32 fill = mix(p.colours.panel, hue(p.colours, TensorId::V), lit ? 0.8f : 0.2f);
    draw::box(p.list, r, fill, 2 * s);
    draw::text_in(p.list, p.fonts.mono_small, r, lit ? ink_on(fill) : p.colours.muted, bar.value);
    f.ui.rects.put("value " + std::to_string(bar.key), r);
  }

  // The rows of Q and K, later ℓ as a stack of its weights and the row of O: one below the other, or beside each other.
  void draw_lower(float y, float high) {
    const float half = (right_ - left_) / 2;
    const draw::Rect first{left_, y, one_line_ ? left_ + half - 10 * s : right_, y + high},
        second = one_line_ ? draw::Rect{left_ + half + 10 * s, y, right_, y + high}
                           : draw::Rect{left_, y + high + 8 * s, right_, y + 2 * high + 8 * s};
    if (m.sums) return draw_sum(first), draw_output(second);
    draw_cells(first, m.q_label, "Q", {.hue = TensorId::Q, .numbers = m.q, .id = "q"});
    const float right = draw_cells(second, m.k_label, "K", {.hue = TensorId::K, .numbers = m.k, .id = "k"});
    if (m.score.empty() || right + 10 * s + draw::text_width(p.fonts.strong, m.score) > second.x1) return;
    draw::text(p.list, p.fonts.strong, right + 10 * s, (second.y0 + second.y1 - p.fonts.strong.size) / 2,
               p.colours.text, m.score);
    f.ui.rects.put("best score", {right + 10 * s, second.y0, second.x1, second.y1});
  }

  // The width for α and for the mark.
  float behind_cells() const { return 12 * s + draw::text_width(p.fonts.strong, "α = 0.00"); }

  // Returns where the row goes on.
  float name_row(const draw::Rect& r, const std::string& words, const char* brief) {
    const float label = draw::text_width(p.fonts.body, "row 10 of O so far, not divided by ℓ") + 14 * s;
    const bool fits = !one_line_ && label < 0.45f * r.width();
    const std::string shown = fits ? words : brief;
    draw::text(p.list, fits ? p.fonts.body : p.fonts.strong, r.x0, (r.y0 + r.y1 - p.fonts.body.size) / 2,
               p.colours.text, shown);
    return r.x0 + (fits ? label : draw::text_width(p.fonts.strong, "O ") + 8 * s);
  }

  void draw_sum(const draw::Rect& r) {
    const Palette& c = p.colours;
    const float from = name_row(r, m.l_label, "ℓ"), figure = draw::text_width(p.fonts.mono, "00.00") + 12 * s;
    const draw::Rect track{from, r.y0 + 3 * s, r.x1 - figure, r.y1 - 3 * s};
    draw::box(p.list, track, c.track, 3 * s, c.border);
    float x = track.x0;
    for (std::size_t i = 0; i < m.parts.size(); ++i) {
      const float wide = float(m.parts[i]) * track.width();
      if (wide <= 0) continue;
      draw::box(p.list, {x, track.y0, std::max(x + 1, x + wide - 1 * s), track.y1},
                m.too_large ? c.changed : hue(c, TensorId::m), 2 * s);
      x += wide;
    }
    f.ui.rects.put("sum", {track.x0, track.y0, x, track.y1});
    draw::text(p.list, p.fonts.mono, track.x1 + 10 * s, (r.y0 + r.y1 - p.fonts.mono.size) / 2, c.text, m.l);
    if (m.l_before <= 0) return;
    const draw::Rect before{track.x0, track.y0, track.x0 + float(m.l_before) * track.width(), track.y1};
    draw::dashed(p.list, before, c.muted, {.length = 4 * s});
    f.ui.rects.put("sum before", before);
    if (x + behind_cells() <= track.x1) draw_alpha(x, r, "sum alpha");
  }

  // By how much what is left of it has shrunk.
  void draw_alpha(float left, const draw::Rect& r, const char* id) {
    const Font& font = p.fonts.strong;
    const float x = left + 10 * s, y = (r.y0 + r.y1 - font.size) / 2;
    draw::text(p.list, font, x, y, p.colours.changed, m.alpha);
    f.ui.rects.put(id, {x, y, x + draw::text_width(font, m.alpha), y + font.size});
  }

  struct RowCells {
    TensorId hue{};
    const std::vector<std::string>& numbers;
    const char* id;
    float height = 1;  // of a cell, as a share of its outline
    bool too_large = false;
  };

  // The part of a number in a cell that is within `part`.
  void draw_clipped(const std::string& number, const draw::Rect& cell, const draw::Rect& part, ImU32 ink) {
    p.list->PushClipRect(part.min(), part.max(), true);
    draw::text_in(p.list, p.fonts.mono, cell, ink, number);
    p.list->PopClipRect();
  }

  // A row's numbers, a cell each, right of its name. Returns the right end.
  float draw_cells(const draw::Rect& r, const std::string& words, const char* brief, const RowCells& cells) {
    const Palette& c = p.colours;
    const float from = name_row(r, words, brief);
    const std::size_t count = cells.numbers.size();
    const float each = std::min(96 * s, (r.x1 - from - behind_cells()) / float(std::max<std::size_t>(count, 1)));
    const ImU32 fill = cells.too_large ? c.changed : mix(c.panel, hue(c, cells.hue), 0.8f);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& number = cells.numbers[i];
      const draw::Rect cell{from + each * float(i), r.y0, from + each * float(i + 1) - 3 * s, r.y1};
      if (cells.height < 1) draw::dashed(p.list, cell, c.muted, {.length = 4 * s});
      const draw::Rect full{cell.x0, cell.y1 - cell.height() * cells.height, cell.x1, cell.y1};
      if (number.empty())
        draw::dashed(p.list, cell.inset(s), hue(c, cells.hue), {.length = 4 * s});
      else
        draw::box(p.list, full, fill, 3 * s);
      if (number.empty()) f.ui.rects.put(fmt::format("awaited {} {}", cells.id, i), cell);
      if (draw::text_width(p.fonts.mono, number) <= cell.width()) {
        draw_clipped(number, cell, full, ink_on(fill));
        if (cells.height < 1) draw_clipped(number, cell, {cell.x0, cell.y0, cell.x1, full.y0}, c.text);
      }
      f.ui.rects.put(cells.id + (" " + std::to_string(i)), cell);
    }
    return from + each * float(count);
  }

  void draw_output(const draw::Rect& r) {
    const Palette& c = p.colours;
    const float right = draw_cells(
        r, m.o_label, "O",
        {.hue = TensorId::O, .numbers = m.o, .id = "o", .height = float(m.o_height), .too_large = m.too_large});
    if (!m.alpha.empty()) draw_alpha(right, r, "o alpha");
    if (!m.same_again) return;
    const float end = right + 4 * s, middle = (r.y0 + r.y1) / 2;
    draw::sign(p.list, draw::Sign::Check, {end, middle - 8 * s, end + 16 * s, middle + 8 * s}, c.good, s);
    f.ui.rects.put("same", {end, middle - 8 * s, end + 16 * s, middle + 8 * s});
  }

  // At the foot: the row's buttons, and between them the ways on of the first minute, or above them where they have no
  // room there. Returns the upper end.
  float bar() {
    const float high = std::max(34 * s, p.fonts.body.em + 10 * s), y1 = p.rect.y1 - 10 * s;
    const float to_walk = right_ - draw::text_width(p.fonts.body, "To the walk") - 20 * s;
    float x = left_;
    const auto square = [&](const char* id, draw::Sign sign, const char* tip, Action action, bool strong = false) {
      const draw::Rect r{x, y1 - high, x + 36 * s, y1};
      if (button(f, {.id = id, .rect = r, .label = "", .tip = tip, .sign = sign, .strong = strong})) f.push(action);
      x = r.x1 + 6 * s;
    };
    square("back", draw::Sign::StepBack, "Back (←)", Action::StepBack);
    square("play", m.moves ? draw::Sign::Pause : draw::Sign::Play, m.moves ? "Pause (Space)" : "Play (Space)",
           Action::PlayPause, !m.same_again && !shows_tour_card(f));
    if (f.ui.panel_step != 0) focus_item();
    square("forward", draw::Sign::StepForward, "On (→)", Action::StepForward);
    const draw::Rect walk{to_walk, y1 - high, right_, y1};
    if (button(f, {.id = "to walk", .rect = walk, .label = "To the walk", .tip = "Esc", .strong = m.same_again}))
      f.push(Action::OneRow);
    if (!shows_tour_card(f)) return y1 - high;
    const draw::Rect between{x + 8 * s, y1 - high, to_walk - 8 * s, y1};
    const bool beside = ways_fit_in_line(f, p, between);
    const float above = y1 - 2 * high - 8 * s;
    draw_ways_in_line(f, p, beside ? between : draw::Rect{left_, above, right_, above + high});
    return beside ? y1 - high : above;
  }

  // A dot a scene; a click goes to its end.
  void dots(const draw::Rect& all) {
    const float each = all.width() / float(kRowScenes);
    for (int i = 0; i < kRowScenes; ++i) {
      const draw::Rect r{all.x0 + each * float(i), all.y0, all.x0 + each * float(i + 1), all.y1};
      const Hit h = hit(f, "scene " + std::to_string(i), r);
      const bool now = i == int(m.scene);
      p.list->AddCircleFilled(r.middle(), (now ? 6 : 4) * s,
                              now         ? p.colours.accent
                              : h.hovered ? p.colours.text
                                          : p.colours.muted);
      if (h.clicked) f.push(MoveRow{end_of(RowScene(i))});
    }
  }

  const UiFrame& f;
  Panel& p;
  const OneRowModel& m;
  const float s, left_, right_;
  bool one_line_ = false;   // ℓ and O are beside each other
  bool pairs_fit_ = false;  // each tile has the space for the names of K and V
};

}  // namespace

void draw_one_row_panel(const UiFrame& f, Panel& p) { RowPen(f, p, *f.views.page<WalkPage>()->one_row).draw(); }

}  // namespace tilewalk
