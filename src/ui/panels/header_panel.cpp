#include <algorithm>

#include "core/schedules/registry.h"
#include "ui/panels/panels.h"
#include "view/walk/verify_model.h"

namespace tilewalk {
namespace {

// Shape as well as colour: check, dot, dash, cross.
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

float tabs_width(const UiFrame& f, float pad) {
  const Fonts& fonts = f.theme.fonts;
  float width = 6 * f.theme.s + draw::text_width(fonts.tiny, kBackward) + 1.25f * pad;
  for (const HeaderTab& tab : f.views.header.tabs) width += draw::text_width(fonts.strong, tab.title) + pad;
  return width;
}

std::string active_title(const UiFrame& f) { return title_of(f.session.problem().schedule); }

struct HeaderRoom {
  float tabs = 0, tab_pad = 0, badge = 0;
  bool tabs_in_full = true;
  std::string verdict;      // in the badge
  std::size_t problem = 0;  // which of its titles
};

// Shares out what lies between the name and the buttons. The tabs come first, or a list where they do not fit; then the
// badge in full words, in few or as its sign alone; then "Presets" and the longest title of the problem that has room.
HeaderRoom share_header(const UiFrame& f, float room) {
  const Fonts& fonts = f.theme.fonts;
  const float s = f.theme.s, sign = 34 * s, gap = 14 * s;
  const std::vector<std::string>& titles = f.views.header.problem;
  const auto chip = [&](const std::string& title) { return draw::text_width(fonts.mono_small, title) + 22 * s; };
  const float rest = gap + sign + gap + chip(titles.back());
  HeaderRoom out;
  for (const float pad : {16 * s, 9 * s}) {
    out.tab_pad = pad;
    out.tabs = tabs_width(f, pad);
    if (out.tabs + rest <= room) break;
  }
  out.tabs_in_full = out.tabs + rest <= room;
  if (!out.tabs_in_full) out.tabs = draw::text_width(fonts.strong, active_title(f)) + 40 * s;
  room -= out.tabs + gap;

  const float presets = draw::text_width(fonts.body, kPresets) + 32 * s;
  const auto badge = [&](const std::string& words) { return draw::text_width(fonts.strong, words) + 42 * s; };
  const VerifyModel& verify = f.views.verify;
  const float beside = chip(titles[std::min<std::size_t>(2, titles.size() - 1)]) + presets;
  if (badge(verify.text) + gap + beside <= room)
    out.verdict = verify.text;
  else if (badge(verify.brief) + gap + chip(titles.back()) <= room)
    out.verdict = verify.brief;
  out.badge = out.verdict.empty() ? sign : badge(out.verdict);
  room -= out.badge + gap;

  while (out.problem + 1 < titles.size() && chip(titles[out.problem]) + presets > room) ++out.problem;
  if (chip(titles[out.problem]) + presets > room)  // then without
    for (out.problem = 0; out.problem + 1 < titles.size() && chip(titles[out.problem]) > room;) ++out.problem;
  return out;
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
  // Live is filled with a double ring, recorded with a single one: two different claims.
  draw::box(panel.list, badge, fill, 7 * s, mix(fill, ink, verify.kind == BadgeKind::NotChecked ? 0.25f : 0.6f));
  if (verify.kind == BadgeKind::Live) draw::box(panel.list, badge.inset(2.5f * s), 0, 5 * s, ink);
  draw::sign(panel.list, sign_of(verify.kind), {badge.x0 + 8 * s, badge.y0, badge.x0 + 26 * s, badge.y1}, ink, s);
  draw::text(panel.list, panel.fonts.strong, badge.x0 + 31 * s, middle - panel.fonts.strong.size / 2, ink, words);
  const Hit on_badge = hit("badge", badge, f.theme);
  if (on_badge.hovered) tooltip(f.theme, verify.text + ".\n" + verify.detail);
  if (on_badge.clicked && verify.step >= 0) f.push(GoToStep{verify.step + 1});
}

void draw_tabs(const UiFrame& f, Panel& panel, float x, float pad) {
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s, gap = 0.625f * pad;
  const draw::Rect tabs{x, middle - high / 2, x + tabs_width(f, pad), middle + high / 2};
  draw::box(panel.list, tabs, panel.colours.background, 7 * s);
  float at = tabs.x0 + 3 * s;
  bool word_drawn = false;
  for (const HeaderTab& tab : f.views.header.tabs) {
    const float w = draw::text_width(panel.fonts.strong, tab.title) + pad;
    if (tab.backward && !word_drawn) {
      word_drawn = true;
      draw::text(panel.list, panel.fonts.tiny, at + gap, middle - panel.fonts.tiny.size / 2, panel.colours.muted,
                 kBackward);
      at += draw::text_width(panel.fonts.tiny, kBackward) + 2 * gap;
    }
    const draw::Rect r{at, tabs.y0 + 3 * s, at + w, tabs.y1 - 3 * s};
    const Hit h = hit(name_of(tab.kind), r, f.theme);
    if (tab.active || h.hovered) draw::box(panel.list, r, tab.active ? panel.colours.tab : panel.colours.button, 5 * s);
    draw::text_in(panel.list, tab.active ? panel.fonts.strong : panel.fonts.body, r,
                  tab.active ? panel.colours.text : panel.colours.muted, tab.title);
    if (h.clicked && !tab.active) f.push(SetSchedule{tab.kind});
    at += w;
  }
}

// The schedule in use; a click opens the others.
void draw_tab_list(const UiFrame& f, Panel& panel, float x) {
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s;
  const Palette& c = panel.colours;
  const std::string title = active_title(f);
  const draw::Rect r{x, middle - high / 2, x + draw::text_width(panel.fonts.strong, title) + 40 * s, middle + high / 2};
  const Hit h = hit("schedules", r, f.theme);
  draw::box(panel.list, r, h.hovered ? c.button_hover : c.tab, 7 * s);
  draw::text(panel.list, panel.fonts.strong, r.x0 + 10 * s, middle - panel.fonts.strong.size / 2, c.text, title);
  draw::sign(panel.list, draw::Sign::Down, {r.x1 - 22 * s, r.y0, r.x1 - 6 * s, r.y1}, c.muted, s);
  if (h.hovered) tooltip(f.theme, "The schedule that is walked");
  if (h.clicked) ImGui::OpenPopup("schedule list");
  ImGui::SetNextWindowPos(ImVec2(r.x0, r.y1 + 4 * s));
  if (!ImGui::BeginPopup("schedule list")) return;
  f.ui.drop_down = true;
  if (f.ui.close_drop_down) ImGui::CloseCurrentPopup();
  for (const HeaderTab& tab : f.views.header.tabs) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const draw::Rect entry{at.x, at.y, at.x + 150 * s, at.y + 26 * s};
    const Hit on = hit(name_of(tab.kind), entry, f.theme);
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (on.hovered || tab.active) draw::box(list, entry, tab.active ? c.tab : c.button, 4 * s);
    draw::text(list, panel.fonts.body, entry.x0 + 8 * s, entry.y0 + 5 * s, c.text, title_of(tab.kind));
    ImGui::SetCursorScreenPos(ImVec2(at.x, entry.y1));
    if (!on.clicked) continue;
    if (!tab.active) f.push(SetSchedule{tab.kind});
    ImGui::CloseCurrentPopup();
  }
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndPopup();
}

}  // namespace

void draw_header_panel(const UiFrame& f) {
  Panel panel("header", f.layout.header, f.theme, false);
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s;
  const auto row = [&](float x, float width) { return draw::Rect{x, middle - high / 2, x + width, middle + high / 2}; };
  float x = panel.x;
  draw::text(panel.list, panel.fonts.title, x, middle - panel.fonts.title.size / 2, panel.colours.text, "Tilewalk");
  x += draw::text_width(panel.fonts.title, "Tilewalk") + 18 * s;

  // Right side first: it keeps its place, and the problem chip gives way.
  float right = panel.rect.x1 - 12 * s;
  const draw::Rect help = row(right - 32 * s, 32 * s);
  if (button(panel.list, f.theme, "keys", help, "?")) f.push(Action::ShowKeys);
  if (ImGui::IsItemHovered()) tooltip(f.theme, "All keys (?)");
  right = help.x0 - 10 * s;

  const auto to_page = [&](const char* id, Page page, const char* name, Action command, std::string_view back,
                           std::string_view there, float gap) {
    const bool here = f.session.page() == page;
    const std::string_view label = here ? "Walk" : name;
    const float width = draw::text_width(panel.fonts.body, label) + 24 * s;
    const draw::Rect r = row(right - width, width);
    if (button(panel.list, f.theme, id, r, label)) f.push(command);
    if (ImGui::IsItemHovered()) tooltip(f.theme, here ? back : there);
    right = r.x0 - gap;
  };
  to_page("page", Page::Compare, "Compare", Action::ShowCompare, "Back to the walk (C or Esc)",
          "Lanes, SMs and differences beside a pinned schedule (C)", 8 * s);
  to_page("race", Page::Race, "Race", Action::ShowRace, "Back to the walk (K or Esc)",
          "Measured speed of the fast kernels, recorded or run here (K)", 10 * s);

  const HeaderRoom room = share_header(f, right - x);
  draw_badge(f, panel, room.verdict, right - room.badge, right);
  right -= room.badge + 14 * s;
  room.tabs_in_full ? draw_tabs(f, panel, x, room.tab_pad) : draw_tab_list(f, panel, x);
  x += room.tabs + 14 * s;

  const auto chip = [&](const char* id, std::string_view label, const Font& font, Action command,
                        std::string_view help_text) {
    const draw::Rect r = row(x, draw::text_width(font, label) + 22 * s);
    if (r.x1 > right + 1) return;
    const Hit h = hit(id, r, f.theme);
    draw::box(panel.list, r, h.hovered ? panel.colours.button : panel.colours.panel, 7 * s, panel.colours.border);
    draw::text_in(panel.list, font, r, panel.colours.text, label);
    if (h.clicked) f.push(command);
    if (h.hovered) tooltip(f.theme, help_text);
    x = r.x1 + 10 * s;
  };
  const std::vector<std::string>& titles = f.views.header.problem;
  chip("problem", titles[room.problem], panel.fonts.mono_small, Action::EditProblem,
       titles.front() + "\nEdit the problem (E)");
  chip("presets", kPresets, panel.fonts.body, Action::ShowPresets, "Prepared problems (Ctrl+P)");
}

}  // namespace tilewalk
