// The words that stand on the screen and in the text modes, and what each means, for people who have never seen the
// inside of a GPU. One table; tooltips and `tilewalk glossary` read it. A word is found in a text as it is written
// there, or with an s: letters of the paper (S, d, ℓ) by their case, words by any.
// Not told here: what a button does (session/command/command_table) and what a flag means (core/schedules/fields).
// Invariant: every word and every other spelling belongs to one row; a meaning is one sentence.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct Term {
  std::string_view word;                    // as it stands on screen: "thread block"
  std::string_view meaning;                 // one sentence
  std::vector<std::string_view> also = {};  // other spellings: "thread blocks" needs none
};

const std::vector<Term>& glossary();

// The row of a word in any of its spellings; null if there is none.
const Term* find_term(std::string_view word);
// The row that someone who typed something else most likely meant.
const Term& nearest_term(std::string_view typed);
// Those that occur in a text, in its order, each once; of words within words the longest: "thread block", not "thread".
std::vector<const Term*> terms_in(std::string_view text);
// A line each, "SRAM: small, fast memory …"; empty for none.
std::string meanings(const std::vector<const Term*>&);

}  // namespace tilewalk
