// The explained row's own max, α and sum by K tile, in the place of the walk's table of rows.
#include <algorithm>

#include "pages/walk/one_row.h"
#include "pages/walk/one_row_model.h"
#include "view/sentence/sentence_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::string figure_of(const Problem& p, bool known, float value) { return known ? format_value(p, value) : ""; }

}  // namespace

// A number is there once the picture has come to it: the new max with the better score, α when it has shrunk the old
// weights, ℓ once all weights of the tile are added.
SoftmaxModel table_of_row(const OneRow& row, RowScene scene, bool landed, SoftmaxModel table) {
  const Problem& p = row.problem;
  table.title = "Row " + std::to_string(row.row) + " by K tile";
  table.short_title = table.title;
  table.meeting.clear(), table.tiles.clear();
  table.columns =
      table.most_columns = {"tile", "m", ledger_row(Quantity::Alpha).letter, ledger_row(Quantity::L).letter};
  table.asked.assign(table.columns.size(), std::nullopt);
  table.alpha_column = 2;
  table.new_columns.clear();
  table.rows.clear();
  const auto reached = [&](RowScene at) { return scene > at || (scene == at && landed); };
  table.sentence_first = true;
  table.waits = !reached(RowScene::Tiles);
  for (std::size_t visit = 0; visit < row.visits.size(); ++visit) {
    const bool first = visit < row.better, better = visit == row.better;
    const RowScene all = first ? RowScene::Tiles : RowScene::Rest;
    const bool has_max = reached(better ? RowScene::Better : all), has_alpha = reached(better ? RowScene::Shrink : all);
    const float alpha = visit > 0 ? row.visits[visit].alpha[row.at()] : 1;
    SoftmaxRow line;
    line.row = -2 - std::int64_t(visit);  // of no row that can be selected
    line.cells = {tile_name(TensorId::K, row.visits[visit].kv_tile),
                  has_max ? number_in_text(p, display_score(p, row.max_after(visit))) : "",
                  figure_of(p, visit > 0 && has_alpha, alpha), figure_of(p, reached(all), row.sum_after(visit))};
    line.brief = line.cells;
    line.hidden.assign(line.cells.size(), false);
    line.rescaled = visit > 0 && has_alpha && alpha > 0 && alpha < 1;
    line.spoken = scene >= RowScene::Tiles && visit == (scene == RowScene::Tiles  ? row.better - 1
                                                        : scene == RowScene::Rest ? row.visits.size() - 1
                                                                                  : row.better);
    table.rows.push_back(std::move(line));
  }
  table.most_rows = std::max<std::int64_t>(table.most_rows, std::ssize(table.rows));
  return table;
}

}  // namespace tilewalk
