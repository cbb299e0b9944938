// Worksheets for a class: as many sheets as asked for, their seeds following one another, then all keys. A hundred
// sheets at most.
#pragma once

#include <functional>

#include "session/document/opening.h"
#include "view/print/document.h"

namespace tilewalk {

inline constexpr std::int64_t kMostSheets = 100;

struct ClassSetWish {
  std::int64_t count = 1;
  bool key = false;
  std::int64_t q_tile = -1;  // −1: the one that meets most KV tiles
};

// `go_on` is asked before each sheet, with how far it is; where it says no, what there is so far is returned.
Result<std::vector<PrintDocument>> build_class_set(const Opening&, const ClassSetWish&,
                                                   const std::function<bool(double)>& go_on = {});

}  // namespace tilewalk
