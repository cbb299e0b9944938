#include <algorithm>

#include "ui/panels/panels.h"
#include "view/verify_model.h"

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
  if (button(panel.list, f.theme, "keys", help, "?")) f.push(CommandId::ShowKeys);
  if (ImGui::IsItemHovered()) tooltip(f.theme, "All keys (?)");
  right = help.x0 - 10 * s;

  const bool comparing = f.session.page() == Page::Compare;
  const std::string_view other_page = comparing ? "Walk" : "Compare";
  const float page_width = draw::text_width(panel.fonts.body, other_page) + 24 * s;
  const draw::Rect page = row(right - page_width, page_width);
  if (button(panel.list, f.theme, "page", page, other_page)) f.push(CommandId::ShowCompare);
  if (ImGui::IsItemHovered())
    tooltip(f.theme, comparing ? "Back to the walk (C or Esc)" : "Lanes, SMs and differences beside a pinned schedule (C)");
  right = page.x0 - 8 * s;

  const bool racing = f.session.page() == Page::Race;
  const std::string_view race_page = racing ? "Walk" : "Race";
  const float race_width = draw::text_width(panel.fonts.body, race_page) + 24 * s;
  const draw::Rect race = row(right - race_width, race_width);
  if (button(panel.list, f.theme, "race", race, race_page)) f.push(CommandId::ShowRace);
  if (ImGui::IsItemHovered())
    tooltip(f.theme, racing ? "Back to the walk (K or Esc)" : "Measured speed of the fast kernels, recorded or run here (K)");
  right = race.x0 - 10 * s;

  const VerifyModel& verify = f.views.verify;
  const float most_badge = std::max(60 * s, (right - x) * 0.42f);
  const std::string text = draw::elided(panel.fonts.strong, verify.text, most_badge - 40 * s);
  const draw::Rect badge = row(right - draw::text_width(panel.fonts.strong, text) - 42 * s,
                               draw::text_width(panel.fonts.strong, text) + 42 * s);
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
  draw::text(panel.list, panel.fonts.strong, badge.x0 + 31 * s, middle - panel.fonts.strong.size / 2, ink, text);
  const Hit on_badge = hit("badge", badge, f.theme);
  if (on_badge.hovered) tooltip(f.theme, verify.text + ".\n" + verify.detail);
  if (on_badge.clicked && verify.step >= 0) f.push(command::go_to(verify.step + 1));
  right = badge.x0 - 14 * s;

  const float tab_pad = 16 * s, word_gap = 10 * s;
  const std::string word = "Backward";
  float tabs_width = 6 * s + draw::text_width(panel.fonts.tiny, word) + 2 * word_gap;
  for (const HeaderTab& tab : f.views.header.tabs)
    tabs_width += draw::text_width(panel.fonts.strong, tab.title) + tab_pad;
  const draw::Rect tabs = row(x, tabs_width);
  draw::box(panel.list, tabs, panel.colours.background, 7 * s);
  float at = tabs.x0 + 3 * s;
  bool word_drawn = false;
  for (const HeaderTab& tab : f.views.header.tabs) {
    const float w = draw::text_width(panel.fonts.strong, tab.title) + tab_pad;
    if (tab.backward && !word_drawn) {
      word_drawn = true;
      draw::text(panel.list, panel.fonts.tiny, at + word_gap, middle - panel.fonts.tiny.size / 2, panel.colours.faint,
                 word);
      at += draw::text_width(panel.fonts.tiny, word) + 2 * word_gap;
    }
    const draw::Rect r{at, tabs.y0 + 3 * s, at + w, tabs.y1 - 3 * s};
    const Hit h = hit(name_of(tab.kind), r, f.theme);
    if (tab.active || h.hovered) draw::box(panel.list, r, tab.active ? panel.colours.tab : panel.colours.button, 5 * s);
    draw::text_in(panel.list, tab.active ? panel.fonts.strong : panel.fonts.body, r,
                  tab.active ? panel.colours.text : panel.colours.muted, tab.title);
    if (h.clicked && !tab.active) f.push(command::with(CommandId::SetSchedule, std::int64_t(tab.kind)));
    at += w;
  }
  x = tabs.x1 + 14 * s;

  const auto chip = [&](const char* id, std::string_view label, const Font& font, CommandId command,
                        std::string_view help_text) {
    if (right - x < 48 * s) return;
    const std::string shown = draw::elided(font, label, right - x - 22 * s);
    const draw::Rect r = row(x, draw::text_width(font, shown) + 22 * s);
    const Hit h = hit(id, r, f.theme);
    draw::box(panel.list, r, h.hovered ? panel.colours.button : panel.colours.panel, 7 * s, panel.colours.border);
    draw::text_in(panel.list, font, r, panel.colours.text, shown);
    if (h.clicked) f.push(command);
    if (h.hovered) tooltip(f.theme, help_text);
    x = r.x1 + 10 * s;
  };
  chip("problem", f.views.header.problem, panel.fonts.mono_small, CommandId::EditProblem,
       f.views.header.problem + "\nEdit the problem (E)");
  chip("presets", "Presets", panel.fonts.body, CommandId::ShowPresets, "Prepared problems (Ctrl+P)");
}

}  // namespace tilewalk
