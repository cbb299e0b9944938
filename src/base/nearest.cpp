#include "base/nearest.h"

#include <algorithm>
#include <numeric>

namespace tilewalk {
namespace {

std::size_t letters_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& words) {
  const auto begun = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
    return typed.size() >= 3 && word.starts_with(typed);
  });
  if (begun != words.end()) return *begun;
  typed = typed.substr(0, 40);  // longer than any word here, and what is longer costs nothing more
  std::size_t least = std::string::npos;
  std::string best;
  for (const std::string& word : words)
    if (const std::size_t letters = letters_between(typed, word); letters < least) least = letters, best = word;
  return best;
}

}  // namespace tilewalk
