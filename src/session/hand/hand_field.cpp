#include "session/hand/hand_field.h"

#include <array>

#include "base/parse.h"

namespace tilewalk {
namespace {

struct QuantityRow {
  HandQuantity quantity;
  const char* word;
  const char* letter;
};

constexpr std::array<QuantityRow, kHandQuantities> kQuantities = {{
    {HandQuantity::S, "s", "S"},
    {HandQuantity::TileMax, "tile-max", "tile max"},
    {HandQuantity::TileSum, "tile-l", "tile ℓ"},
    {HandQuantity::Follow, "follow", "follow"},
    {HandQuantity::M, "m", "m"},
    {HandQuantity::Alpha, "alpha", "α"},
    {HandQuantity::Beta, "beta", "β"},
    {HandQuantity::P, "p", "P"},
    {HandQuantity::L, "l", "ℓ"},
    {HandQuantity::O, "o", "O"},
    {HandQuantity::LogSum, "lse", "L"},
    {HandQuantity::Weight, "w", "w"},
    {HandQuantity::D, "d", "D"},
    {HandQuantity::DP, "dp", "dP"},
    {HandQuantity::DS, "ds", "dS"},
    {HandQuantity::DQ, "dq", "dQ"},
    {HandQuantity::DK, "dk", "dK"},
    {HandQuantity::DV, "dv", "dV"},
}};

const QuantityRow& row_of(HandQuantity quantity) { return kQuantities[std::size_t(quantity)]; }

}  // namespace

const char* word_of(HandQuantity quantity) { return row_of(quantity).word; }
const char* letter_of(HandQuantity quantity) { return row_of(quantity).letter; }

std::optional<HandQuantity> hand_quantity_from(const std::string& word) {
  for (const QuantityRow& row : kQuantities)
    if (word == row.word) return row.quantity;
  return std::nullopt;
}

std::string text_of(const HandPlace& place) {
  std::string text = std::string(word_of(place.quantity)) + ":" + std::to_string(place.row);
  return place.col < 0 ? text : text + ":" + std::to_string(place.col);
}

std::optional<HandPlace> hand_place_from(const std::string& text) {
  std::string_view rest = text;
  const auto quantity = hand_quantity_from(std::string(take_until(rest, ':')));
  HandPlace place;
  const bool has_col = rest.find(':') != std::string_view::npos;
  if (!quantity || !put(parse_integer(std::string(take_until(rest, ':'))), place.row)) return std::nullopt;
  if (has_col && !put(parse_integer(std::string(rest)), place.col)) return std::nullopt;
  if (place.row < 0 || (has_col && place.col < 0)) return std::nullopt;
  place.quantity = *quantity;
  return place;
}

std::string name_of(const HandPlace& place) {
  const std::string row = std::to_string(place.row), col = std::to_string(place.col),
                    letter = letter_of(place.quantity);
  switch (place.quantity) {
    case HandQuantity::O:
    case HandQuantity::DQ:
    case HandQuantity::DK:
    case HandQuantity::DV: return letter + "[" + row + "][" + col + "]";
    case HandQuantity::Weight: return letter + " of split " + std::to_string(place.col + 1) + ", row " + row;
    default: return letter + " of row " + row + (place.col < 0 ? "" : ", column " + col);
  }
}

}  // namespace tilewalk
