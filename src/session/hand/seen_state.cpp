#include "session/hand/seen_state.h"

namespace tilewalk {

bool SeenState::hides(Quantity quantity, std::size_t element) const {
  if (!hidden_) return false;
  const Step& step = state_->step;
  const QuantityRow& row = ledger_row(quantity);
  const std::int64_t at = std::int64_t(element), size = std::int64_t((state_->*row.values).size());
  switch (row.shape) {
    case QuantityShape::Cell:
      return hidden_->hides_value({quantity, step.row_begin + at / step.cols(), step.col_begin + at % step.cols()});
    case QuantityShape::RowByHead: return hidden_->hides_value({quantity, step.row_begin + at / (size / step.rows())});
    case QuantityShape::ColByHead: return hidden_->hides_value({quantity, step.col_begin + at / (size / step.cols())});
    case QuantityShape::Row:
    case QuantityShape::RowBySplit: break;
  }
  return hidden_->hides_value({quantity, step.row_begin + at});
}

Shown<float> SeenState::at(Quantity quantity, std::size_t element) const {
  if (hides(quantity, element)) return Shown<float>::hidden_value();
  return (state_->*ledger_row(quantity).values)[element];
}

Shown<float> SeenState::before(Quantity quantity, std::size_t row) const {
  if (hidden_ && hidden_->hides_old(quantity, state_->step.row_begin + std::int64_t(row)))
    return Shown<float>::hidden_value();
  return (state_->*ledger_row(quantity).before)[row];
}

bool SeenState::hides_score(std::int64_t row, std::int64_t col) const {
  return hidden_ && hidden_->hides({Quantity::S, row, col});
}

}  // namespace tilewalk
