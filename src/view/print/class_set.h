// Worksheets for a class: the requested number of sheets with consecutive seeds, then all keys. A hundred sheets at
// most.
#pragma once

#include <functional>

#include "session/document/opening.h"
#include "view/print/document.h"

namespace tilewalk {

inline constexpr std::int64_t kMostSheets = 100;

struct ClassSetRequest {
  std::int64_t count = 1;
  bool key = false;
  std::int64_t q_tile = -1;  // −1: the one that visits most KV tiles
};

// Calls `go_on` before each sheet, with the fraction done; where it returns false, returns the sheets so far.
Result<std::vector<PrintDocument>> build_class_set(const Opening&, const ClassSetRequest&,
                                                   const std::function<bool(double)>& go_on = {});

}  // namespace tilewalk
