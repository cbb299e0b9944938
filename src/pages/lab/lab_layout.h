// The positions of the panels on the page of the lab.
#pragma once

#include "ui/layout.h"

namespace tilewalk {

struct LabLayout {
  draw::Rect text, verdict, matrix, transport, numbers, traffic;
  draw::Rect matrix_alone, numbers_alone;  // before the run of a task whose picture is the matrix: as wide as the run
};
LabLayout lab_layout(const Layout&);

}  // namespace tilewalk
