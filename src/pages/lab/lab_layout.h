// The positions of the panels on the page of the lab.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

struct LabLayout {
  draw::Rect text, verdict, matrix, transport, numbers, traffic;
};
LabLayout lab_layout(const Layout&);

}  // namespace tilewalk
