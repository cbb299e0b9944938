// One tile visit shared out over the warps of a thread block, in the two ways that FlashAttention-1 and -2 chose.
//
// SplitK (FA-1): each warp has all rows of the Q tile and a slice of the KV tile's columns. Each then knows only part
// of every row, so maxima, sums and O are brought together through shared memory, with barriers. SplitQ (FA-2): each
// warp has a slice of the rows and all columns. Rows are whole, so nothing is exchanged. Counted: bytes of shared
// memory that warps read as operands or exchange, and barriers that the exchange needs. K and V are read by every warp
// in SplitQ, Q by every warp in SplitK: what is saved is the exchange. O and the maxima exchanged are fp32. Not
// modelled: bank conflicts, operands kept in registers from one visit to the next.
#pragma once

#include <string>
#include <vector>

#include "core/walk/schedule.h"

namespace tilewalk {

enum class WarpScheme { SplitK, SplitQ };

struct WarpSlice {
  std::int64_t row_begin = 0, row_end = 0;  // of the score tile
  std::int64_t col_begin = 0, col_end = 0;
};

struct WarpVisit {
  std::vector<WarpSlice> slices;      // one a warp; empty ranges where there is less work than warps
  Traffic operands;                   // Q, K and V read from shared memory by all warps
  Traffic exchange;                   // through shared memory, between warps
  std::vector<std::string> barriers;  // why each is there, in order
};

// A visit of rows x cols by so many warps.
WarpVisit warp_visit(WarpScheme, std::int64_t rows, std::int64_t cols, std::int64_t d, int element_bytes,
                     int warps = 4);

struct WarpTotals {
  Traffic operands, exchange;
  std::int64_t barriers = 0;
};
// The same over the whole run: closed forms, O(Q tiles).
WarpTotals warp_totals(const Schedule&, WarpScheme, int warps = 4);

}  // namespace tilewalk
