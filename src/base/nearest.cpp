#include "base/nearest.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

namespace tilewalk {
namespace {

constexpr std::size_t kLongest = 40;  // longer than any word here; a limit on the cost of long input

// The number of letters to change, add, leave out or swap, or `enough` if it is at least that. Neither word is longer
// than kLongest.
std::size_t letters_between(std::string_view a, std::string_view b, std::size_t enough) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= enough) return enough;
  // for beginnings of a: the current row and the two before it
  std::array<std::array<std::size_t, kLongest + 1>, 3> rows;
  std::iota(rows[0].begin(), rows[0].end(), std::size_t(0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto &last = rows[i % 3], &before = rows[(i + 2) % 3];
    auto& row = rows[(i + 1) % 3];
    std::size_t least = row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
      least = std::min(least, row[j + 1]);
    }
    if (least >= enough) return enough;
  }
  return std::min(enough, rows[a.size() % 3][b.size()]);
}

bool counts(char c) { return std::isalnum((unsigned char)c) != 0; }

}  // namespace

bool spelled_alike(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (true) {
    while (i < a.size() && !counts(a[i])) ++i;
    while (j < b.size() && !counts(b[j])) ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    if (std::tolower((unsigned char)a[i++]) != std::tolower((unsigned char)b[j++])) return false;
  }
}

std::string alike_word(std::string_view typed, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (spelled_alike(typed, word) && !word.empty()) return word;
  const std::string best = nearest(typed, words);
  const std::size_t most = std::min(typed.size(), best.size()) / 3;
  const bool begun = typed.size() >= 3 && best.starts_with(typed);
  const bool near = std::max(typed.size(), best.size()) <= kLongest && letters_between(typed, best, most + 1) <= most;
  return begun || near ? best : "";
}

std::string nearest(std::string_view typed, const std::vector<std::string>& words) {
  const auto begun = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
    return typed.size() >= 3 && word.starts_with(typed);
  });
  if (begun != words.end()) return *begun;
  typed = typed.substr(0, kLongest);
  std::size_t least = std::string::npos;
  std::string best;
  for (const std::string& word : words)
    if (const std::size_t letters = letters_between(typed, std::string_view(word).substr(0, kLongest), least);
        letters < least)
      least = letters, best = word;
  return best;
}

}  // namespace tilewalk
