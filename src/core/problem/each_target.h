// For the tests of code that is compiled once for each instruction set.
#pragma once

#include <hwy/highway.h>

namespace tilewalk {

// Calls `visit` once for each instruction set that this CPU can run, with Highway's choice set to it; then it is free
// again.
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
