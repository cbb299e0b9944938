#include <algorithm>

#include "core/schedules/registry.h"
#include "ui/panels/drop_down.h"
#include "ui/panels/panels.h"
#include "view/pages.h"
#include "view/walk/verify_model.h"
#include "view/words/glossary.h"

namespace tilewalk {
namespace {

// Distinguished by shape as well as colour: check, dot, dash, cross.
draw::Sign sign_of(BadgeKind kind) {
  switch (kind) {
    case BadgeKind::Live: return draw::Sign::Check;
    case BadgeKind::Recorded: return draw::Sign::Check;
    case BadgeKind::WithinRule: return draw::Sign::Dot;
    case BadgeKind::Running: return draw::Sign::Ring;
    case BadgeKind::NotChecked: return draw::Sign::Dash;
    case BadgeKind::Diverged:
    case BadgeKind::NotFinite: return draw::Sign::Cross;
  }
  return draw::Sign::Dash;
}

constexpr const char* kBackward = "Backward";
constexpr const char* kPresets = "Presets";
constexpr const char* kMore = "More";
constexpr float kPagePad = 9;  // beside the words of a page's tab, both sides together
constexpr const char* kLongestPage = "Roofline";
constexpr const char* kUsualWord = "unchecked";
constexpr const char* kUsualBrief = "equals recording · 0 ULP";
constexpr const char* kUsualText = "equals recording from H200, 2026-11-22 · 0 ULP";

float tabs_width(const UiFrame& f, float pad) {
  const Fonts& fonts = f.theme.fonts;
  float width = 6 * f.theme.s + draw::text_width(fonts.tiny, kBackward) + 1.25f * pad;
  for (const HeaderTab& tab : f.views.header.tabs) width += draw::text_width(fonts.strong, tab.title) + pad;
  return width;
}

std::string active_title(const UiFrame& f) { return title_of(f.session.problem().schedule); }

float pages_width(const UiFrame& f) {
  float width = 6 * f.theme.s;
  for (const PageRow& page : pages())
    width += draw::text_width(f.theme.fonts.strong, page.title) + kPagePad * f.theme.s;
  return width;
}

struct HeaderRoom {
  float tab_pad = 0, badge = 0;  // padding beside a tab's words; 0: a list instead of the tabs
  bool pages_in_full = false;    // false: as a list
  bool presets = true;           // false: in the list of other commands
  std::string verdict;           // of the badge
  std::size_t problem = 0;       // index of its titles
};

// Distributes the space between the name and the buttons at the right. Everything starts as short as possible and grows
// in the order of importance. The badge has the width of its usual words at least, so that nothing moves when its words
// change.
HeaderRoom share_header(const UiFrame& f, float room) {
  const Fonts& fonts = f.theme.fonts;
  const float s = f.theme.s, gap = 14 * s, sign = 34 * s;
  const std::vector<std::string>& titles = f.views.header.problem;
  const auto tag = [&](std::size_t title) { return draw::text_width(fonts.mono_small, titles[title]) + 18 * s; };
  const auto badge = [&](const std::string& words) { return draw::text_width(fonts.strong, words) + 42 * s; };
  const VerifyModel& verify = f.views.verify;
  const float presets = draw::text_width(fonts.body, kPresets) + 28 * s;
  const float listed = drop_down_width(f.theme, active_title(f)), pages_listed = drop_down_width(f.theme, kLongestPage);
  HeaderRoom out{.tab_pad = 0,
                 .badge = std::max(badge(verify.word), badge(kUsualWord)),
                 .pages_in_full = false,
                 .verdict = verify.word,
                 .problem = titles.size() - 1};
  room -= listed + gap + tag(out.problem) + presets + gap + out.badge + gap + pages_listed;
  if (room < 0) room += out.badge - sign, out.badge = sign, out.verdict.clear();
  if (room < 0) room += presets, out.presets = false;
  const auto grow = [&](float by) {
    if (by > room) return false;
    room -= by;
    return true;
  };
  const auto say = [&](const std::string& words, const char* usual) {
    const float wide = std::max(badge(words), badge(usual));
    if (grow(wide - out.badge)) out.verdict = words, out.badge = wide;
  };
  const auto widen_tabs = [&](float pad) {
    const float now = out.tab_pad > 0 ? tabs_width(f, out.tab_pad) : listed;
    if (grow(tabs_width(f, pad) - now)) out.tab_pad = pad;
  };
  const auto tell_more = [&](std::size_t least) {
    while (out.problem > least && grow(tag(out.problem - 1) - tag(out.problem))) --out.problem;
  };
  say(verify.brief, kUsualBrief);
  widen_tabs(9 * s);
  out.pages_in_full = out.tab_pad > 0 && grow(pages_width(f) - pages_listed);
  tell_more(std::min<std::size_t>(2, titles.size() - 1));
  widen_tabs(16 * s);
  tell_more(1);
  say(verify.text, kUsualText);
  tell_more(0);
  return out;
}

// Only the walk and the comparison show the header's problem; other pages have calls and shapes of their own.
bool of_the_problem(const UiFrame& f) { return f.session.page() == Page::Walk || f.session.page() == Page::Compare; }

bool draw_tab(const UiFrame& f, Panel& panel, const std::string& id, std::string_view title, std::string_view tip,
              const draw::Rect& r, bool active) {
  return tag(f, {.id = id,
                 .rect = r,
                 .label = title,
                 .tip = tip,
                 .font = active ? panel.fonts.strong : panel.fonts.body,
                 .ink = active ? panel.colours.text : panel.colours.muted,
                 .fill = active ? panel.colours.tab : 0,
                 .hovered = active ? panel.colours.tab : panel.colours.button,
                 .rounding = 5 * panel.s,
                 .enabled = !active});
}

void draw_badge(const UiFrame& f, Panel& panel, const std::string& words, float x0, float x1) {
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s;
  const VerifyModel& verify = f.views.verify;
  const draw::Rect badge{x0, middle - high / 2, x1, middle + high / 2};
  const bool bad = verify.kind == BadgeKind::Diverged || verify.kind == BadgeKind::NotFinite;
  const ImU32 ink = verify.good                         ? panel.colours.good
                    : bad                               ? panel.colours.bad
                    : verify.kind == BadgeKind::Running ? panel.colours.warn
                                                        : panel.colours.muted;
  const ImU32 fill = verify.good                         ? panel.colours.good_fill
                     : bad                               ? panel.colours.bad_fill
                     : verify.kind == BadgeKind::Running ? panel.colours.warn_fill
                                                         : panel.colours.quiet_fill;
  // Live has a double ring, recorded a single one: two different claims.
  draw::box(panel.list, badge, fill, 7 * s, mix(fill, ink, verify.kind == BadgeKind::NotChecked ? 0.25f : 0.6f));
  if (verify.kind == BadgeKind::Live) draw::box(panel.list, badge.inset(2.5f * s), 0, 5 * s, ink);
  draw::sign(panel.list, sign_of(verify.kind), {badge.x0 + 8 * s, badge.y0, badge.x0 + 26 * s, badge.y1}, ink, s);
  draw::text(panel.list, panel.fonts.strong, badge.x0 + 31 * s, middle - panel.fonts.strong.size / 2, ink, words);
  halo(f, panel.list, "badge", badge);
  const Hit on_badge = hit(f, "badge", badge);
  if (on_badge.hovered)
    tooltip(f.theme, verify.text + ".\n" + verify.detail + (verify.step >= 0 ? "\nA click goes there." : "") + "\n" +
                         meanings(terms_in(verify.text)));
  if (on_badge.clicked && verify.step >= 0) f.push(GoToStep{verify.step + 1});
}

// On other pages a tab opens the walk with that schedule.
Commands to_schedule(const UiFrame& f, ScheduleKind kind) {
  Commands out = {SetSchedule{kind}};
  if (!of_the_problem(f)) out.push_back(ShowPage{Page::Walk});
  return out;
}

void draw_tabs(const UiFrame& f, Panel& panel, float x, float pad) {
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s, gap = 0.625f * pad;
  const draw::Rect tabs{x, middle - high / 2, x + tabs_width(f, pad), middle + high / 2};
  draw::box(panel.list, tabs, panel.colours.background, 7 * s);
  halo(f, panel.list, "tabs", tabs);
  float at = tabs.x0 + 3 * s;
  bool word_drawn = false;
  for (const HeaderTab& tab : f.views.header.tabs) {
    const float w = draw::text_width(panel.fonts.strong, tab.title) + pad;
    if (tab.backward && !word_drawn) {
      word_drawn = true;
      draw::text(panel.list, panel.fonts.tiny, at + gap, middle - panel.fonts.tiny.size / 2, panel.colours.muted,
                 kBackward);
      const float wide = draw::text_width(panel.fonts.tiny, kBackward);
      explain(f, kBackward, {at + gap, tabs.y0, at + gap + wide, tabs.y1}, kBackward);
      at += wide + 2 * gap;
    }
    const bool active = tab.active && of_the_problem(f);
    if (draw_tab(f, panel, name_of(tab.kind), tab.title, meanings(terms_in(title_of(tab.kind))),
                 {at, tabs.y0 + 3 * s, at + w, tabs.y1 - 3 * s}, active))
      for (const Command& command : to_schedule(f, tab.kind)) f.push(command);
    at += w;
  }
}

void draw_schedules(const UiFrame& f, const draw::Rect& r) {
  std::vector<DropDownEntry> entries;
  for (const HeaderTab& tab : f.views.header.tabs)
    entries.push_back({.id = name_of(tab.kind),
                       .title = title_of(tab.kind),
                       .active = tab.active && of_the_problem(f),
                       .commands = to_schedule(f, tab.kind)});
  drop_down(
      f, {.id = "schedules", .rect = r, .label = active_title(f), .tip = "The schedule that is walked", .marked = true},
      entries);
}

std::string key_of(const PageRow& page) { return page.turn ? text_of(command_row(*page.turn).key) : "Esc"; }

Command to_page(const PageRow& page) { return ShowPage{page.page}; }

void draw_pages(const UiFrame& f, Panel& panel, float x) {
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s;
  const draw::Rect all{x, middle - high / 2, x + pages_width(f), middle + high / 2};
  draw::box(panel.list, all, panel.colours.background, 7 * s);
  float at = all.x0 + 3 * s;
  for (const PageRow& page : pages()) {
    const float w = draw::text_width(panel.fonts.strong, page.title) + kPagePad * s;
    if (draw_tab(f, panel, page.title, page.title, std::string(page.help) + " (" + key_of(page) + ")",
                 {at, all.y0 + 3 * s, at + w, all.y1 - 3 * s}, page.page == f.session.page()))
      f.push(to_page(page));
    at += w;
  }
}

void list_pages(const UiFrame& f, const draw::Rect& r) {
  std::vector<DropDownEntry> entries;
  for (const PageRow& page : pages())
    entries.push_back({.id = page.title,
                       .title = page.title,
                       .beside = key_of(page),
                       .active = page.page == f.session.page(),
                       .commands = {to_page(page)}});
  drop_down(f, {.id = "pages", .rect = r, .label = page_row(f.session.page()).title, .tip = "The pages of the window"},
            entries);
}

// The commands without a button, by their rows in the table of commands.
void draw_more(const UiFrame& f, const draw::Rect& r) {
  std::vector<DropDownEntry> entries;
  const bool hand = is_hand_size(f.session.problem()) && f.session.page() == Page::Walk;
  for (const Action action :
       {Action::ShowPresets, Action::Present, Action::WorkByHand, Action::ShowFaults, Action::ShowQuestions,
        Action::ShowTraffic, Action::OpenFileDialog, Action::SaveFileDialog, Action::ShowExport, Action::ToggleTheme,
        Action::TextBigger, Action::TextSmaller, Action::ShowPalette}) {
    if (action == Action::WorkByHand && !hand) continue;
    const CommandRow& row = command_row(action);
    entries.push_back({.id = row.name, .title = row.title, .beside = text_of(row.key), .commands = {action}});
  }
  drop_down(f, {.id = "more", .rect = r, .label = kMore, .tip = "What else there is"}, entries);
}

}  // namespace

void draw_header_panel(const UiFrame& f, Panel& panel) {
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s;
  const auto row = [&](float x, float width) { return draw::Rect{x, middle - high / 2, x + width, middle + high / 2}; };
  float x = panel.x;
  draw::text(panel.list, panel.fonts.title, x, middle - panel.fonts.title.size / 2, panel.colours.text, "Tilewalk");
  x += draw::text_width(panel.fonts.title, "Tilewalk") + 18 * s;

  // From the right: the parts that keep their place on every page.
  float right = panel.rect.x1 - 12 * s;
  const auto from_right = [&](float width) {
    const draw::Rect r = row(right - width, width);
    right = r.x0 - 8 * s;
    return r;
  };
  if (button(f, {.id = "keys", .rect = from_right(32 * s), .label = "?", .tip = "All keys (?)"}))
    f.push(Action::ShowKeys);
  draw_more(f, from_right(drop_down_width(f.theme, kMore)));
  // The most visible button of the row: beginners start here.
  const std::string learn = f.views.lesson_panel ? f.views.lesson_panel->short_head : "Learn";
  if (button(f, {.id = "learn",
                 .rect = from_right(draw::text_width(panel.fonts.strong, learn) + 28 * s),
                 .label = learn,
                 .tip = "The lessons (Ctrl+L)",
                 .strong = true}))
    f.push(Action::ShowLessons);

  const HeaderRoom room = share_header(f, right - x);
  if (room.pages_in_full)
    draw_pages(f, panel, from_right(pages_width(f)).x0);
  else
    list_pages(f, from_right(drop_down_width(f.theme, kLongestPage)));
  right -= 6 * s;
  const draw::Rect badge = from_right(room.badge);
  if (of_the_problem(f)) draw_badge(f, panel, room.verdict, badge.x0, badge.x1);

  if (room.tab_pad > 0) {
    draw_tabs(f, panel, x, room.tab_pad);
    x += tabs_width(f, room.tab_pad) + 14 * s;
  } else {
    const draw::Rect r = row(x, drop_down_width(f.theme, active_title(f)));
    draw_schedules(f, r);
    x = r.x1 + 14 * s;
  }
  if (!of_the_problem(f)) return;
  const auto place = [&](const char* id, std::string_view label, const Font& font, Action command,
                         std::string_view tip) {
    const draw::Rect r = row(x, draw::text_width(font, label) + 18 * s);
    if (tag(f, {.id = id,
                .rect = r,
                .label = label,
                .tip = tip,
                .font = font,
                .ink = panel.colours.text,
                .fill = panel.colours.panel,
                .hovered = panel.colours.button,
                .border = panel.colours.border,
                .rounding = 7 * s}))
      f.push(command);
    x = r.x1 + 10 * s;
  };
  const std::vector<std::string>& titles = f.views.header.problem;
  place("problem", titles[room.problem], panel.fonts.mono_small, Action::EditProblem,
        titles.front() + "\n" + meanings(terms_in(titles.front())) + "\nClick to edit the problem (E)");
  if (room.presets) place("presets", kPresets, panel.fonts.body, Action::ShowPresets, "Prepared problems (Ctrl+P)");
}

}  // namespace tilewalk
