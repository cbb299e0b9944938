// Scores at chosen rows and columns, for colours: plain fp32 products, not the replay's exact chain.
#pragma once

#include <cstdint>
#include <vector>

#include "core/problem/inputs.h"

namespace tilewalk {

// rows.size() x cols.size() scores in display units, masked ones −∞. Cost: rows x cols x d.
std::vector<float> sample_scores(const Inputs&, const HeadId&, const std::vector<std::int64_t>& rows,
                                 const std::vector<std::int64_t>& cols);

inline constexpr std::int64_t kMostSampled = 64;  // rows, and columns, that a legend's range is of

struct ScoreRange {
  float low = 0, high = 1;
};
// The legend of S for one head: of all scores, or of those sampled from a larger matrix; others may lie outside.
ScoreRange score_range(const Inputs&, const HeadId&);

// `count` indices spread evenly over [begin, end), each in the middle of its interval.
std::vector<std::int64_t> spread(double begin, double end, int count, std::int64_t limit);

}  // namespace tilewalk
