#include "session/page/page_commands.h"

namespace tilewalk {

const std::vector<CommandRow>& page_commands() {
  static const std::vector<CommandRow> none;
  return none;
}

std::string page_address() { return {}; }
bool page_prefers_light() { return false; }

}  // namespace tilewalk
