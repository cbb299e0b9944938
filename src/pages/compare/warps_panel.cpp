// One score tile divided among the warps of a thread block, split-K at the left and split-Q at the right: the scores
// that each warp owns, the part of O that each computes, and the traffic through shared memory.
#include <algorithm>
#include <array>
#include <optional>

#include "pages/compare/blocks/draw_lane_kinds.h"
#include "pages/compare/compare_page.h"
#include "pages/compare/compare_parts.h"
#include "ui/controls.h"
#include "ui/panels/panels.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// Names and borders distinguish the warps; the shades only help the eye.
ImU32 shade_of(const Palette& c, int warp) {
  constexpr std::array<float, 4> kShares = {0.25f, 0.5f, 0.75f, 1.0f};
  return mix(c.to_do, c.done, kShares[std::size_t(warp) % kShares.size()]);
}

void draw_arrow(Panel& p, float x0, float x1, float y) {
  const float s = p.s;
  p.list->AddLine(ImVec2(x0, y), ImVec2(x1 - 4 * s, y), p.colours.muted, 1.4f * s);
  p.list->AddTriangleFilled(ImVec2(x1 - 6 * s, y - 4 * s), ImVec2(x1, y), ImVec2(x1 - 6 * s, y + 4 * s),
                            p.colours.muted);
}

// A line that all warps wait at: their parts of O are summed right of it.
void draw_barrier(const UiFrame& f, Panel& p, float x, float y0, float y1) {
  const draw::Rect line{x, y0, x + 3 * p.s, y1};
  draw::box(p.list, line, p.colours.changed, 1.5f * p.s);
  f.ui.rects.put("barrier", line);
}

void named_box(Panel& p, const draw::Rect& r, ImU32 fill, std::string_view name) {
  draw::box(p.list, r, fill, 2.5f * p.s, p.colours.panel);
  for (const Font* font : {&p.fonts.caption, &p.fonts.tiny})
    if (draw::text_width(*font, name) + 4 * p.s <= r.width() && font->size <= r.height())
      return draw::text_in(p.list, *font, r, ink_on(fill), name);
}

// In a narrow strip the number is below the word.
void draw_warp(const UiFrame& f, Panel& p, const WarpRect& w, const draw::Rect& r) {
  const ImU32 fill = shade_of(p.colours, w.warp);
  const std::size_t space = w.label.rfind(' ');
  const std::string word = w.label.substr(0, space), number = w.label.substr(space + 1);
  const Font& font = p.fonts.tiny;
  const float line = draw::leading(font), middle = r.middle().y;
  if (draw::text_width(font, w.label) + 4 * p.s <= r.width()) return named_box(p, r, fill, w.label);
  if (draw::text_width(font, word) + 4 * p.s > r.width() || 2 * line > r.height()) return named_box(p, r, fill, number);
  named_box(p, r, fill, "");
  draw::text_in(p.list, font, {r.x0, middle - line, r.x1, middle}, ink_on(fill), word);
  draw::text_in(p.list, font, {r.x0, middle, r.x1, middle + line}, ink_on(fill), number);
  f.ui.rects.put("two lines of " + w.label, {r.x0, middle - line, r.x1, middle + line});
}

// Of a visit that plays: what is done of a work fills its box from the left, or from above.
enum class Fill { Across, Down };
void working_box(Panel& p, const draw::Rect& r, ImU32 colour, double share, Fill fill, std::string_view name) {
  draw::box(p.list, r, mix(p.colours.panel, colour, 0.4f), 2.5f * p.s, p.colours.panel);
  draw::Rect done = r;
  if (fill == Fill::Across)
    done.x1 = r.x0 + float(share) * r.width();
  else
    done.y1 = r.y0 + float(share) * r.height();
  draw::box(p.list, done, colour, 2.5f * p.s, 0);
  const std::string_view word = name.substr(0, name.find(' '));  // without the tile's number
  for (const Font* font : {&p.fonts.caption, &p.fonts.tiny})
    for (const std::string_view each : {name, word}) {
      if (draw::text_width(*font, each) + 4 * p.s > r.width() || font->size > r.height()) continue;
      draw::text_in(p.list, *font, r, ink_on(mix(p.colours.panel, colour, 0.4f)), each);
      p.list->PushClipRect(ImVec2(done.x0, done.y0), ImVec2(done.x1, done.y1), true);
      draw::text_in(p.list, *font, r, ink_on(colour), each);
      p.list->PopClipRect();
      return;
    }
}

void loading_box(Panel& p, const WarpWork& load, const draw::Rect& r, TensorId tensor, Fill fill) {
  if (load.label.empty()) return named_box(p, r, hue(p.colours, tensor), tensor_title(tensor));
  working_box(p, r, hue(p.colours, tensor), load.share, fill, load.label + " arrives");
}

// A warp's part of the scores at that moment: its product above what else it does.
void draw_moment(Panel& p, const WarpMoment& at, const draw::Rect& r, Fill fill) {
  if (at.waits()) {
    draw::box(p.list, r, p.colours.hatch_fill, 2.5f * p.s, p.colours.panel);
    draw::hatch(p.list, r, p.colours.hatch, 8 * p.s, std::max(1.0f, 1.3f * p.s));
    for (const Font* font : {&p.fonts.caption, &p.fonts.tiny})
      if (draw::text_width(*font, "waits") + 4 * p.s <= r.width() && font->size <= r.height())
        return draw::text_in(p.list, *font, r, p.colours.text, "waits");
    return;
  }
  const bool both = !at.product.label.empty() && !at.other.label.empty();
  const float middle = (r.y0 + r.y1) / 2;
  const auto work = [&](const WarpWork& w, const draw::Rect& of) {
    if (!w.label.empty()) working_box(p, of, colour_of(p.colours, kind_of(w.doing)), w.share, fill, w.label);
  };
  work(at.product, {r.x0, r.y0, r.x1, both ? middle : r.y1});
  work(at.other, {r.x0, both ? middle : r.y0, r.x1, r.y1});
}

// K or V above the score tile, as wide as it; where each warp has a part of the keys, in those parts.
void draw_keys(Panel& p, const WarpsSide& side, const draw::Rect& of, TensorId tensor, std::optional<double> t) {
  const WarpWork load =
      t ? load_moment(side.visit, tensor == TensorId::K ? Doing::LoadK : Doing::LoadV, *t) : WarpWork{};
  if (!load.label.empty()) return loading_box(p, load, of, tensor, Fill::Across);
  const std::string name = tensor_title(tensor);
  if (!side.reduces) return named_box(p, of, hue(p.colours, tensor), name);
  for (const WarpRect& w : side.rects)
    named_box(p, {of.x0 + float(w.x0) * of.width(), of.y0, of.x0 + float(w.x1) * of.width(), of.y1},
              hue(p.colours, tensor), name);
}

// What a class sees at this step; everything while the page is not presented.
bool shows_step(const UiFrame& f, int step) {
  return !f.session.presents_page() || f.session.compare().presented_step() >= step;
}

// Q at the left, K and V above, the score tile in the warps' parts, and O at the right.
void draw_tile(const UiFrame& f, Panel& p, const WarpsSide& side, const draw::Rect& area) {
  const std::optional<double> t = f.views.page<ComparePage>()->visit_t;
  const float s = p.s, bar = std::max(16 * s, p.fonts.tiny.size + 3 * s), gap = 4 * s, arrow = 16 * s;
  const float keys = 2 * bar + gap;
  const float high = area.height() - keys - gap, least = area.width() * 0.3f;
  const auto beside = [&](const char* words) {
    return area.width() - bar - 3 * gap - arrow - draw::text_width(p.fonts.tiny, words);
  };
  const char* way = side.reduces ? "through shared memory" : side.way.c_str();
  if (side.reduces && beside(way) < least) way = "shared memory";
  const float wide = std::min({high * 1.25f, area.width() * 0.55f, std::max(least, beside(way))});
  const draw::Rect tile{area.x0 + bar + gap, area.y0 + keys + gap, area.x0 + bar + gap + wide, area.y1};
  const draw::Rect q{area.x0, tile.y0, area.x0 + bar, tile.y1}, k{tile.x0, area.y0, tile.x1, area.y0 + bar},
      v{tile.x0, area.y0 + bar + gap, tile.x1, area.y0 + keys};
  loading_box(p, t ? load_moment(side.visit, Doing::LoadState, *t) : WarpWork{}, q, TensorId::Q, Fill::Down);
  draw_keys(p, side, k, TensorId::K, t);
  draw_keys(p, side, v, TensorId::V, t);
  f.ui.rects.put("K", k);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const WarpRect* under = nullptr;
  const auto part = [&](const WarpRect& w, const draw::Rect& of) {
    return draw::Rect{of.x0 + float(w.x0) * of.width(), of.y0 + float(w.y0) * of.height(),
                      of.x0 + float(w.x1) * of.width(), of.y0 + float(w.y1) * of.height()};
  };
  const auto moment_of = [&](const WarpRect& w) {
    return t ? warp_moment(side.visit, w.warp, int(side.rects.size()), *t) : WarpMoment{};
  };
  for (const WarpRect& w : side.rects) {
    const draw::Rect r = part(w, tile);
    if (r.holds(mouse)) under = &w;
    if (t) {
      draw_moment(p, moment_of(w), r, side.reduces ? Fill::Down : Fill::Across);
      continue;
    }
    draw_warp(f, p, w, r);
  }
  const float o_wide = std::min(64 * s, area.width() * 0.16f);
  const float x = tile.x1 + arrow + 2 * gap;
  const ImU32 purple = hue(p.colours, TensorId::O);
  if (side.reduces) {  // each warp has a part of all of O, summed behind barriers
    const float count = float(std::max<std::size_t>(1, side.rects.size())), each = tile.height() / count;
    draw_arrow(p, tile.x1 + gap, x - gap, (tile.y0 + tile.y1) / 2);
    for (std::size_t i = 0; i < side.rects.size(); ++i) {
      const float y = tile.y0 + each * float(i);
      const draw::Rect r{x, y, x + o_wide, y + each - 1};
      const WarpWork& work = moment_of(side.rects[i]).product;
      const std::string name = "part " + std::to_string(side.rects[i].warp);
      if (t && work.doing == Doing::Accumulate)
        working_box(p, r, mix(purple, p.colours.panel, 0.35f), work.share, Fill::Across, name);
      else
        named_box(p, r, mix(purple, p.colours.panel, 0.35f), name);
    }
    const float sum_x = x + o_wide + arrow + gap, y = (tile.y0 + tile.y1) / 2;
    draw_arrow(p, x + o_wide + gap, sum_x - gap, y);
    if (shows_step(f, 1)) draw_barrier(f, p, x + o_wide + gap, tile.y0, tile.y1);
    const draw::Rect sum{sum_x, tile.y0, std::min(sum_x + o_wide, area.x1), tile.y1};
    const WarpWork ends = side.rects.empty() ? WarpWork{} : moment_of(side.rects.front()).other;
    if (t && ends.doing == Doing::Normalise)
      working_box(p, sum, purple, ends.share, Fill::Down, "Σ = O");
    else
      named_box(p, sum, purple, "Σ = O");
  } else {  // a warp owns the rows of O for its rows of S
    for (const WarpRect& w : side.rects) {
      const draw::Rect r = part({w.warp, 0, w.y0, 1, w.y1, "", ""}, {x, tile.y0, x + o_wide, tile.y1});
      draw_arrow(p, tile.x1 + gap, x - gap, (r.y0 + r.y1) / 2);
      if (const WarpWork work = moment_of(w).product; work.doing == Doing::Accumulate)
        working_box(p, r, purple, work.share, Fill::Across, "O");
      else
        named_box(p, r, purple, "O");
    }
  }
  word(f, p.fonts.tiny, x, area.y0 + 2 * s, side.reduces ? p.colours.changed : p.colours.good,
       draw::elided(p.fonts.tiny, way, area.x1 - x));
  if (shows_step(f, 1) && draw::text_width(p.fonts.caption, side.price) <= area.x1 - x) {
    draw::text(p.list, p.fonts.caption, x, v.y0 + 2 * s, p.colours.text, side.price);
    f.ui.rects.put("price", {x, v.y0 + 2 * s, x + draw::text_width(p.fonts.caption, side.price), v.y1});
  }
  const Hit h = hit(f, "tile", tile);
  if (h.hovered) tooltip(f, with_meanings(under ? under->tip : "", side.title));
}

float figure_height(const Panel& p, const WarpsSide& side) {
  const Font& large = p.fonts.title;
  const float after = draw::text_width(large, side.figure) + 8 * p.s;
  return std::max(draw::leading(large),
                  (large.size - p.fonts.tiny.size) * 0.8f +
                      draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, p.width - after, 0, side.whole_run));
}

// For a class the one large figure of a side, and what it counts; else the page's headline has both figures.
void draw_figure(const UiFrame& f, Panel& p, const WarpsSide& side) {
  if (!shows_step(f, 1)) return void(p.y += figure_height(p, side));  // its space stays free
  const Font& large = p.fonts.title;
  const float after = draw::text_width(large, side.figure) + 8 * p.s;
  draw::text(p.list, large, p.x, p.y, side.reduces ? p.colours.text : p.colours.good, side.figure);
  const float width = p.width - after, top = p.y + (large.size - p.fonts.tiny.size) * 0.8f;
  draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x + after, top, width, p.colours.muted, side.whole_run);
  f.ui.rects.put("figure", {p.x, p.y, p.x + after, p.y + large.size});
  p.y += figure_height(p, side);
}

// A class reads the sentences at the last step; before it the picture has their space, and without a class always:
// the tooltip of its line has them.
std::vector<const std::string*> lines_of(const UiFrame& f, const WarpsSide& side) {
  if (!f.session.presents_page() || !shows_step(f, kStepsOfWarps)) return {};
  std::vector<const std::string*> out = {&side.sentence};
  if (!side.gain.empty()) out.push_back(&side.gain);
  return out;
}

// Below the picture in one line: what each warp has, or does now.
std::string line_of(const UiFrame& f, const WarpsSide& side) {
  const std::optional<double> t = f.views.page<ComparePage>()->visit_t;
  return t ? words_at(side, *t) : side.owns;
}

// Below the picture.
float words_height(const UiFrame& f, const Panel& p, const WarpsSide& side) {
  float words = 6 * p.s + draw::leading(p.fonts.tiny) + (f.session.presents_page() ? figure_height(p, side) : 0);
  for (const std::string* line : lines_of(f, side))
    words += draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, p.width, 0, *line);
  return words;
}

void draw_side(const UiFrame& f, Panel& p, const WarpsSide& side, bool last) {
  const float s = p.s, taken = last && shows_controls(f) ? draw_filling_choice(f, p) : 0;
  whole_caption(p, side.title, p.width - taken);
  p.y += 22 * s;
  float words = 0;  // both pictures are as high as the one with more words below it
  for (const WarpsSide& each : f.views.page<ComparePage>()->warps->sides)
    words = std::max(words, words_height(f, p, each));
  const float high = std::max(66 * s, p.rect.y1 - 16 * s - p.y - words);
  const draw::Rect tile{p.x, p.y, p.x + p.width, p.y + high};
  draw_tile(f, p, side, tile);
  f.ui.rects.put("picture", tile);
  p.y += high + 6 * s;
  const std::string line = line_of(f, side);
  draw::text(p.list, p.fonts.tiny, p.x, p.y, p.colours.text, draw::elided(p.fonts.tiny, line, p.width));
  const draw::Rect below{p.x, p.y, p.x + p.width, p.y + draw::leading(p.fonts.tiny)};
  f.ui.rects.put("line", below);
  p.y = below.y1;
  std::string tip = side.figure + " " + side.whole_run + "\n" + side.owns +
                    (side.now ? " · as the current schedule does" : "") + "\n" + side.exchange + " · " + side.barriers +
                    "\n" + side.operands + "\n" + side.sentence;
  for (std::size_t i = 0; i < side.barrier_reasons.size(); ++i)
    tip += (i == 0 ? "\nA barrier each, because\n· " : "\n· ") + side.barrier_reasons[i];
  explain(f, side.title, below, tip);
  if (f.session.presents_page()) draw_figure(f, p, side);
  for (const std::string* each : lines_of(f, side)) {
    const float top = p.y;
    p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.text, *each);
    if (each == &side.sentence) f.ui.rects.put("sentence", {p.x, top, p.x + p.width, p.y});
  }
}

}  // namespace

float draw_filling_choice(const UiFrame& f, Panel& p) {
  const float s = p.s, high = 20 * s;
  float right = p.x + p.width;
  const Filling filling = f.views.page<ComparePage>()->filling;
  const auto choice = [&](const char* name, Filling of, const char* tip) {
    const bool on = filling == of;
    const float w = draw::text_width(p.fonts.mono_small, name) + 14 * s;
    const draw::Rect r{right - w, p.y - 5 * s, right, p.y - 5 * s + high};
    const bool clicked = tag(f, {.id = name,
                                 .rect = r,
                                 .label = name,
                                 .tip = tip,
                                 .font = p.fonts.mono_small,
                                 .ink = on ? p.colours.text : p.colours.muted,
                                 .fill = on ? p.colours.tab : p.colours.panel,
                                 .hovered = on ? p.colours.tab : p.colours.button_hover,
                                 .border = p.colours.border,
                                 .rounding = 5 * s,
                                 .enabled = !on});
    // Toggling the filling at hand leads back to the SMs beside the lanes.
    if (const std::optional<Action> toggle = toggle_of(of == Filling::Sms ? filling : of); clicked && toggle)
      f.push(*toggle);
    right = r.x0 - 4 * s;
  };
  choice("warps", Filling::Warps, "What each warp of a thread block owns (V)");
  choice("wave by wave", Filling::Waves, "All SMs, large, at one cycle of both sides");
  choice("SMs", Filling::Sms, "How many SMs each side fills, beside the lanes (V)");
  return p.x + p.width - right + 4 * s;
}

void draw_split_k_panel(const UiFrame& f, Panel& p) {
  draw_side(f, p, f.views.page<ComparePage>()->warps->sides[0], false);
}

void draw_split_q_panel(const UiFrame& f, Panel& p) {
  draw_side(f, p, f.views.page<ComparePage>()->warps->sides[1], true);
}

}  // namespace tilewalk
