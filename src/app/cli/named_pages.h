// The pages as `render --page` names them: each by its word, and those that show something else in place of the usual.
#pragma once

#include <string>
#include <vector>

#include "session/document/document.h"

namespace tilewalk {

struct NamedPage {
  std::string name;
  Page page{};
  Filling filling = Filling::Sms;
  bool chip = false;
  std::string shows = {};  // in place of the usual
};

const std::vector<NamedPage>& named_pages();
std::string help_of_pages();  // "walk, compare, warps (…), …"

}  // namespace tilewalk
