// A sheet to work one Q tile by hand, and its key: the given numbers, the formulas, and for each visit of that Q tile a
// table for every quantity that its phases compute. In the key the replay fills all tables. It is always batch 0
// and head 0. A sum that other Q tiles add to (dK, dV) is given as it was before the visit.
#pragma once

#include <memory>

#include "base/result.h"
#include "core/problem/inputs.h"
#include "core/walk/schedule.h"
#include "view/print/document.h"

namespace tilewalk {

inline constexpr std::int64_t kMostWorksheetRows = 64;  // of Q and of K: a few pages

struct Worksheet {
  PrintDocument sheet, key;
};

// Why a problem has no worksheet: it is too large for a pencil, or has a deliberate mistake; empty: it has one.
Issues why_no_worksheet(const Problem&);

// The Q tile that visits most KV tiles; the first of them.
std::int64_t busiest_q_tile(const Schedule&);

// Precondition: why_no_worksheet is empty.
Worksheet build_worksheet(const std::shared_ptr<const Schedule>&, const Inputs&, std::int64_t q_tile);

}  // namespace tilewalk
