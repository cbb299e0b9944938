#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/panels/hand/hand_fields.h"
#include "ui/panels/panels.h"
#include "view/hand/hide.h"

namespace tilewalk {
namespace {

void draw_table(const UiFrame& f, Panel& p, const SideShares& shares) {
  const SoftmaxModel& m = f.views.walk->softmax;
  const float s = p.s, row_high = shares.table_row;
  // Where the columns would run into one another, those go first that can be told from the others.
  std::vector<std::size_t> shown_columns;
  for (std::size_t c = 0; c < m.columns.size(); ++c) shown_columns.push_back(c);
  const float least = draw::text_width(p.fonts.tiny, "−0.00") + 1, first = p.width < 240 * s   ? 24 * s
                                                                           : p.width < 330 * s ? 30 * s
                                                                                               : 46 * s;
  for (const std::size_t dispensable : {std::size_t(2), std::size_t(1), std::size_t(5)})
    if (m.alpha_column >= 0 && (p.width - first) / float(shown_columns.size() - 1) < least)
      std::erase(shown_columns, dispensable);
  const float shown = table_height(f, shares);
  const bool scrolls = shown < row_high * float(m.rows.size());
  const float table = p.width - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);  // the heads stand over the figures
  const float rest = (table - first) / float(std::max<std::size_t>(1, shown_columns.size() - 1));
  const auto right_of = [&](std::size_t place, float x) {
    return place == 0 ? x + first - 8 * s : x + first + rest * float(place) - 6 * s;
  };
  const auto is_new = [&](int c) {
    return std::find(m.new_columns.begin(), m.new_columns.end(), c) != m.new_columns.end();
  };
  // "tile max" stands in two lines where it has no room in one.
  float widest = 0;
  for (const std::size_t c : shown_columns) widest = std::max(widest, draw::text_width(p.fonts.tiny, m.columns[c]));
  const float second = widest > rest - 4 * s ? 14 * s : 0;
  for (std::size_t place = 0; place < shown_columns.size(); ++place) {
    const std::string_view head = m.columns[shown_columns[place]];
    const float right = right_of(place, p.x);
    const std::size_t space = second > 0 ? head.find(' ') : std::string_view::npos;
    const std::string_view above = space == std::string_view::npos ? "" : head.substr(0, space),
                           below = space == std::string_view::npos ? head : head.substr(space + 1);
    draw::text_right(p.list, p.fonts.tiny, right, p.y, p.colours.muted, above);
    draw::text_right(p.list, p.fonts.tiny, right, p.y + second, p.colours.muted, below);
    const float wide = std::max(draw::text_width(p.fonts.tiny, above), draw::text_width(p.fonts.tiny, below));
    explain(f, std::string(head), {right - wide, p.y, right, p.y + second + 18 * s}, head);
  }
  p.y += 20 * s + second;
  if (m.rows.empty()) {
    draw::text(p.list, p.fonts.body, p.x + 6 * s, p.y, p.colours.faint, "No rows are on chip.");
    p.y += row_high;
    return;
  }
  ImGui::SetCursorScreenPos(ImVec2(p.x, p.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  f.ui.rects.put("softmax rows", {p.x, p.y, p.x + p.width, std::min(p.y + shown, p.rect.y1)});
  ImGui::BeginChild("softmax rows", ImVec2(p.width, shown), false,
                    scrolls ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImDrawList* list = ImGui::GetWindowDrawList();
  // Bring the row that the sentence speaks about into view when it changes.
  std::int64_t spoken = -1;
  for (std::size_t r = 0; r < m.rows.size(); ++r)
    if (m.rows[r].spoken) spoken = std::int64_t(r);
  if (scrolls && spoken >= 0 && spoken != f.ui.spoken_row)
    ImGui::SetScrollY(std::max(0.0f, float(spoken) * row_high - shown / 2));
  f.ui.spoken_row = spoken;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float top = origin.y + ImGui::GetScrollY();
  const std::size_t begin = std::size_t(std::max(0.0f, (top - origin.y) / row_high));
  const std::size_t end = std::min(m.rows.size(), begin + std::size_t(shown / row_high) + 2);
  const std::int64_t selected = f.session.walk().selection() ? f.session.walk().selection()->row : -1;
  for (std::size_t r = begin; r < end; ++r) {
    const SoftmaxRow& row = m.rows[r];
    const float y = origin.y + float(r) * row_high;
    if (row.spoken || row.row == selected)
      draw::box(list, {p.x, y, p.x + table, y + row_high - 1}, p.colours.row_mark, 4 * s,
                row.row == selected ? p.colours.accent : 0);
    else if (r > 0)
      list->AddLine(ImVec2(p.x, y - 1), ImVec2(p.x + table, y - 1), p.colours.row_line, draw::hairline());
    for (std::size_t place = 0; place < shown_columns.size(); ++place) {
      const std::size_t c = shown_columns[place];
      if (c >= row.cells.size()) continue;
      const bool alpha = int(c) == m.alpha_column;
      const bool wrong = c < row.wrong.size() && row.wrong[c];
      const ImU32 colour = row.is_right     ? p.colours.good
                           : wrong          ? p.colours.bad
                           : c == 0         ? p.colours.text
                           : alpha          ? (row.rescaled ? p.colours.changed
                                               : row.spoken ? p.colours.muted
                                                            : p.colours.faint)
                           : is_new(int(c)) ? p.colours.fresh
                                            : p.colours.text;
      const Font& font = alpha && row.rescaled ? p.fonts.mono_strong : p.fonts.mono;
      const float right = right_of(place, p.x);
      if (c < m.asked.size() && m.asked[c] && !row.is_right) {
        HandPlace asked = *m.asked[c];
        asked.row = row.row;
        const float wide = std::min(std::max(rest - 4 * s, least + 2 * s), 74 * s);
        if (draw_hand_field(f, asked, {right + 3 * s - wide, y + 1 * s, right + 3 * s, y + row_high - 2 * s},
                            draw::text_width(p.fonts.mono, "−0.00") + 10 * s < wide ? p.fonts.mono : p.fonts.tiny))
          continue;
      }
      const bool narrow = draw::text_width(font, row.cells[c]) > rest - 4 * s && c > 0;
      draw::text_right(list, narrow ? p.fonts.tiny : font, right, y + (row_high - font.size) / 2 - 1, colour,
                       row.cells[c].empty() ? "·" : row.cells[c]);
    }
  }
  ImGui::SetCursorScreenPos(ImVec2(p.x, origin.y + row_high * float(m.rows.size()) - 1));
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
  ImGui::PopStyleVar();
  const float head = p.y - 20 * s - second, low = p.y + shown;
  halo(f, p.list, "table", {p.x, head, p.x + table, low});
  const std::pair<const char*, const char*> heads[] = {{"m", "m"},     {"m new", "m new"}, {"tile max", "tile max"},
                                                       {"α", "alpha"}, {"ℓ", "l"},         {"ℓ new", "l new"}};
  for (std::size_t place = 1; place < shown_columns.size(); ++place)
    for (const auto& [title, name] : heads)
      if (m.columns[shown_columns[place]] == title)
        halo(f, p.list, name, {right_of(place, p.x) - rest + 12 * s, head, right_of(place, p.x) + 4 * s, low});
  p.y += shown + 10 * s;
}

// In the place of the sentence: what work by hand has to say, while it has.
const std::string& said(const UiFrame& f) {
  const std::optional<HandModel>& hand = f.views.walk->hand;
  return hand && !hand->text.empty() ? hand->text : f.views.walk->softmax.sentence;
}

}  // namespace

float table_height(const UiFrame& f, const SideShares& shares) {
  const float rows = float(std::max<std::size_t>(1, f.views.walk->softmax.rows.size()));
  return shares.table_row * std::min(rows, std::floor(shares.table_most / shares.table_row));
}

// The sentence keeps room for a few lines, so that what lies below does not jump from step to step.
float sentence_height(const UiFrame& f, const Panel& p, const SideShares& shares) {
  const float pad = 12 * p.s, inner = p.width - 2 * pad - 3 * p.s;
  const float need = draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, inner, 0, said(f));
  return std::max(need, shares.sentence_least) + 2 * pad - 4 * p.s;
}

void draw_softmax_panel(const UiFrame& f, Panel& p, const SideShares& shares) {
  const float s = p.s, pad = 12 * s, inner = p.width - 2 * pad - 3 * s;
  p.caption(f.views.walk->softmax.title, draw_hand_switch(f, p));
  draw_table(f, p, shares);
  draw_hand_strip(f, p);
  const std::optional<HandModel>& hand = f.views.walk->hand;
  const bool wrong = hand && hand->wrong, waits = hand && !wrong && hand->text == kSentenceWaits;
  const draw::Rect box{p.x, p.y, p.x + p.width, p.y + sentence_height(f, p, shares)};
  draw::box(p.list, box, wrong ? mix(p.colours.changed, p.colours.panel, 0.88f) : p.colours.callout, 7 * s);
  p.list->AddRectFilled(box.min(), ImVec2(box.x0 + 3 * s, box.y1), wrong ? p.colours.changed : p.colours.accent, 3 * s);
  draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, box.x0 + pad + 3 * s, box.y0 + pad - 3 * s, inner,
                  waits ? p.colours.muted : p.colours.text, said(f));
  halo(f, p.list, "sentence", box);
  p.y = box.y1 + 18 * s;
}

}  // namespace tilewalk
