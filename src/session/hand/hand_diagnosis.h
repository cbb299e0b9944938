// The mistake behind a wrong answer. First the slips at this number are tried (the ratio upside down, √d forgotten,
// another row's number, …), then each classic mistake, replayed from the start of the walk. Where none fits, the
// diagnosis gives the direction and rough size of the error, never the number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/hand/hand_facts.h"

namespace tilewalk {

struct HandSlip {
  std::string name;  // "upside-down"; of a classic mistake its own: "forget-rescale-l"
  double value = 0;  // the number that the slip gives
  std::string words;
};

struct HandDiagnosis {
  std::string mistake;  // empty where no mistake fits
  std::string words;
};

// In the order of trial; without slips that give the right number.
std::vector<HandSlip> slips_of(const HandFacts&);
std::string how_far_off(double typed, double right);

// True if the typed number is right to two digits, or what the numbers on the screen give. A number that is nearer to
// that of a slip is neither.
bool answers_field(HandValues&, const HandKey&, double typed);

HandDiagnosis diagnosed(HandValues&, const HandKey&, double typed);
// The mistake of an answer that is right in two digits, where its further digits show one; else empty.
std::optional<HandDiagnosis> mistake_in_digits(HandValues&, const HandKey&, double typed);

}  // namespace tilewalk
