// The fields of the call on the page of which attention runs.
#pragma once

#include <vector>

#include "dispatch/dispatch.h"
#include "view/words/call_model.h"

namespace tilewalk {

// cuda, cudnn: the versions that fields left to PyTorch have. answer: marks the fields that refused checks read; null:
// none is marked.
std::vector<CallFieldModel> which_fields(const Call&, const Version& cuda, const Version& cudnn,
                                         const WhichAnswer* answer);

}  // namespace tilewalk
