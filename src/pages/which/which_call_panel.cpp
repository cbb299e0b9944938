// The fields of the call that the header does not have: a click steps through a field with few choices, other fields
// are typed. A field that a failed check reads has a border. A field of the header is here only while its text is
// refused.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/words.h"
#include "pages/which/which_page.h"
#include "session/document/window_call.h"
#include "ui/panels/call_field.h"
#include "ui/panels/panels.h"
#include "ui/panels/tag_rows.h"

namespace tilewalk {
namespace {

struct FieldsUi {
  bool all = false;      // also those that have their default and are rarely changed
  bool open = false;     // of a page in one column, where they are folded at first
  bool command = false;  // the same call on the command line
};

enum class FieldGroup { Machine, Shape, Mask };

struct GroupTitle {
  FieldGroup group;
  const char* title;
};
constexpr GroupTitle kGroups[] = {
    {FieldGroup::Machine, "GPU and software"}, {FieldGroup::Shape, "Shape"}, {FieldGroup::Mask, "Mask and training"}};

FieldGroup group_of(std::string_view name) {
  constexpr std::string_view kShape[] = {"dtype", "batch", "heads", "kv-heads",   "n-q",   "n-kv",
                                         "d",     "d-v",   "dims",  "enable-gqa", "layout"};
  constexpr std::string_view kMask[] = {"attn-mask", "mask-dims", "is-causal", "dropout", "training", "deterministic"};
  const auto in = [&](const auto& names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  return in(kShape) ? FieldGroup::Shape : in(kMask) ? FieldGroup::Mask : FieldGroup::Machine;
}

// Unfolds the other fields; beside it or below, a button that resets all of them.
void draw_buttons(const UiFrame& f, Panel& p, std::size_t folded) {
  FieldsUi& ui = f.ui.of<FieldsUi>();
  const float s = p.s, high = 28 * s;
  float x = p.x;
  const auto wide = [&](const std::string& label) { return draw::text_width(p.fonts.body, label) + 24 * s; };
  if (folded > 0) {
    const std::string label = ui.all ? "Fewer fields" : fmt::format("{} more field{}", folded, folded == 1 ? "" : "s");
    const draw::Rect more{p.x, p.y, p.x + wide(label), p.y + high};
    if (button(f, {.id = "more fields",
                   .rect = more,
                   .label = label,
                   .tip = ui.all ? "Hides the fields that have their default and are rarely changed"
                                 : "They all have their default: CUDA, N_kv, layout, sdpa_kernel …"}))
      ui.all = !ui.all;
    x = more.x1 + 8 * s;
    if (x + wide("Reset") > p.x + p.width) x = p.x, p.y = more.y1 + 6 * s;
  }
  const draw::Rect plain{x, p.y, x + wide("Reset"), p.y + high};
  if (button(f, {.id = "plain call", .rect = plain, .label = "Reset", .tip = "Every field as at the start"}))
    f.push(Action::ForgetWhich);
  p.y = plain.y1 + 14 * s;
}

void draw_field(const UiFrame& f, Panel& p, const WhichModel& m, const CallFieldModel& field, float names) {
  const float s = p.s, high = std::max(24 * s, ImGui::GetFrameHeight());
  word(f, p.fonts.body, p.x, p.y + (high - p.fonts.body.size) / 2, p.colours.muted,
       draw::elided(p.fonts.body, field.label, names));
  draw_call_field(f, field, {p.x + names + 8 * s, p.y, p.x + p.width, p.y + high}, "call " + field.name);
  p.y += high + 4 * s;
  if (field.name == "torch" && !m.version_note.empty())
    p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x + names + 8 * s, p.y, p.width - names - 8 * s,
                           p.colours.muted, m.version_note) +
           4 * s;
  if (!field.issue.empty())
    p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.bad, field.issue) + 2 * s;
}

// Of this page alone.
bool is_own_field(const CallFieldModel& field) {
  return !field.issue.empty() || (field.matters && !is_header_field(field.name));
}

// In one column the answer is above the fields, and its reasons are below them: one line has their place. A lesson has
// its learner type the call.
bool folds_fields(const UiFrame& f, const WhichModel& m) {
  const auto refused = [](const CallFieldModel& field) { return !field.issue.empty(); };
  return f.ui.stacks && f.layout.scale.stacked && !f.views.lesson_panel &&
         std::none_of(m.fields.begin(), m.fields.end(), refused);
}

// "PyTorch 2.11 · way in sdpa · attn_mask none"
std::string folded_words(const WhichModel& m) {
  std::string out;
  for (const CallFieldModel& field : m.fields)
    if (is_own_field(field) && !field.folded) add_to_list(out, field.label + " " + field.text, " · ");
  return out;
}

void draw_folded(const UiFrame& f, Panel& p, const WhichModel& m) {
  const float s = p.s, high = std::max(28 * s, p.fonts.body.em + 8 * s);
  const float wide = draw::text_width(p.fonts.body, "Change") + 24 * s, end = p.x + p.width;
  word(f, p.fonts.mono_small, p.x, p.y + (high - p.fonts.mono_small.size) / 2, p.colours.text,
       draw::elided(p.fonts.mono_small, folded_words(m), p.width - wide - 12 * s));
  if (button(f, {.id = "change call",
                 .rect = {end - wide, p.y, end, p.y + high},
                 .label = "Change",
                 .tip = "The fields of the call that the header does not have"}))
    f.ui.of<FieldsUi>().open = true;
  p.y += high;
}

void draw_fold(const UiFrame& f, Panel& p) {
  const float s = p.s, high = std::max(28 * s, p.fonts.body.em + 8 * s);
  const float wide = draw::text_width(p.fonts.body, "Fold the call") + 24 * s;
  if (button(f, {.id = "fold call",
                 .rect = {p.x, p.y, p.x + wide, p.y + high},
                 .label = "Fold the call",
                 .tip = "One line instead of its fields"}))
    f.ui.of<FieldsUi>().open = false;
  p.y += high + 14 * s;
}

// Folded at first: few who ask on this page go on in a terminal.
void draw_command_line(const UiFrame& f, Panel& p, const std::string& line) {
  bool& open = f.ui.of<FieldsUi>().command;
  const float s = p.s, high = 28 * s;
  const char* const label = open ? "Hide the command line" : "Command line";
  const float wide = draw::text_width(p.fonts.body, label) + 24 * s;
  if (button(f, {.id = "command line", .rect = {p.x, p.y, p.x + wide, p.y + high}, .label = label, .tip = line}))
    open = !open;
  p.y += high + 8 * s;
  if (open)
    p.y += draw::paragraph(p.list, p.fonts.mono_small, p.fonts.mono_small, p.x, p.y, p.width, p.colours.text, line);
}

// The fields of the header that a failed check reads: they have no border here.
void draw_refused(const UiFrame& f, Panel& p, const WhichModel& m) {
  std::string refused;
  for (const CallFieldModel& field : m.fields)
    if (field.at_fault && !is_own_field(field) && is_header_field(field.name)) add_to_list(refused, field.label);
  if (refused.empty()) return;
  const float top = p.y;
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.warn,
                         "A check fails by " + refused + ", in the call above.") +
         8 * p.s;
  f.ui.rects.put("refused above", {p.x, top, p.x + p.width, p.y});
}

}  // namespace

void draw_which_call_panel(const UiFrame& f, Panel& p) {
  const WhichModel& m = *f.views.page<WhichPage>()->model;
  const bool folds = folds_fields(f, m);
  if (folds && !f.ui.of<FieldsUi>().open) return draw_folded(f, p, m);
  const float s = p.s, names = std::min(104 * s, p.width * 0.38f);
  const bool all = f.ui.of<FieldsUi>().all;
  std::size_t folded = 0;
  p.caption("Besides the call above");
  for (const auto& [group, title] : kGroups) {
    bool first = true;
    for (const CallFieldModel& field : m.fields) {
      if (group_of(field.name) != group || !is_own_field(field)) continue;
      if (field.folded && field.issue.empty()) {
        ++folded;
        if (!all) continue;
      }
      if (std::exchange(first, false)) {
        draw::text(p.list, p.fonts.strong, p.x, p.y, p.colours.text, title);
        p.y += draw::leading(p.fonts.strong) + 3 * s;
      }
      draw_field(f, p, m, field, names);
    }
    if (!first) p.y += 7 * s;
  }
  draw_refused(f, p, m);
  draw_buttons(f, p, folded);
  if (folds) draw_fold(f, p);
  draw_command_line(f, p, m.command_line);
  if (m.tries.tags.empty()) return;
  p.y += 6 * s;
  const float tries = p.y;
  tag_row(f, p, m.tries, p.x, p.y);
  p.y += 26 * s;
  f.ui.rects.put("tries", {p.x, tries, p.x + p.width, p.y});
}

}  // namespace tilewalk
