// One line on the results' distance from float64, beside the distance of naive attention in the same precision, and the
// result of FlashAttention's rule. Green only where it was measured, the rule holds and the walk has computed all of
// it: before its end the line says what will be compared, with a dash.
#pragma once

#include <optional>
#include <string>

#include "core/problem/problem.h"
#include "trace/accuracy.h"

namespace tilewalk {

enum class AccuracyMark { None, Kept, Broken };  // drawn as a dash, a check, a cross

struct AccuracyModel {
  AccuracyMark mark = AccuracyMark::None;
  std::string text;    // "O 1.2e−07 from float64, naive attention 2.3e−07: within the rule · all 16 rows"
  std::string figure;  // "1.2e−07", the largest of its tensors; "" where it was not measured
  std::string detail;  // the whole sentence, and the rule
};

AccuracyModel build_accuracy_model(const Problem&, const std::optional<AccuracyReport>&, bool at_end = true);

}  // namespace tilewalk
