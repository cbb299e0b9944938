#include "session/hand/hand_field.h"

#include "base/parse.h"

namespace tilewalk {
std::string text_of(const HandPlace& place) {
  std::string text = std::string(ledger_row(place.quantity).word) + ":" + std::to_string(place.row);
  return place.col < 0 ? text : text + ":" + std::to_string(place.col);
}

std::optional<HandPlace> hand_place_from(const std::string& text) {
  std::string_view rest = text;
  const auto quantity = quantity_from(take_until(rest, ':'));
  HandPlace place;
  const bool has_col = rest.find(':') != std::string_view::npos;
  if (!quantity || !put(parse_integer(std::string(take_until(rest, ':'))), place.row)) return std::nullopt;
  if (has_col && !put(parse_integer(std::string(rest)), place.col)) return std::nullopt;
  if (place.row < 0 || (has_col && place.col < 0)) return std::nullopt;
  place.quantity = *quantity;
  return place;
}

std::string place_name(const HandPlace& place) {
  const QuantityRow& quantity = ledger_row(place.quantity);
  const std::string row = std::to_string(place.row), col = std::to_string(place.col), letter = quantity.letter;
  switch (quantity.shape) {
    case QuantityShape::RowByHead:
    case QuantityShape::ColByHead: return letter + "[" + row + "][" + col + "]";
    case QuantityShape::RowBySplit: return letter + " of split " + std::to_string(place.col + 1) + ", row " + row;
    case QuantityShape::Row:
    case QuantityShape::Cell: break;
  }
  return letter + " of row " + row + (place.col < 0 ? "" : ", column " + col);
}

}  // namespace tilewalk
