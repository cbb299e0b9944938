// What only a page in a browser has: commands, an address, and colours that its reader prefers. Elsewhere there is
// nothing of it, so that no list offers what cannot be done.
#pragma once

#include <string>
#include <vector>

#include "session/command_table.h"

namespace tilewalk {

const std::vector<CommandRow>& page_commands();
std::string page_address();  // without a fragment; empty where there is no page
bool page_prefers_light();   // asked of someone who has chosen nothing yet

}  // namespace tilewalk
