// One line on how far the results are from float64, beside naive attention's distance in the same precision, and what
// FlashAttention's rule says of it. Green only where it was measured and kept.
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
  std::string figure;  // "1.2e−07", the largest of its tensors; "" where nothing was measured
  std::string detail;  // the whole sentence, and the rule
};

AccuracyModel build_accuracy_model(const Problem&, const std::optional<AccuracyReport>&);

}  // namespace tilewalk
