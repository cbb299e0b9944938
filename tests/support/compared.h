// Two forward problems set side by side, from nothing but the problems.
#pragma once

#include "core/predict/compare.h"
#include "core/schedules/registry.h"

namespace tilewalk::test {

inline Comparison compared(const Problem& left, const Problem& right) {
  const auto of_left = make_schedule(left), of_right = make_schedule(right);
  return build_comparison(*of_left, *of_right, run_time(*of_left), run_time(*of_right));
}

}  // namespace tilewalk::test
