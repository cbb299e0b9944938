// The scenes of the explanation of one row: the sentence of each, and the seconds that it plays, which follow from the
// characters of its sentence.
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

struct RowSentence {
  std::string_view first;
  std::string_view landed = {};  // follows once the bars rest
};
inline constexpr RowSentence kRowSentences[kRowScenes] = {
    {"Scores: word {row}'s Q times each word's K."},
    {"Weights: {base}^(score − best), at most 1."},
    {"Row {row} of O averages V by these weights."},
    {"On-chip SRAM has room for {keys} keys; best m = {old}."},
    {"{tile} brings {now}: the old weights are too large."},
    {"So ℓ and O shrink by α = {base}^({old} {sign} {now_size}) = {alpha}."},
    {"The rest is added", ": the same row, and no score in HBM."}};

inline constexpr double kCharactersASecond = 15;  // that are read

// A name in braces stands for a number of three characters.
constexpr int characters_shown(std::string_view text) {
  int count = 0;
  bool is_name = false;
  for (const char c : text) {
    if (c == '{') is_name = true, count += 3;
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
    if (!is_name && !continues) ++count;
    if (c == '}') is_name = false;
  }
  return count;
}

constexpr double seconds_of(RowScene scene) {
  const RowSentence& sentence = kRowSentences[std::size_t(scene)];
  return (characters_shown(sentence.first) + characters_shown(sentence.landed)) / kCharactersASecond;
}

constexpr double seconds_of_row() {
  double seconds = 0;
  for (int scene = 0; scene < kRowScenes; ++scene) seconds += seconds_of(RowScene(scene));
  return seconds;
}
inline constexpr double kSecondsOfRow = seconds_of_row();

}  // namespace tilewalk
