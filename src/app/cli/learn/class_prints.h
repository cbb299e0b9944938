// All sheets for a class, in order of use: the plan, then its print-outs, each sheet before its key.
#pragma once

#include "base/result.h"
#include "view/print/document.h"

namespace tilewalk {

Result<std::vector<PrintDocument>> class_prints(const std::string& minutes);

}  // namespace tilewalk
