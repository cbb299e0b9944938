#include "ui/panels/learn/lesson_task.h"

#include <algorithm>
#include <cmath>

#include "base/typed_quantity.h"
#include "base/units.h"
#include "base/words.h"
#include "ui/number_pad.h"
#include "ui/panels/learn/rich_text.h"
#include "ui/panels/panels.h"
#include "view/words/units.h"

namespace tilewalk {

namespace {

struct TaskUi {
  bool typing = false;  // the field of the question has the focus
};

void check(const UiFrame& f) { f.push(Action::LessonCheck); }

// Tab came to an open question in this frame.
bool tab_came(const UiFrame& f, const LessonTaskModel& task) {
  return !task.done && f.ui.panel_step != 0 && f.ui.panel_at == kLessonPanel;
}

// The field of a number. Enter checks; it gets the focus while the lesson has the keys.
void draw_number(const UiFrame& f, Panel& p, const LessonTaskModel& task) {
  const float s = p.s, unit = task.unit.empty() ? 0 : draw::text_width(p.fonts.body, task.unit) + 10 * s;
  const float check_wide = button_width(p.theme, "Check", 26);
  const float pad_wide = draw::text_width(p.fonts.tiny, kNumberPadLabel) + 12 * s;
  constexpr float kLeastField = 80;
  // Where the unit does not fit between field and buttons, these are on a line of their own.
  const bool below = kLeastField * s + unit + check_wide + pad_wide + 16 * s > p.width;
  const float wide =
      below ? std::max(kLeastField * s, p.width - unit) : p.width - unit - check_wide - pad_wide - 16 * s;
  ImGui::SetCursorScreenPos(ImVec2(p.x, p.y));
  ImGui::SetNextItemWidth(wide);
  std::string text = task.draft;
  if (tab_came(f, task)) f.ui.lesson_keys = true;
  const bool clicking = ImGui::IsMouseDown(0);  // the focus does not move during a mouse press
  if (f.ui.lesson_keys && !task.done && !f.ui.of<TaskUi>().typing && !clicking) focus_text("##answer");
  if (input_text("##answer", text)) f.push(DraftAnswer{text});
  const bool entered = ImGui::IsItemDeactivated() && enter_pressed();
  f.ui.of<TaskUi>().typing = ImGui::IsItemActive();
  f.ui.rects.put("answer", {p.x, p.y, p.x + wide, p.y + ImGui::GetItemRectSize().y});
  const float high = ImGui::GetItemRectSize().y;
  if (unit > 0) {
    draw::text(p.list, p.fonts.body, p.x + wide + 8 * s, p.y + (high - p.fonts.body.size) / 2, p.colours.muted,
               task.unit);
    f.ui.rects.put("unit", {p.x + wide + 8 * s, p.y, p.x + wide + unit - 2 * s, p.y + high});
  }
  if (below) p.y += high + 6 * s;
  const float right = p.x + p.width;
  const bool clicked = button(f, {.id = "check",
                                  .rect = {right - check_wide, p.y, right, p.y + high},
                                  .label = "Check",
                                  .tip = "Checks the answer in the field (Enter)",
                                  .strong = !task.done});
  if (f.ui.after_answer) focus_item();
  if (clicked || entered) check(f);
  const float pad = right - check_wide - 6 * s;
  if (tag(f, {.id = "number pad",
              .rect = {pad - pad_wide, p.y, pad, p.y + high},
              .label = kNumberPadLabel,
              .tip = kNumberPadTip,
              .font = p.fonts.tiny,
              .ink = f.ui.number_pad ? p.colours.text : p.colours.muted,
              .fill = f.ui.number_pad ? p.colours.tab : p.colours.button,
              .hovered = p.colours.button_hover,
              .border = p.colours.border,
              .rounding = 6 * s}))
    f.ui.number_pad = !f.ui.number_pad;
  p.y += high + 8 * s;
  if (const auto typed = draw_number_pad(f, p.fonts.body, p.x, p.y, p.width, task.draft, !task.done))
    f.push(DraftAnswer{*typed});
  p.y += number_pad_height(f, s);
}

// The ends of a scale, and the decades between them.
std::vector<double> marks_of(double low, double high) {
  std::vector<double> out = {low};
  for (double decade = std::floor(std::log10(low) + 1e-9) + 1; decade < std::log10(high) - 1e-9; ++decade)
    out.push_back(std::pow(10.0, decade));
  out.push_back(high);
  return out;
}

// A guess on a logarithmic scale; arrows or a drag move it.
void draw_scale(const UiFrame& f, Panel& p, const LessonTaskModel& task) {
  const float s = p.s;
  const double low = std::log(task.low), high = std::log(task.high);
  const std::optional<double> guess = typed_quantity(task.draft, task.unit).value;
  const double at = std::clamp(guess && *guess > 0 ? (std::log(*guess) - low) / (high - low) : 0.5, 0.0, 1.0);
  const draw::Rect bar{p.x + 8 * s, p.y + 12 * s, p.x + p.width - 8 * s, p.y + 18 * s};
  draw::box(p.list, bar, p.colours.track, 3 * s, p.colours.to_do);
  float free = bar.x0 - 20 * s;  // the left end of the next number
  for (const double value : marks_of(task.low, task.high)) {
    const float x = bar.x0 + float((std::log(value) - low) / (high - low)) * bar.width();
    p.list->AddLine(ImVec2(x, bar.y1), ImVec2(x, bar.y1 + 6 * s), p.colours.muted, draw::hairline());
    const std::string text = value < 1 ? compact_number(value) : format_count(std::llround(value));
    const float wide = draw::text_width(p.fonts.tiny, text), from = x - wide / 2;
    if (from < free) continue;
    draw::text(p.list, p.fonts.tiny, from, bar.y1 + 8 * s, p.colours.muted, text);
    free = from + wide + 8 * s;
  }
  const Hit h = hit(f, "scale", {p.x, p.y, p.x + p.width, p.y + 30 * s});
  double moved = at;
  if (h.held) moved = std::clamp(double((ImGui::GetIO().MousePos.x - bar.x0) / bar.width()), 0.0, 1.0);
  if (f.ui.lesson_keys && !task.done)
    moved = std::clamp(moved + 0.01 * (int(key_pressed(Key::Right)) - int(key_pressed(Key::Left))), 0.0, 1.0);
  if (moved != at || (h.held && task.draft.empty())) {
    const double value = std::exp(low + moved * (high - low));
    f.push(DraftAnswer{value < 1000 ? compact_number(value) : format_count(std::llround(value))});
  }
  const float x = bar.x0 + float(at) * bar.width();
  const ImVec2 knob(x, (bar.y0 + bar.y1) / 2);
  p.list->AddCircleFilled(knob, 8 * s, guess ? p.colours.accent : p.colours.panel);
  if (!guess) p.list->AddCircle(knob, 8 * s, p.colours.accent, 0, 2 * s);
  p.y += 46 * s;
  draw_number(f, p, task);
}

void draw_choices(const UiFrame& f, Panel& p, const LessonTaskModel& task) {
  const float s = p.s;
  int chosen = -1;
  for (std::size_t i = 0; i < task.options.size(); ++i) {
    const LessonOption& option = task.options[i];
    if (option.chosen) chosen = int(i);
    const LessonLine line{false, {{Run::Style::Plain, option.text}}};
    const float inner = p.width - 40 * s;
    const float high = rich_paragraph(nullptr, p.theme, 0, 0, inner, 0, line.runs) + 10 * s;
    const draw::Rect r{p.x, p.y, p.x + p.width, p.y + high};
    const Hit h = hit(f, "option " + option.letter, r);
    if (i == 0 && tab_came(f, task)) focus_item();
    draw::box(p.list, r,
              option.chosen ? p.colours.tab
              : h.hovered   ? p.colours.button_hover
                            : p.colours.button,
              6 * s, option.chosen ? p.colours.accent : p.colours.border);
    draw::text(p.list, p.fonts.strong, r.x0 + 10 * s, r.y0 + 5 * s, p.colours.muted, option.letter);
    rich_paragraph(p.list, p.theme, r.x0 + 30 * s, r.y0 + 5 * s, inner, p.colours.text, line.runs);
    if (h.clicked) f.push(CheckAnswer{option.letter});
    p.y = r.y1 + 5 * s;
  }
  p.y += 4 * s;
  if (!f.ui.lesson_keys || task.done) return;
  const int count = int(task.options.size()), by = int(key_pressed(Key::Down)) - int(key_pressed(Key::Up));
  if (by != 0) f.push(DraftAnswer{letter_of(chosen < 0 ? (by > 0 ? 0 : count - 1) : (chosen + by + count) % count)});
  if (enter_pressed() && chosen >= 0) check(f);
}

std::string joined(const std::vector<LessonOption>& options) {
  std::string out;
  for (const LessonOption& option : options) add_to_list(out, option.letter, " ");
  return out;
}

// The button below a task; moves the pen below it.
void draw_check(const UiFrame& f, Panel& p, const LessonTaskModel& task, std::string_view tip) {
  const float s = p.s, wide = button_width(p.theme, "Check", 30);
  if (button(f, {.id = "check",
                 .rect = {p.x, p.y, p.x + wide, p.y + 30 * s},
                 .label = "Check",
                 .tip = tip,
                 .strong = !task.done}))
    check(f);
  p.y += 38 * s;
}

// A line with a sign before it; moves the pen below it.
void draw_with_sign(Panel& p, draw::Sign sign, const Font& font, ImU32 ink, const std::string& words) {
  const float s = p.s;
  draw::sign(p.list, sign, {p.x, p.y - 1 * s, p.x + 18 * s, p.y + 17 * s}, ink, s);
  draw::text(p.list, font, p.x + 26 * s, p.y, ink, draw::elided(font, words, p.width - 30 * s));
  p.y += 24 * s;
}

// Order and Label: a click on ↑ or ↓ moves a line; with keys, ↑ ↓ choose one and Shift moves it.
void draw_order(const UiFrame& f, Panel& p, const LessonTaskModel& task) {
  const float s = p.s, sign = 22 * s;
  const int count = int(task.options.size());
  const auto swapped = [&](int a, int b) {
    std::vector<LessonOption> options = task.options;
    std::swap(options[std::size_t(a)], options[std::size_t(b)]);
    f.push(DraftAnswer{joined(options)});
  };
  for (int i = 0; i < count; ++i) {
    const LessonOption& option = task.options[std::size_t(i)];
    const LessonLine line{false, {{Run::Style::Plain, option.text}}};
    const float inner = p.width - 2 * sign - 22 * s;
    const auto draw_place = [&](ImDrawList* list, float x, float y) {
      return draw::paragraph(list, p.fonts.tiny, p.fonts.tiny, x, y, inner, p.colours.muted, option.place);
    };
    const float place = option.place.empty() ? 0 : draw_place(nullptr, 0, 0);
    const float high = place + rich_paragraph(nullptr, p.theme, 0, 0, inner, 0, line.runs) + 8 * s;
    const draw::Rect r{p.x, p.y, p.x + p.width, p.y + high};
    const bool at_hand = f.ui.lesson_keys && f.ui.lesson_line == i && !task.done;
    draw::box(p.list, r, p.colours.button, 6 * s, at_hand ? p.colours.accent : p.colours.border);
    if (place > 0) draw_place(p.list, r.x0 + 10 * s, r.y0 + 4 * s);
    rich_paragraph(p.list, p.theme, r.x0 + 10 * s, r.y0 + 4 * s + place, inner, p.colours.text, line.runs);
    const float top = r.y0 + (high - sign) / 2;
    const draw::Rect up{r.x1 - 2 * sign - 4 * s, top, r.x1 - sign - 4 * s, top + sign},
        down{r.x1 - sign - 2 * s, top, r.x1 - 2 * s, top + sign};
    if (button(f, {.id = "up " + option.letter,
                   .rect = up,
                   .label = "",
                   .tip = "Earlier",
                   .sign = draw::Sign::Up,
                   .enabled = i > 0 && !task.done}))
      swapped(i, i - 1);
    if (button(f, {.id = "down " + option.letter,
                   .rect = down,
                   .label = "",
                   .tip = "Later",
                   .sign = draw::Sign::Down,
                   .enabled = i + 1 < count && !task.done}))
      swapped(i, i + 1);
    if (i == 0 && tab_came(f, task)) focus_item();
    p.y = r.y1 + 4 * s;
  }
  draw_check(f, p, task, "");
  if (!f.ui.lesson_keys || task.done) return;
  const int by = int(key_pressed(Key::Down)) - int(key_pressed(Key::Up)), to = f.ui.lesson_line + by;
  if (by != 0 && to >= 0 && to < count) {
    if (ImGui::GetIO().KeyShift) swapped(f.ui.lesson_line, to);
    f.ui.lesson_line = to;
  }
  if (enter_pressed()) check(f);
}

// The quantities of work by hand, with a mark for finished ones; the fields are at the places of the numbers.
void draw_fields(Panel& p, const LessonTaskModel& task) {
  for (const LessonField& field : task.fields) {
    const bool done = field.mark == ScreenMark::Done, now = field.mark == ScreenMark::Now;
    const ImU32 ink = done ? p.colours.good : now ? p.colours.text : p.colours.muted;
    draw_with_sign(p,
                   done  ? draw::Sign::Check
                   : now ? draw::Sign::Dot
                         : draw::Sign::Ring,
                   now ? p.fonts.strong : p.fonts.body, ink,
                   field.answer.empty() ? field.name + ": not filled in yet" : field.name + " = " + field.answer);
  }
}

// Draw: what is placed, with its place; the chart is on the page.
void draw_marks_to_place(const UiFrame& f, Panel& p, const LessonTaskModel& task) {
  for (const LessonMark& mark : task.marks) {
    const bool right = mark.mark == ScreenMark::Done, wrong = mark.mark == ScreenMark::Shown;
    const ImU32 ink = right ? p.colours.good : wrong ? p.colours.bad : p.colours.text;
    const draw::Sign sign = right                          ? draw::Sign::Check
                            : wrong                        ? draw::Sign::Cross
                            : mark.mark == ScreenMark::Now ? draw::Sign::Dot
                                                           : draw::Sign::Ring;
    draw_with_sign(p, sign, p.fonts.body, ink, mark.words.empty() ? mark.name : mark.name + ": " + mark.words);
  }
  p.y += 4 * p.s;
  if (tab_came(f, task)) f.ui.lesson_keys = true;
  draw_check(f, p, task, "Judges what is placed (Enter)");
  if (f.ui.lesson_keys && !task.done && enter_pressed()) check(f);
}

// The tiles are in the picture; here their number.
void draw_tiles_to_mark(const UiFrame& f, Panel& p, const LessonTaskModel& task) {
  draw::text(p.list, p.fonts.strong, p.x, p.y, p.colours.text, task.marked);
  p.y += draw::leading(p.fonts.strong) + 6 * p.s;
  if (tab_came(f, task)) f.ui.lesson_keys = true;
  draw_check(f, p, task, "Judges the marked tiles (Enter)");
  if (f.ui.lesson_keys && !task.done && enter_pressed()) check(f);
}

// The button that opens what the question names.
void draw_opening(const UiFrame& f, Panel& p, const LessonTaskModel& task) {
  if (task.button.empty()) return;
  const float s = p.s, wide = std::min(p.width, button_width(p.theme, task.button, 26)), high = 30 * s;
  if (button(f, {.id = "open", .rect = {p.x, p.y, p.x + wide, p.y + high}, .label = task.button, .strong = !task.done}))
    for (const Command& command : task.opens) f.push(command);
  p.y += high + 8 * s;
}

}  // namespace

void draw_task(const UiFrame& f, Panel& p, const LessonTaskModel& task) {
  const float s = p.s;
  const ImVec2 corner(p.x, p.y);
  const float width = p.width;
  p.x += 14 * s, p.width -= 28 * s, p.y += 12 * s;
  p.list->ChannelsSplit(2);
  p.list->ChannelsSetCurrent(1);
  p.caption(task.head);
  p.y += rich_paragraph(p.list, p.theme, p.x, p.y, p.width, p.colours.text, task.ask.runs) + 8 * s;
  switch (task.kind) {
    case TaskKind::Number: draw_number(f, p, task); break;
    case TaskKind::Predict: draw_scale(f, p, task); break;
    case TaskKind::Choose: draw_choices(f, p, task); break;
    case TaskKind::Order:
    case TaskKind::Label: draw_order(f, p, task); break;
    case TaskKind::ByHand: draw_fields(p, task); break;
    case TaskKind::Draw: draw_marks_to_place(f, p, task); break;
    case TaskKind::MarkTiles: draw_tiles_to_mark(f, p, task); break;
    case TaskKind::Do: draw_opening(f, p, task); break;
  }
  p.x = corner.x, p.width = width, p.y += 4 * s;
  f.ui.rects.put("task", {p.x, corner.y, p.x + p.width, p.y});
  p.list->ChannelsSetCurrent(0);
  draw::box(p.list, {p.x, corner.y, p.x + p.width, p.y}, p.colours.callout, 8 * s,
            f.ui.lesson_keys && !task.done ? p.colours.accent : mix(p.colours.border, p.colours.accent, 0.4f));
  p.list->ChannelsMerge();
  p.y += 10 * s;
}

}  // namespace tilewalk
