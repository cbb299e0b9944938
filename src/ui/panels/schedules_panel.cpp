// The strip above the walk and the comparison: the schedules, forward and backward, and the problem that is walked. In
// the first minute it says what the program is instead.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/schedules/registry.h"
#include "pages/compare/compare_page.h"
#include "ui/panels/drop_down.h"
#include "ui/panels/panels.h"
#include "view/words/glossary.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr const char* kForward = "Forward";
constexpr const char* kBackward = "Backward";
constexpr const char* kPresets = "Presets";
constexpr float kHigh = 28;  // of a tab's row, in design pixels

const char* group_of(const HeaderTab& tab) { return tab.backward ? kBackward : kForward; }

float tabs_width(const UiFrame& f, float pad) {
  const Fonts& fonts = f.theme.fonts;
  float width = 6 * f.theme.s;
  const char* group = nullptr;
  for (const HeaderTab& tab : f.views.header.tabs) {
    if (group_of(tab) != group) group = group_of(tab), width += draw::text_width(fonts.tiny, group) + 1.25f * pad;
    width += draw::text_width(fonts.strong, tab.title) + pad;
  }
  return width;
}

std::string active_title(const UiFrame& f) { return title_of(f.session.problem().schedule); }

// Of the call that is compared; else of the walk.
std::string problem_words(const UiFrame& f, std::size_t title, bool alone) {
  const ComparePage* const page = f.session.page() == Page::Compare ? f.views.page<ComparePage>() : nullptr;
  if (page && !page->call_titles.empty())
    return (alone ? "" : page->call_name) + page->call_titles[std::min(title, page->call_titles.size() - 1)];
  return (alone || f.views.header.call.walked ? "" : "this walk: ") + f.views.header.problem[title];
}

struct StripRoom {
  float tab_pad = 0;        // padding beside a tab's words; 0: a list instead of the tabs
  bool presets = false;     // false: in the list of other commands
  std::size_t problem = 0;  // index of its titles
  bool alone = false;       // without the words that tell it from the call
};

StripRoom share_strip(const UiFrame& f, float room) {
  const Fonts& fonts = f.theme.fonts;
  const float s = f.theme.s, gap = 12 * s;
  const std::size_t shortest = f.views.header.problem.size() - 1;
  StripRoom out{.tab_pad = 0, .presets = false, .problem = shortest};
  const auto problem = [&](std::size_t title) {
    return draw::text_width(fonts.mono_small, problem_words(f, title, out.alone)) + 18 * s;
  };
  const float presets = draw::text_width(fonts.body, kPresets) + 18 * s + 8 * s;
  out.alone = room < drop_down_width(f.theme, active_title(f)) + gap + problem(shortest);
  room -= drop_down_width(f.theme, active_title(f)) + gap + problem(shortest);
  const auto grow = [&](float by) {
    if (by > room) return false;
    room -= by;
    return true;
  };
  const auto widen_tabs = [&](float pad) {
    const float now = out.tab_pad > 0 ? tabs_width(f, out.tab_pad) : drop_down_width(f.theme, active_title(f));
    if (grow(tabs_width(f, pad) - now)) out.tab_pad = pad;
  };
  const auto say_more = [&](std::size_t least) {
    while (out.problem > least && grow(problem(out.problem - 1) - problem(out.problem))) --out.problem;
  };
  widen_tabs(8 * s);
  out.presets = grow(presets);
  if (shortest > 1) say_more(shortest - 1);
  widen_tabs(14 * s);
  say_more(0);
  return out;
}

void draw_tabs(const UiFrame& f, Panel& panel, const draw::Rect& tabs, float pad) {
  const float s = panel.s, middle = (tabs.y0 + tabs.y1) / 2, gap = 0.625f * pad;
  draw::box(panel.list, tabs, panel.colours.background, 7 * s);
  halo(f, panel.list, "tabs", tabs);
  float at = tabs.x0 + 3 * s;
  const char* group = nullptr;
  for (const HeaderTab& each : f.views.header.tabs) {
    if (group_of(each) != group) {
      group = group_of(each);
      const float wide = draw::text_width(panel.fonts.tiny, group);
      draw::text(panel.list, panel.fonts.tiny, at + gap, middle - panel.fonts.tiny.size / 2, panel.colours.muted,
                 group);
      explain(f, group, {at + gap, tabs.y0, at + gap + wide, tabs.y1}, group);
      at += wide + 2 * gap;
    }
    const float w = draw::text_width(panel.fonts.strong, each.title) + pad;
    if (tab(f, {.id = name_of(each.kind),
                .rect = {at, tabs.y0 + 3 * s, at + w, tabs.y1 - 3 * s},
                .label = each.title,
                .tip = meanings(terms_in(title_of(each.kind))),
                .active = each.active,
                .enabled = !each.active}))
      f.push(SetSchedule{each.kind});
    at += w;
  }
}

void list_schedules(const UiFrame& f, const draw::Rect& r) {
  std::vector<DropDownEntry> entries;
  for (const HeaderTab& tab : f.views.header.tabs)
    entries.push_back({.id = name_of(tab.kind),
                       .title = title_of(tab.kind),
                       .active = tab.active,
                       .commands = {SetSchedule{tab.kind}}});
  drop_down(
      f, {.id = "schedules", .rect = r, .label = active_title(f), .tip = "The schedule that is walked", .marked = true},
      entries);
}

constexpr const char* kWhatItIs[] = {
    "See FlashAttention compute attention tile by tile, and never store the scores in HBM",
    "FlashAttention, tile by tile: no score is stored in HBM", "FlashAttention, tile by tile"};

// At the right the problem of the walk, which is not the call in the header. Returns its left end.
float draw_walked_problem(const UiFrame& f, Panel& panel) {
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, end = panel.rect.x1 - 8 * s;
  if (f.views.header.call.walked) return end;
  const std::string words = problem_words(f, f.views.header.problem.size() - 1, false);
  const float wide = draw::text_width(panel.fonts.mono_small, words) + 18 * s;
  const float shortest = draw::text_width(panel.fonts.strong, kWhatItIs[std::size(kWhatItIs) - 1]) + 30 * s;
  if (panel.rect.x0 + shortest + wide > end) return end;
  const draw::Rect r{end - wide, middle - kHigh / 2 * s, end, middle + kHigh / 2 * s};
  draw::box(panel.list, r, 0, 6 * s, panel.colours.border);
  draw::text_in(panel.list, panel.fonts.mono_small, r, panel.colours.text, words);
  if (pointed_at(f, "walked problem", r))
    tooltip(f,
            "A small attention, so that each number can be seen. Your call is in the header: Open as a walk opens it.");
  f.ui.rects.put("walked problem", r);
  return r.x0;
}

// The longest of these lines that fits.
void say_what_it_is(const UiFrame& f, Panel& panel) {
  const float x = panel.rect.x0 + 14 * panel.s, room = draw_walked_problem(f, panel) - 10 * panel.s - x;
  for (const Font* font : {&panel.fonts.title, &panel.fonts.strong})
    for (const char* line : kWhatItIs) {
      if (draw::text_width(*font, line) > room) continue;
      draw::text(panel.list, *font, x, (panel.rect.y0 + panel.rect.y1 - font->size) / 2, panel.colours.text, line);
      f.ui.rects.put("what it is", {x, panel.rect.y0, x + draw::text_width(*font, line), panel.rect.y1});
      return;
    }
}

}  // namespace

void draw_schedules_panel(const UiFrame& f, Panel& panel) {
  if (shows_tour_card(f) && f.session.page() == Page::Walk) return say_what_it_is(f, panel);
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = kHigh * s;
  const float left = panel.rect.x0 + 8 * s, end = panel.rect.x1 - 8 * s;
  const auto row = [&](float x0, float x1) { return draw::Rect{x0, middle - high / 2, x1, middle + high / 2}; };
  float right = end;
  if (const Document* const aside = f.session.set_aside()) {  // before everything else: a way back
    const std::string long_words = "Back to your problem: " + problem_titles(aside->problem).back(), words = "Back";
    const std::string& label =
        draw::text_width(panel.fonts.strong, long_words) < (end - left) * 0.25f ? long_words : words;
    const float w = button_width(panel.theme, label);
    if (button(f, {.id = "back to problem",
                   .rect = row(right - w, right),
                   .label = label,
                   .tip = long_words + "\nA question has put its own problem on screen; yours is kept, with its step",
                   .strong = true}))
      f.push(Action::BackToProblem);
    right -= w + 8 * s;
  }
  const StripRoom room = share_strip(f, right - left);
  if (room.tab_pad > 0)
    draw_tabs(f, panel, row(left, left + tabs_width(f, room.tab_pad)), room.tab_pad);
  else
    list_schedules(f, row(left, left + drop_down_width(f.theme, active_title(f))));
  const auto place = [&](const char* id, std::string_view label, const Font& font, Action command,
                         std::string_view tip) {
    const float w = draw::text_width(font, label) + 18 * s;
    if (tag(f, {.id = id,
                .rect = row(right - w, right),
                .label = label,
                .tip = tip,
                .font = font,
                .ink = panel.colours.text,
                .fill = panel.colours.panel,
                .hovered = panel.colours.button,
                .border = panel.colours.border,
                .rounding = 7 * s}))
      f.push(command);
    right -= w + 8 * s;
  };
  if (room.presets) place("presets", kPresets, panel.fonts.body, Action::ShowPresets, "Prepared problems (Ctrl+P)");
  const std::string& whole = f.views.header.problem.front();
  place("problem", problem_words(f, room.problem, room.alone), panel.fonts.mono_small, Action::EditProblem,
        whole + "\n" + meanings(terms_in(whole)) + "\nClick to edit the problem (E)");
}

}  // namespace tilewalk
