#include <algorithm>
#include <cmath>

#include "pages/walk/walk_page.h"
#include "ui/panels/check_signs.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/panels.h"
#include "ui/panels/walk/timeline_strip.h"
#include "view/words/glossary.h"

namespace tilewalk {
namespace {

// "row sum" of "phase 7 of 8: row sum".
std::string phase_name(const TimelineModel& m) {
  const std::size_t colon = m.phase_text.find(": ");
  return colon == std::string::npos ? m.phase_text : m.phase_text.substr(colon + 2);
}

// The current visit, phase and step in words.
void draw_place(const UiFrame& f, Panel& p, float x, float right, float middle) {
  const TimelineModel& m = f.views.page<WalkPage>()->transport.timeline;
  const float s = p.s, high = 24 * s, room = right - x;
  if (!m.heal_text.empty()) {
    const std::string words = draw::elided(p.fonts.strong, m.heal_text, room);
    return draw::text(p.list, p.fonts.strong, x, middle - p.fonts.strong.size / 2, p.colours.good, words);
  }
  explain(f, "place", {x, middle - high / 2, right, middle + high / 2}, m.visit_text + ", phase, step");
  const std::string visit = m.visit_text + " · ", step = "  ·  " + m.step_text;
  const float visit_wide = draw::text_width(p.fonts.body, visit),
              phase_wide = draw::text_width(p.fonts.strong, m.phase_text),
              step_wide = draw::text_width(p.fonts.body, step);
  const float y = middle - p.fonts.body.size / 2;
  const auto put = [&](const char* id, float from, float wide) {
    f.ui.rects.put(id, {from, middle - high / 2, from + wide, middle + high / 2});
  };
  if (visit_wide + phase_wide + step_wide > room + 1) {  // in the narrowest windows only the phase
    const std::string words = draw::elided(p.fonts.strong, phase_wide <= room ? m.phase_text : phase_name(m), room);
    draw::text(p.list, p.fonts.strong, x, y, p.colours.text, words);
    if (words == m.phase_text || words == phase_name(m)) put("phase", x, draw::text_width(p.fonts.strong, words));
    return;
  }
  draw::text(p.list, p.fonts.body, x, y, p.colours.text, visit);
  draw::text(p.list, p.fonts.strong, x + visit_wide, y, p.colours.text, m.phase_text);
  draw::text(p.list, p.fonts.body, x + visit_wide + phase_wide, y, p.colours.muted, step);
  put("visit", x, visit_wide);
  put("phase", x, visit_wide + phase_wide);
  put("step", x + visit_wide + phase_wide, step_wide);
}

float words_width(const Panel& p, const TimelineModel& m) {
  return draw::text_width(p.fonts.body, m.visit_text + " ·   ·  " + m.step_text) +
         draw::text_width(p.fonts.strong, m.phase_text);
}

// The units of play and of the buttons, from the right. Where the three do not fit, only the current one, and a click
// selects the next. Returns its left end.
float draw_units(const UiFrame& f, Panel& p, bool narrow) {
  const TransportModel& t = f.views.page<WalkPage>()->transport;
  const float s = p.s, high = 32 * s, middle = p.y + high / 2;
  float right = p.x + p.width;
  for (int i = 2; i >= 0; --i) {
    const bool active = int(t.unit) == i;
    if (narrow && !active) continue;
    const Font& font = active ? p.fonts.strong : p.fonts.body;
    const float w = draw::text_width(p.fonts.strong, t.units[i]);
    const draw::Rect r{right - w, p.y, right, p.y + high};
    const Hit h = hit(f, t.units[i], r);
    draw::text(p.list, font, r.x1 - draw::text_width(font, t.units[i]), middle - font.size / 2,
               active || h.hovered ? p.colours.text : p.colours.muted, t.units[i]);
    if (active)
      p.list->AddRectFilled(ImVec2(r.x0, middle + font.em * 0.85f), ImVec2(r.x1, middle + font.em * 0.85f + 2 * s),
                            p.colours.accent);
    if (h.clicked && narrow)
      f.push(Action::NextUnit);
    else if (h.clicked && !active)
      f.push(SetUnit{StepUnit(i)});
    if (h.hovered) tooltip(f, "What play and the step buttons move by (U)");
    right = r.x0 - 8 * s;
    if (i > 0 && !narrow) {
      draw::text_right(p.list, p.fonts.body, right, middle - p.fonts.body.size / 2, p.colours.faint, "·");
      right -= 12 * s;
    }
  }
  return right - 10 * s;
}

float units_width(const Panel& p, const TransportModel& t, bool narrow) {
  float wide = 0;
  for (int i = 0; i < 3; ++i)
    if (!narrow || int(t.unit) == i) wide += draw::text_width(p.fonts.strong, t.units[i]) + 20 * p.s;
  return wide;
}

// A frame round the button that closes as the time of the step runs out, from the middle of its top clockwise.
void draw_ring_to(Panel& p, const draw::Rect& button, float share) {
  const draw::Rect r = button.inset(-2 * p.s);
  const float middle = (r.x0 + r.x1) / 2;
  const ImVec2 corners[] = {{middle, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}, {r.x0, r.y0}, {middle, r.y0}};
  float left = share * 2 * (r.width() + r.height());
  for (int i = 0; i < 5 && left > 0; ++i) {
    const ImVec2 &a = corners[i], &b = corners[i + 1];
    const float whole = std::abs(b.x - a.x) + std::abs(b.y - a.y), part = std::min(1.0f, left / whole);
    p.list->AddLine(a, ImVec2(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part), p.colours.now_line, 2 * p.s);
    left -= whole;
  }
}

void draw_transport(const UiFrame& f, Panel& p) {
  const TransportModel& t = f.views.page<WalkPage>()->transport;
  const TimelineModel& m = t.timeline;
  const float s = p.s, high = 32 * s, right = p.x + p.width;
  // The words are beside the buttons, or on a line of their own. Where they would not fit, first the units, then the
  // buttons of the speed are reduced, and at last all buttons shrink.
  const bool below = words_below(f.layout.transport.width(), s, p.e);
  const float words = below ? 0 : words_width(p, m) + 12 * s;
  const float moves = 242 * s, speed = 120 * s;
  const bool narrow = moves + speed + words + units_width(p, t, false) > p.width;
  const bool shows_speed = moves + speed + words + units_width(p, t, narrow) <= p.width;
  const float share =
      std::clamp((p.width - words - units_width(p, t, narrow)) / (moves + (shows_speed ? speed : 0)), 0.45f, 1.0f);
  float x = p.x;
  const auto sign_button = [&](const char* id, draw::Sign sign, float wide, bool strong, bool enabled, Action command) {
    const draw::Rect r{x, p.y, x + share * wide, p.y + high};
    const CommandRow& row = command_row(command);
    const std::string tip = std::string(row.title) + " (" + text_of(row.key) + ")";
    const bool clicked =
        button(f, {.id = id, .rect = r, .label = "", .tip = tip, .sign = sign, .strong = strong, .enabled = enabled});
    if (clicked) f.push(command);
    x = r.x1 + 6 * share * s;
  };
  sign_button("first", draw::Sign::First, 40 * s, false, !t.at_start, Action::First);
  sign_button("back", draw::Sign::StepBack, 40 * s, false, !t.at_start, t.back);
  const float play_x = x;
  sign_button("play", t.playing ? draw::Sign::Pause : draw::Sign::Play, 52 * s, !shows_tour_card(f), true,
              Action::PlayPause);
  if (const std::optional<Moving> m_now = moving(f); m_now && t.playing)
    draw_ring_to(p, {play_x, p.y, play_x + share * 52 * s, p.y + high}, float(m_now->t));
  if (f.ui.panel_step != 0 && f.ui.panel_at == "transport") focus_item();
  sign_button("forward", draw::Sign::StepForward, 40 * s, false, !t.at_end, t.forward);
  sign_button("last", draw::Sign::Last, 40 * s, false, !t.at_end, Action::Last);
  const auto text_button = [&](const char* id, const std::string& label, const Font& font, Action command,
                               const char* help) {
    const float w = std::max(26 * s, draw::text_width(font, label) + 12 * s);
    const draw::Rect r{x, p.y + 2 * s, x + w, p.y + high - 2 * s};
    const bool clicked = tag(f, {.id = id,
                                 .rect = r,
                                 .label = label,
                                 .tip = help,
                                 .font = font,
                                 .ink = p.colours.text,
                                 .fill = p.colours.panel,
                                 .hovered = p.colours.button_hover,
                                 .border = p.colours.border,
                                 .rounding = 6 * s});
    if (clicked) f.push(command);
    x = r.x1 + 4 * s;
  };
  if (shows_speed) {
    x += 6 * s;
    text_button("slower", "−", p.fonts.body, Action::Slower, "Slower (−)");
    text_button("speed", t.speed, p.fonts.mono_small, Action::Faster,
                "Moves a second. Click or + for faster, − for slower.");
    text_button("faster", "+", p.fonts.body, Action::Faster, "Faster (+)");
  }
  const float units = draw_units(f, p, narrow);
  if (below)
    draw_place(f, p, p.x, right, p.y + high + 12 * p.e);
  else
    draw_place(f, p, x + 10 * s, units, p.y + high / 2);
}

// The distance from float64, beside that of naive attention, on the line below the check against the GPU. Drops parts
// from the end where it does not fit.
void draw_accuracy(const UiFrame& f, Panel& p, float y) {
  const float s = p.s;
  const AccuracyModel& a = f.views.accuracy;
  const Palette& c = p.colours;
  if (a.text.empty()) return;
  draw::sign(p.list, sign_of(a.mark), {p.x, y, p.x + 12 * s, y + p.fonts.tiny.size}, ink_of(a.mark, c), 0.75f * s);
  const std::string text = draw::elided(p.fonts.tiny, a.text, p.width - 20 * s);
  draw::text(p.list, p.fonts.tiny, p.x + 18 * s, y, a.mark == AccuracyMark::Broken ? c.bad : c.muted, text);
  const float wide = 18 * s + draw::text_width(p.fonts.tiny, text);
  if (pointed_at(f, "accuracy", {p.x, y, p.x + wide, y + p.fonts.tiny.size}))
    tooltip(f, a.detail + "\n" + meanings(terms_in(a.text)));
}

bool is_bad(BadgeKind kind) { return kind == BadgeKind::Diverged || kind == BadgeKind::NotFinite; }

// With a deliberate mistake also the number of wrong visits.
std::string said_of_check(const UiFrame& f) {
  const VerifyModel& v = f.views.verify;
  const std::optional<FaultModel>& fault = f.views.page<WalkPage>()->fault;
  return v.short_text + (is_bad(v.kind) && fault && !fault->count.empty() ? " · " + fault->count : "");
}

// Before the first step there is nothing to report.
bool reports(const UiFrame& f) { return f.session.state().started || is_bad(f.views.verify.kind); }

// The last card says it, larger.
bool says_check(const UiFrame& f) {
  return reports(f) && (!f.views.page<WalkPage>()->last_card || is_bad(f.views.verify.kind));
}

float check_width(const UiFrame& f) {
  if (!says_check(f)) return -22 * f.theme.s;
  return draw::text_width(f.theme.fonts.body, said_of_check(f)) + 20 * f.theme.s;
}

// The line for messages, beside the words of the check.
draw::Rect news_area(const UiFrame& f) {
  const draw::Rect strip = timeline_area(f.layout, f.theme);
  const float s = f.theme.s, y = strip.y1 + 8 * s;
  return {strip.x0 + check_width(f) + 22 * s, y, strip.x1, y + f.theme.fonts.body.size};
}

bool has_news(const UiFrame& f) { return !is_compact(f.layout) && news_area(f).width() > 60 * f.theme.s; }

// Hints that do not fit are left out whole, the last but one first: the last names the list of all keys.
std::string fitting_hints(const Font& font, std::string hints, float width) {
  const std::string between = "  ·  ";
  while (draw::text_width(font, hints) > width) {
    const std::size_t last = hints.rfind(between);
    const std::size_t before = last == std::string::npos || last == 0 ? last : hints.rfind(between, last - 1);
    if (before == std::string::npos || last == 0) break;
    hints.erase(before, last - before);
  }
  return hints;
}

void draw_news(const UiFrame& f, Panel& p) {
  const Palette& c = p.colours;
  const TransportNews& news = f.views.page<WalkPage>()->transport.news;
  const ImU32 colour = news.tone == TransportTone::Waiting ? c.warn
                       : news.tone == TransportTone::Error ? c.bad
                       : news.tone == TransportTone::Said  ? c.text
                                                           : c.muted;
  const draw::Rect area = news_area(f);
  if (!has_news(f) || (f.session.message() && !fits_transport(f, *f.session.message()))) return;
  std::string words = f.ui.navigating && !f.session.message() ? kNavigationHint : news.text;
  if (!f.session.message()) words = fitting_hints(p.fonts.body, words, area.width());
  f.ui.rects.put("hints " + words, area);
  draw::text(p.list, p.fonts.body, area.x0, area.y0, colour,
             draw::elided(p.fonts.body, words.substr(0, words.find('\n')), area.width()));
  if (pointed_at(f, "words", area) && f.session.message()) tooltip(f, words);
}

void draw_foot(const UiFrame& f, Panel& p) {
  const float s = p.s;
  const VerifyModel& v = f.views.verify;
  const float y = timeline_area(f.layout, f.theme).y1 + 8 * s;
  const Palette& c = p.colours;
  p.y = y + 22 * p.e + p.fonts.tiny.size;
  draw_news(f, p);
  if (reports(f) && !shows_tour_card(f)) draw_accuracy(f, p, y + 22 * p.e);
  if (!says_check(f)) return;
  const bool bad = is_bad(v.kind);
  const ImU32 ink = v.good ? c.good : bad ? c.bad : c.muted;
  draw::sign(p.list,
             v.good ? draw::Sign::Check
             : bad  ? draw::Sign::Cross
                    : draw::Sign::Dash,
             {p.x, y, p.x + 12 * s, y + p.fonts.body.size}, ink, 0.85f * s);
  const std::string said = said_of_check(f);
  draw::text(p.list, p.fonts.body, p.x + 18 * s, y, ink, draw::elided(p.fonts.body, said, p.width - 20 * s));
  explain(f, "check", {p.x, y, p.x + check_width(f), y + p.fonts.body.size}, v.text + ", " + said);
}

}  // namespace

bool fits_transport(const UiFrame& f, const Message& message) {
  if (is_compact(f.layout)) return false;
  if (!message.error) return true;  // the pointer shows the whole text
  return has_news(f) && message.text.find('\n') == std::string::npos &&
         draw::text_width(f.theme.fonts.body, message.text) <= news_area(f).width();
}

// In whole, in as many lines as they need.
void draw_check_lines(const UiFrame& f, Panel& p) {
  const VerifyModel& v = f.views.verify;
  const AccuracyModel& a = f.views.accuracy;
  const Palette& c = p.colours;
  const auto line = [&](const char* id, draw::Sign sign, ImU32 ink, ImU32 words, const std::string& text,
                        const std::string& tip) {
    draw::sign(p.list, sign, {p.x, p.y, p.x + 12 * p.s, p.y + p.fonts.body.size}, ink, 0.85f * p.s);
    const float high =
        draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x + 20 * p.s, p.y, p.width - 20 * p.s, words, text);
    if (pointed_at(f, id, {p.x, p.y, p.x + p.width, p.y + high})) tooltip(f, tip);
    p.y += high + 6 * p.s;
  };
  const bool bad = is_bad(v.kind);
  const ImU32 ink = v.good ? c.good : bad ? c.bad : c.muted;
  line("check",
       v.good ? draw::Sign::Check
       : bad  ? draw::Sign::Cross
              : draw::Sign::Dash,
       ink, ink, said_of_check(f), v.text + ".\n" + meanings(terms_in(v.text)));
  if (!a.text.empty())
    line("accuracy", sign_of(a.mark), ink_of(a.mark, c), a.mark == AccuracyMark::Broken ? c.bad : c.muted, a.text,
         a.detail + "\n" + meanings(terms_in(a.text)));
}

void draw_transport_panel(const UiFrame& f, Panel& p) {
  draw_transport(f, p);
  if (has_timeline(f.layout, f.theme)) draw_timeline_strip(f, p);
  if (is_compact(f.layout)) return;
  draw_foot(f, p);
  halo(f, p.list, "transport", timeline_area(f.layout, f.theme));
}

}  // namespace tilewalk
