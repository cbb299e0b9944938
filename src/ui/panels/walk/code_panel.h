// Which part of a kernel's source is in view.
#pragma once

#include <string>

namespace tilewalk {

struct CodeUi {
  float lines = 0;        // of the source: how many are in view
  int top = 0, last = 0;  // the first and the last of them
  struct View {           // what the source was last brought into view for
    std::string title;
    int lit = -2;
    float line_high = 0, width = 0, high = 0;
    bool operator==(const View&) const = default;
  } view;
};

}  // namespace tilewalk
