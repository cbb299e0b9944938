// The terms on the screen and in the text modes, each with its meaning, for people who have never looked inside a GPU.
// One table for tooltips and `tilewalk glossary`. Terms are found in a text as written, or with an s: letters of the
// paper (S, d, ℓ) case-sensitively, words in any case. Not included: what a button does (session/command/command_table)
// and what a flag means (core/fields). Invariant: every word and every other spelling belongs to one row; a
// meaning is one sentence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct Term {
  std::string_view word;                    // as on screen: "thread block"
  std::string_view meaning;                 // one sentence
  std::vector<std::string_view> also = {};  // other spellings: "thread blocks" needs none
};

const std::vector<Term>& glossary();

// The row of a word in any of its spellings; null if there is none.
const Term* find_term(std::string_view word);
// The row nearest to a misspelt word.
const Term& nearest_term(std::string_view typed);
// The terms in a text, in its order, each once; of overlapping terms the longest: "thread block", not "thread".
std::vector<const Term*> terms_in(std::string_view text);
// One line each, "SRAM: small, fast memory …"; empty for none.
std::string meanings(const std::vector<const Term*>&);

}  // namespace tilewalk
