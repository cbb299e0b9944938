// What can be read in the window: every text of every view model, with where it stands. So that a test can tell that a
// number stands nowhere. Not the rail, nor the lists that are open over a page.
#pragma once

#include <string>
#include <vector>

#include "view/views.h"

namespace tilewalk::test {

struct ShownText {
  std::string where;  // "traffic", "softmax row 9, α"
  std::string text;
};

std::vector<ShownText> every_text(const Views&);
std::vector<ShownText> every_text(const RailModel&);  // of a lesson's screen
std::vector<ShownText> every_text(const InspectorModel&, const std::string& where);

}  // namespace tilewalk::test
