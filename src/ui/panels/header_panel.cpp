#include <algorithm>

#include "core/problem/format_value.h"
#include "ui/panels/call_field.h"
#include "ui/panels/check_signs.h"
#include "ui/panels/drop_down.h"
#include "ui/panels/panels.h"
#include "view/learn/lesson_picture_model.h"
#include "view/pages.h"
#include "view/walk/verify_model.h"
#include "view/words/glossary.h"

namespace tilewalk {
namespace {

constexpr const char* kMore = "More";
constexpr const char* kWidestCount = "+8";  // pages without a tab
constexpr const char* kLearn = "learn";
constexpr const char* kCallWords = "Open as a walk";
constexpr float kPagePad = 14;  // beside the words of a page's tab, both sides together
constexpr const char* kUsualWord = "unchecked";
constexpr const char* kUsualBrief = "equals recording · 0 ULP";
constexpr const char* kUsualText = "equals recording from H200, 2026-11-22 · 0 ULP";
constexpr const char* kLongestLength = "1000000";
constexpr float kLeastWithName = 560;  // width of a header that begins with the program's name

struct HeaderPage {
  std::string id, title, tip, beside;  // beside: its key
  bool active = false;
  Commands opens;
};

std::string key_of(const PageRow& page) { return page.turn ? text_of(command_row(*page.turn).key) : "Esc"; }

// The pages, with the lessons after the two that walk.
std::vector<HeaderPage> header_pages(const UiFrame& f) {
  std::vector<HeaderPage> out;
  for (const PageRow& page : pages()) {
    if (page.page == Page::Race) {
      const LearnModel& learn = f.views.header.learn;
      out.push_back({.id = kLearn,
                     .title = learn.words,
                     .tip = learn.help,
                     .beside = text_of(command_row(Action::ShowLessons).key),
                     .active = f.views.lesson_panel.has_value(),
                     .opens = {learn.opens}});
    }
    out.push_back({.id = page.title,
                   .title = page.title,
                   .tip = std::string(page.help) + " (" + key_of(page) + ")",
                   .beside = key_of(page),
                   .active = page.page == f.session.page() && !f.views.lesson_panel,
                   .opens = f.session.opening(page.page)});
  }
  return out;
}

float page_width(const UiFrame& f, const HeaderPage& page) {
  return draw::text_width(f.theme.fonts.strong, page.title) + kPagePad * f.theme.s;
}

struct HeaderRoom {
  std::vector<HeaderPage> tabs = {}, more = {};  // more: pages in the list after the tabs
  bool chip = false, walk = false;               // the whole call in words; the button that opens it as a walk
  bool name = false;                             // before the call
  float badge = 0;
  std::string verdict;  // of the badge
};

// A lesson on the walk, or with a picture in the page's place, has a problem of its own: beside it the person's N would
// look like the lesson's. The card of the first minute has a way to the call.
bool shows_call(const UiFrame& f) {
  if (shows_tour_card(f) && f.session.page() == Page::Walk) return false;
  return f.views.header.call.of_lesson || !f.views.lesson_panel ||
         (f.session.page() != Page::Walk && !lesson_picture_covers_page(f.session));
}
const char* call_name(const UiFrame& f) { return f.views.header.call.of_lesson ? "lesson's call" : "your call"; }
// Where the header is full.
const char* short_call(const UiFrame& f) { return f.views.header.call.of_lesson ? "Lesson's call" : "Call"; }

float chip_width(const UiFrame& f, std::string_view words) {
  return draw::text_width(f.theme.fonts.mono_small, words) + 18 * f.theme.s;
}
float length_width(const UiFrame& f) {  // of N and its field
  return draw::text_width(f.theme.fonts.body, "N") + draw::text_width(f.theme.fonts.mono, kLongestLength) +
         24 * f.theme.s;
}
float call_name_width(const UiFrame& f) { return draw::text_width(f.theme.fonts.tiny, call_name(f)) + 8 * f.theme.s; }
float walk_width(const UiFrame& f) { return draw::text_width(f.theme.fonts.body, kCallWords) + 24 * f.theme.s; }

// Distributes the space between the name and the buttons at the right, so that nothing moves when the badge's words or
// the page change. Everything starts as short as possible and grows in the order of importance. A page whose tab does
// not fit is in a list after the tabs; the page on screen always has its tab.
HeaderRoom share_header(const UiFrame& f, float room) {
  const Fonts& fonts = f.theme.fonts;
  const float s = f.theme.s, gap = 14 * s;
  const auto badge = [&](const std::string& words) { return draw::text_width(fonts.strong, words) + 42 * s; };
  const VerifyModel& verify = f.views.header.badge ? *f.views.header.badge : f.views.verify;
  HeaderRoom out{.badge = std::max(badge(verify.word), badge(kUsualWord)), .verdict = verify.word};
  std::vector<HeaderPage> all = header_pages(f);
  float widest = 0, tabs = 0;
  for (const HeaderPage& page : all) widest = std::max(widest, page_width(f, page)), tabs += page_width(f, page);
  room -= 6 * s + widest + gap + out.badge;
  if (shows_call(f)) room -= chip_width(f, short_call(f)) + length_width(f) + gap;
  if (tabs - widest > room) room -= drop_down_width(f.theme, kWidestCount);
  if (const float sign = 34 * s; room < 0) room += out.badge - sign, out.badge = sign, out.verdict.clear();
  const auto grow = [&](float by) {
    if (by > room) return false;
    room -= by;
    return true;
  };
  const auto say = [&](const std::string& words, const char* usual) {
    const float wide = std::max(badge(words), badge(usual));
    if (grow(wide - out.badge)) out.verdict = words, out.badge = wide;
  };
  room += widest;  // of the one tab that had its place
  // The page on screen first, then the lesson that is open, then the others in their order.
  std::vector<bool> fits(all.size(), false);
  float used = 0;
  const auto fit = [&](std::size_t i, bool always) {
    if (fits[i] || (!always && used + page_width(f, all[i]) > room)) return;
    fits[i] = true;
    used += page_width(f, all[i]);
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].active && all[i].id != kLearn) fit(i, true);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].active) fit(i, false);
  for (std::size_t i = 0; i < all.size() && (fits[i] || used + page_width(f, all[i]) <= room); ++i) fit(i, false);
  for (std::size_t i = 0; i < all.size(); ++i) (fits[i] ? out.tabs : out.more).push_back(all[i]);
  for (const HeaderPage& page : out.tabs) room -= page_width(f, page);
  out.walk = shows_call(f) && out.more.empty() && grow(walk_width(f));
  if (out.verdict == verify.word) say(verify.brief, kUsualBrief);
  out.chip =
      shows_call(f) && out.more.empty() && grow(chip_width(f, f.views.header.call.chip) - chip_width(f, short_call(f)));
  out.name = out.chip && grow(call_name_width(f));
  if (out.verdict == verify.brief && (out.chip || !shows_call(f))) say(verify.text, kUsualText);
  if (verify.in_full && grow(badge(verify.text) - out.badge)) out.verdict = verify.text, out.badge = badge(verify.text);
  return out;
}

void draw_badge(const UiFrame& f, Panel& panel, const std::string& words, float x0, float x1) {
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s;
  const VerifyModel& verify = *f.views.header.badge;
  const draw::Rect badge{x0, middle - high / 2, x1, middle + high / 2};
  const bool bad = verify.kind == BadgeKind::Diverged || verify.kind == BadgeKind::NotFinite,
             is_amber = verify.kind == BadgeKind::Running || verify.kind == BadgeKind::AtRisk;
  const ImU32 ink = verify.good ? panel.colours.good
                    : bad       ? panel.colours.bad
                    : is_amber  ? panel.colours.warn
                                : panel.colours.muted;
  const ImU32 fill = verify.good ? panel.colours.good_fill
                     : bad       ? panel.colours.bad_fill
                     : is_amber  ? panel.colours.warn_fill
                                 : panel.colours.quiet_fill;
  // Live has a double ring, recorded a single one: two different claims.
  draw::box(panel.list, badge, fill, 7 * s, mix(fill, ink, verify.kind == BadgeKind::NotChecked ? 0.25f : 0.6f));
  if (verify.kind == BadgeKind::Live) draw::box(panel.list, badge.inset(2.5f * s), 0, 5 * s, ink);
  draw::sign(panel.list, sign_of(verify.kind), {badge.x0 + 8 * s, badge.y0, badge.x0 + 26 * s, badge.y1}, ink, s);
  draw::text(panel.list, panel.fonts.strong, badge.x0 + 31 * s, middle - panel.fonts.strong.size / 2, ink, words);
  halo(f, panel.list, "badge", badge);
  const Hit on_badge = hit(f, "badge", badge);
  if (on_badge.hovered)
    tooltip(f, verify.text + ".\n" + verify.detail + (verify.goes_to ? "\nA click goes there." : "") + "\n" +
                   meanings(terms_in(verify.text)));
  if (on_badge.clicked && verify.goes_to) f.push(*verify.goes_to);
}

// The pages without a tab.
void draw_page_list(const UiFrame& f, const draw::Rect& r, const std::vector<HeaderPage>& more) {
  std::vector<DropDownEntry> entries;
  for (const HeaderPage& page : more)
    entries.push_back({.id = page.id, .title = page.title, .beside = page.beside, .commands = page.opens});
  const std::string count = std::to_string(more.size());
  drop_down(f, {.id = "more pages", .rect = r, .label = "+" + count, .tip = count + " more pages"}, entries);
}

float draw_pages(const UiFrame& f, Panel& panel, const HeaderRoom& room, float x) {
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s;
  const float list = room.more.empty() ? 0 : drop_down_width(f.theme, kWidestCount);
  float width = 6 * s + list;
  for (const HeaderPage& page : room.tabs) width += page_width(f, page);
  const draw::Rect all{x, middle - high / 2, x + width, middle + high / 2};
  draw::box(panel.list, all, panel.colours.background, 7 * s);
  float at = all.x0 + 3 * s;
  for (const HeaderPage& page : room.tabs) {
    const float w = page_width(f, page);
    if (tab(f, {.id = page.id,
                .rect = {at, all.y0 + 3 * s, at + w, all.y1 - 3 * s},
                .label = page.title,
                .tip = page.tip,
                .active = page.active,
                .enabled = !page.active || page.id == kLearn}))
      for (const Command& command : page.opens) f.push(command);
    at += w;
  }
  if (list > 0) draw_page_list(f, {at, all.y0 + 3 * s, at + list, all.y1 - 3 * s}, room.more);
  return all.x1;
}

// The window's call: its words open the list of its fields; its length is typed in place.
void draw_call(const UiFrame& f, Panel& panel, const HeaderRoom& room, float x) {
  const CallModel& call = f.views.header.call;
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s;
  const auto row = [&](float width) { return draw::Rect{x, middle - high / 2, x + width, middle + high / 2}; };
  if (room.name) {
    draw::text(panel.list, panel.fonts.tiny, x, middle - panel.fonts.tiny.size / 2, panel.colours.muted, call_name(f));
    x += call_name_width(f);
  }
  const std::string words = room.chip ? call.chip : short_call(f);
  const draw::Rect chip = row(chip_width(f, words));
  if (tag(f, {.id = "call",
              .rect = chip,
              .label = words,
              .tip = call.chip + (call.of_lesson ? "\nThe lesson's: your own call comes back after it." : "") +
                     "\nThe call of the whole window: Race, Roofline and Which are of it, and Compare if it is chosen "
                     "there. Click to edit it (" +
                     text_of(command_row(Action::EditCallDialog).key) + ")",
              .font = panel.fonts.mono_small,
              .ink = f.views.header.badge && !call.walked ? panel.colours.muted : panel.colours.text,
              .fill = panel.colours.background,
              .hovered = panel.colours.button,
              .border = panel.colours.border,
              .rounding = 7 * s}))
    f.push(Action::EditCallDialog);
  halo(f, panel.list, "call", chip);
  x = chip.x1 + 8 * s;
  draw::text(panel.list, panel.fonts.body, x, middle - panel.fonts.body.size / 2, panel.colours.muted, "N");
  x += draw::text_width(panel.fonts.body, "N") + 6 * s;
  const draw::Rect field = row(draw::text_width(panel.fonts.mono, kLongestLength) + 10 * s);
  draw_call_field(f, call.n, {field.x0, middle - 12 * s, field.x1, middle + 12 * s}, "call n-q");
  halo(f, panel.list, "n", field);
  x = field.x1 + 8 * s;
  if (room.walk && button(f, {.id = "walk call",
                              .rect = row(walk_width(f)),
                              .label = kCallWords,
                              .tip = "Opens the schedule of the kernel that runs, with its tiles, at this call",
                              .enabled = !call.walked}))
    f.push(Action::WalkCall);
}

// The commands without a button, by their rows in the table of commands.
void draw_more(const UiFrame& f, const draw::Rect& r, const HeaderRoom& room) {
  std::vector<DropDownEntry> entries;
  if (!room.walk) {
    const CommandRow& walk = command_row(Action::WalkCall);
    entries.push_back({.id = walk.name, .title = walk.title, .commands = {Action::WalkCall}});
  }
  if (f.session.set_aside()) {
    const CommandRow& back = command_row(Action::BackToProblem);
    entries.push_back({.id = back.name, .title = back.title, .commands = {Action::BackToProblem}});
  }
  const bool hand = is_hand_size(f.session.problem()) && f.session.page() == Page::Walk;
  for (const Action action :
       {Action::ShowPresets, Action::Present, Action::WorkByHand, Action::ShowFaults, Action::ShowQuestions,
        Action::ShowGlossary, Action::ShowTraffic, Action::OpenFileDialog, Action::SaveFileDialog, Action::ShowExport,
        Action::ToggleTheme, Action::TextBigger, Action::TextSmaller, Action::ShowPalette}) {
    if (action == Action::WorkByHand && !hand) continue;
    const CommandRow& row = command_row(action);
    const char* const not_presented = action == Action::Present ? f.session.not_presented() : nullptr;
    entries.push_back({.id = row.name,
                       .title = row.title,
                       .beside = text_of(row.key),
                       .commands = {action},
                       .disabled = not_presented ? not_presented : ""});
  }
  drop_down(f, {.id = "more", .rect = r, .label = kMore, .tip = "What else there is"}, entries);
}

}  // namespace

void draw_header_panel(const UiFrame& f, Panel& panel) {
  const float s = panel.s, middle = (panel.rect.y0 + panel.rect.y1) / 2, high = 30 * s;
  float x = panel.x;
  if (panel.rect.width() >= kLeastWithName * s) {
    draw::text(panel.list, panel.fonts.title, x, middle - panel.fonts.title.size / 2, panel.colours.text, "Tilewalk");
    x += draw::text_width(panel.fonts.title, "Tilewalk") + 18 * s;
  }

  // From the right: the parts that keep their place on every page.
  float right = panel.rect.x1 - 12 * s;
  const auto from_right = [&](float width) {
    const draw::Rect r{right - width, middle - high / 2, right, middle + high / 2};
    right = r.x0 - 8 * s;
    return r;
  };
  if (button(f, {.id = "keys", .rect = from_right(32 * s), .label = "?", .tip = "All keys (?)"}))
    f.push(Action::ShowKeys);
  const draw::Rect more = from_right(drop_down_width(f.theme, kMore));
  const HeaderRoom room = share_header(f, right - x);
  draw_more(f, more, room);
  const draw::Rect badge = from_right(room.badge);
  if (f.views.header.badge) draw_badge(f, panel, room.verdict, badge.x0, badge.x1);
  const float after_pages = draw_pages(f, panel, room, x);
  if (shows_call(f)) draw_call(f, panel, room, after_pages + 14 * s);
}

}  // namespace tilewalk
