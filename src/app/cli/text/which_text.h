// Which attention runs, as text and as JSON.
#pragma once

#include <string>

#include "app/cli/output.h"
#include "pages/which/which_model.h"

namespace tilewalk {

// speed_up: of the call over naive, as a sentence; may be empty.
std::string which_text(const WhichModel&, const std::string& speed_up = "");
std::string which_call_text(const WhichModel&);  // the call, the order of the backends, and what runs
Json which_json(const Call&, const RuleTable&, const WhichModel&);

}  // namespace tilewalk
