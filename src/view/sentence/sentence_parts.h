// The parts of step_sentence for each family of schedules. Each returns an empty text where the plain forward sentence
// is right.
#pragma once

#include <string>

#include "core/replay/replay.h"
#include "core/schedules/registry.h"

namespace tilewalk {

std::string variant_sentence(const Schedule&, const State&);   // flash_v1, flash_v4, split_kv
std::string backward_sentence(const Schedule&, const State&);  // the three backward passes
// Where a deliberate mistake makes the other sentences false.
std::string mistake_sentence(const Schedule&, const State&);
std::string variant_purpose(const Problem&, const Step&);
std::string backward_purpose(const ScheduleRow&, Phase);

std::string first_sentence(const Schedule&);  // at cursor 0: describes the first step
std::string rows_text(const Step&);           // "rows 8 to 11"
// "ℓ new = α × ℓ old + the sum of the row of P", from the ledger's row of the step's phase; and its right side alone.
std::string formula_text(const Problem&, const Step&, Quantity);
std::string right_side_text(const Problem&, const Step&, Quantity);
// A weight between 0 and 1: two digits, more where two would print 0.00.
std::string weight_text(const Problem&, float);
// A weight that multiplies a number: more digits where two would make another product of it.
std::string factor_text(const Problem&, float weight, double number);
// "=" where the result follows from the operands as they are printed, "≈" where it does not. computed: from shown_value
// of each operand. result: as it is printed, by number_in_text or weight_text.
const char* equals_sign(const Problem&, double computed, const std::string& result);
// "2.498 + 1.977 = 4.475": an addition of three digits or more where its parts of two do not add up to the sum of two;
// "≈" where none up to five adds up.
std::string addition_text(const Problem&, double left, double right);
double shown_value(const Problem&, double);          // as number_in_text prints it
std::string number_in_text(const Problem&, double);  // two digits; in base 2 exact where that is short

}  // namespace tilewalk
