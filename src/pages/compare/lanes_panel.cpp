// The work of each lane of one thread block over time: the pinned baseline above, the current schedule below, on one
// scale.
#include <algorithm>
#include <array>
#include <cmath>

#include "pages/compare/compare_layout.h"
#include "pages/compare/compare_page.h"
#include "pages/compare/compare_parts.h"
#include "ui/panels/drop_down.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

ImU32 colour_of(const Palette& c, LaneBoxKind kind) {
  switch (kind) {
    case LaneBoxKind::Load: return hue(c, TensorId::K);
    case LaneBoxKind::Scores: return hue(c, TensorId::Q);
    case LaneBoxKind::Softmax: return hue(c, TensorId::m);
    case LaneBoxKind::Accumulate: return hue(c, TensorId::V);
    case LaneBoxKind::Rescale: return c.changed;
    case LaneBoxKind::Store: return hue(c, TensorId::O);
    case LaneBoxKind::Waiting: return c.hatch_fill;
    case LaneBoxKind::Mixed: return c.muted;
  }
  return c.muted;
}

constexpr float kTagRow = 32;  // design pixels from one row of tags to the next

// The right end of the next tag of that width; in a row below where this one has no space for it.
float room_for(Panel& p, float right, float wide) {
  if (right - wide >= p.x || right >= p.x + p.width) return right;
  p.y += kTagRow * p.s;
  return p.x + p.width;
}

// Draws tags from right to left; returns the right end of the next one.
float draw_tags(const UiFrame& f, Panel& p, float right) {
  const ComparePage& page = *f.views.page<ComparePage>();
  const float s = p.s, high = 26 * s;
  const auto option = [&](const std::string& id, const std::string& label, const std::string& tip) {
    const Font& font =
        label == "+" || label == "−" ? p.fonts.body : p.fonts.mono_small;  // the monospaced minus is short
    const float w = draw::text_width(font, label) + 20 * s;
    right = room_for(p, right, w);
    const draw::Rect r{right - w, p.y, right, p.y + high};
    right = r.x0 - 8 * s;
    return tag(f, {.id = id,
                   .rect = r,
                   .label = label,
                   .tip = tip,
                   .font = font,
                   .ink = p.colours.text,
                   .fill = p.colours.panel,
                   .hovered = p.colours.button,
                   .border = p.colours.border,
                   .rounding = 6 * s,
                   .label_at = ImVec2(r.x0 + 10 * s, (r.y0 + r.y1 - font.size) / 2)});
  };
  const auto switched = [&](const LaneSwitch& of) {
    const float w = draw::text_width(p.fonts.mono_small, of.name) + 36 * s;
    right = room_for(p, right, w);
    const draw::Rect r{right - w, p.y, right, p.y + high};
    right = r.x0 - 8 * s;
    const bool clicked =
        tag(f, {.id = of.name,
                .rect = r,
                .label = of.name,
                .tip = with_meanings((of.on ? "On: click to take it away. " : "Off: click to put it back. ") + of.saves,
                                     of.name),
                .font = p.fonts.mono_small,
                .ink = of.refused ? p.colours.faint
                       : of.on    ? p.colours.good
                                  : p.colours.text,
                .fill = of.on ? p.colours.good_fill : p.colours.panel,
                .hovered = of.on ? p.colours.good_fill : p.colours.button,
                .border = of.on ? mix(p.colours.good_fill, p.colours.good, 0.5f) : p.colours.border,
                .rounding = 6 * s,
                .label_at = ImVec2(r.x0 + 27 * s, (r.y0 + r.y1 - p.fonts.mono_small.size) / 2),
                .enabled = !of.refused});
    draw::sign(p.list, of.on ? draw::Sign::Check : draw::Sign::Ring, {r.x0 + 6 * s, r.y0, r.x0 + 24 * s, r.y1},
               of.on ? p.colours.good : p.colours.muted, 0.85f * s);
    return clicked;
  };
  if (page.stages) {
    if (option("more stages", "+", "One more tile in the circular buffer"))
      f.push(SetLaneOption{LaneOption::Stages, *page.stages + 1});
    right += 4 * s;
    option("stages", "stages " + std::to_string(*page.stages), "Tiles in the circular buffer, K and V in turn");
    right += 4 * s;
    if (option("fewer stages", "−", "One tile fewer in the circular buffer"))
      f.push(SetLaneOption{LaneOption::Stages, *page.stages - 1});
  }
  for (auto at = page.lanes.switches.rbegin(); at != page.lanes.switches.rend(); ++at)
    if (at->option != LaneOption::Stages && switched(*at)) f.push(SetLaneOption{at->option, at->on ? 0 : 1});
  return right;
}

std::string pinned_label(const ComparePage& page) {
  return "Pinned: " + (page.chip_pinned ? "the chip" : page.baseline);
}

}  // namespace

float draw_baseline_choice(const UiFrame& f, Panel& p, float right) {
  const ComparePage& page = *f.views.page<ComparePage>();
  const float s = p.s;
  const std::string label = pinned_label(page);
  const float w = drop_down_width(f.theme, label);
  right = room_for(p, right, w);
  const draw::Rect r{right - w, p.y, right, p.y + 26 * s};
  std::vector<DropDownEntry> entries;
  for (const BaselineChoice& choice : page.choices)
    entries.push_back({.id = choice.title,
                       .title = choice.title,
                       .active = choice.active && !page.chip_pinned,
                       .commands = {PinSchedule{choice.kind}}});
  if (page.chip_offered)
    entries.push_back({.id = "chip",
                       .title = "The chip itself, recorded",
                       .active = page.chip_pinned,
                       .commands = {Action::PinChip}});
  entries.push_back({.id = "as it stands", .title = "This, as it stands", .commands = {Action::PinNow}});
  entries.push_back({.id = "exchange", .title = "Exchange the two (M)", .commands = {Action::ExchangeSides}});
  drop_down(f, {.id = "baseline", .rect = r, .label = label, .tip = "What the schedule at hand is compared with"},
            entries);
  return r.x0 - 8 * s;
}

// The pace of the two sides; a click chooses the next. Returns its left end.
float draw_pace(const UiFrame& f, Panel& p, float right) {
  const ComparePage& page = *f.views.page<ComparePage>();
  if (page.pace.empty()) return right;
  const float s = p.s, w = draw::text_width(p.fonts.mono_small, page.pace) + 20 * s;
  right = room_for(p, right, w);
  const draw::Rect r{right - w, p.y, right, p.y + 26 * s};
  const bool clicked = tag(f, {.id = "pace",
                               .rect = r,
                               .label = page.pace,
                               .tip = page.pace_tip,
                               .font = p.fonts.mono_small,
                               .ink = p.colours.text,
                               .fill = p.colours.panel,
                               .hovered = p.colours.button_hover,
                               .border = p.colours.border,
                               .rounding = 6 * s});
  if (clicked) f.push(Action::NextPace);
  return r.x0 - 8 * s;
}

// The walk and the window's call, side by side; the one that is shown is marked.
float draw_compared_choice(const UiFrame& f, Panel& p, float right) {
  const ComparePage& page = *f.views.page<ComparePage>();
  for (auto at = page.compared.rbegin(); at != page.compared.rend(); ++at) {
    const float s = p.s, w = draw::text_width(p.fonts.mono_small, at->title) + 20 * s;
    right = room_for(p, right, w);
    const draw::Rect r{right - w, p.y, right, p.y + 26 * s};
    if (tag(f, {.id = at->of == Compared::Walk ? "this walk" : "the call",
                .rect = r,
                .label = at->title,
                .tip = at->tip,
                .font = p.fonts.mono_small,
                .ink = at->enabled ? p.colours.text : p.colours.faint,
                .fill = at->active ? p.colours.tab : p.colours.panel,
                .hovered = at->active ? p.colours.tab : p.colours.button_hover,
                .border = at->active ? p.colours.accent : p.colours.border,
                .rounding = 6 * s,
                .enabled = at->enabled && !at->active}))
      f.push(ChooseCompared{at->of});
    right = r.x0 - 8 * s;
  }
  return right;
}

float draw_pipes_switch(const UiFrame& f, Panel& p, float right) {
  const bool on = f.views.page<ComparePage>()->filling == Filling::Pipes;
  const char* const label = on ? "lanes" : "pipes";
  const float s = p.s, w = draw::text_width(p.fonts.mono_small, label) + 20 * s;
  right = room_for(p, right, w);
  const draw::Rect r{right - w, p.y, right, p.y + 26 * s};
  if (tag(f, {.id = "pipes",
              .rect = r,
              .label = label,
              .tip = on ? "Back to lanes, SMs and differences (Shift+C)"
                        : "The bytes of both sides on their way between HBM and SRAM (Shift+C)",
              .font = p.fonts.mono_small,
              .ink = p.colours.text,
              .fill = p.colours.panel,
              .hovered = p.colours.button_hover,
              .border = p.colours.border,
              .rounding = 6 * s}))
    f.push(Action::ShowPipes);
  return r.x0 - 8 * s;
}

namespace {

// The wheel zooms about the mouse, a drag pans.
void steer_lanes(const UiFrame& f, const draw::Rect& area) {
  const ImGuiIO& io = ImGui::GetIO();
  const LanesView& view = f.session.compare().lanes_view();
  if (f.session.view().dialog() != Dialog::None || f.ui.drop_down || !area.holds(io.MousePos)) return;
  const auto push = [&](double zoom, double centre) { f.push(SetLanesView{zoom, centre}); };
  const double at = double((io.MousePos.x - area.x0) / std::max(1.0f, area.width()));
  if (io.MouseWheel != 0) {
    const double zoom = view.zoom * std::pow(1.25, double(io.MouseWheel)), fraction = view.first() + at / view.zoom;
    push(zoom, fraction + (0.5 - at) / std::max(1.0, zoom));  // keeps the place under the mouse
  } else if (ImGui::IsMouseDragging(0) && view.zoom > 1 && io.MouseDelta.x != 0) {
    push(view.zoom, view.centre - double(io.MouseDelta.x / std::max(1.0f, area.width())) / view.zoom);
  }
}

// The form of label for one kind of box in a row: the same for all boxes, chosen for the narrowest.
enum class LabelForm { Whole, Brief, None };

std::array<LabelForm, 8> label_forms(const Panel& p, const LaneRow& row, const draw::Rect& r) {
  std::array<LabelForm, 8> forms;
  forms.fill(r.height() >= p.fonts.caption.em ? LabelForm::Whole : LabelForm::None);
  for (const LaneBox& box : row.boxes) {
    LabelForm& form = forms[std::size_t(box.kind)];
    if (box.label.empty() || box.folded || box.x0 <= 0 || box.x1 >= 1) continue;  // boxes at the edges are cut
    const float room = float(box.x1 - box.x0) * r.width() - 4 * p.s;
    if (form == LabelForm::Whole && draw::text_width(p.fonts.caption, box.label) > room) form = LabelForm::Brief;
    if (form == LabelForm::Brief &&
        (box.short_label.empty() || draw::text_width(p.fonts.caption, box.short_label) > room))
      form = LabelForm::None;
  }
  return forms;
}

void draw_row(const UiFrame& f, Panel& p, const LaneRow& row, const draw::Rect& r, bool marked, bool clickable,
              int id) {
  const float s = p.s;
  draw::text(p.list, p.fonts.body, p.x, (r.y0 + r.y1 - p.fonts.body.size) / 2, p.colours.muted,
             draw::elided(p.fonts.body, row.name, r.x0 - p.x - 6 * s));
  explain(f, "name " + std::to_string(id), {p.x, r.y0, r.x0 - 6 * s, r.y1}, row.name);
  draw::box(p.list, r, p.colours.raised, 2 * s);
  const Hit h = hit(f, "row " + std::to_string(id), r);
  const float mouse = ImGui::GetIO().MousePos.x;
  const LaneBox* under = nullptr;
  const std::array<LabelForm, 8> forms = label_forms(p, row, r);
  std::vector<draw::Rect> now;
  for (const LaneBox& box : row.boxes) {
    const draw::Rect b{r.x0 + float(box.x0) * r.width(), r.y0, r.x0 + float(box.x1) * r.width(), r.y1};
    if (mouse >= b.x0 && mouse < b.x1) under = &box;
    const float round = b.width() > 8 * s ? 3 * s : 0;
    const ImU32 fill = colour_of(p.colours, box.kind);
    const draw::Rect inner{b.x0, b.y0, b.x1 - (b.width() > 4 ? 1 : 0), b.y1};
    // On white most hues are too light to be distinguished.
    draw::box(p.list, inner, fill, round,
              p.colours.dark || box.hatched || b.width() < 4 ? 0 : mix(fill, p.colours.text, 0.5f));
    if (box.hatched && b.width() >= 7 * s)  // a narrower hatch is a smear, and thousands of them are slow
      draw::hatch(p.list, inner, p.colours.dark ? mix(p.colours.hatch, p.colours.muted, 0.35f) : p.colours.hatch, 8 * s,
                  std::max(1.0f, 1.3f * s));
    // A frame would cover a narrow box, so it is drawn around it.
    if (box.now && marked)
      now.push_back(b.width() > 8 * s ? inner : draw::Rect{b.x0 - 2 * s, b.y0, b.x1 + 2 * s, b.y1});
    const LabelForm form = forms[std::size_t(box.kind)];
    const std::string& label = form == LabelForm::Whole ? box.label : box.short_label;
    if (form == LabelForm::None || label.empty() || draw::text_width(p.fonts.caption, label) > b.width()) continue;
    draw::text_in(p.list, p.fonts.caption, b, ink_on(fill), label);
  }
  for (const draw::Rect& frame : now)
    draw::box(p.list, frame, 0, frame.width() > 12 * s ? 3 * s : 0, p.colours.now_line, 2 * s);
  if (!h.hovered || !under) return;
  const bool leads = clickable && under->end_step > under->first_step;
  tooltip(f, under->tip + (leads ? "\nClick: to its end" : ""));
  if (leads && h.clicked) f.push(GoToStep{under->end_step});
}

// A break across the rows of a picture, with the length of the wait that it replaces.
void draw_fold(Panel& p, const LaneFold& fold, const draw::Rect& rows, float middle) {
  const float s = p.s, x0 = rows.x0 + float(std::max(0.0, fold.x0)) * rows.width(),
              x1 = rows.x0 + float(std::min(1.0, fold.x1)) * rows.width();
  const Font& font = p.fonts.caption;
  const float room = x1 - x0 - 28 * s;
  const std::string& label = draw::text_width(font, fold.label) <= room ? fold.label : fold.short_label;
  const float wide = draw::text_width(font, label) <= room ? draw::text_width(font, label) + 8 * s : 0;
  const float at = (x0 + x1) / 2, lean = 4 * s, gap = 3 * s;
  for (const float x :
       wide > 0 ? std::vector<float>{at - wide / 2 - 7 * s, at + wide / 2 + 7 * s} : std::vector<float>{at}) {
    const float low = rows.y1 + 2 * s, top = rows.y0 - 2 * s;
    p.list->AddQuadFilled(ImVec2(x - gap + lean, top), ImVec2(x + gap + lean, top), ImVec2(x + gap - lean, low),
                          ImVec2(x - gap - lean, low), p.colours.panel);
    for (const float side : {-gap, gap})
      p.list->AddLine(ImVec2(x + side + lean, top), ImVec2(x + side - lean, low), p.colours.muted, std::max(1.0f, s));
  }
  if (wide == 0) return;
  const draw::Rect pill{at - wide / 2, middle - 9 * s, at + wide / 2, middle + 9 * s};
  draw::box(p.list, pill, p.colours.panel, 4 * s);
  draw::text_in(p.list, font, pill, p.colours.text, label);
}

// Draws the marks with their names, in as many lines as they need, then the sentence. Without a frame draws nothing.
// Returns the height.
float legend(const UiFrame& f, Panel& p, bool draws) {
  const LanesModel& m = f.views.page<ComparePage>()->lanes;
  const float s = p.s, line = std::max(22 * s, draw::leading(p.fonts.body)), top = p.y;
  float x = p.x, y = top;
  for (const auto& [kind, name] : m.legend) {
    const float wide = 16 * s + draw::text_width(p.fonts.body, name) + 14 * s;
    if (x > p.x && x + wide > p.x + p.width) x = p.x, y += line;
    if (draws) {
      const float middle = y + p.fonts.body.size / 2;
      const draw::Rect r{x, middle - 5.5f * s, x + 11 * s, middle + 5.5f * s};
      draw::box(p.list, r, colour_of(p.colours, kind), 2 * s, p.colours.cell_line);
      if (kind == LaneBoxKind::Waiting) draw::hatch(p.list, r, p.colours.muted, 4 * s, s);
      word(f, p.fonts.body, r.x1 + 5 * s, y, p.colours.muted, name);
    }
    x += wide;
  }
  const float right = p.x + p.width;
  const float w = draw::text_width(p.fonts.strong, m.sentence);
  if (right - w >= x) {
    if (draws) draw::text(p.list, p.fonts.strong, right - w, y, p.colours.text, m.sentence);
    return y + line - top;
  }
  y += line;
  y += draw::paragraph(draws ? p.list : nullptr, p.fonts.strong, p.fonts.tiny, p.x, y, p.width, p.colours.text,
                       m.sentence);
  return y - top;
}

// The title of the lanes: the longest of these that fits.
void draw_title(Panel& p, const ComparePage& page, float room) {
  const std::string what = page.launches ? "Bytes asked of global memory" : "Modelled cycles";
  const std::string titles[] = {
      page.launches ? what + ", by tensor · whole run" : "Who does what, when · modelled cycles · " + page.block,
      page.launches ? what + ", by tensor" : what + " · " + page.block, what};
  for (const std::string& title : titles)
    if (draw::caption_width(p.theme, title) <= room || &title == &titles[2]) {
      if (room > 60 * p.s) p.caption_at(p.x, p.y + 6 * p.s, title, room);
      return;
    }
}

}  // namespace

void draw_lanes_panel(const UiFrame& f, Panel& p) {
  const float s = p.s;
  const ComparePage& page = *f.views.page<ComparePage>();
  const LanesModel& m = page.lanes;
  float right = draw_tags(f, p, p.x + p.width);
  right = draw_baseline_choice(f, p, right);
  right = draw_pace(f, p, right);
  right = draw_pipes_switch(f, p, right);
  right = draw_compared_choice(f, p, right);
  draw_title(p, page, right - p.x);
  p.y += 34 * s;
  if (page.launches) return draw_launch_bars(f, p);
  if (!m.empty_note.empty()) {
    p.y +=
        draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y + 8 * s, p.width, p.colours.muted, m.empty_note);
    return;
  }
  const draw::Rect area = lanes_area(p.rect, f.theme);
  halo(f, p.list, "lanes", {p.x - 5 * s, p.y - 2 * s, p.x + p.width + 5 * s, p.rect.y1 - 6 * s});
  steer_lanes(f, {area.x0, area.y0, area.x1, p.rect.y1});
  std::size_t rows = 0;
  for (const LanesPicture& picture : m.pictures) rows += picture.rows.size();
  const float titles = float(m.pictures.size()) * 34 * s, foot = legend(f, p, false) + 16 * s;
  const float pitch =
      std::clamp((p.rect.y1 - 8 * s - foot - p.y - titles) / float(std::max<std::size_t>(1, rows)), 15 * s, 56 * s);
  int id = 0;
  for (std::size_t i = 0; i < m.pictures.size(); ++i) {
    const LanesPicture& picture = m.pictures[i];
    const bool now = i + 1 == m.pictures.size();
    const std::string all_cycles =
        picture.cycles_text + (picture.cycles_text.empty() || picture.note.empty() ? "" : " · ") + picture.note;
    // The title has priority; the rest of the line is for the cycles.
    const std::string title = draw::elided(p.fonts.strong, picture.title, area.x1 - p.x);
    word(f, p.fonts.strong, p.x, p.y + 4 * s, p.colours.text, title);
    const float left = area.x1 - p.x - draw::text_width(p.fonts.strong, title) - 16 * s;
    const std::string cycles = left < 40 * s ? "" : draw::elided(p.fonts.tiny, all_cycles, left);
    draw::text_right(p.list, p.fonts.tiny, area.x1, p.y + 5 * s, p.colours.muted, cycles);
    const float from = p.x + draw::text_width(p.fonts.strong, picture.title) + 16 * s;
    const float to = area.x1 - draw::text_width(p.fonts.tiny, cycles) - 16 * s;
    if (!picture.so_far.empty() && to - from > 60 * s)
      draw::text(p.list, p.fonts.tiny, from, p.y + 5 * s, p.colours.muted,
                 draw::elided(p.fonts.tiny, picture.so_far, to - from));
    p.y += 26 * s;
    const float top = p.y;
    for (const LaneRow& row : picture.rows) {
      draw_row(f, p, row, {area.x0, p.y, area.x1, p.y + pitch - std::min(4 * s, pitch * 0.14f)}, now,
               now && page.of_walk, id++);
      p.y += pitch;
    }
    const draw::Rect rows_at{area.x0, top, area.x1, p.y};
    for (const LaneFold& fold : picture.folds) draw_fold(p, fold, rows_at, (rows_at.y0 + rows_at.y1) / 2);
    if (picture.cursor >= 0) {
      const float x = std::round(area.x0 + float(picture.cursor) * area.width());
      p.list->AddLine(ImVec2(x, top - 6 * s), ImVec2(x, p.y), p.colours.now_line, std::max(1.0f, 1.6f * s));
    }
    p.y += 8 * s;
  }
  p.y += 4 * s;
  p.y += legend(f, p, true);
}

}  // namespace tilewalk
