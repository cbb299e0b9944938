// All that a class needs, in the order in which it is needed: the plan, then its print-outs, each sheet before its key.
#pragma once

#include "base/result.h"
#include "view/paper/document.h"

namespace tilewalk {

Result<std::vector<PaperDocument>> class_prints(const std::string& minutes);

}  // namespace tilewalk
