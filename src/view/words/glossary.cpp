#include "view/words/glossary.h"

#include <algorithm>
#include <array>

#include "base/contains.h"
#include "base/nearest.h"
#include "base/words.h"

namespace tilewalk {
namespace {

bool is_letter(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80; }
char low(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

// A letter of the paper, alone or after a d: matched by case.
bool is_symbol(std::string_view word) { return character_count(word.substr(0, word.find(' '))) <= 2; }

bool same(std::string_view a, std::string_view b, bool by_case) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [by_case](char x, char y) {
           return x == y || (!by_case && low(x) == low(y));
         });
}

struct Spelling {
  std::string_view text;
  bool by_case, plural;  // matched by case; may have an s
  const Term* term;
};

// By their first byte, in lower case: every text on screen is searched in every frame.
const std::vector<Spelling>& spellings_from(char first) {
  static const auto all = [] {
    std::array<std::vector<Spelling>, 256> out;
    for (const Term& term : glossary()) {
      const auto add = [&](std::string_view text) {
        out[static_cast<unsigned char>(low(text.front()))].push_back(
            {text, is_symbol(text), character_count(text) > 1, &term});
      };
      add(term.word);
      for (const std::string_view other : term.also) add(other);
    }
    return out;
  }();
  return all[static_cast<unsigned char>(low(first))];
}

// Length of the match of this word at `at`; 0 for none. The match must end at a word's end.
std::size_t matched(std::string_view text, std::size_t at, const Spelling& word) {
  if (!same(text.substr(at, word.text.size()), word.text, word.by_case)) return 0;
  std::size_t end = at + word.text.size();
  if (word.plural && end < text.size() && low(text[end]) == 's') ++end;
  if (end < text.size() && is_digit(text[end])) return 0;  // "Q2" is a tile of Q
  if (end < text.size() && is_letter(static_cast<unsigned char>(text[end])) && text.substr(end, 3) != "ᵀ" &&
      text.substr(end, 3) != "…" && text.substr(end, 2) != "·" && text.substr(end, 2) != "×")
    return 0;
  return end - at;
}

bool begins_a_word(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const unsigned char before = static_cast<unsigned char>(text[at - 1]);
  if (before < 0x80) return !is_letter(before) && !is_digit(before);
  if (at >= 3 && text.substr(at - 3, 3) == "√") return true;
  return at >= 2 && (text.substr(at - 2, 2) == "·" || text.substr(at - 2, 2) == "×");
}

}  // namespace

const Term* find_term(std::string_view word) {
  for (const bool by_case : {true, false})
    for (const Term& term : glossary()) {
      const auto is = [&](std::string_view spelling) { return same(spelling, word, by_case); };
      if (is(term.word) || std::any_of(term.also.begin(), term.also.end(), is)) return &term;
    }
  return word.size() > 3 && low(word.back()) == 's' ? find_term(word.substr(0, word.size() - 1)) : nullptr;
}

const Term& nearest_term(std::string_view typed) {
  const auto in_small_letters = [](std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), low);
    return out;
  };
  std::vector<std::string> words;
  for (const Term& term : glossary()) {
    words.push_back(in_small_letters(term.word));
    for (const std::string_view other : term.also) words.push_back(in_small_letters(other));
  }
  return *find_term(nearest(in_small_letters(typed), words));
}

std::vector<const Term*> terms_in(std::string_view text) {
  std::vector<const Term*> found;
  for (std::size_t at = 0; at < text.size();) {
    const Term* best = nullptr;
    std::size_t most = 0;
    if (begins_a_word(text, at))
      for (const Spelling& word : spellings_from(text[at]))
        if (const std::size_t n = matched(text, at, word); n > most) most = n, best = word.term;
    if (best && !contains(found, best)) found.push_back(best);
    at += std::max<std::size_t>(1, most);
  }
  return found;
}

std::string meanings(const std::vector<const Term*>& terms) {
  std::string text;
  for (const Term* term : terms)
    text.append(text.empty() ? "" : "\n").append(term->word).append(": ").append(term->meaning);
  return text;
}

}  // namespace tilewalk
