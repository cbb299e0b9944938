// The table of differences. A click on a row lists the transfers behind it; a click on one of the walk's goes to its
// step.
#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "pages/compare/compare_page.h"
#include "ui/panels/panels.h"
#include "ui/panels/walk/walk_buttons.h"

namespace tilewalk {
namespace {

struct CompareUi {
  std::string transfers_shown;  // the row whose list is open
};

void transfer_list(const UiFrame& f, const std::string& title, const std::vector<CompareTransfer>& transfers,
                   bool of_now, bool leads, float width) {
  const Theme& t = f.theme;
  const float s = t.s;
  ImVec2 at = ImGui::GetCursorScreenPos();
  caption(f, of_now ? "transfers now" : "transfers pinned", at.x, at.y, title, width);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(width, 16 * s));
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    at = ImGui::GetCursorScreenPos();
    const draw::Rect r{at.x, at.y, at.x + width, at.y + 22 * s};
    const Hit h = hit(f, (of_now ? "now " : "pinned ") + std::to_string(i), r);
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (h.hovered && leads) draw::box(list, r, t.colours.button, 4 * s);
    draw::text(list, t.fonts.mono_small, r.x0 + 6 * s, r.y0 + 4 * s, t.colours.text,
               draw::elided(t.fonts.mono_small, transfers[i].text, width - 12 * s));
    if (h.hovered && leads)
      tooltip(f,
              of_now ? "Go to the first step that does it" : "Exchange the two, and go to the first step that does it");
    if (h.clicked && leads) {
      if (!of_now) f.push(ExchangeAt{transfers[i].step});
      f.push(ShowPage{Page::Walk});
      if (of_now) f.push(GoToStep{transfers[i].step});
      f.push(ShowTransfers{});
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x, r.y1));
  }
  if (transfers.empty()) {
    at = ImGui::GetCursorScreenPos();
    draw::text(ImGui::GetWindowDrawList(), t.fonts.body, at.x + 6 * s, at.y, t.colours.muted, "no transfers");
    ImGui::Dummy(ImVec2(width, 20 * s));
  }
  ImGui::Dummy(ImVec2(1, 2 * s));
}

void draw_transfers(const UiFrame& f, const CompareModel& m, bool leads) {
  const std::string& row = f.session.compare().transfers_of();
  if (row != f.ui.of<CompareUi>().transfers_shown && !row.empty()) ImGui::OpenPopup("transfers");
  f.ui.of<CompareUi>().transfers_shown = row;
  const float s = f.theme.s, width = 520 * s;
  ImGui::SetNextWindowSizeConstraints(ImVec2(width + 2 * f.theme.pad(), 60 * s),
                                      ImVec2(width + 2 * f.theme.pad(), 420 * s));
  if (!ImGui::BeginPopup("transfers")) {
    if (!row.empty()) f.push(ShowTransfers{});
    return;
  }
  const auto line = std::find_if(m.lines.begin(), m.lines.end(), [&](const CompareLine& l) { return l.id == row; });
  if (line == m.lines.end()) {
    ImGui::CloseCurrentPopup();
  } else {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw::text(ImGui::GetWindowDrawList(), f.theme.fonts.strong, at.x, at.y, f.theme.colours.text, line->title);
    ImGui::Dummy(ImVec2(width, 18 * s));
    transfer_list(f, m.right_title, line->right_transfers, true, leads, width);
    transfer_list(f, m.left_title, line->left_transfers, false, leads, width);
  }
  ImGui::EndPopup();
}

}  // namespace

namespace {

// Below the rows: opens the folded ones, or folds them again.
void draw_fold(const UiFrame& f, Panel& p, const CompareModel& m) {
  if (m.fold_text.empty()) return;
  const float s = p.s, high = std::max(24 * s, p.fonts.body.em + 8 * s);
  p.list->AddLine(ImVec2(p.x, p.y), ImVec2(p.x + p.width, p.y), p.colours.row_line, draw::hairline());
  const float wide = std::min(p.width, draw::text_width(p.fonts.body, m.fold_text) + 24 * s);
  if (button(f, {.id = "fold",
                 .rect = {p.x, p.y + 6 * s, p.x + wide, p.y + 6 * s + high},
                 .label = m.fold_text,
                 .tip = f.session.compare().all_rows() ? "Fold the table" : "Show the whole table"}))
    f.push(Action::AllDifferences);
  p.y += 6 * s + high;
}

}  // namespace

void draw_compare_panel(const UiFrame& f, Panel& p) {
  const float s = p.s;
  const CompareModel& m = f.views.page<ComparePage>()->compare;
  p.caption_at(p.x, p.y, "Same mathematics, side by side", p.width);
  p.y += 20 * s;
  for (const std::string& problem : m.problems)
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, problem);
  if (!m.problems.empty()) return;
  p.y += draw::paragraph(p.list, p.fonts.strong, p.fonts.tiny, p.x + 6 * s, p.y, p.width - 12 * s, p.colours.text,
                         m.verdict) +
         2 * s;

  // Figures keep their width; a title that does not fit beside them wraps to a second line.
  const std::string heads[] = {m.left_title, m.right_title, "difference"};
  const float right = p.x + p.width - 6 * s;
  float side = std::max(draw::text_width(p.fonts.tiny, heads[0]), draw::text_width(p.fonts.tiny, heads[1])),
        change = draw::text_width(p.fonts.tiny, heads[2]);
  for (const std::size_t i : m.shown) {
    const CompareLine& line = m.lines[i];
    for (const std::string* text : {&line.left, &line.right})
      side = std::max(side, draw::text_width(p.fonts.mono_small, *text));
    change = std::max(change, draw::text_width(p.fonts.mono_small, line.difference));
  }
  side = std::min(side + 12 * s, p.width * 0.27f), change = std::min(change + 12 * s, p.width * 0.27f);
  const float ends[] = {right - change - side, right - change, right}, titles = ends[0] - side - p.x - 6 * s;
  const auto height_of = [&](std::string_view text) {
    return draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, titles, 0, text);
  };
  const float one_line = height_of("S"),
              heading_high = draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, titles, 0, m.heading);
  draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x + 6 * s, p.y - 2 * s, titles, p.colours.muted, m.heading);
  explain(f, m.heading, {p.x, p.y, p.x + titles, p.y + heading_high}, m.heading);
  const float head_y = p.y + std::max(0.0f, heading_high - draw::leading(p.fonts.tiny));
  for (int c = 0; c < 3; ++c) word_right(f, p.fonts.tiny, ends[c], head_y, p.colours.muted, heads[c]);
  p.y = head_y + 18 * s;
  // A folded table has space between its rows.
  const float least = std::max(18.5f * s, p.fonts.body.em + 3.5f), free = p.rect.y1 - p.y - 90 * s;
  const float row_high = std::clamp(free / float(std::max<std::size_t>(1, m.shown.size())), least,
                                    m.shown.size() < m.lines.size() ? std::max(least, 32 * s) : least);
  for (const std::size_t i : m.shown) {
    const CompareLine& line = m.lines[i];
    const std::string title = line.title + (line.modelled ? " *" : "");
    const draw::Rect r{p.x, p.y, p.x + p.width, p.y + row_high + std::max(0.0f, height_of(title) - one_line)};
    p.list->AddLine(ImVec2(r.x0, r.y0), ImVec2(r.x1, r.y0), p.colours.row_line, draw::hairline());
    const bool listed = !line.left_transfers.empty() || !line.right_transfers.empty();
    const Hit h = hit(f, line.id, r);
    if (listed && h.hovered) draw::box(p.list, r, p.colours.row_mark, 3 * s);
    if (h.hovered) tooltip(f, with_meanings(listed ? "Click: the transfers behind it" : line.tip, line.title));
    if (listed && h.clicked) f.push(ShowTransfers{line.id});
    const float at = r.y0 + (row_high - p.fonts.mono_small.size) / 2;
    draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x + 6 * s, r.y0 + (row_high - p.fonts.body.size) / 2, titles,
                    p.colours.text, title);
    draw::text_right(p.list, p.fonts.mono_small, ends[0], at, p.colours.text,
                     draw::elided(p.fonts.mono_small, line.left, side));
    draw::text_right(p.list, p.fonts.mono_small, ends[1], at, p.colours.text,
                     draw::elided(p.fonts.mono_small, line.right, side));
    draw::text_right(p.list, p.fonts.mono_small, ends[2], at, line.verdict > 0 ? p.colours.good : p.colours.text,
                     draw::elided(p.fonts.mono_small, line.difference, change));
    p.y = r.y1;
  }
  draw_fold(f, p, m);
  p.y += 6 * s;
  p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x + 6 * s, p.y, p.width - 12 * s, p.colours.muted,
                         m.footnote);
  draw_transfers(f, m, f.views.page<ComparePage>()->of_walk);
}

// The walk's buttons below the lanes, its place in words, and its steps on one line.
void draw_compare_steps_panel(const UiFrame& f, Panel& p) {
  const ComparePage& page = *f.views.page<ComparePage>();
  const float s = p.s, high = 26 * s, middle = (p.rect.y0 + p.rect.y1) / 2;
  const float from = draw_walk_buttons(f, p, p.x, middle - high / 2) + 10 * s, end = p.x + p.width;
  const float words = std::min(460 * s, (end - from) * 0.45f);  // the same at each step: the track stays
  draw::text(p.list, p.fonts.strong, from, middle - p.fonts.strong.size / 2, p.colours.text,
             draw::elided(p.fonts.strong, page.steps_text, words));
  const draw::Rect track{from + words + 16 * s, middle - 4 * s, end, middle + 4 * s};
  if (track.width() < 40 * s) return;
  const std::int64_t steps = page.steps, cursor = page.cursor;
  const float at = track.x0 + float(double(cursor) / double(std::max<std::int64_t>(1, steps))) * track.width();
  draw::box(p.list, track, p.colours.track, 3 * s, p.colours.border);
  draw::box(p.list, {track.x0, track.y0, at, track.y1}, p.colours.done, 3 * s);
  p.list->AddLine(ImVec2(at, track.y0 - 4 * s), ImVec2(at, track.y1 + 4 * s), p.colours.now_line,
                  std::max(1.0f, 1.6f * s));
  const Hit h = hit(f, "steps", {track.x0, middle - 12 * s, track.x1, middle + 12 * s});
  const double share = std::clamp(double((ImGui::GetIO().MousePos.x - track.x0) / track.width()), 0.0, 1.0);
  const auto there = std::int64_t(std::llround(share * double(steps)));
  if (h.hovered) tooltip(f, "Step " + format_count(there) + ". Click or drag to go there.");
  if ((h.held || h.clicked) && there != cursor)
    f.push(page.call ? Command{GoToCallStep{there}} : Command{GoToStep{there}});
}

}  // namespace tilewalk
