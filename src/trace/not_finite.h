// Why results are not finite: which quantity on the way to them is the first that its type cannot hold. Found by a
// second walk of a run that failed, with scores; the same time and memory as the first, about.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/problem/inputs.h"

namespace tilewalk {

// A sentence for each cause, of the results among O, L, dQ, dK, dV that it makes infinite or not a number: "dQ and dK
// are not finite: values of dS pass 65,504, the largest number of fp16. Use bf16 or fp32, or make dO or V smaller".
// `go_on` is asked at every tile visit; false ends the search, and what was found so far is said.
std::vector<std::string> why_not_finite(const Inputs&, const std::vector<TensorId>& results,
                                        const std::function<bool()>& go_on = {});

// "dQ, dK and dV"
std::string listed(const std::vector<TensorId>&);

}  // namespace tilewalk
