// The findings of a run, such as a race with both its lines, below the pen of a panel that has space for them.
#pragma once

#include <string>
#include <vector>

#include "ui/panels/panels.h"

namespace tilewalk {

void draw_lab_findings(const UiFrame&, Panel&, const std::vector<std::string>&);

}  // namespace tilewalk
