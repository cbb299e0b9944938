// The head of the page of the race: the sources, the machine and the pass. The header's call has all else.
#include <algorithm>

#include "pages/race/race_model.h"
#include "ui/panels/panels.h"
#include "ui/panels/tag_rows.h"

namespace tilewalk {
namespace {

constexpr float kHigh = 30;  // of a button, in design pixels

// Buttons at the right keep their place, words are shortened. Returns the left end of the buttons.
float draw_buttons(const UiFrame& f, const Panel& p, const RaceModel& m) {
  const float s = p.s, high = kHigh * s, top = p.y;
  float right = p.x + p.width;
  const auto action = [&](const char* id, const char* label, Action command, const char* help, bool strong, bool on) {
    const float w = draw::text_width(strong ? p.fonts.strong : p.fonts.body, label) + 28 * s;
    const bool pressed = button(f, {.id = id,
                                    .rect = {right - w, top, right, top + high},
                                    .label = label,
                                    .tip = help,
                                    .strong = strong,
                                    .enabled = on});
    if (pressed) f.push(command);
    right -= w + 8 * s;
  };
  if (m.running) {
    action("stop", "Stop", Action::StopRace, "Stops after the current run; finished rows stay", true, !m.stopping);
  } else {
    if (m.gpu_present)
      action("race gpu", "Run on this GPU", Action::RaceGpu, "The fast rungs, in the background", true, true);
    action("race cpu", "Run on this CPU", Action::RaceCpu,
           "Naive attention by OpenBLAS beside the tiled kernel, in the background; about ten seconds", !m.gpu_present,
           true);
  }
  return right;
}

// The sources: recorded, or run here. Returns their right end.
float draw_sources(const UiFrame& f, const Panel& p, const RaceModel& m) {
  const float s = p.s, high = kHigh * s, top = p.y;
  float x = p.x;
  for (const RaceTag& source : m.sources) {
    const float w = draw::text_width(p.fonts.strong, source.label) + 26 * s;
    const draw::Rect r{x, top, x + w, top + high};
    const bool chosen = tag(f, {.id = source.label,
                                .rect = r,
                                .label = source.label,
                                .font = source.active ? p.fonts.strong : p.fonts.body,
                                .ink = source.active ? p.colours.text : p.colours.muted,
                                .fill = source.active ? p.colours.tab : p.colours.background,
                                .hovered = source.active ? p.colours.tab : p.colours.button,
                                .rounding = 6 * s,
                                .enabled = !source.active});
    if (chosen) f.push(source.choice);
    x = r.x1 + 4 * s;
  }
  return x;
}

void draw_progress(const UiFrame& f, const Panel& p, const RaceModel& m, float x, float right) {
  const float s = p.s, high = kHigh * s, top = p.y;
  if (m.running) {
    const draw::Rect track{x, top + high - 7 * s, right, top + high - 2 * s};
    draw::text(p.list, p.fonts.body, x, top + 2 * s, p.colours.text, draw::elided(p.fonts.body, m.progress, right - x));
    draw::box(p.list, track, p.colours.track, 3 * s);
    draw::box(p.list,
              {track.x0, track.y0, track.x0 + track.width() * float(std::clamp(m.fraction, 0.0, 1.0)), track.y1},
              p.colours.accent, 3 * s);
  } else if (!m.failure.empty()) {
    draw::text(p.list, p.fonts.body, x, top + (high - p.fonts.body.size) / 2, p.colours.bad,
               draw::elided(p.fonts.body, m.failure, right - x));
    if (pointed_at(f, "failure", {x, top, right, top + high})) tooltip(f, m.failure);
  }
}

// The badge of a race measured here is filled and green, that of a recorded race is a grey outline: the two claims
// differ by word, shape and colour. The ceilings of the run are in its tooltip. Returns its right end.
float draw_heading(const UiFrame& f, Panel& p, const RaceModel& m) {
  const float s = p.s;
  const float badge_width = draw::text_width(p.fonts.strong, m.badge) + 20 * s;
  const draw::Rect badge{p.x, p.y, p.x + badge_width, p.y + 22 * s};
  const ImU32 ink = m.recorded ? p.colours.muted : p.colours.good;
  draw::box(p.list, badge, m.recorded ? p.colours.quiet_fill : p.colours.good_fill, 5 * s, ink,
            (m.recorded ? 1 : 2) * draw::hairline());
  draw::text_in(p.list, p.fonts.strong, badge, ink, m.badge);
  const std::string words = draw::elided(p.fonts.body, m.heading, p.x + p.width - badge.x1 - 12 * s);
  draw::text(p.list, p.fonts.body, badge.x1 + 12 * s, p.y + 3 * s, p.colours.text, words);
  const draw::Rect at{p.x, p.y, badge.x1 + 12 * s + draw::text_width(p.fonts.body, words), p.y + 24 * s};
  f.ui.rects.put("heading", at);
  if (!m.ceilings.empty() && pointed_at(f, "heading", at)) tooltip(f, m.heading + ".\n" + m.ceilings + ".");
  return at.x1;
}

// Beside the heading, or below it where that leaves no room.
void draw_pass(const UiFrame& f, Panel& p, const RaceModel& m, float after) {
  const bool beside = after + 24 * p.s + tags_width(p, m.pass) <= p.x + p.width;
  if (!beside) p.y += 28 * p.s;
  tag_row(f, p, m.pass, beside ? after + 24 * p.s : p.x, p.y);
  p.y += 26 * p.s;
}

}  // namespace

void draw_race_panel(const UiFrame& f, Panel& p) {
  const RaceModel& m = *f.views.page<RaceModel>();
  const float right = draw_buttons(f, p, m), left = draw_sources(f, p, m);
  draw_progress(f, p, m, left + 12 * p.s, right);
  p.y += kHigh * p.s + 8 * p.s;
  if (!m.any) {
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.empty);
    return;
  }
  draw_pass(f, p, m, draw_heading(f, p, m));
}

}  // namespace tilewalk
