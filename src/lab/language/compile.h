// Compiles a kernel's text for one task or problem.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/language/program.h"

namespace tilewalk::lab {

// A name that the task gives: N_Q, SCALE, CAUSAL.
struct GivenConstant {
  std::string name = {};
  BaseType type = BaseType::Int;  // Int, Bool or Float
  std::int64_t integer = 0;
  float value = 0;
};

struct CompileSetup {
  std::vector<GivenConstant> constants = {};
  std::vector<MemoryObject> tensors = {};  // that kernels may have as parameters, by name
};

struct CompiledText {
  Program program;                       // to be run only if there are no errors
  std::vector<SourceError> errors = {};  // the first ten
  bool ok() const { return errors.empty(); }
};

// Any text: the result is a program or errors. Its size is bounded by the constants kMost… of program.h.
CompiledText compile(std::string_view text, const CompileSetup&);

}  // namespace tilewalk::lab
