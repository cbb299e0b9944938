#include "ui/panels/walk/timeline_strip.h"

#include <algorithm>
#include <cmath>

#include "pages/walk/walk_page.h"
#include "ui/labels.h"
#include "ui/mistake_marks.h"

namespace tilewalk {
namespace {

// The names of groups above the middles of their boxes, or at the beginning of every nth, so that none touches the
// next.
void draw_groups(const UiFrame& f, Panel& p, const TimelineModel& m, const draw::Rect& area) {
  const Font& font = p.fonts.tiny;
  float widest = 0, pitch = area.width();
  for (std::size_t i = 0; i < m.groups.size(); ++i) {
    widest = std::max(widest, draw::text_width(font, m.groups[i].label));
    if (i > 0) {
      const TimelineGroup &a = m.groups[i - 1], &b = m.groups[i];
      pitch = std::min(pitch, (b.x0 + b.x1 - a.x0 - a.x1) / 2 * area.width());
    }
  }
  const std::int64_t nth = label_stride(widest + 6 * p.s, pitch);
  float taken = area.x0 - 6 * p.s;
  for (std::size_t i = 0; i < m.groups.size(); i += std::size_t(nth)) {
    const TimelineGroup& group = m.groups[i];
    const float wide = draw::text_width(font, group.label), middle = area.x0 + (group.x0 + group.x1) / 2 * area.width();
    const float begin = nth > 1 ? area.x0 + float(group.x0) * area.width() : middle - wide / 2;
    const float x = std::clamp(begin, area.x0, std::max(area.x0, area.x1 - wide));
    if (x < taken + 6 * p.s) continue;
    draw::text(p.list, font, x, area.y0 - (font.size - font.em) / 2, group.now ? p.colours.text : p.colours.muted,
               group.label);
    taken = x + wide;
    f.ui.rects.put("group " + std::to_string(i), {x, area.y0, taken, area.y0 + font.em});
  }
}

// In a low window the boxes keep their height instead.
bool has_group_names(const draw::Rect& area, float s) { return area.height() >= 46 * s; }

// The place of the current step, also where it is between two boxes.
void draw_caret(const UiFrame& f, Panel& p, const TimelineModel& m, const draw::Rect& area, float top, float low) {
  const float s = p.s, x = std::clamp(area.x0 + float(m.caret) * area.width(), area.x0, area.x1), half = 4 * s;
  p.list->AddTriangleFilled(ImVec2(x - half, top - 6 * s), ImVec2(x + half, top - 6 * s), ImVec2(x, top - s),
                            p.colours.now_line);
  p.list->AddLine(ImVec2(x, top - 2 * s), ImVec2(x, low + 3 * s), p.colours.now_line, 1.6f * s);
  f.ui.rects.put("caret", {x - half, top - 6 * s, x + half, low + 3 * s});
}

// Beside the place of the step, where a strip has no boxes to count.
void draw_share_done(const UiFrame& f, Panel& p, const TimelineModel& m, const draw::Rect& bar, float x) {
  if (m.share.empty()) return;
  const float wide = draw::text_width(p.fonts.tiny, m.share), gap = 9 * p.s;
  const bool at_right = x + gap + wide + gap < bar.x1;
  const draw::Rect r{at_right ? x + gap : x - gap - wide, bar.y0, at_right ? x + gap + wide : x - gap, bar.y1};
  if (r.x0 < bar.x0) return;
  draw::box(p.list, {r.x0 - 4 * p.s, r.y0 + 3 * p.s, r.x1 + 4 * p.s, r.y1 - 3 * p.s}, p.colours.panel, 3 * p.s);
  draw::text_in(p.list, p.fonts.tiny, r, p.colours.text, m.share);
  f.ui.rects.put("share of the walk", r);
}

void draw_check(const UiFrame& f, Panel& p, const TimelineBox& box, const draw::Rect& r) {
  draw::sign(p.list, draw::Sign::Check, r, p.colours.good, 0.75f * p.s);
  f.ui.rects.put("check of step " + std::to_string(box.end_step), r);
}

}  // namespace

void draw_timeline_strip(const UiFrame& f, Panel& p) {
  const ImU32 mistake = ink_of_mistake(f, p.colours);
  const TimelineModel& m = f.views.page<WalkPage>()->transport.timeline;
  const Palette& c = p.colours;
  const float s = p.s;
  const draw::Rect area = timeline_area(f.layout, f.theme);
  const float labels =
      has_group_names(area, s) ? p.fonts.tiny.em + 6 * s : 0;  // the groups' names are above, the marks below
  const float top = area.y0 + labels + 4 * s, box_high = area.height() - labels - 19 * s;
  if (m.folded) {
    if (labels > 0) draw_groups(f, p, m, area);
    const draw::Rect bar{area.x0, top, area.x1, top + box_high};
    draw::box(p.list, bar, c.to_do, 4 * s);
    const float x = bar.x0 + float(m.done) * bar.width();
    draw::box(p.list, {bar.x0, bar.y0, x, bar.y1}, c.done, 4 * s);
    float before = bar.x0;  // heads as narrow as their marks get no marks
    for (const float mark : m.marks) {
      const float at = bar.x0 + mark * bar.width();
      if (at - before < 6 * s || bar.x1 - at < 6 * s) continue;
      draw::box(p.list, {at - 0.5f, bar.y0, at + 0.5f, bar.y1}, c.panel, 0);
      before = at;
    }
    draw::box(p.list, bar, 0, 4 * s, c.cell_line);
    draw::box(p.list, {x - 2.5f * s, bar.y0 - 4 * s, x + 2.5f * s, bar.y1 + 4 * s}, c.accent, 2 * s, c.now_line);
    draw_share_done(f, p, m, bar, x);
    if (m.diverged >= 0) {
      const float d = bar.x0 + float(m.diverged) * bar.width();
      draw::box(p.list, {d - 1 * s, bar.y0, d + 1 * s, bar.y1}, mistake, 0);
      draw::sign(p.list, sign_of_mistake(f), {d - 6 * s, bar.y1, d + 6 * s, bar.y1 + 14 * s}, mistake, 0.8f * s);
    }
  }
  const double healed = f.session.walk().healing().t();
  const std::int64_t landed = f.session.walk().landed().cursor;
  for (const TimelineBox& box : m.boxes) {
    draw::Rect r{area.x0 + box.x0 * area.width(), top, area.x0 + box.x1 * area.width(), top + box_high};
    const float round = std::min(4 * s, r.width() * 0.25f);
    const bool marks = r.width() >= 9 * s;
    // A check mark only for a visit whose last step has landed; a cross where values differ, walked or not.
    const VisitCheck mark = mark_of(box, healed);
    if (box.skipped) {
      draw::hatch(p.list, r, c.hatch, 7 * s, 1 * s);
      draw::box(p.list, r, 0, round, c.cell_line);
      if (marks) draw::sign(p.list, draw::Sign::Dash, {r.x0, r.y1 + 2 * s, r.x1, r.y1 + 13 * s}, c.faint, 0.8f * s);
    } else if (box.now) {
      const draw::Rect big{r.x0 - 1 * s, r.y0 - 4 * s, r.x1 + 1 * s, r.y1 + 4 * s};
      const ImU32 walked = box.done && mark == VisitCheck::Differs ? mistake : c.accent;
      draw::box(p.list, big, mix(walked, c.panel, 0.6f), round + 1 * s);
      draw::box(p.list, {big.x0, big.y0, std::max(big.x0, area.x0 + float(m.caret) * area.width()), big.y1}, walked,
                round + 1 * s);
      draw::box(p.list, big, 0, round + 1 * s, c.now_line, 1.8f * s);
    } else {
      const ImU32 done = healed < box.heals_at          ? mix(mistake, c.panel, 0.35f)
                         : has_just_healed(box, healed) ? mix(c.good, c.panel, 0.35f)
                                                        : c.done;
      draw::box(p.list, r, box.done ? done : c.to_do, round, box.done ? 0 : c.cell_line);
    }
    if (mark == VisitCheck::Differs)
      draw::sign(p.list, sign_of_mistake(f), {r.x0, r.y1 + 4 * s, r.x1, r.y1 + 15 * s}, mistake, 0.8f * s);
    else if (marks && mark == VisitCheck::Equal && box.end_step <= landed)
      draw_check(f, p, box, {r.x0, r.y1 + 4 * s, r.x1, r.y1 + 15 * s});
  }
  if (labels > 0) draw_groups(f, p, m, area);
  if (!m.folded) draw_caret(f, p, m, area, top, top + box_high);
  const Hit h = hit(f, "timeline", area);
  const float at = (ImGui::GetIO().MousePos.x - area.x0) / std::max(1.0f, area.width());
  if (h.held || h.clicked) {
    const std::int64_t cursor = m.cursor_at(at);
    if (cursor != f.session.cursor()) f.push(GoToStep{cursor});
  } else if (h.hovered) {
    const std::int64_t cursor = m.cursor_at(at);
    std::string text = "Step " + std::to_string(cursor) + ". Click or drag to go there.";
    tooltip(f, text);
  }
}

}  // namespace tilewalk
