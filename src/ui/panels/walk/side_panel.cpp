// The column at the right: the softmax numbers with the sentence, the O tile, and the source, which takes the rest.
// While a score is selected, its description replaces the source. Heights depend on the walk, not on the step, so that
// nothing moves from one step to the next.
#include <algorithm>

#include "core/problem/format_value.h"
#include "pages/walk/walk_page.h"
#include "ui/controls.h"
#include "ui/panels/hand/hand_fields.h"
#include "ui/panels/panels.h"
#include "ui/panels/walk/fault_lines.h"

namespace tilewalk {
namespace {

constexpr float kLeastLines = 4, kLeastLinesBelowStack = 4;  // of the source
constexpr float kLeastLinesOfStory = 13;                     // of the selected score
constexpr float kLongestSentence = 4;                        // lines

// True while the first minute's card is at the foot of the column.
bool has_card(const UiFrame& f) { return shows_tour_card(f) && !f.views.page<WalkPage>()->selected; }

// The source, or what replaces it.
bool has_source_place(const UiFrame& f) { return f.session.shows_code() || f.session.compares_mistake(); }

// The least height of the part at the foot, with its caption.
float foot_height(const UiFrame& f, const Panel& p, const SideShares& shares) {
  const float s = p.s, caption = 24 * s, in_gap = 6 * s;  // the card's frame begins in the gap below O
  if (has_card(f)) return tour_card_height(f, p) - in_gap;
  if (is_post_layout(f.layout) && !f.views.page<WalkPage>()->selected) return draw::leading(p.fonts.tiny) + 4 * s;
  const float lines = f.views.page<WalkPage>()->selected ? kLeastLinesOfStory
                      : has_source_place(f)              ? (shares.stacked ? kLeastLinesBelowStack : kLeastLines)
                                                         : 1;
  return caption + lines * code_line_height(f.theme) + ImGui::GetStyle().ScrollbarSize + 16 * s;
}

// True if the part at the foot has its minimum of lines without scrolling the column. The gaps are those of the panels.
bool fits(const UiFrame& f, const Panel& p, const SideShares& shares) {
  const float s = p.s, captions = 2 * 24 * s;
  // A second line of headings takes a line from the source, which scrolls; the card does not.
  const float heads = has_card(f) ? table_heads_height(f, p, shares) : 20 * p.e;
  const float table = heads + table_height(f, shares) + 10 * s + hand_strip_height(f, s);
  return p.y + captions + table + sentence_height(f, p, shares, true) + 16 * s + o_tile_height(f, p, shares) +
             foot_height(f, p, shares) <=
         p.rect.y1;
}

// At the foot of the column, so that it does not scroll.
float lowest_switch(const Panel& p) {
  return p.rect.y1 - ImGui::GetStyle().WindowPadding.y - p.fonts.tiny.size - 8 * p.s;
}

bool is_low(const Panel& p) { return p.rect.height() < 450 * p.s; }

// Too low for the story of a selected score below O: in a column that scrolls the story would be out of view.
bool is_low_for_story(const UiFrame& f, const Panel& p) {
  return is_low(p) || (is_compact(f.layout) && p.rect.height() < 560 * p.s);
}

// Where the part at the foot does not fit, these shrink, in this order, until it does: V beside O instead of over it,
// spare lines of the sentence, the height of the O tile's rows and of the table's, beside the card V, rows of the
// table, rows of the O tile. Where that is not enough, and where numbers of work by hand would be lost, the column
// scrolls.
SideShares share_side(const UiFrame& f, const Panel& p) {
  const float s = p.s, high = std::max(24 * s, p.fonts.mono.em + 8), low = std::max(19 * s, p.fonts.mono.em + 4),
              o_row = std::max(16 * s, p.fonts.mono.em + 4);
  const bool worked = is_hand_size(f.session.problem());
  const float o_rows = float(f.views.page<WalkPage>()->o_tile.most_rows) * o_row;
  const SideShares roomy{high, std::max(4 * high, p.rect.height() * 0.24f), 4, o_row,
                         worked ? std::max(110 * s, o_rows) : 110 * s};
  SideShares shares = roomy;
  const auto fits_with = [&](std::initializer_list<float> lines) {
    return std::any_of(lines.begin(), lines.end(), [&](float count) {
      shares.sentence_lines = count;
      return fits(f, p, shares);
    });
  };
  shares.stacked = true;
  if (fits_with({kLongestSentence})) return shares;  // for long sentences too, so that O is at one place at every step
  shares.stacked = false;
  const bool card = has_card(f);  // room for the longest sentence, so that neither O nor the card moves
  if (fits_with({kLongestSentence}) || (!card && fits_with({3}))) return shares;
  shares.o_most = worked ? o_rows : 4 * o_row;
  if (card ? fits_with({kLongestSentence}) : fits_with({3})) return shares;
  shares.table_row = low;
  if (card) {
    if (fits_with({kLongestSentence})) return shares;
    shares.o_row_least = std::max(16 * s, p.fonts.mono_small.em + 3);
    shares.o_most = float(f.views.page<WalkPage>()->o_tile.most_rows) * shares.o_row_least;
    shares.table_row = std::max(18 * s, p.fonts.mono.em + 2);
    if (fits_with({kLongestSentence})) return shares;
    shares.o_alone = true;
    if (fits_with({kLongestSentence})) return shares;
  }
  if (fits_with({3, 2, 1})) return shares;
  shares.table_most = 4 * low;
  if (fits_with({2, 1})) return shares;
  if (worked || is_low(p) || f.views.page<WalkPage>()->selected) {
    shares.sentence_lines = 2;
    return shares;
  }
  shares.table_most = 2 * low;
  return fits_with({1}) ? shares : roomy;
}

// Draws the wrong row of the output where a deliberate mistake has made one.
bool compares_row(const UiFrame& f, Panel& panel) {
  const std::optional<FaultModel>& fault = f.views.page<WalkPage>()->fault;
  return f.session.compares_mistake() && fault && fault->row && draw_mistake_row(f, panel, *fault->row);
}

// Before the first step the numbers, O and the source say nothing yet: one button begins the walk.
void draw_begin(const UiFrame& f, Panel& p, const std::string& words) {
  const Palette& c = p.colours;
  const float s = p.s, sign = 18 * s;
  const draw::Rect r{p.x, p.y, p.x + p.width, p.y + std::max(44 * s, p.fonts.title.em + 20 * s)};
  const float left = r.x0 + (r.width() - sign - 10 * s - draw::text_width(p.fonts.title, words)) / 2;
  const ImVec2 label(left + sign + 10 * s, r.middle().y - p.fonts.title.size / 2);
  if (tag(f, {.id = "begin",
              .rect = r,
              .label = words,
              .tip = "Play (Space)",
              .font = p.fonts.title,
              .ink = c.accent_text,
              .fill = c.accent,
              .hovered = mix(c.accent, c.text, 0.15f),
              .rounding = 7 * s,
              .label_at = label}))
    f.push(Action::PlayPause);
  draw::sign(p.list, draw::Sign::Play, {left, r.y0, left + sign, r.y1}, c.accent_text, s);
  p.y = r.y1 + 14 * s;
}

}  // namespace

void draw_side_panel(const UiFrame& f, Panel& panel) {
  const SideShares shares = share_side(f, panel);
  if (const std::string& begin = f.views.page<WalkPage>()->transport.begin; !begin.empty() && shows_controls(f)) {
    draw_begin(f, panel, begin);
    draw_step_sentence(f, panel, shares);
    return draw_what_attention_is(f, panel);
  }
  const float below_table = panel.y + 34 * panel.s + table_heads_height(f, panel, shares) + table_height(f, shares);
  if (opens_with_card(f) && below_table + tour_card_height(f, panel) + 40 * panel.s <= panel.rect.y1) {
    draw_softmax_panel(f, panel, shares, false);
    return draw_opening_card(f, panel);
  }
  // In a low column the selected score is described directly below the table.
  const bool selected = f.views.page<WalkPage>()->selected.has_value(), alone = selected && is_low_for_story(f, panel);
  // Where the ways on of the first minute would be below the edge, their card has the place of O, or comes first.
  bool offers = has_card(f);
  const float numbers = 50 * panel.s + table_heads_height(f, panel, shares) + table_height(f, shares) +
                        hand_strip_height(f, panel.s) + sentence_height(f, panel, shares, true);
  if (offers && panel.y + numbers + tour_card_height(f, panel) > panel.rect.y1) {
    draw_tour_card(f, panel, false);
    panel.y += 10 * panel.s;
    offers = false;
  }
  SideShares longest = shares;
  longest.sentence_lines = std::max(longest.sentence_lines, kLongestSentence);
  const bool covers_o = offers && !fits(f, panel, longest);
  draw_softmax_panel(f, panel, shares, !alone);
  if (!alone && !covers_o) draw_o_tile_panel(f, panel, shares);
  if (selected)
    draw_selected_panel(f, panel);
  else if (offers)
    panel.y -= covers_o ? 0 : 6 * panel.s, draw_tour_card(f, panel, true);
  else if (is_post_layout(f.layout))
    draw_bytes_line(f, panel);  // a picture of numbers alone
  else if (shows_tour_card(f))
    return;  // the card has the eye
  else if (compares_row(f, panel))
    return;
  else if (f.session.shows_code())
    draw_code_panel(f, panel);
  else
    draw_code_switch(f, panel, std::max(panel.y, lowest_switch(panel)), false);
}

}  // namespace tilewalk
