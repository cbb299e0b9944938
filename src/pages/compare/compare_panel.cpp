// The result of the comparison across the top, and the table of differences. A click on a row lists the transfers
// behind it; a click on one of the walk's goes to its step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "pages/compare/compare_page.h"
#include "pages/compare/compare_parts.h"
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
void draw_fold(const UiFrame& f, Panel& p, const std::string& text) {
  if (text.empty()) return;
  const float s = p.s, high = fold_height(p);
  p.list->AddLine(ImVec2(p.x, p.y), ImVec2(p.x + p.width, p.y), p.colours.row_line, draw::hairline());
  const float wide = std::min(p.width, draw::text_width(p.fonts.body, text) + 24 * s);
  if (button(f, {.id = "fold",
                 .rect = {p.x, p.y + 6 * s, p.x + wide, p.y + 6 * s + high},
                 .label = text,
                 .tip = f.session.compare().all_rows() ? "Fold the table" : "Show the whole table"}))
    f.push(Action::AllDifferences);
  p.y += 6 * s + high;
}

constexpr float kBarsHigh = 10;                        // design pixels below a row's words
constexpr float kRowWithBars = 34, kMostRowHigh = 40;  // before scaling

// Both sides of a row as bars across it, the longer one as long as the row: the pinned one above the current one.
void draw_bars(const UiFrame& f, Panel& p, const CompareLine& line, const draw::Rect& row, float right) {
  const float s = p.s, from = p.x + 6 * s, wide = right - from, thick = 3 * s, low = row.y1 - 3 * s;
  const auto bar = [&](const char* id, double share, float bottom, ImU32 ink) {
    const draw::Rect at{from, bottom - thick, from + float(share) * wide, bottom};
    if (share > 0) draw::box(p.list, at, ink, thick / 2);
    f.ui.rects.put(line.id + id, at);
  };
  bar(" pinned", line.left_share, low - thick - s, p.colours.muted);
  bar(" now", line.right_share, low, p.colours.accent);
}

// A figure at the right end of its cell; what it is of is before it, or above it where the cell is too narrow.
void draw_figure(const UiFrame& f, Panel& p, const std::string& figure, const std::string& variant,
                 const draw::Rect& cell, const std::string& id) {
  const float s = p.s, wide = draw::text_width(p.fonts.mono_small, figure),
              note = draw::text_width(p.fonts.tiny, variant), middle = (cell.y0 + cell.y1) / 2;
  const bool beside = wide + note + 8 * s <= cell.width() - 6 * s;
  const float down = variant.empty() || beside ? 0 : p.fonts.tiny.size / 2;
  draw::text_right(p.list, p.fonts.mono_small, cell.x1, middle - p.fonts.mono_small.size / 2 + down, p.colours.text,
                   draw::elided(p.fonts.mono_small, figure, cell.width()));
  if (variant.empty()) return;
  const float x = beside ? cell.x1 - wide - 8 * s - note : cell.x1 - note,
              y = beside ? middle - p.fonts.tiny.size / 2 : middle - p.fonts.tiny.size - 1 * s;
  draw::text(p.list, p.fonts.tiny, x, y, p.colours.muted, variant);
  f.ui.rects.put(id, {x, y, x + note, y + p.fonts.tiny.size});
}

// "Naive (S in fp32) 64×64" in two lines, so that figures need not be as wide.
std::vector<std::string> head_lines(const std::string& title) {
  const std::size_t variant = title.find(" (");
  if (variant == std::string::npos) return {title};
  return {title.substr(0, variant), title.substr(variant + 1)};
}

}  // namespace

// What the page is about: how many times as fast, in how much time, why. The words take the largest of these fonts in
// which they fit; the rest is below them.
void draw_compare_result_panel(const UiFrame& f, Panel& p) {
  const CompareModel& m = f.views.page<ComparePage>()->compare;
  const float s = p.s, top = p.y;
  const bool asked = m.headline.empty();  // a lesson asks for it, or there is no comparison
  const std::string headline = !asked ? m.headline : m.problems.empty() ? "" : m.problems.front();
  float x = p.x;
  if (!m.figure.empty()) {
    draw::text(p.list, p.fonts.figure, x, (p.rect.y0 + p.rect.y1 - p.fonts.figure.size) / 2, p.colours.accent,
               m.figure);
    x += draw::text_width(p.fonts.figure, m.figure) + 20 * s;
  }
  const float width = p.x + p.width - x, free = p.rect.y1 - 14 * s - top;
  const std::pair<const Font*, const Font*> sizes[] = {
      {&p.fonts.title, &p.fonts.body}, {&p.fonts.strong, &p.fonts.body}, {&p.fonts.strong, &p.fonts.tiny}};
  const auto high = [&](const Font& large, const Font& small) {
    return draw::paragraph(nullptr, large, p.fonts.tiny, 0, 0, width, 0, headline) +
           (m.detail.empty() ? 0 : draw::paragraph(nullptr, small, p.fonts.tiny, 0, 0, width, 0, m.detail) + 2 * s);
  };
  const auto* fonts = std::find_if(std::begin(sizes), std::end(sizes) - 1,
                                   [&](const auto& each) { return high(*each.first, *each.second) <= free; });
  p.y += std::max(0.0f, (free - high(*fonts->first, *fonts->second)) / 2);
  p.y += draw::paragraph(p.list, *fonts->first, p.fonts.tiny, x, p.y, width, asked ? p.colours.muted : p.colours.text,
                         headline) +
         2 * s;
  if (!m.detail.empty())
    p.y += draw::paragraph(p.list, *fonts->second, p.fonts.tiny, x, p.y, width, p.colours.muted, m.detail);
  f.ui.rects.put("result", {p.x, top, p.x + p.width, p.y});
}

void draw_compare_panel(const UiFrame& f, Panel& p) {
  const float s = p.s;
  const CompareModel& m = f.views.page<ComparePage>()->compare;
  for (const std::string& problem : m.problems)
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, problem);
  if (!m.problems.empty()) return;
  // Figures keep their width; a title that does not fit beside them wraps to a second line.
  const std::vector<std::string> heads[] = {head_lines(m.left_title), head_lines(m.right_title), {"difference"}};
  const float right = p.x + p.width - 6 * s;
  float side = 0, change = draw::text_width(p.fonts.tiny, heads[2].front()), beside = 0;
  for (const auto* head : {&heads[0], &heads[1]})
    for (const std::string& text : *head) side = std::max(side, draw::text_width(p.fonts.tiny, text));
  for (const std::size_t i : m.order) {
    const CompareLine& line = m.lines[i];
    for (const std::string* text : {&line.left, &line.right})
      side = std::max(side, draw::text_width(p.fonts.mono_small, *text));
    for (const auto& [figure, variant] :
         {std::pair{&line.left, &line.left_variant}, std::pair{&line.right, &line.right_variant}})
      if (!variant->empty())
        beside = std::max(
            beside, draw::text_width(p.fonts.mono_small, *figure) + draw::text_width(p.fonts.tiny, *variant) + 16 * s);
    change = std::max(change, draw::text_width(p.fonts.mono_small, line.difference));
  }
  // A figure and what it is of are side by side where the titles keep a third of the width.
  if (p.width - 2 * (beside + 12 * s) - change - 18 * s >= p.width / 3) side = std::max(side, beside);
  side = std::min(side + 12 * s, p.width * 0.27f), change = std::min(change + 12 * s, p.width * 0.27f);
  const float ends[] = {right - change - side, right - change, right}, titles = ends[0] - side - p.x - 6 * s;
  const auto height_of = [&](std::string_view text) {
    return draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, titles, 0, text);
  };
  const float one_line = height_of("S"),
              heading_high = draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, titles, 0, m.heading);
  draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x + 6 * s, p.y - 2 * s, titles, p.colours.muted, m.heading);
  explain(f, m.heading, {p.x, p.y, p.x + titles, p.y + heading_high}, m.heading);
  const std::size_t lines = std::max(heads[0].size(), heads[1].size());
  const float head_line = draw::leading(p.fonts.tiny),
              head_y = p.y + std::max(0.0f, heading_high - head_line * float(lines));
  for (int c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < heads[c].size(); ++i)
      word_right(f, p.fonts.tiny, ends[c], head_y + head_line * float(i + lines - heads[c].size()), p.colours.muted,
                 heads[c][i]);
  p.y = head_y + head_line * float(lines - 1) + 18 * s;
  const auto title_of = [](const CompareLine& line) { return line.title + (line.modelled ? " *" : ""); };
  // As many rows as fit, or all of them; where there is more space, it is between the rows.
  const float least = std::max(18.5f * s, p.fonts.body.em + 3.5f);
  const float foot =
                  draw::paragraph(nullptr, p.fonts.tiny, p.fonts.tiny, 0, 0, p.width - 12 * s, 0, m.footnote) + 22 * s,
              button = 6 * s + fold_height(p);
  const float free = p.rect.y1 - p.y - foot;
  float high = 0;
  std::size_t fit = 0;
  const auto more_of = [&](std::size_t i) { return std::max(0.0f, height_of(title_of(m.lines[i])) - one_line); };
  float all_high = 0;
  for (const std::size_t i : m.order) all_high += least + more_of(i);
  const std::size_t most = most_rows(m, std::size_t(std::max(0.0f, (free - button) / (kRowWithBars * s))));
  for (; fit < m.order.size() && (all_high <= free || high + least + more_of(m.order[fit]) + button <= free); ++fit)
    high += least + more_of(m.order[fit]);
  const bool all = f.session.compare().all_rows() && std::min(fit, most) < m.order.size();
  const std::size_t count = all ? m.order.size() : std::min(std::max(fit, least_rows(m)), most);
  high = 0;
  for (std::size_t row = 0; row < count; ++row) high += least + more_of(m.order[row]);
  const float spare =
      all ? 0 : (free - high - (count < m.order.size() ? button : 0)) / float(std::max<std::size_t>(1, count));
  const float row_high = std::clamp(least + spare, least, std::max(least, kMostRowHigh * s));
  for (std::size_t row = 0; row < count; ++row) {
    const CompareLine& line = m.lines[m.order[row]];
    const std::string title = title_of(line);
    const draw::Rect r{p.x, p.y, p.x + p.width, p.y + row_high + more_of(m.order[row])};
    p.list->AddLine(ImVec2(r.x0, r.y0), ImVec2(r.x1, r.y0), p.colours.row_line, draw::hairline());
    const bool listed = !line.left_transfers.empty() || !line.right_transfers.empty();
    const Hit h = hit(f, line.id, r);
    if (listed && h.hovered) draw::box(p.list, r, p.colours.row_mark, 3 * s);
    if (h.hovered) tooltip(f, with_meanings(listed ? "Click: the transfers behind it" : line.tip, line.title));
    if (listed && h.clicked) f.push(ShowTransfers{line.id});
    const bool bars = row_high >= kBarsHigh * s + p.fonts.body.size && line.left_share + line.right_share > 0;
    const float words_high = bars ? row_high - kBarsHigh * s : row_high;
    const float at = r.y0 + (words_high - p.fonts.mono_small.size) / 2;
    draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x + 6 * s, r.y0 + (words_high - p.fonts.body.size) / 2,
                    titles, p.colours.text, title);
    if (bars) draw_bars(f, p, line, r, right);
    draw_figure(f, p, line.left, line.left_variant, {ends[0] - side, r.y0, ends[0], r.y0 + words_high},
                line.id + " pinned variant");
    draw_figure(f, p, line.right, line.right_variant, {ends[1] - side, r.y0, ends[1], r.y0 + words_high},
                line.id + " now variant");
    draw::text_right(p.list, p.fonts.mono_small, ends[2], at, line.verdict > 0 ? p.colours.good : p.colours.text,
                     draw::elided(p.fonts.mono_small, line.difference, change));
    p.y = r.y1;
  }
  draw_fold(f, p, fold_text(m, count, all));
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
  // The same at each step, so that the track stays: wide enough for the longest words, if the track keeps a third.
  const bool visit = page.visit_t.has_value();
  const std::string text =
      visit ? fmt::format("One tile visit by its warps: {:.0f} %", *page.visit_t * 100) : page.steps_text;
  const float longest = draw::text_width(p.fonts.strong, page.longest_steps_text) + 8 * s;
  const float words = std::min(longest, (end - from) * 0.67f);
  draw::text(p.list, p.fonts.strong, from, middle - p.fonts.strong.size / 2, p.colours.text,
             draw::elided(p.fonts.strong, text, words));
  const draw::Rect track{from + words + 16 * s, middle - 4 * s, end, middle + 4 * s};
  if (track.width() < 40 * s) return;
  const std::int64_t steps = page.steps, cursor = page.cursor;
  const double done = visit ? *page.visit_t : double(cursor) / double(std::max<std::int64_t>(1, steps));
  const float at = track.x0 + float(done) * track.width();
  draw::box(p.list, track, p.colours.track, 3 * s, p.colours.border);
  draw::box(p.list, {track.x0, track.y0, at, track.y1}, p.colours.done, 3 * s);
  p.list->AddLine(ImVec2(at, track.y0 - 4 * s), ImVec2(at, track.y1 + 4 * s), p.colours.now_line,
                  std::max(1.0f, 1.6f * s));
  const Hit h = hit(f, "steps", {track.x0, middle - 12 * s, track.x1, middle + 12 * s});
  const double share = std::clamp(double((ImGui::GetIO().MousePos.x - track.x0) / track.width()), 0.0, 1.0);
  const auto there = std::int64_t(std::llround(share * double(steps)));
  if (visit) {
    if (h.hovered) tooltip(f, "Click or drag: to that moment of the visit.");
    if (h.held || h.clicked) f.push(HoldMotion{share});
    return;
  }
  if (h.hovered) tooltip(f, "Step " + format_count(there) + ". Click or drag to go there.");
  if ((h.held || h.clicked) && there != cursor)
    f.push(page.call ? Command{GoToCallStep{there}} : Command{GoToStep{there}});
}

std::string whole_parts(const Font& font, std::string text, float width) {
  while (!text.empty() && draw::text_width(font, text) > width) {
    std::size_t cut = 0;
    for (const char* separator : {" · ", "; ", ", "})
      if (const std::size_t at = text.rfind(separator); at != std::string::npos) cut = std::max(cut, at);
    text.resize(cut);
  }
  return text;
}

void whole_caption(Panel& p, const std::string& text, float width) {
  std::string fits = text;
  while (draw::caption_width(p.theme, fits) > width) {
    std::size_t cut = std::string::npos;
    for (const char* separator : {" · ", ": "})
      if (const std::size_t at = fits.rfind(separator); at != std::string::npos)
        cut = cut == std::string::npos ? at : std::max(cut, at);
    if (cut == std::string::npos) break;
    fits.resize(cut);
  }
  p.caption_at(p.x, p.y, fits, width);
}

}  // namespace tilewalk
