// Explains why results are not finite: finds the first intermediate quantity that its type cannot represent. A second
// walk of the failed run, with scores; needs about the time and memory of the first.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/problem/inputs.h"

namespace tilewalk {

// A sentence for each cause, with the results among O, L, dQ, dK, dV that it makes infinite or NaN: "dQ and dK are not
// finite: values of dS pass 65,504, the largest number of fp16. Use bf16 or fp32, or make dO or V smaller". Calls
// `go_on` at every tile visit; false ends the search, and the causes found so far are returned.
std::vector<std::string> why_not_finite(const Inputs&, const std::vector<TensorId>& results,
                                        const std::function<bool()>& go_on = {});

// "dQ, dK and dV"
std::string listed(const std::vector<TensorId>&);

}  // namespace tilewalk
