// For the tests of code that is compiled once for each instruction set.
#pragma once

#include <hwy/highway.h>

namespace tilewalk {

// Calls `visit` once for each instruction set of this CPU, with Highway restricted to it; then lifts the restriction.
template <class Visit>
void on_each_target(Visit visit) {
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    visit();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace tilewalk
