// The column at the right: the softmax numbers with the sentence, the O tile, and the source, which takes what is left;
// while a score is selected, its story stands in the source's place. Heights follow the walk, not the step: nothing
// moves from one step to the next.
#include <algorithm>
#include <cmath>

#include "pages/walk/walk_page.h"
#include "ui/panels/hand/hand_fields.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

constexpr float kLeastLines = 4;          // of the source
constexpr float kLeastLinesOfStory = 13;  // of what is selected

// Whether the part at the foot keeps its lines without the column having to scroll. The gaps are those of the panels.
bool fits(const UiFrame& f, const Panel& p, const SideShares& shares) {
  const float s = p.s, captions = 3 * 24 * s;
  const float table = 20 * p.e + table_height(f, shares) + 10 * s + hand_strip_height(f, s);
  const float lines = f.views.page<WalkPage>()->selected ? kLeastLinesOfStory : kLeastLines;
  const float foot = lines * code_line_height(f.theme) + ImGui::GetStyle().ScrollbarSize + 16 * s;
  return p.y + captions + table + sentence_height(f, p, shares, true) + 16 * s + o_tile_height(f, p, shares) + foot <=
         p.rect.y1;
}

// Beside a lesson that does not speak of it the source stands where it takes nothing away.
bool has_room_for_source(const UiFrame& f, const Panel& p) {
  return p.y + 24 * p.s + 6 * code_line_height(f.theme) <= p.rect.y1 - 16 * p.s;
}

bool is_low(const Panel& p) { return p.rect.height() < 450 * p.s; }

// Where that part would not keep its lines, these give way, in this order, until it does: spare lines of the sentence,
// the height of the O tile's rows and of the table's, rows of the table, rows of the O tile. Where all that is not
// enough, and where numbers that are worked with would go, the column scrolls, with all of it close together.
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
  if (fits_with({4, 3})) return shares;
  shares.o_most = worked ? o_rows : 4 * o_row;
  if (fits_with({3})) return shares;
  shares.table_row = low;
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

}  // namespace

void draw_side_panel(const UiFrame& f, Panel& panel) {
  const SideShares shares = share_side(f, panel);
  // In a low column the story of what is selected stands right below the table.
  const bool selected = f.views.page<WalkPage>()->selected.has_value(), alone = selected && is_low(panel);
  draw_softmax_panel(f, panel, shares, !alone);
  if (!alone) draw_o_tile_panel(f, panel, shares);
  if (selected)
    draw_selected_panel(f, panel);
  else if (f.session.tour().offers() && !f.views.lesson_panel)
    draw_tour_card(f, panel);
  else if (!f.views.lesson_panel || f.views.lesson_panel->code || has_room_for_source(f, panel))
    draw_code_panel(f, panel);
}

}  // namespace tilewalk
