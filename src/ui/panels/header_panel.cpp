#include <algorithm>

#include "core/schedules/registry.h"
#include "ui/panels/panels.h"
#include "view/pages.h"
#include "view/walk/verify_model.h"
#include "view/words/glossary.h"

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
  bool tabs_in_full = true, presets = true;
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
  const float presets = draw::text_width(fonts.body, kPresets) + 32 * s;
  const float rest = gap + sign + gap + chip(titles.back()) + presets;
  HeaderRoom out;
  for (const float pad : {16 * s, 9 * s}) {
    out.tab_pad = pad;
    out.tabs = tabs_width(f, pad);
    if (out.tabs + rest <= room) break;
  }
  out.tabs_in_full = out.tabs + rest <= room;
  if (!out.tabs_in_full) out.tabs = draw::text_width(fonts.strong, active_title(f)) + 40 * s;
  room -= out.tabs + gap;

  const auto badge = [&](const std::string& words) { return draw::text_width(fonts.strong, words) + 42 * s; };
  const VerifyModel& verify = f.views.verify;
  const float beside = chip(titles[std::min<std::size_t>(2, titles.size() - 1)]) + presets;
  if (badge(verify.text) + gap + beside <= room)
    out.verdict = verify.text;
  else if (badge(verify.brief) + gap + chip(titles.back()) + presets <= room)
    out.verdict = verify.brief;
  out.badge = out.verdict.empty() ? sign : badge(out.verdict);
  room -= out.badge + gap;

  while (out.problem + 1 < titles.size() && chip(titles[out.problem]) + presets > room) ++out.problem;
  out.presets = chip(titles[out.problem]) + presets <= room;
  if (!out.presets)
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
  halo(f, panel.list, "badge", badge);
  const Hit on_badge = hit(f, "badge", badge);
  if (on_badge.hovered)
    tooltip(f.theme, verify.text + ".\n" + verify.detail + (verify.step >= 0 ? "\nA click goes there." : "") + "\n" +
                         meanings(terms_in(verify.text)));
  if (on_badge.clicked && verify.step >= 0) f.push(GoToStep{verify.step + 1});
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
    const draw::Rect r{at, tabs.y0 + 3 * s, at + w, tabs.y1 - 3 * s};
    const std::string meaning = meanings(terms_in(title_of(tab.kind)));
    const bool chosen = chip(f, {.id = name_of(tab.kind),
                                 .rect = r,
                                 .label = tab.title,
                                 .tip = meaning,
                                 .font = tab.active ? panel.fonts.strong : panel.fonts.body,
                                 .ink = tab.active ? panel.colours.text : panel.colours.muted,
                                 .fill = tab.active ? panel.colours.tab : 0,
                                 .hovered = tab.active ? panel.colours.tab : panel.colours.button,
                                 .rounding = 5 * s,
                                 .enabled = !tab.active});
    if (chosen) f.push(SetSchedule{tab.kind});
    at += w;
  }
}

// The schedule in use; a click opens the others.
void draw_tab_list(const UiFrame& f, Panel& panel, float x) {
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s;
  const Palette& c = panel.colours;
  const std::string title = active_title(f);
  const draw::Rect r{x, middle - high / 2, x + draw::text_width(panel.fonts.strong, title) + 40 * s, middle + high / 2};
  const Hit h = hit(f, "schedules", r);
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
    const bool chosen = chip(f, {.id = name_of(tab.kind),
                                 .rect = entry,
                                 .label = title_of(tab.kind),
                                 .font = panel.fonts.body,
                                 .ink = c.text,
                                 .fill = tab.active ? c.tab : 0,
                                 .hovered = tab.active ? c.tab : c.button,
                                 .rounding = 4 * s,
                                 .label_at = ImVec2(entry.x0 + 8 * s, entry.y0 + 5 * s)});
    ImGui::SetCursorScreenPos(ImVec2(at.x, entry.y1));
    if (!chosen) continue;
    if (!tab.active) f.push(SetSchedule{tab.kind});
    ImGui::CloseCurrentPopup();
  }
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndPopup();
}

}  // namespace

void draw_header_panel(const UiFrame& f, Panel& panel) {
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s;
  const auto row = [&](float x, float width) { return draw::Rect{x, middle - high / 2, x + width, middle + high / 2}; };
  float x = panel.x;
  draw::text(panel.list, panel.fonts.title, x, middle - panel.fonts.title.size / 2, panel.colours.text, "Tilewalk");
  x += draw::text_width(panel.fonts.title, "Tilewalk") + 18 * s;

  // Right side first: it keeps its place, and the problem chip gives way.
  float right = panel.rect.x1 - 12 * s;
  const draw::Rect help = row(right - 32 * s, 32 * s);
  if (button(f, {.id = "keys", .rect = help, .label = "?", .tip = "All keys (?)"})) f.push(Action::ShowKeys);
  right = help.x0 - 10 * s;

  const auto page_width = [&](const PageRow& page) {
    return draw::text_width(panel.fonts.body, f.session.page() == page.page ? row_of(Page::Walk).title : page.title) +
           24 * s;
  };
  const auto page_button = [&](const PageRow& page) {
    const bool here = f.session.page() == page.page;
    const std::string key = text_of(row_of(*page.turn).key);
    const float width = page_width(page);
    const draw::Rect r = row(right - width, width);
    const std::string tip = here ? "Back to the walk (" + key + " or Esc)" : std::string(page.help) + " (" + key + ")";
    if (button(f, {.id = page.title, .rect = r, .label = here ? row_of(Page::Walk).title : page.title, .tip = tip}))
      f.push(*page.turn);
    right = r.x0 - 8 * s;
  };
  for (const PageRow& page : pages())
    if (page.turn && (!page.gives_way || f.session.page() == page.page)) page_button(page);
  right -= 2 * s;

  // The most visible thing of the row: where somebody begins.
  {
    const std::string label = f.views.rail ? f.views.rail->short_head : "Learn";
    const float width = draw::text_width(panel.fonts.strong, label) + 28 * s;
    const draw::Rect r = row(right - width, width);
    if (button(f, {.id = "learn", .rect = r, .label = label, .tip = "The lessons (Ctrl+L)", .strong = true}))
      f.push(Action::ShowLessons);
    right = r.x0 - 10 * s;
  }

  // Where no more than the seed has to give way for it; the palette and its key have it always.
  HeaderRoom room = share_header(f, right - x);
  const bool has_hand = is_hand_size(f.session.problem()) && f.session.page() == Page::Walk;
  const char* const by_hand = f.session.hand().on() ? "By hand: on" : "Work by hand";
  const float hand = has_hand ? draw::text_width(panel.fonts.body, by_hand) + 32 * s : 0;  // it keeps its place
  const auto has_room_beside = [&](float width) {
    const HeaderRoom beside = share_header(f, right - x - width - 8 * s);
    const bool fits = beside.tabs_in_full && beside.presets && beside.verdict == room.verdict &&
                      beside.problem <= std::max<std::size_t>(1, room.problem);
    if (fits) room = beside;
    return fits;
  };
  const float present = draw::text_width(panel.fonts.body, "Present") + 24 * s;
  if (has_room_beside(present)) {
    const draw::Rect r = row(right - present, present);
    if (button(f, {.id = "present", .rect = r, .label = "Present", .tip = "For a room, in large type (P)"}))
      f.push(Action::Present);
    right = r.x0 - 8 * s;
  }
  for (const PageRow& page : pages())
    if (page.turn && page.gives_way && f.session.page() != page.page && has_room_beside(page_width(page) + hand))
      page_button(page);
  draw_badge(f, panel, room.verdict, right - room.badge, right);
  right -= room.badge + 14 * s;
  room.tabs_in_full ? draw_tabs(f, panel, x, room.tab_pad) : draw_tab_list(f, panel, x);
  x += room.tabs + 14 * s;

  const auto place = [&](const char* id, std::string_view label, const Font& font, Action command,
                         std::string_view tip) {
    const draw::Rect r = row(x, draw::text_width(font, label) + 22 * s);
    if (r.x1 > right + 1) return false;
    const bool clicked = chip(f, {.id = id,
                                  .rect = r,
                                  .label = label,
                                  .tip = tip,
                                  .font = font,
                                  .ink = panel.colours.text,
                                  .fill = panel.colours.panel,
                                  .hovered = panel.colours.button,
                                  .border = panel.colours.border,
                                  .rounding = 7 * s});
    if (clicked) f.push(command);
    x = r.x1 + 10 * s;
    return true;
  };
  const std::vector<std::string>& titles = f.views.header.problem;
  place("problem", titles[room.problem], panel.fonts.mono_small, Action::EditProblem,
        titles.front() + "\n" + meanings(terms_in(titles.front())) + "\nClick to edit the problem (E)");
  place("presets", kPresets, panel.fonts.body, Action::ShowPresets, "Prepared problems (Ctrl+P)");
  f.ui.hand_in_header = has_hand && place("work by hand", by_hand, panel.fonts.body, Action::WorkByHand,
                                          "The numbers that a step makes become fields to fill in (H)");
}

}  // namespace tilewalk
