// The work of one tile visit divided among the warps of a thread block, in the two ways of FlashAttention-1 and -2.
//
// SplitK (FA-1): each warp has all rows of the Q tile and a slice of the KV tile's columns. So each knows only part of
// every row, and the warps combine maxima, sums and O through shared memory, with barriers.
// SplitQ (FA-2): each warp has a slice of the rows and all columns. Rows are whole, so the warps exchange nothing.
// Counted: bytes of shared memory that warps read as operands or exchange, and barriers that the exchange needs. Every
// warp reads K and V in SplitQ, and Q in SplitK; SplitQ saves the exchange. The exchanged O and maxima are fp32.
// Not modelled: bank conflicts, operands that stay in registers from one visit to the next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/walk/schedule.h"

namespace tilewalk {

enum class WarpScheme { SplitK, SplitQ };

// Whether the warps of a schedule with lanes divide its tile like this.
bool divides_so(ScheduleKind, WarpScheme);
// The given schedule if it divides so, else the first of its pass that does; empty: none does.
std::optional<ScheduleKind> schedule_by(WarpScheme, ScheduleKind given);

struct WarpSlice {
  std::int64_t row_begin = 0, row_end = 0;  // of the score tile
  std::int64_t col_begin = 0, col_end = 0;
};

struct WarpVisit {
  std::vector<WarpSlice> slices;      // one a warp; empty ranges where there are more warps than rows or columns
  Traffic operands;                   // Q, K and V read from shared memory by all warps
  Traffic exchange;                   // through shared memory, between warps
  std::vector<std::string> barriers;  // the reason for each, in order
};

// A visit of rows x cols by this many warps.
WarpVisit warp_visit(WarpScheme, std::int64_t rows, std::int64_t cols, std::int64_t d, int element_bytes,
                     int warps = 4);

struct WarpTotals {
  Traffic operands, exchange;
  std::int64_t barriers = 0;
};
// The same for the whole run: closed forms, O(Q tiles).
WarpTotals warp_totals(const Schedule&, WarpScheme, int warps = 4);

}  // namespace tilewalk
