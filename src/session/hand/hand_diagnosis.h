// Which mistake a wrong answer shows. Tried in order: slips of the pencil at this very number (the ratio upside down,
// √d forgotten, another row's number, …), then what each classic mistake would have made here from the start of the
// walk. An answer that fits none is told its direction and roughly how far off it is, never the number.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "session/hand/hand_facts.h"

namespace tilewalk {

struct HandSlip {
  std::string name;  // "upside-down"; of a classic mistake its own: "forget-rescale-l"
  double value = 0;  // what it would give
  std::string words;
};

struct HandDiagnosis {
  std::string mistake;  // empty where none was recognised
  std::string words;
};

// In the order in which they are tried; none that is right as well.
std::vector<HandSlip> slips_of(const HandFacts&);
std::string how_far_off(double typed, double right);

HandDiagnosis diagnosed(HandValues&, const HandKey&, double typed);

}  // namespace tilewalk
