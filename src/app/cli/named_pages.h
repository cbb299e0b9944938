// The pages for `render --page`: each by its word, and variants that show something else instead of the usual contents.
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
  std::string shows = {};  // instead of the usual contents
};

const std::vector<NamedPage>& named_pages();
std::string help_of_pages();  // "walk, compare, warps (…), …"

}  // namespace tilewalk
