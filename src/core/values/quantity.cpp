#include "core/values/quantity.h"

namespace tilewalk {

const std::vector<QuantityRow>& quantity_ledger() {
  using enum QuantityShape;
  static const std::vector<QuantityRow> rows = {
      {Quantity::S, "s", "S", Cell, true, &State::s},
      {Quantity::TileMax, "tile-max", "tile max", Row, true, &State::tile_max},
      {Quantity::TileSum, "tile-l", "tile ℓ", Row, false, &State::tile_l},
      {Quantity::Follow, "follow", "follow", Row},
      {Quantity::M, "m", "m", Row, true, &State::m, &State::m_old},
      {Quantity::Alpha, "alpha", "α", Row, false, &State::alpha},
      {Quantity::Beta, "beta", "β", Row, false, &State::beta},
      {Quantity::P, "p", "P", Cell, false, &State::p},
      {Quantity::L, "l", "ℓ", Row, false, &State::l, &State::l_old},
      {Quantity::O, "o", "O", RowByHead, false, &State::o},
      {Quantity::LogSum, "lse", "L", Row, true, &State::lse},
      {Quantity::Weight, "w", "w", RowBySplit},
      {Quantity::D, "d", "D", Row, false, &State::D},
      {Quantity::DP, "dp", "dP", Cell, false, &State::dp},
      {Quantity::DS, "ds", "dS", Cell, false, &State::ds},
      {Quantity::DQ, "dq", "dQ", RowByHead, false, &State::dq},
      {Quantity::DK, "dk", "dK", ColByHead, false, &State::dk},
      {Quantity::DV, "dv", "dV", ColByHead, false, &State::dv},
  };
  return rows;
}

const QuantityRow& ledger_row(Quantity quantity) { return quantity_ledger()[std::size_t(quantity)]; }

std::optional<Quantity> quantity_from(std::string_view word) {
  for (const QuantityRow& row : quantity_ledger())
    if (word == row.word) return row.id;
  return std::nullopt;
}

std::vector<Quantity> quantities_of(QuantityShape shape) {
  std::vector<Quantity> out;
  for (const QuantityRow& row : quantity_ledger())
    if (row.shape == shape) out.push_back(row.id);
  return out;
}

std::optional<float> value_at(const State& state, QuantityShape shape, const std::vector<float>& values,
                              std::int64_t row, std::int64_t col, std::int64_t d) {
  const Step& step = state.step;
  const std::int64_t r = row - (shape == QuantityShape::ColByHead ? step.col_begin : step.row_begin),
                     c = shape == QuantityShape::Cell ? col - step.col_begin : col,
                     wide = shape == QuantityShape::Row    ? 1
                            : shape == QuantityShape::Cell ? step.cols()
                                                           : d;
  if (r < 0 || c < 0 || c >= wide || r * wide + c >= std::int64_t(values.size())) return std::nullopt;
  return values[std::size_t(r * wide + c)];
}

}  // namespace tilewalk
