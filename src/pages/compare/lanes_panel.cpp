// The work of each lane of one thread block over time: the pinned baseline above, the current schedule below, on one
// scale.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pages/compare/blocks/draw_axis_ticks.h"
#include "pages/compare/blocks/draw_lane_kinds.h"
#include "pages/compare/blocks/draw_whole_calls.h"
#include "pages/compare/compare_layout.h"
#include "pages/compare/compare_page.h"
#include "pages/compare/compare_parts.h"
#include "ui/controls.h"
#include "ui/panels/panels.h"

namespace tilewalk {

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

// The form of label for one kind of box in a row: the same for all boxes, chosen for the narrowest. brief: numbers
// alone, so that two pictures have the same labels.
enum class LabelForm { Whole, Brief, None };

std::array<LabelForm, kLaneBoxKinds> label_forms(const Panel& p, const Font& font, const LaneRow& row,
                                                 const draw::Rect& r, bool brief) {
  std::array<LabelForm, kLaneBoxKinds> forms;
  forms.fill(r.height() < font.em ? LabelForm::None : brief ? LabelForm::Brief : LabelForm::Whole);
  for (const LaneBox& box : row.boxes) {
    LabelForm& form = forms[std::size_t(box.kind)];
    if (box.label.empty() || box.folded || box.x0 <= 0 || box.x1 >= 1) continue;  // boxes at the edges are cut
    const float room = float(box.x1 - box.x0) * r.width() - 4 * p.s;
    if (form == LabelForm::Whole && draw::text_width(font, box.label) > room) form = LabelForm::Brief;
    if (form == LabelForm::Brief && (box.short_label.empty() || draw::text_width(font, box.short_label) > room))
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
  const std::optional<LaneBoxKind> only = f.views.page<ComparePage>()->lanes.only;
  const bool brief = f.views.page<ComparePage>()->chip.has_value();
  // The larger font where all of the row's words fit in it.
  const auto in_words = [&](const std::array<LabelForm, kLaneBoxKinds>& forms) {
    return std::all_of(row.boxes.begin(), row.boxes.end(), [&](const LaneBox& box) {
      return box.label.empty() || box.folded || forms[std::size_t(box.kind)] == LabelForm::Whole;
    });
  };
  const bool large = in_words(label_forms(p, p.fonts.strong, row, r, brief));
  const Font& font = large ? p.fonts.strong : p.fonts.caption;
  const std::array<LabelForm, kLaneBoxKinds> forms = label_forms(p, font, row, r, brief);
  std::vector<draw::Rect> now;
  for (const LaneBox& box : row.boxes) {
    const draw::Rect b{r.x0 + float(box.x0) * r.width(), r.y0, r.x0 + float(box.x1) * r.width(), r.y1};
    if (mouse >= b.x0 && mouse < b.x1) under = &box;
    if (box.kind == LaneBoxKind::Idle) continue;
    const float round = b.width() > 8 * s ? 3 * s : 0;
    const bool faded = only && box.kind != *only;
    const ImU32 fill =
        faded ? mix(p.colours.raised, colour_of(p.colours, box.kind), 0.18f) : colour_of(p.colours, box.kind);
    const draw::Rect inner{b.x0, b.y0, b.x1 - (b.width() > 4 ? 1 : 0), b.y1};
    // On white most hues are too light to be distinguished.
    draw::box(p.list, inner, fill, round,
              p.colours.dark || box.hatched || faded || b.width() < 4 ? 0 : mix(fill, p.colours.text, 0.5f));
    if (box.hatched && !faded && b.width() >= 7 * s)  // a narrower hatch is a smear, and thousands of them are slow
      draw::hatch(p.list, inner, p.colours.dark ? mix(p.colours.hatch, p.colours.muted, 0.35f) : p.colours.hatch, 8 * s,
                  std::max(1.0f, 1.3f * s));
    // A frame would cover a narrow box, so it is drawn around it.
    if (box.now && marked)
      now.push_back(b.width() > 8 * s ? inner : draw::Rect{b.x0 - 2 * s, b.y0, b.x1 + 2 * s, b.y1});
    const LabelForm form = forms[std::size_t(box.kind)];
    const std::string& label = form == LabelForm::Whole ? box.label : box.short_label;
    if (faded || form == LabelForm::None || label.empty() || draw::text_width(font, label) > b.width() - 4 * s)
      continue;
    draw::text_in(p.list, font, b, ink_on(fill), label);
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
  const auto fits = [&](const std::string& each) { return draw::text_width(font, each) <= room; };
  const auto label = std::find_if(fold.labels.begin(), fold.labels.end(), fits);
  const float wide = label != fold.labels.end() ? draw::text_width(font, *label) + 8 * s : 0;
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
  draw::text_in(p.list, font, pill, p.colours.text, *label);
}

constexpr float kReadableLane = 24;       // pitch of the lanes, before scaling: with its figures
constexpr float kLeastLane = 19;          // with its figures at the usual size of text
constexpr float kLeastRecordedLane = 13;  // with its name
constexpr std::size_t kManyLanes = 6;

// A picture without lanes: its call, and its launches if there are several, are above.
bool is_all_bars(const LanesPicture& picture) { return picture.rows.empty() && picture.whole; }

float legend_line(const Panel& p) { return std::max(22 * p.s, draw::leading(p.fonts.body)); }

// Draws the marks with their names, in as many lines as they need. Returns their right end in the last line, and moves
// the pen to it. draws: false to measure.
float legend_marks(const UiFrame& f, Panel& p, bool draws) {
  const LanesModel& m = f.views.page<ComparePage>()->lanes;
  const float s = p.s, line = legend_line(p);
  float x = p.x, y = p.y;
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
  p.y = y;
  return x;
}

// The first sentences of a text, as many as fit; at least the first one's part before its semicolon.
std::string whole_sentences(const Font& font, std::string text, float width) {
  while (draw::text_width(font, text) > width) {
    const std::size_t last = text.rfind(". ", text.size() - 2), part = text.rfind("; ");
    if (last == std::string::npos && part == std::string::npos) break;
    text = last != std::string::npos ? text.substr(0, last + 1) : text.substr(0, part) + ".";
  }
  return text;
}

// The sentence at the end of that line if it fits, else below. Moves the pen below. A sentence that answers the
// question for the room keeps its place until it is shown.
// one_line: in a low panel of many lanes, cut, with the whole sentence as its tooltip.
void legend_sentence(const UiFrame& f, Panel& p, float x, bool draws, bool one_line = false) {
  const std::string& sentence = f.views.page<ComparePage>()->lanes.sentence;
  if (f.session.presents_own_question() && f.session.compare().asks_about_lanes()) draws = false;
  if (draws) f.ui.rects.put("sentence", {p.x, p.y, p.x + p.width, p.y + legend_line(p)});
  const float right = p.x + p.width, wide = draw::text_width(p.fonts.strong, sentence);
  if (sentence.empty() && x <= p.x) return;
  if (x > p.x && right - wide >= x) {
    if (draws) draw::text(p.list, p.fonts.strong, right - wide, p.y, p.colours.text, sentence);
    p.y += legend_line(p);
    return;
  }
  if (one_line) {
    const draw::Rect line{x + 10 * p.s, p.y, right, p.y + legend_line(p)};
    draw::text(p.list, p.fonts.strong, line.x0, p.y, p.colours.text,
               draw::elided(p.fonts.strong, whole_sentences(p.fonts.strong, sentence, line.width()), line.width()));
    if (pointed_at(f, "sentence", line)) tooltip(f, with_meanings(sentence, sentence));
    p.y += legend_line(p);
    return;
  }
  if (x > p.x) p.y += legend_line(p);
  p.y += draw::paragraph(draws ? p.list : nullptr, p.fonts.strong, p.fonts.tiny, p.x, p.y, p.width, p.colours.text,
                         sentence);
}

float legend_height(const UiFrame& f, Panel& p) {
  const float top = p.y;
  legend_sentence(f, p, legend_marks(f, p, false), false);
  const float high = p.y - top;
  p.y = top;
  return high;
}

// The title of the lanes: the longest of these that fits, or none.
void draw_title(Panel& p, const ComparePage& page, float room) {
  const std::string what = page.chip       ? "The chip beside its model"
                           : page.launches ? "Bytes asked of global memory"
                                           : "Modelled cycles";
  std::vector<std::string> titles = {what};
  if (page.launches)
    titles = {what + ", by tensor · whole run", what + ", by tensor", what};
  else if (page.warps && page.lanes.cycles.ticks.empty())
    titles = {"Both whole calls"};
  else if (!page.chip)
    titles = {"Who does what, when · modelled cycles · " + page.block, what + " · " + page.block, what};
  for (const std::string& title : titles)
    if (draw::caption_width(p.theme, title) <= room) {
      p.caption_at(p.x, p.y + 6 * p.s, title, room);
      return;
    }
}

// Above recorded lanes: how far the model is off, in a figure and in words, and of which call they are.
void draw_conclusion(const UiFrame& f, Panel& p, const ChipComparison& chip) {
  const float s = p.s, top = p.y, left = draw::text_width(p.fonts.figure, chip.figure) + 18 * s;
  const float x = p.x + left, width = p.width - left;
  // In the larger font where the words take one line.
  const Font& font = draw::text_width(p.fonts.title, chip.conclusion) <= width ? p.fonts.title : p.fonts.strong;
  const float high = draw::paragraph(p.list, font, p.fonts.tiny, x, p.y, width, p.colours.text, chip.conclusion);
  // Presented, the words change with each step, and the lanes below stay where they are.
  p.y += (f.session.presents_page() ? std::max(high, 2 * draw::leading(p.fonts.strong)) : high) + 2 * s;
  f.ui.rects.put("conclusion", {x, top, p.x + p.width, p.y});
  const float call = p.y;
  p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, x, p.y, width, p.colours.muted, chip.call);
  explain(f, "recorded call", {x, call, p.x + p.width, p.y}, chip.walk);
  draw::text(p.list, p.fonts.figure, p.x, (top + p.y - p.fonts.figure.size) / 2, p.colours.accent, chip.figure);
  f.ui.rects.put("model's error", {p.x, top, p.x + left, p.y});
  p.y += 8 * s;
}

}  // namespace

void draw_lanes_panel(const UiFrame& f, Panel& p) {
  const float s = p.s;
  const ComparePage& page = *f.views.page<ComparePage>();
  const LanesModel& m = page.lanes;
  float right = p.x + p.width;
  if (shows_controls(f) && !page.warps) right = draw_lane_options(f, p, right);
  if (shows_controls(f) && !page.alone) {
    right = draw_baseline_choice(f, p, right);
    if (!page.chip) right = draw_pace(f, p, right);  // recorded lanes stand still
    right = draw_pipes_switch(f, p, right);
    right = draw_compared_choice(f, p, right);
  }
  draw_title(p, page, right - p.x);
  p.y += (shows_controls(f) ? 34 : 24) * s;
  if (page.chip) draw_conclusion(f, p, *page.chip);
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
  float titles = float(m.pictures.size()) * 34 * s, words = 0, bars = 0;
  for (const LanesPicture& picture : m.pictures) {
    if (picture.whole) bars += bar_high(p) * (picture.launches.empty() ? 1 : 2);
    // The text of a bar stands at its end, so a short bar needs less.
    const auto reserve = [&](const LaneWhole& bar) {
      const float end = float(bar.from + bar.share), text = draw::text_width(p.fonts.tiny, bar.text) + 14 * s;
      const float wide = area.width();
      if (end > 0) words = std::max(words, wide - (wide - text) / end);
    };
    if (picture.whole) reserve(*picture.whole);
  }
  if (bars > 0) {
    bars += axis_high(p) + 3 * s;
    for (const LanesPicture& picture : m.pictures)
      if (is_all_bars(picture)) bars -= 34 * s;
  }
  const float whole_foot = legend_height(f, p) + 8 * s;
  const bool one_line = rows >= kManyLanes && shows_controls(f) &&
                        p.rect.y1 - 8 * s - whole_foot - p.y - titles - axis_high(p) < kLeastLane * s * float(rows);
  const float foot = one_line ? legend_line(p) + 8 * s : whole_foot;
  // Beside recorded lanes every row is in sight, before an axis.
  const float least = (page.chip ? kLeastRecordedLane : 15) * s;
  const bool ticked = !m.cycles.ticks.empty() &&
                      (!page.chip || p.y + titles + least * float(rows) + foot + 8 * s + axis_high(p) <= p.rect.y1);
  if (ticked) titles += axis_high(p);
  // In a low panel the launches are left out; in the lowest the bars of the whole calls too, and their
  // words are in the titles.
  const float free = p.rect.y1 - foot - p.y - titles - (rows >= kManyLanes ? kReadableLane : 15) * s * float(rows);
  const bool launches = bars <= free;
  for (const LanesPicture& picture : m.pictures)
    if (!launches && !picture.launches.empty()) bars -= bar_high(p);
  // A class asks about the lanes: they get the bars' space.
  const bool presented = f.session.presents_own_question() && !page.chip && rows > 0;
  const bool low = bars > free || presented;
  // Of many lanes even these leave too little: then the result above this panel is all that is said of whole calls.
  std::size_t without_lanes = 0;
  for (const LanesPicture& picture : m.pictures) without_lanes += is_all_bars(picture);
  const bool bare =
      low && without_lanes > 0 &&
      (presented || (rows >= kManyLanes && p.rect.y1 - 8 * s - foot - p.y - titles < kReadableLane * s * float(rows)));
  if (bare) titles -= float(without_lanes) * 34 * s;
  if (low)
    words = 0;
  else
    titles += bars;
  const float pitch = std::clamp((p.rect.y1 - 8 * s - foot - p.y - titles) / float(std::max<std::size_t>(1, rows)),
                                 least, (page.alone ? 240 : 130) * s);
  // Where the lanes need scrolling, the marks are above them.
  const bool scrolls = p.y + titles + pitch * float(rows) + foot > p.rect.y1;
  if (scrolls) {
    legend_marks(f, p, true);
    p.y += legend_line(p);
  }
  if (bars > 0 && !low) draw_whole_calls(f, p, m, area, words, launches);
  int id = 0;
  for (std::size_t i = 0; i < m.pictures.size(); ++i) {
    const LanesPicture& picture = m.pictures[i];
    const bool now = i + 1 == m.pictures.size();
    if (is_all_bars(picture) && (!low || bare)) continue;
    // A class reads the pictures: their axis has the cycles.
    const std::string all_cycles =
        f.session.presents_page()
            ? ""
            : picture.cycles_text + (picture.cycles_text.empty() || picture.note.empty() ? "" : " · ") + picture.note;
    // The title has priority; the rest of the line is for the cycles.
    const std::string title = draw::elided(p.fonts.strong, picture.title, area.x1 - p.x);
    word(f, p.fonts.strong, p.x, p.y + 4 * s, p.colours.text, title);
    const float left = area.x1 - p.x - draw::text_width(p.fonts.strong, title) - 16 * s;
    const std::string cycles = left < 40 * s ? "" : whole_parts(p.fonts.tiny, all_cycles, left);
    draw::text_right(p.list, p.fonts.tiny, area.x1, p.y + 5 * s, p.colours.muted, cycles);
    if (!cycles.empty() && !picture.cycles_tip.empty()) {
      const ImVec2 pen = ImGui::GetCursorScreenPos();
      const float wide = draw::text_width(p.fonts.tiny, cycles);
      if (pointed_at(f, "cycles " + std::to_string(i),
                     {area.x1 - wide, p.y + 5 * s, area.x1, p.y + 5 * s + p.fonts.tiny.size}))
        tooltip(f, picture.cycles_tip);
      ImGui::SetCursorScreenPos(pen);
    }
    const float from = p.x + draw::text_width(p.fonts.strong, picture.title) + 16 * s;
    const float to = area.x1 - draw::text_width(p.fonts.tiny, cycles) - 16 * s;
    const std::string said = low && picture.whole ? "whole call " + picture.whole->text : picture.so_far;
    if (!said.empty() && to - from > 60 * s)
      draw::text(p.list, p.fonts.tiny, from, p.y + 5 * s, p.colours.muted, whole_parts(p.fonts.tiny, said, to - from));
    p.y += 26 * s;
    const float top = p.y;
    for (const LaneRow& row : picture.rows) {
      draw_row(f, p, row, {area.x0, p.y, area.x1, p.y + pitch - std::min(4 * s, pitch * 0.14f)}, now,
               now && page.of_walk, id++);
      p.y += pitch;
    }
    const draw::Rect rows_at{area.x0, top, area.x1, p.y};
    f.ui.rects.put("rows " + std::to_string(i), rows_at);
    for (const LaneFold& fold : picture.folds) draw_fold(p, fold, rows_at, (rows_at.y0 + rows_at.y1) / 2);
    if (picture.goes_on) draw_fold(p, {.x0 = 1, .x1 = 1}, rows_at, 0);
    if (picture.cursor >= 0) {
      const float x = std::round(area.x0 + float(picture.cursor) * area.width());
      p.list->AddLine(ImVec2(x, top - 6 * s), ImVec2(x, p.y), p.colours.now_line, std::max(1.0f, 1.6f * s));
    }
    p.y += 8 * s;
  }
  if (ticked) {
    p.y -= 6 * s;
    draw_axis(f, p, m.cycles, "cycles", area.x0, area.x1);
  }
  p.y += 4 * s;
  legend_sentence(f, p, scrolls ? p.x : legend_marks(f, p, true), true, one_line);
}

}  // namespace tilewalk
