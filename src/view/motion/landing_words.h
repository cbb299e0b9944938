// Words of a step's sentence that give a result of the step. They are on the screen from the moment at which the number
// lands, so that the sentence is never ahead of the picture. A clause that names one cell of a tile begins with the
// motion of that cell: before, the picture is at another one.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "view/motion/motion.h"

namespace tilewalk {

struct LandingWords {  // bytes of the sentence
  std::size_t begin = 0, end = 0;
  double lands = 0;            // the t at which they appear
  std::size_t number_end = 0;  // of the number that they begin with; begin: of none
  std::size_t clause = 0;      // where the clause before them begins that names their cell; begin: none does
  double begins = 0;           // the t at which that clause appears; 0: none does
};

// The results in a step_sentence: each from its number, or from a sum that the step adds to get it, to the end of the
// clause; and a sentence about every row, which waits for all of them. Empty where the step makes no number
// that the sentence names, and where the number does not change. Precondition: the motion ends in this state.
std::vector<LandingWords> landing_words(const Problem&, const State&, const Motion&, std::string_view sentence);

// The words after `begin`, which compare all results of the step: they wait for the last of them.
LandingWords words_after_all(const Motion&, std::string_view sentence, std::size_t begin);

}  // namespace tilewalk
