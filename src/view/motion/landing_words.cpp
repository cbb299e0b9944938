#include "view/motion/landing_words.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "core/problem/format_value.h"
#include "view/sentence/sentence_parts.h"

namespace tilewalk {
namespace {

constexpr auto kNone = std::string_view::npos;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// True if a number that begins and ends there is a word by itself.
bool is_whole(std::string_view text, std::size_t begin, std::size_t end) {
  if (begin == 0 || text[begin - 1] != ' ') return false;
  if (end == text.size()) return true;
  if (text[end] == '.') return end + 1 == text.size() || !is_digit(text[end + 1]);
  return text[end] == ' ' || text[end] == ',' || text[end] == ';' || text[end] == ':';
}

// Where the result stands in its sentence. first: for a tile's max, whose sentence names it first and then what is
// computed from it; every other sentence ends with its result.
std::size_t place_of(std::string_view sentence, const std::string& number, bool first) {
  std::size_t found = kNone;
  for (std::size_t at = sentence.find(number); at != kNone; at = sentence.find(number, at + 1)) {
    if (!is_whole(sentence, at, at + number.size())) continue;
    found = at;
    if (first) break;
  }
  return found;
}

std::size_t end_of_clause(std::string_view sentence, std::size_t at) {
  for (; at < sentence.size(); ++at)
    if (sentence[at] == ';' || (sentence[at] == '.' && (at + 1 == sentence.size() || sentence[at + 1] == ' ')))
      return at + 1;
  return sentence.size();
}

// Of the clause before `at`, if another one precedes it; else at.
std::size_t begin_of_clause(std::string_view sentence, std::size_t at) {
  const std::size_t end = sentence.rfind(". ", at);
  return end == kNone ? at : end + 2;
}

// "+ 1.98 = 3.63": a sum that the step adds is not known before its result. Returns where it begins; else at.
std::size_t begin_of_added(std::string_view sentence, std::size_t at) {
  constexpr std::string_view kEquals = " = ", kPlus = "+ ";
  if (at < kEquals.size() || sentence.substr(at - kEquals.size(), kEquals.size()) != kEquals) return at;
  const std::size_t end = at - kEquals.size(), begin = sentence.rfind(' ', end - 1) + 1;
  return begin >= kPlus.size() && sentence.substr(begin - kPlus.size(), kPlus.size()) == kPlus ? begin : at;
}

// The element of the sentence, if its bits are others than before the visit.
std::optional<float> named_value(const Problem& p, const State& state, const MovingValues& v) {
  const QuantityRow& about = ledger_row(v.quantity());
  if (v.named_row < 0 || !about.values) return std::nullopt;
  const std::int64_t col = v.shape == QuantityShape::Row ? 0 : v.named_col;
  if (col < 0) return std::nullopt;
  const auto value = value_at(state, about.shape, state.*about.values, v.named_row, col, p.shape.d);
  if (!value || !about.before) return value;
  const auto before = value_at(state, about.shape, state.*about.before, v.named_row, col, p.shape.d);
  const bool same = before && std::bit_cast<std::uint32_t>(*before) == std::bit_cast<std::uint32_t>(*value);
  return same ? std::nullopt : value;
}

}  // namespace

std::vector<LandingWords> landing_words(const Problem& p, const State& state, const Motion& motion,
                                        std::string_view sentence) {
  std::vector<LandingWords> out;
  for (const MovingValues& v : motion.values) {
    const std::optional<float> value = named_value(p, state, v);
    if (!value) continue;
    const bool first = v.quantity() == Quantity::TileMax;
    const std::int64_t col = v.shape == QuantityShape::Row ? 0 : v.named_col;
    const std::string as_number =
                          number_in_text(p, ledger_row(v.quantity()).is_score ? display_score(p, *value) : *value),
                      as_weight = weight_text(p, *value);
    for (const std::string& number : {as_number, as_weight}) {
      const std::size_t at = place_of(sentence, number, first);
      if (at == kNone) continue;
      const Span span = v.of(v.named_row, col);
      const std::size_t added = v.shape == QuantityShape::Row ? begin_of_added(sentence, at) : at,
                        number_end = added < at ? sentence.find(' ', added) : at + number.size(),
                        clause = v.shape == QuantityShape::Cell ? begin_of_clause(sentence, at) : added;
      out.push_back(
          {added, end_of_clause(sentence, at), span.end, number_end, clause, clause < added ? span.begin : 0});
      break;
    }
  }
  // "Every row has its own max now."
  if (const std::size_t every = sentence.find("Every row"); every != kNone && !motion.values.empty())
    out.push_back(words_after_all(motion, sentence, every));
  return out;
}

LandingWords words_after_all(const Motion& motion, std::string_view sentence, std::size_t begin) {
  double last = 0;
  for (const MovingValues& v : motion.values) last = std::max(last, v.span.end);
  for (const MovingTile& tile : motion.tiles) last = std::max(last, std::max(tile.crossing.end, tile.unfolding.end));
  return {begin, sentence.size(), last, begin, begin};
}

}  // namespace tilewalk
