#include "session/page/page_commands.h"

#include <cstdlib>

namespace tilewalk {

const std::vector<CommandRow>& page_commands() {
  static const std::vector<CommandRow> rows = {{Action::CopyLink, "copy-link", "Copy the link", Chord{}, Chord{},
                                                "Problem", "An address that opens this very view in a browser."}};
  return rows;
}

std::string page_address() {
  const char* const address = std::getenv("TILEWALK_PAGE");
  return address ? address : "";
}

bool page_prefers_light() {
  const char* const theme = std::getenv("TILEWALK_THEME");
  return theme && std::string(theme) == "light";
}

}  // namespace tilewalk
