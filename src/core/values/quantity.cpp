#include "core/values/quantity.h"

namespace tilewalk {

const std::vector<QuantityRow>& quantity_ledger() {
  using enum QuantityShape;
  using T = TensorId;
  static const std::vector<QuantityRow> rows = {
      {Quantity::S, "s", "S", Cell, true, &State::s, nullptr, false, T::S},
      {Quantity::TileMax, "tile-max", "tile max", Row, true, &State::tile_max},
      {Quantity::TileSum, "tile-l", "tile ℓ", Row, false, &State::tile_l},
      {Quantity::Follow, "follow", "follow", Row},
      {Quantity::M, "m", "m", Row, true, &State::m, &State::m_old, true, T::m},
      {Quantity::Alpha, "alpha", "α", Row, false, &State::alpha},
      {Quantity::Beta, "beta", "β", Row, false, &State::beta},
      {Quantity::P, "p", "P", Cell, false, &State::p, nullptr, false, T::P},
      {Quantity::L, "l", "ℓ", Row, false, &State::l, &State::l_old, true, T::l},
      {Quantity::O, "o", "O", RowByHead, false, &State::o, nullptr, true, T::O},
      {Quantity::LogSum, "lse", "L", Row, true, &State::lse, nullptr, false, T::L},
      {Quantity::Weight, "w", "w", RowBySplit},
      {Quantity::D, "d", "D", Row, false, &State::D, nullptr, true, T::D},
      {Quantity::DP, "dp", "dP", Cell, false, &State::dp, nullptr, false, T::dP},
      {Quantity::DS, "ds", "dS", Cell, false, &State::ds, nullptr, false, T::dS},
      {Quantity::DQ, "dq", "dQ", RowByHead, false, &State::dq, nullptr, true, T::dQ},
      {Quantity::DK, "dk", "dK", ColByHead, false, &State::dk, nullptr, true, T::dK},
      {Quantity::DV, "dv", "dV", ColByHead, false, &State::dv, nullptr, true, T::dV},
      {Quantity::PV, "", "P V", RowByHead, false, &State::pv},
      {Quantity::Partials, "", "O and L of the splits", RowBySplit, false, nullptr, nullptr, true, T::LPartial},
  };
  return rows;
}

const QuantityRow& ledger_row(Quantity quantity) { return quantity_ledger()[std::size_t(quantity)]; }

std::optional<Quantity> quantity_from(std::string_view word) {
  for (const QuantityRow& row : quantity_ledger())
    if (!word.empty() && word == row.word) return row.id;
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
