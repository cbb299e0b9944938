// The buttons that walk the learner's run, a box for each of its tile visits, and the findings.
#include <algorithm>

#include "base/units.h"
#include "pages/lab/lab_model.h"
#include "pages/lab/verdict/lab_findings.h"

namespace tilewalk {
namespace {

constexpr const char* kBetween = "  ·  ";

// The buttons, and what they move by: beside them where that fits, else below them.
void draw_moves(const UiFrame& f, Panel& p, const LabTransportModel& m) {
  const float s = p.s, high = 32 * s, all_moves = (4 * 40 + 52 + 4 * 6) * s;
  const float shrunk = std::min(1.0f, p.width / all_moves);  // a narrow panel has all of them
  float x = p.x;
  const auto put = [&](const char* id, draw::Sign sign, float wide, Action action, bool enabled, bool strong = false) {
    const CommandRow& row = command_row(action);
    const draw::Rect r{x, p.y, x + wide * s * shrunk, p.y + high};
    if (button(f, {.id = id,
                   .rect = r,
                   .label = "",
                   .tip = std::string(row.title) + " (" + text_of(row.key) + ")",
                   .sign = sign,
                   .strong = strong,
                   .enabled = enabled}))
      f.push(action);
    x = r.x1 + 6 * s * shrunk;
  };
  put("first", draw::Sign::First, 40, Action::First, !m.at_start);
  put("back", draw::Sign::StepBack, 40, Action::StepBack, !m.at_start);
  put("play", m.playing ? draw::Sign::Pause : draw::Sign::Play, 52, Action::PlayPause, m.good.has_value(), true);
  put("forward", draw::Sign::StepForward, 40, Action::StepForward, !m.at_end);
  put("last", draw::Sign::Last, 40, Action::Last, !m.at_end);
  x += 8 * s;
  const auto width_of = [&](std::string_view label) { return draw::text_width(p.fonts.strong, label) + 14 * s; };
  const float right = p.x + p.width;
  float all = 4 * s, words = 0;
  for (const std::string& unit : m.units) all += width_of(unit), words += draw::text_width(p.fonts.strong, "by ");
  const bool below = x + all - words > right;
  const std::size_t skipped = !below && x + all > right ? std::string_view("by ").size() : 0;
  if (below) x = p.x, p.y += high + 6 * s;
  for (int i = 0; i < 3; ++i) {
    const bool active = int(m.unit) == i;
    const std::string_view label = std::string_view(m.units[i]).substr(skipped);
    const float wide = width_of(label);
    if (tab(f, {.id = m.units[i],
                .rect = {x, p.y + 2 * s, x + wide, p.y + high - 2 * s},
                .label = label,
                .tip = "What play and the step buttons move by (U)",
                .active = active}) &&
        !active)
      f.push(SetLabUnit{LabUnit(i)});
    x += wide + 2 * s;
  }
  p.y += high + 8 * s;
}

// The place in the run in words.
void draw_place(Panel& p, const LabTransportModel& m) {
  const Fonts& fonts = p.fonts;
  const float wide = draw::text_width(fonts.body, m.place + m.step) + draw::text_width(fonts.strong, m.phase) +
                     2 * draw::text_width(fonts.body, kBetween);
  float x = p.x;
  const auto put = [&](const Font& font, ImU32 ink, const std::string& words) {
    if (words.empty()) return;
    if (x > p.x) {
      draw::text(p.list, fonts.body, x, p.y, p.colours.muted, kBetween);
      x += draw::text_width(fonts.body, kBetween);
    }
    const std::string fits = draw::elided(font, words, p.x + p.width - x);
    draw::text(p.list, font, x, p.y, ink, fits);
    x += draw::text_width(font, fits);
  };
  put(fonts.body, p.colours.text, m.place);
  put(fonts.strong, p.colours.text, m.phase);
  if (wide <= p.width) put(fonts.body, p.colours.muted, m.step);
  p.y += draw::leading(fonts.body) + 4 * p.s;
}

void draw_visits(const UiFrame& f, Panel& p, const LabTransportModel& m) {
  if (m.visits.empty()) return;
  const Palette& c = p.colours;
  const float s = p.s, high = 24 * s, groups = float(m.visits.back().group), count = float(m.visits.size());
  const float gap = std::clamp(p.width / (groups + count) * 0.3f, 0.0f, 10 * s);
  const float wide = (p.width - gap * groups) / count, between = wide > 8 * s ? 3 * s : wide > 3 ? 1.0f : 0.0f;
  for (std::size_t i = 0; i < m.visits.size(); ++i) {
    const LabVisitBox& each = m.visits[i];
    const float x = p.x + float(i) * wide + float(each.group) * gap;
    const draw::Rect r{x, p.y, x + wide - between, p.y + high};
    const bool wrong = each.mark == LabMark::Wrong, to_come = each.mark == LabMark::ToDo,
               judged = wrong || each.mark == LabMark::Right;
    const ImU32 fill = each.now ? c.accent : each.done ? wrong ? c.bad_fill : c.done : c.to_do;
    draw::box(p.list, r, fill, std::min(4 * s, wide * 0.25f),
              each.now             ? c.now_line
              : wrong && each.done ? c.bad
                                   : c.cell_line,
              each.now ? 1.8f * s : draw::hairline());
    if (wide >= 9 * s && judged)
      draw::sign(p.list, wrong ? draw::Sign::Cross : draw::Sign::Check, {r.x0, r.y1 + 2 * s, r.x1, r.y1 + 13 * s},
                 wrong ? c.bad : c.good, 0.8f * s);
    else if (wrong)
      draw::box(p.list, {r.x0, r.y1 + 3 * s, std::max(r.x1, r.x0 + 1), r.y1 + 7 * s}, c.bad, 0);
    const Hit h = hit(f, "lab visit " + std::to_string(i + 1), {r.x0, r.y0, r.x1, r.y1 + 12 * s});
    if (h.hovered)
      tooltip(f, "Tile visit " + format_count(std::int64_t(i) + 1) + ", " + each.label +
                     (to_come   ? ": to come"
                      : !judged ? ": not judged, as the holes are empty"
                      : wrong   ? ": wrong"
                                : ": right"));
    if (h.clicked && !to_come) f.push(GoToLabVisit{std::int64_t(i) + 1});
  }
  p.y += high + 18 * s;
}

}  // namespace

void draw_lab_transport_panel(const UiFrame& f, Panel& p) {
  const LabPage& page = *f.views.page<LabPage>();
  if (page.tasks.empty()) return;
  const LabTransportModel& m = page.transport;
  const float s = p.s;
  draw_moves(f, p, m);
  if (m.running) {
    const draw::Rect bar{p.x, p.y + 6 * s, p.x + p.width, p.y + 14 * s};
    draw::box(p.list, bar, p.colours.track, 4 * s);
    draw::box(p.list, {bar.x0, bar.y0, bar.x0 + float(m.fraction) * bar.width(), bar.y1}, p.colours.accent, 4 * s);
    p.y += 24 * s;
  } else {
    draw_place(p, m);
  }
  draw_visits(f, p, m);
  if (!page.matrix.own) draw_lab_findings(f, p, m.findings);
}

}  // namespace tilewalk
