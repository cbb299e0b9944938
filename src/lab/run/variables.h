// The variables that a thread can read at its next instruction, with their values.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "lab/run/machine.h"

namespace tilewalk::lab {

struct PointerValue {
  bool null = false;
};

struct VariableNow {
  std::string name;
  std::variant<float, std::int64_t, bool, PointerValue> value;
};

// Those whose names are known at its next instruction, in the order of their declarations. Without arrays and structs.
std::vector<VariableNow> variables_of(const Machine&, int thread);

}  // namespace tilewalk::lab
