// The scenes of the explanation of one row: the sentence of each, and the seconds that it plays, which follow from the
// words of its sentence.
#pragma once

#include <cstddef>
#include <string_view>

namespace tilewalk {

enum class RowScene {
  Scores,   // of the row of Q with each row of K
  Weights,  // of the scores, less the best
  Average,  // of the rows of V: the row of O
  Tiles,    // the keys whose tiles come before that of a better score
  Better,   // its tile
  Shrink,   // of the sums so far, by α
  Rest      // the other tiles, and the row of O
};
inline constexpr int kRowScenes = 7;

// A name in braces stands for one word.
struct RowSentence {
  std::string_view first;
  std::string_view landed = {};  // follows once the bars rest
};
inline constexpr RowSentence kRowSentences[kRowScenes] = {
    {"Each score says how well row {row} of Q matches a row of K."},
    {"A key's weight is {base}^(score − best): none exceeds 1."},
    {"Row {row} of O averages the rows of V by these weights."},
    {"SRAM has room for {keys} keys. After {old_tile} the best so far, m, is {old}."},
    {"{tile} brings a better score, {now}: the old weights are too large."},
    {"So ℓ and O shrink by α = {base}^({old} {sign} {now_size}) = {alpha}."},
    {"The last tile's weights are added", ": same as with all keys at once, no score in HBM."}};

inline constexpr double kSecondsAWord = 0.3;

// Between spaces.
constexpr int word_count(std::string_view text) {
  int words = 0;
  for (std::size_t i = 0; i < text.size(); ++i) words += text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  return words;
}

constexpr double seconds_of(RowScene scene) {
  const RowSentence& sentence = kRowSentences[std::size_t(scene)];
  return kSecondsAWord * (word_count(sentence.first) + word_count(sentence.landed));
}

constexpr double seconds_of_row() {
  double seconds = 0;
  for (int scene = 0; scene < kRowScenes; ++scene) seconds += seconds_of(RowScene(scene));
  return seconds;
}
inline constexpr double kSecondsOfRow = seconds_of_row();

}  // namespace tilewalk
