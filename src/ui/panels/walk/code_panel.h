// The visible part of a kernel's source.
#pragma once

#include <string>

namespace tilewalk {

struct CodeUi {
  float lines = 0;        // number of visible lines of the source
  int top = 0, last = 0;  // the first and the last of them
  struct View {           // the state for which the source was last scrolled
    std::string title;
    int lit = -2;
    float line_high = 0, width = 0, high = 0;
    bool operator==(const View&) const = default;
  } view;
};

}  // namespace tilewalk
