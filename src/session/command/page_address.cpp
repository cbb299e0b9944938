#include "session/command/page_address.h"

#include <cstdlib>
#include <string>

namespace tilewalk {

std::string page_address() {
  const char* const address = std::getenv("TILEWALK_PAGE");
  return address ? address : "";
}

bool page_prefers_light() {
  const char* const theme = std::getenv("TILEWALK_THEME");
  return theme && std::string(theme) == "light";
}

}  // namespace tilewalk
