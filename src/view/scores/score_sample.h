// Scores at chosen rows and columns, for colours: plain fp32 products, not the replay's exact chain.
#pragma once

#include <cstdint>
#include <vector>

#include "core/problem/inputs.h"

namespace tilewalk {

// rows.size() x cols.size() scores in display units, masked ones −∞. Cost: rows x cols x d.
std::vector<float> sample_scores(const Inputs&, const HeadId&, const std::vector<std::int64_t>& rows,
                                 const std::vector<std::int64_t>& cols);

// `count` indices spread evenly over [begin, end), each in the middle of its interval.
std::vector<std::int64_t> spread(double begin, double end, int count, std::int64_t limit);

}  // namespace tilewalk
