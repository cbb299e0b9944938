// A run of the interpreter that has ended, with what made it: what a run on a GPU is compared with.
#pragma once

#include <string>
#include <vector>

#include "lab/language/compile.h"
#include "lab/run/machine.h"

namespace tilewalk::lab {

struct InterpreterRun {
  std::string text = {};
  CompileSetup setup = {};
  const Machine* machine = nullptr;
  std::vector<RunVisit> visits = {};  // all
};

}  // namespace tilewalk::lab
