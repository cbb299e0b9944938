#include "ui/panels/learn/rich_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace tilewalk {

namespace {

// The hue of a letter that names a tensor or a row value; empty for other words.
std::optional<ImU32> hue_of_word(const Palette& c, std::string_view word) {
  const struct {
    std::string_view word;
    TensorId id;
  } letters[] = {{"Q", TensorId::Q}, {"K", TensorId::K}, {"V", TensorId::V},     {"O", TensorId::O},
                 {"m", TensorId::m}, {"ℓ", TensorId::l}, {"m new", TensorId::m}, {"ℓ new", TensorId::l}};
  for (const auto& letter : letters)
    if (letter.word == word) return mix(hue(c, letter.id), c.text, c.dark ? 0.1f : 0.45f);
  if (word == "α") return c.changed;
  return std::nullopt;
}

// Larger than the words of buttons: whole paragraphs are read. From a larger font, so that its letters stay sharp.
Font for_reading(const Font& larger, const Theme& theme) {
  constexpr float kReading = 16, kLeast = 13;  // design pixels, pixels
  const float em = std::min(larger.em, std::max(kReading * theme.s, kLeast));
  return {larger.font, larger.size * em / larger.em, em};
}

}  // namespace

float rich_paragraph(ImDrawList* list, const Theme& theme, float x, float y, float width, ImU32 ink,
                     const Sentence& sentence, Letters letters) {
  const Fonts& fonts = theme.fonts;
  const bool reads = letters == Letters::Reading;
  const Font plain = reads ? for_reading(fonts.large, theme) : fonts.body,
             strong = reads ? for_reading(fonts.title, theme) : fonts.strong,
             code = reads ? for_reading(fonts.mono_large, theme) : fonts.mono;
  const float line = std::round(plain.em * (reads ? 1.45f : 1.5f)), space = draw::text_width(plain, " ");
  float at = x, top = y;
  struct Piece {
    const Font& font;
    ImU32 colour;
    std::string_view text;
    float wide;
    float up = 0;  // height of a raised piece
  };
  struct Word {  // pieces between two spaces: "cores" in bold and the full stop after it stay together
    std::vector<Piece> pieces;
    bool after_space = false;
    float wide = 0;
  };
  std::vector<Word> words;
  Word word;
  const auto end_word = [&] {
    for (const Piece& piece : word.pieces) word.wide += piece.wide;
    words.push_back(std::exchange(word, {}));
  };
  for (const Run& run : sentence) {
    const Font& font = run.style == Run::Style::Code ? code : run.style == Run::Style::Plain ? plain : strong;
    const ImU32 colour = run.style == Run::Style::Strong ? hue_of_word(theme.colours, run.text).value_or(ink) : ink;
    std::string_view rest = run.text;
    while (!rest.empty()) {
      if (rest.front() == ' ') {
        if (!word.pieces.empty()) end_word();
        word.after_space = !words.empty();
        rest.remove_prefix(1);
        continue;
      }
      std::string_view part = rest.substr(0, rest.find(' '));
      const std::size_t open = run.style == Run::Style::Code ? std::string_view::npos : part.find("^("),
                        close = open == std::string_view::npos ? open : rest.find(')', open);
      if (close != std::string_view::npos) part = rest.substr(0, open);
      word.pieces.push_back({font, colour, part, draw::text_width(font, part)});
      rest.remove_prefix(part.size());
      if (close == std::string_view::npos) continue;
      const Font& small = theme.fonts.tiny;
      const std::string_view raised = rest.substr(2, close - open - 2);
      word.pieces.push_back({small, colour, raised, draw::text_width(small, raised), font.em * 0.27f});
      rest.remove_prefix(close - open + 1);
    }
  }
  if (!word.pieces.empty()) end_word();
  const auto gap = [&](std::size_t of) { return words[of].after_space ? space : 0; };
  for (std::size_t i = 0; i < words.size(); ++i) {
    float needs = words[i].wide;
    // The last word is never alone on a line.
    if (i + 2 == words.size() && needs + gap(i + 1) + words[i + 1].wide <= width)
      needs += gap(i + 1) + words[i + 1].wide;
    if (at > x && at + gap(i) + needs > x + width)
      at = x, top += line;
    else
      at += at > x ? gap(i) : 0;
    for (const Piece& piece : words[i].pieces) {
      if (list) draw::text(list, piece.font, at, top - piece.up, piece.colour, piece.text);
      at += piece.wide;
    }
  }
  return top + line - y;
}

}  // namespace tilewalk
