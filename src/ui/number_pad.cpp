#include "ui/number_pad.h"

#include <array>
#include <string_view>

#include "ui/widgets.h"

namespace tilewalk {
namespace {

constexpr float kRow = 28;  // of a row with the gap between keys, before scaling
constexpr float kGap = 4;
constexpr int kColumns = 9;

struct PadKey {
  std::string_view label;
  std::string_view tip = {};
  int columns = 1;
};
constexpr PadKey kDelete{"del", "Takes the last character back"}, kClear{"clear", "Empties the field", 2};
constexpr std::array<PadKey, 17> kKeys = {{{"1"},
                                           {"2"},
                                           {"3"},
                                           {"4"},
                                           {"5"},
                                           {"6"},
                                           {"7"},
                                           {"8"},
                                           {"9"},
                                           {"0"},
                                           {"."},
                                           {"−", "Minus"},
                                           {"/", "A fraction: 33/16"},
                                           {"e", "Times a power of ten: 4e6 is four million"},
                                           {"∞", "Infinity"},
                                           kDelete,
                                           kClear}};

std::string pressed(const PadKey& key, std::string text) {
  if (key.label == kClear.label) return {};
  if (key.label != kDelete.label) return text.append(key.label);
  while (!text.empty() && (text.back() & 0xC0) == 0x80) text.pop_back();  // the other bytes of a UTF-8 character
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

float number_pad_height(const UiFrame& f, float s) { return f.ui.number_pad ? (2 * (kRow + kGap) + kGap) * s : 0; }

std::optional<std::string> draw_number_pad(const UiFrame& f, const Font& font, float x, float y, float width,
                                           const std::string& text, bool enabled) {
  if (!f.ui.number_pad) return std::nullopt;
  const Palette& c = f.theme.colours;
  const float s = f.theme.s, gap = kGap * s, wide = (width - gap * (kColumns - 1)) / kColumns;
  std::optional<std::string> out;
  int column = 0;
  for (const PadKey& key : kKeys) {
    const float left = x + float(column % kColumns) * (wide + gap);
    const float top = y + float(column / kColumns) * (kRow + kGap) * s;
    column += key.columns;
    if (tag(f, {.id = "pad " + std::string(key.label),
                .rect = {left, top, left + wide * float(key.columns) + gap * float(key.columns - 1), top + kRow * s},
                .label = key.label,
                .tip = key.tip,
                .font = font,
                .ink = enabled ? c.text : c.faint,
                .fill = c.button,
                .hovered = enabled ? c.button_hover : c.button,
                .border = c.border,
                .rounding = 4 * s,
                .enabled = enabled}))
      out = pressed(key, text);
  }
  return out;
}

}  // namespace tilewalk
