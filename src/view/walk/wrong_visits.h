// Where a deliberate mistake shows: in which tile visits, and where in the score matrix. For each tile visit the cells
// of P that differ from the correct walk's and the rows whose m, ℓ, α or O do. Both walks of the head in view are
// replayed once; only where that takes no longer than a frame, and in forward passes alone.
#pragma once

#include <cstdint>
#include <vector>

#include "session/session.h"

namespace tilewalk {

struct WrongRun {  // cells [col_begin, col_end) of a row of the matrix
  std::int64_t row = 0, col_begin = 0, col_end = 0;
  bool weights = false;    // P differs there; else what the visit left in the row
  std::int64_t since = 0;  // the cursor from which it shows: the end of its visit
  bool operator==(const WrongRun&) const = default;
};

struct WrongVisitsCache {
  std::uint64_t revision = ~0ull;
  HeadId head{-1, -1};
  Problem problem;
  std::vector<WrongRun> all;  // of the whole walk
};

struct WrongVisits {
  std::vector<std::int64_t> ends;  // the cursor after each, ascending
  bool healing = false;            // the mistake was just taken back: their marks turn back one after the other
};

// The visits that the walk has completed, in the head in view, and whose values a mistake changed.
WrongVisits wrong_visits(const Session&, WrongVisitsCache&);

struct FirstWrongCache {
  std::uint64_t revision = ~0ull;
  std::int64_t found = -1, first = -1;
};

// The cursor after the first step that made a number wrong: in the visit where the check found a difference, which it
// compares at that visit's end. That of the check where no earlier step of the visit did, where replaying them takes
// longer than a frame, and without a mistake; 0: the check found none.
std::int64_t first_wrong_step(const Session&, FirstWrongCache&);

// Those that show at the session's cursor.
std::vector<WrongRun> wrong_runs(const Session&, WrongVisitsCache&);

}  // namespace tilewalk
