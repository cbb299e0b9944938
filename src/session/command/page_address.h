// The browser page that shows the window: its address, and the colour scheme that the browser prefers.
#pragma once

#include <string>

namespace tilewalk {

std::string page_address();  // without a fragment; empty where there is no page
bool page_prefers_light();   // used until a theme is chosen

}  // namespace tilewalk
