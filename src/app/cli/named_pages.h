// The pages for `render --page`: each by its word, and variants that show something else instead of the usual contents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/document/document.h"

namespace tilewalk {

struct NamedPage {
  std::string name;
  Page page{};
  std::optional<Filling> filling = {};  // of the comparison; empty: as a person opens it
  bool chip = false;
  std::string shows = {};  // instead of the usual contents
};

const std::vector<NamedPage>& named_pages();
std::string help_of_pages();  // "walk, compare, warps (…), …"

}  // namespace tilewalk
