#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/units.h"
#include "pages/walk/walk_page.h"
#include "ui/mistake_marks.h"
#include "ui/panels/hand/hand_fields.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/panels.h"
#include "ui/panels/scores/scores_parts.h"
#include "view/hand/hide.h"
#include "view/sentence/named_cell.h"

namespace tilewalk {
namespace {

struct StoryUi {
  std::int64_t spoken_row = -1;  // the last one scrolled to
};

// The positions of the table's columns: a narrow one for the row, the others of equal width.
struct TableColumns {
  float first = 0, rest = 0, gap = 0;
  float right_of(std::size_t c, float x) const { return c == 0 ? x + first - gap : x + first + rest * float(c) - 4; }
  float room() const { return rest - 6; }  // width for figures
};

TableColumns columns_of(const Panel& p, const SoftmaxModel& m, float table, std::size_t columns) {
  TableColumns out;
  float widest = draw::text_width(p.fonts.tiny, "row");
  for (const SoftmaxRow& row : m.rows) widest = std::max(widest, draw::text_width(p.fonts.mono, row.cells[0]));
  const float count = float(std::max<std::size_t>(1, columns - 1));
  // Spare width is distributed, except for a wide margin at the left.
  const float spare = table - widest - count * (draw::text_width(p.fonts.mono, "−0.00") + 8 * p.s);
  out.gap = std::clamp(spare, 3 * p.s, 8 * p.s);
  out.first = widest + out.gap;
  out.rest = (table - out.first) / count;
  return out;
}

bool wider(const Panel& p, const std::vector<std::string>& heads, const TableColumns& columns) {
  return std::any_of(heads.begin(), heads.end(),
                     [&](const std::string& head) { return draw::text_width(p.fonts.tiny, head) > columns.room(); });
}

int head_lines(const Panel& p, const SoftmaxModel& m, float table) {
  return wider(p, m.columns, columns_of(p, m, table, m.columns.size())) ||
                 wider(p, m.most_columns, columns_of(p, m, table, m.most_columns.size()))
             ? 2
             : 1;
}

// A heading of two words takes two lines where it does not fit in one. Returns the height of all.
float draw_heads(const UiFrame& f, Panel& p, const SoftmaxModel& m, const TableColumns& columns, float table) {
  const bool wraps = wider(p, m.columns, columns);
  const float second = head_lines(p, m, table) > 1 ? 15 * p.e : 0;
  for (std::size_t c = 0; c < m.columns.size(); ++c) {
    const std::string_view head = m.columns[c];
    const float right = columns.right_of(c, p.x);
    const std::size_t space = wraps ? head.find(' ') : std::string_view::npos;
    const std::string_view above = space == std::string_view::npos ? "" : head.substr(0, space),
                           below = space == std::string_view::npos ? head : head.substr(space + 1);
    draw::text_right(p.list, p.fonts.tiny, right, p.y, p.colours.muted, above);
    draw::text_right(p.list, p.fonts.tiny, right, p.y + second, p.colours.muted, below);
    const float wide = std::max(draw::text_width(p.fonts.tiny, above), draw::text_width(p.fonts.tiny, below));
    explain(f, m.columns[c], {right - wide, p.y, right, p.y + second + 18 * p.s}, head);
    f.ui.rects.put("head " + m.columns[c], {right - wide, p.y, right, p.y + second + 16 * p.s});
    note_label(f, -1, std::int64_t(c), "table head", {right - wide, p.y, right, p.y + second + 16 * p.s});
  }
  return 20 * p.e + second;
}

// Figures of one column have one style at every step; only a figure that is too long gets a smaller one. No figure
// loses a digit: where the smallest font is too wide, its letters shrink.
struct FigureStyle {
  Font font;
  bool brief = false;  // decimals instead of fractions
};

Font shrunk_to(const Font& font, std::string_view text, float room) {
  const float share = std::min(1.0f, room / draw::text_width(font, text));
  return {font.font, font.size * share, font.em * share};
}

FigureStyle style_of(const Panel& p, float room) {
  for (const Font* font : {&p.fonts.mono, &p.fonts.mono_small})
    if (draw::text_width(*font, "−0.00") <= room) return {*font};
  return {shrunk_to(p.fonts.mono_small, "−0.00", room)};
}

FigureStyle style_for(const Panel& p, const FigureStyle& usual, const SoftmaxRow& row, std::size_t c, float room) {
  if (draw::text_width(usual.font, row.cells[c]) <= room) return usual;
  if (draw::text_width(p.fonts.mono_small, row.cells[c]) <= room) return {p.fonts.mono_small};
  return {shrunk_to(p.fonts.mono_small, row.brief[c], room), true};
}

struct SoftmaxTable {
  const SoftmaxModel& m;
  TableColumns columns;
  FigureStyle usual;
  float row_high = 0, width = 0;  // without the scroll bar
};

ImU32 colour_of(const UiFrame& f, const Panel& p, const SoftmaxModel& m, const SoftmaxRow& row, std::size_t c) {
  if (row.is_right) return p.colours.good;
  if (c < row.wrong.size() && row.wrong[c]) return ink_of_mistake(f, p.colours);
  if (c == 0) return p.colours.text;
  if (int(c) == m.alpha_column)
    return row.rescaled ? p.colours.changed : row.spoken ? p.colours.muted : p.colours.faint;
  const bool is_new = std::find(m.new_columns.begin(), m.new_columns.end(), int(c)) != m.new_columns.end();
  return is_new ? p.colours.fresh : p.colours.text;
}

// Draws the field of a cell. False: the cell has none, and the figure is drawn.
bool draw_asked(const UiFrame& f, const Panel& p, const SoftmaxTable& t, const SoftmaxRow& row, std::size_t c,
                float y) {
  if (c >= t.m.asked.size() || !t.m.asked[c] || row.is_right) return false;
  HandPlace asked = *t.m.asked[c];
  asked.row = row.row;
  const float s = p.s, right = t.columns.right_of(c, p.x);
  const float least = draw::text_width(p.fonts.mono_small, "−0.00") + 1;
  const float wide = std::min(std::max(t.columns.room(), least + 2 * s), 74 * s);
  const Font& typed = draw::text_width(p.fonts.mono, "−0.00") + 10 * s < wide ? p.fonts.mono : p.fonts.mono_small;
  return draw_hand_field(f, asked, {right + 3 * s - wide, y + 1 * s, right + 3 * s, y + t.row_high - 2 * s}, typed);
}

// The row before the step, until the number of that column has landed.
const SoftmaxRow& row_seen(const UiFrame& f, const Moving& m, const SoftmaxModel& now, std::size_t r, std::size_t c) {
  const SoftmaxRow& row = now.rows[r];
  const std::vector<SoftmaxRow>& before = before_step(f).softmax.rows;
  if (r >= before.size() || before[r].row != row.row || before[r].cells.size() != row.cells.size()) return row;
  if (c >= now.asked.size() || before[r].cells[c] == row.cells[c]) return row;
  // Numbers that cannot be fields land with those that can.
  if (m.motion.values.empty()) return row;
  const std::optional<Quantity> quantity = now.asked[c] ? std::optional(now.asked[c]->quantity) : std::nullopt;
  return m.motion.span_of_figure(quantity, row.row).has_landed(m.t) ? row : before[r];
}

void draw_row(const UiFrame& f, const Panel& p, ImDrawList* list, const SoftmaxTable& t, std::size_t r, float y) {
  const SoftmaxRow& row = t.m.rows[r];
  const std::int64_t selected = f.session.walk().selection() ? f.session.walk().selection()->row : -1;
  if (row.spoken || row.row == selected)
    draw::box(list, {p.x, y, p.x + t.width, y + t.row_high - 1}, p.colours.row_mark, 4 * p.s,
              row.row == selected ? p.colours.accent : 0);
  else if (r > 0)
    list->AddLine(ImVec2(p.x, y - 1), ImVec2(p.x + t.width, y - 1), p.colours.row_line, draw::hairline());
  if (row.spoken && row.row == f.views.page<WalkPage>()->scores.named_row) {
    mark_named_row(list, p.colours, {p.x + 1, y, p.x + t.width - 1, y + t.row_high - 1}, p.s);
    f.ui.rects.put("named row of table", {p.x, y, p.x + t.width, y + t.row_high});
  }
  const std::optional<Moving> m = moving(f);
  MovingPlaces* const places = m ? &m->places : nullptr;
  for (std::size_t c = 0; c < std::min(t.m.columns.size(), row.cells.size()); ++c) {
    const float end = t.columns.right_of(c, p.x);
    const draw::Rect place{std::max(p.x, end - t.columns.room()), y + 1, end + 3 * p.s, y + t.row_high - 2};
    if (m) {
      if (c < t.m.asked.size() && t.m.asked[c])
        m->places.at[{PlaceKind::Figure, int(t.m.asked[c]->quantity), row.row, 0}] = place;
      else
        note_label(f, row.row, std::int64_t(c), "figure", place);
    }
    if (draw_asked(f, p, t, row, c, y)) continue;
    const SoftmaxRow& seen = m ? row_seen(f, *m, t.m, r, c) : row;
    const FigureStyle style = c == 0 ? FigureStyle{p.fonts.mono} : style_for(p, t.usual, seen, c, t.columns.room());
    const std::string& text = style.brief ? seen.brief[c] : seen.cells[c];
    const bool grown = int(c) == t.m.alpha_column && row.rescaled;
    const Font& font = grown && style.font.size == p.fonts.mono.size ? p.fonts.mono_strong : style.font;
    const float right = end, top = y + (t.row_high - font.size) / 2 - 1;
    draw::text_right(list, font, right, top, colour_of(f, p, t.m, row, c), text.empty() ? "·" : text);
    if (places && text.empty()) places->blank.push_back(place);
    if (!text.empty())
      f.ui.rects.put("figure " + t.m.columns[c] + " " + std::to_string(row.row) + (row.is_right ? " right" : ""),
                     {right - draw::text_width(font, text), top, right, top + font.size});
  }
}

// Scrolls to the row of the sentence when that row changes, with a whole row at the top.
void scroll_to_spoken(const UiFrame& f, const SoftmaxTable& t, bool scrolls, float shown) {
  std::int64_t spoken = -1;
  for (std::size_t r = 0; r < t.m.rows.size(); ++r)
    if (t.m.rows[r].spoken) spoken = std::int64_t(r);
  if (scrolls && spoken >= 0 && spoken != f.ui.of<StoryUi>().spoken_row)
    ImGui::SetScrollY(t.row_high * std::max(0.0f, float(spoken) - std::floor(shown / t.row_high / 2)));
  f.ui.of<StoryUi>().spoken_row = spoken;
}

// The halos of a lesson round the table and its columns.
void draw_halos(const UiFrame& f, Panel& p, const SoftmaxTable& t, float head, float low) {
  halo(f, p.list, "table", {p.x, head, p.x + t.width, low});
  const std::pair<const char*, const char*> names[] = {{"m", "m"},     {"m new", "m new"}, {"tile max", "tile max"},
                                                       {"α", "alpha"}, {"ℓ", "l"},         {"ℓ new", "l new"}};
  for (std::size_t c = 1; c < t.m.columns.size(); ++c)
    for (const auto& [title, name] : names)
      if (t.m.columns[c] == title)
        halo(f, p.list, name,
             {t.columns.right_of(c, p.x) - t.columns.rest + 10 * p.s, head, t.columns.right_of(c, p.x) + 4 * p.s, low});
}

bool table_scrolls(const UiFrame& f, const SideShares& shares) {
  return table_height(f, shares) < shares.table_row * float(f.views.page<WalkPage>()->softmax.rows.size());
}

// Returns which rows are in view, "rows 122–127 of 0–127"; empty where all are.
std::string draw_table(const UiFrame& f, Panel& p, const SideShares& shares) {
  const SoftmaxModel& m = f.views.page<WalkPage>()->softmax;
  const float shown = table_height(f, shares);
  const bool scrolls = table_scrolls(f, shares);
  SoftmaxTable t{.m = m, .columns = {}, .usual = {}, .row_high = shares.table_row};
  t.width = p.width - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);  // headings are above the figures
  t.columns = columns_of(p, m, t.width, m.columns.size());
  const float head = p.y;
  p.y += draw_heads(f, p, m, t.columns, t.width);
  if (m.rows.empty()) {
    if (f.session.state().started)  // else the sentence says that nothing has happened
      draw::text(p.list, p.fonts.body, p.x + 6 * p.s, p.y, p.colours.faint, "No rows are on chip.");
    p.y += shown + 10 * p.s;
    return "";
  }
  t.usual = style_of(p, t.columns.room());
  ImGui::SetCursorScreenPos(ImVec2(p.x, p.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  f.ui.rects.put("softmax rows", {p.x, p.y, p.x + p.width, std::min(p.y + shown, p.rect.y1)});
  ImGui::BeginChild("softmax rows", ImVec2(p.width, shown), false,
                    scrolls ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImDrawList* list = ImGui::GetWindowDrawList();
  scroll_to_spoken(f, t, scrolls, shown);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float top = origin.y + ImGui::GetScrollY();
  const std::size_t begin = std::size_t(std::max(0.0f, (top - origin.y) / t.row_high));
  const std::size_t end = std::min(m.rows.size(), begin + std::size_t(shown / t.row_high) + 2);
  const std::size_t first = std::size_t((top - origin.y) / t.row_high + 0.5f),
                    after = std::min(m.rows.size(), first + std::size_t(shown / t.row_high));
  for (std::size_t r = begin; r < end; ++r) draw_row(f, p, list, t, r, origin.y + float(r) * t.row_high);
  ImGui::SetCursorScreenPos(ImVec2(p.x, origin.y + t.row_high * float(m.rows.size()) - 1));
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
  ImGui::PopStyleVar();
  draw_halos(f, p, t, head, p.y + shown);
  p.y += shown + 10 * p.s;
  if (!scrolls || after <= first) return "";
  return fmt::format("rows {}–{} of {}–{}", m.rows[first].row, m.rows[after - 1].row, m.rows.front().row,
                     m.rows.back().row);
}

// The texts of work by hand, instead of the sentence, if there are any.
const std::string& said(const UiFrame& f) {
  const std::optional<HandModel>& hand = f.views.page<WalkPage>()->hand;
  return hand && !hand->text.empty() ? hand->text : f.views.page<WalkPage>()->softmax.sentence;
}

constexpr float kFilmLines = 3, kCaptionLines = 4;  // of the sentence

// While the first minute is offered the sentence is a caption in large letters, unless it is longer than what is below
// it leaves room for. In a film its box has one height, so a long sentence has small letters.
const Font& sentence_font(const UiFrame& f, const Panel& p) {
  if (is_post_layout(f.layout)) {
    const float inner = p.width - 25 * p.s;
    const float high = draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, inner, 0, said(f));
    return high > (kFilmLines + 0.5f) * draw::leading(p.fonts.body) ? p.fonts.tiny : p.fonts.body;
  }
  const bool caption = f.session.tour().offers() && !f.views.lesson_panel && p.rect.height() > 600 * p.s;
  if (!caption) return p.fonts.body;
  const float high = draw::paragraph(nullptr, p.fonts.large, p.fonts.tiny, 0, 0, p.width - 25 * p.s, 0, said(f));
  return high > (kCaptionLines + 0.5f) * draw::leading(p.fonts.large) ? p.fonts.body : p.fonts.large;
}

// Results that have not landed are not visible yet. The tiles that a sentence names have the colours of their tensors:
// "Q tile 2", "V tile 1".
std::vector<draw::Tint> tints_of(const UiFrame& f, const Palette& c, std::string_view sentence) {
  std::vector<draw::Tint> out;
  if (moving(f)) out = waiting_words(before_step(f).landing, t_of(f), c.muted);
  constexpr std::string_view kTile = " tile ";
  for (std::size_t at = sentence.find(kTile); at != std::string_view::npos; at = sentence.find(kTile, at + 1)) {
    std::size_t end = at + kTile.size();
    while (end < sentence.size() && sentence[end] >= '0' && sentence[end] <= '9') ++end;
    const bool word_begins = at > 0 && (at == 1 || sentence[at - 2] == ' ');
    if (!word_begins || end == at + kTile.size()) continue;
    for (const auto& [letter, id] :
         {std::pair{'Q', TensorId::Q}, {'K', TensorId::K}, {'V', TensorId::V}, {'O', TensorId::O}})
      if (sentence[at - 1] == letter) out.push_back({at - 1, end, letters_of(c, id)});
  }
  return out;
}

}  // namespace

float table_height(const UiFrame& f, const SideShares& shares) {
  const SoftmaxModel& m = f.views.page<WalkPage>()->softmax;
  const float rows = float(std::max<std::int64_t>({1, m.most_rows, std::int64_t(m.rows.size())}));
  return shares.table_row * std::min(rows, std::floor(shares.table_most / shares.table_row));
}

float table_heads_height(const UiFrame& f, const Panel& p, const SideShares& shares) {
  const SoftmaxModel& m = f.views.page<WalkPage>()->softmax;
  const float width = p.width - (table_scrolls(f, shares) ? ImGui::GetStyle().ScrollbarSize : 0);
  return (head_lines(p, m, width) > 1 ? 35 : 20) * p.e;
}

namespace {

// The arithmetic below the sentence, where it has no place beside the matrix.
std::string folded_arithmetic(const UiFrame& f, double t) {
  const Arithmetic& all = f.views.page<WalkPage>()->arithmetic;
  const std::optional<HandModel>& hand = f.views.page<WalkPage>()->hand;
  if (all.empty() || arithmetic_place(f) || (hand && !hand->text.empty())) return "";
  return all.on_one_line(t);
}

// On the last lines of the sentence's box, in the largest letters in which all of it fits below the sentence.
void draw_folded_arithmetic(const UiFrame& f, const Panel& p, const draw::Rect& box) {
  const std::string all = folded_arithmetic(f, 1);
  if (all.empty()) return;
  const float top = box.y0 + draw::paragraph(nullptr, sentence_font(f, p), p.fonts.tiny, 0, 0, box.width(), 0, said(f));
  for (const Font* font : {&p.fonts.mono_small, &p.fonts.tiny}) {
    const float high = draw::paragraph(nullptr, *font, p.fonts.tiny, 0, 0, box.width(), 0, all);
    if (top + high > box.y1) continue;
    draw::paragraph(p.list, *font, p.fonts.tiny, box.x0, box.y1 - high, box.width(), p.colours.fresh,
                    folded_arithmetic(f, t_of(f)));
    return f.ui.rects.put("arithmetic", {box.x0, box.y1 - high, box.x1, box.y1});
  }
}

}  // namespace

float sentence_height(const UiFrame& f, const Panel& p, const SideShares& shares, bool kept) {
  const float pad = 11 * p.s, inner = p.width - 2 * pad - 3 * p.s;
  const Font& font = sentence_font(f, p);
  if (is_post_layout(f.layout)) return kFilmLines * draw::leading(p.fonts.body) + 2 * pad - 4 * p.s;
  const float need = kept ? 0 : draw::paragraph(nullptr, font, p.fonts.tiny, 0, 0, inner, 0, said(f));
  return std::max(need, shares.sentence_lines * draw::leading(p.fonts.body)) + 2 * pad - 4 * p.s;
}

namespace {

// The title of the table, and at the right the tiles of the visit.
void draw_title(const UiFrame& f, Panel& p, bool scrolls) {
  const SoftmaxModel& m = f.views.page<WalkPage>()->softmax;
  const bool offers = !shows_tour_card(f) || f.session.hand().on();
  const float taken = offers ? draw_hand_switch(f, p) : 0, gap = 12 * p.s;
  const float room = p.width - (taken > 0 ? taken + gap : 0), tiles = draw::text_width(p.fonts.tiny, m.tiles) + gap;
  // A table that scrolls says which rows it shows.
  const float rows = scrolls ? draw::text_width(p.fonts.tiny, "rows 000–000 of 000–000") + gap : 0;
  const bool brief = draw::caption_width(f.theme, m.title) > room - tiles - rows;
  const std::string& title = brief ? m.short_title : m.title;
  if (!m.tiles.empty()) {
    const float right = p.x + room;
    draw::text_right(p.list, p.fonts.tiny, right, p.y, p.colours.text, m.tiles);
    const draw::Rect r{right - tiles + gap, p.y, right, p.y + 18 * p.s};
    f.ui.rects.put("tiles", r);
    if (pointed_at(f, "tiles", r)) tooltip(f, m.meeting);
  }
  p.caption_at(p.x, p.y, title, room - tiles);
  f.ui.rects.put("table title", {p.x, p.y, p.x + draw::caption_width(f.theme, title), p.y + p.fonts.caption.em});
  p.y += 24 * p.s;
}

// Which rows a table that scrolls shows, between its title and the tiles of the visit; without "rows" where that is
// too long.
void draw_rows_in_view(const UiFrame& f, Panel& p, std::string text, float y) {
  const SoftmaxModel& m = f.views.page<WalkPage>()->softmax;
  const std::optional<draw::Rect> tiles = f.ui.rects.find("side/tiles");
  const float left = p.x + draw::caption_width(f.theme, m.short_title) + 10 * p.s,
              right = (tiles ? tiles->x0 : p.x + p.width) - 10 * p.s;
  const auto wide = [&] { return draw::text_width(p.fonts.tiny, text); };
  if (right - wide() < left) text.erase(0, text.find(' ') + 1);
  if (text.empty() || right - wide() < left) return;
  draw::text_right(p.list, p.fonts.tiny, right, y, p.colours.muted, text);
  f.ui.rects.put("rows in view", {right - wide(), y, right, y + p.fonts.tiny.em});
}

void draw_numbers(const UiFrame& f, Panel& p, const SideShares& shares) {
  const float top = p.y;
  draw_title(f, p, table_scrolls(f, shares));
  note_label(f, -1, -1, "table", {p.x, top, p.x + p.width, top + p.fonts.caption.em});
  const std::string in_view = draw_table(f, p, shares);
  draw_rows_in_view(f, p, in_view, top);
  draw_hand_strip(f, p);
}

}  // namespace

void draw_step_sentence(const UiFrame& f, Panel& p, const SideShares& shares) {
  const float s = p.s, pad = 11 * s, inner = p.width - 2 * pad - 3 * s;
  const std::optional<HandModel>& hand = f.views.page<WalkPage>()->hand;
  const bool wrong = hand && hand->wrong, waits = hand && !wrong && hand->text == kSentenceWaits;
  const draw::Rect box{p.x, p.y, p.x + p.width, p.y + sentence_height(f, p, shares, false)};
  draw::box(p.list, box, wrong ? mix(p.colours.changed, p.colours.panel, 0.88f) : p.colours.callout, 7 * s);
  p.list->AddRectFilled(box.min(), ImVec2(box.x0 + 3 * s, box.y1), wrong ? p.colours.changed : p.colours.accent, 3 * s);
  draw::paragraph(p.list, sentence_font(f, p), p.fonts.tiny, box.x0 + pad + 3 * s, box.y0 + pad - 3 * s, inner,
                  waits ? p.colours.muted : p.colours.text, said(f), tints_of(f, p.colours, said(f)));
  draw_folded_arithmetic(f, p, {box.x0 + pad + 3 * s, box.y0 + pad - 3 * s, box.x1 - pad, box.y1 - 5 * s});
  halo(f, p.list, "sentence", box);
  f.ui.rects.put("step sentence", box);
  if (const std::optional<Moving> m = moving(f)) m->places.at[{PlaceKind::Words}] = box;
  p.y = box.y1 + 16 * s;
}

void draw_softmax_panel(const UiFrame& f, Panel& p, const SideShares& shares, bool with_sentence) {
  draw_numbers(f, p, shares);
  if (with_sentence) draw_step_sentence(f, p, shares);
}

}  // namespace tilewalk
