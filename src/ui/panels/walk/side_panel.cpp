// The column at the right: the softmax numbers with the sentence, the O tile, and the source, which takes what is left.
#include <algorithm>
#include <cmath>

#include "ui/panels/hand/hand_fields.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

constexpr float kLeastLines = 4;  // of the source

// Whether the source keeps its lines without the column having to scroll. The gaps are those of the three panels.
bool fits(const UiFrame& f, const Panel& p, const SideShares& shares) {
  const float s = p.s;
  const OTileModel& o = f.views.walk->o_tile;
  const float o_tile = o.rows == 0 ? 34 * s : o_row_height(o, shares) * float(o_rows_shown(o, shares)) + 16 * s;
  const float captions = 3 * 24 * s, table = 20 * s + table_height(f, shares) + 10 * s + hand_strip_height(f, s);
  const float source = kLeastLines * code_line_height(f.theme) + ImGui::GetStyle().ScrollbarSize + 16 * s;
  return p.y + captions + table + sentence_height(f, p, shares) + 18 * s + o_tile + source <= p.rect.y1;
}

// Where the source would not keep its lines, these give way, in this order, until it does: the sentence's spare lines,
// the height of the O tile, that of the table's rows, rows of the table. Where all that is not enough, none does, and
// the column scrolls.
SideShares share_side(const UiFrame& f, const Panel& p) {
  const float s = p.s, high = 24 * s, low = 19 * s;
  const SideShares roomy{high, std::max(4 * high, p.rect.height() * 0.24f), 3 * std::round(p.fonts.body.size * 1.42f),
                         16 * s, 110 * s};
  SideShares shares = roomy;
  if (fits(f, p, shares)) return shares;
  shares.sentence_least = 0;
  if (fits(f, p, shares)) return shares;
  shares.o_most = 64 * s;
  if (fits(f, p, shares)) return shares;
  shares.table_row = low;
  if (fits(f, p, shares)) return shares;
  shares.table_most = (p.rect.height() < 450 * s ? 4 : 2) * low;  // a low column scrolls rather than hide rows
  return fits(f, p, shares) ? shares : roomy;
}

}  // namespace

void draw_side_panel(const UiFrame& f, Panel& panel) {
  const SideShares shares = share_side(f, panel);
  draw_softmax_panel(f, panel, shares);
  draw_o_tile_panel(f, panel, shares);
  if (!f.views.rail || f.views.rail->code) draw_code_panel(f, panel);  // learners do not read CUDA
}

}  // namespace tilewalk
