// Commands that only a page in a browser has. Elsewhere there are none, so that no list offers what cannot be done.
#pragma once

#include <string>
#include <vector>

#include "session/command_table.h"

namespace tilewalk {

const std::vector<CommandRow>& page_commands();
std::string page_address();  // without a fragment; empty where there is no page

}  // namespace tilewalk
