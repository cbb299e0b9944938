// The page of a browser that shows the window: its address, and the colours that its reader prefers.
#pragma once

#include <string>

namespace tilewalk {

std::string page_address();  // without a fragment; empty where there is no page
bool page_prefers_light();   // asked of someone who has chosen nothing yet

}  // namespace tilewalk
