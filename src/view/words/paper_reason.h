// Why the pencil method and the model of time differ: launches, few thread blocks, a mask that shortens few of them,
// short rows. In words, for the methods of one call.
#pragma once

#include <string>
#include <vector>

#include "measured/prediction_error.h"

namespace tilewalk {

inline constexpr int kShortRuleLesson = 15;  // teaches the rule for short calls
inline constexpr double kPaperFails = 0.25;  // from this share on the reason is given

// "the 256 thread blocks are one wave: …"; empty where paper and model agree, or one of them has no time.
std::string paper_reason(const Prediction&);

// "FA-2: 43.2 µs on paper, 86.3 µs predicted: the 256 thread blocks …", one for each method that differs. short_rule:
// adds the time by the rule for short calls, a third one.
std::vector<std::string> paper_sentences(const std::vector<PredictionRow>&, bool short_rule);

}  // namespace tilewalk
