#include "ui/matrix/number_block.h"

#include <cmath>

#include "core/problem/format_value.h"

namespace tilewalk {

std::string NumberStyle::of(const Problem& p, double value) const {
  return decimal ? compact_number(value) : format_value(p, value);
}

NumberStyle number_style(const Problem& p, const std::vector<float>& values, float wide, float high,
                         std::initializer_list<NumberRoom> fonts) {
  for (const bool decimal : {false, true}) {
    if (decimal && p.numerics.base != Base::Two) break;
    NumberStyle style{nullptr, decimal};
    std::string longest = "−0.00";  // the least space, so that the size of digits seldom changes
    for (const float value : values) {
      if (!std::isfinite(value)) continue;
      std::string text = style.of(p, value);
      const auto& font = *fonts.begin()->font;
      if (draw::text_width(font, text) > draw::text_width(font, longest)) longest = std::move(text);
    }
    for (const NumberRoom& room : fonts) {
      style.font = draw::font_that_fits({room.font}, longest, wide - room.beside, high - room.above);
      if (style.font) return style;
    }
  }
  return {};
}

}  // namespace tilewalk
