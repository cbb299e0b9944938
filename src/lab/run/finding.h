// What the machine finds while a kernel runs: with both parties, by line and thread.
#pragma once

#include <cstdint>
#include <string>

#include "lab/language/source_error.h"

namespace tilewalk::lab {

enum class FindingKind {
  OutOfBounds,
  UnfilledRead,      // a shared, local or global element, or a variable, read before it was written
  DataRace,          // two threads, at least one of them writing, without a barrier between
  DivergentBarrier,  // not all threads reach it
  DivergentShuffle,  // not all lanes of its mask reach it
  DivisionByZero,    // of whole numbers
  StepLimit,         // an endless loop, most likely
  ChangedAfterMark,  // the state that visit_done showed was changed before the next barrier
  BadMark,           // of a tile or row that the problem does not have
  MarkedTwice,       // row_done was called again for a row and a KV tile: a warning
  NotFinite,         // the first NaN, the first infinity: a warning
  AtomicOrder,       // the order of atomicAdd decides the bits: a warning
  BankConflict       // where they are counted: a warning
};

struct FindingParty {
  SourcePlace place = {};
  std::int64_t thread = -1, block = -1;  // in the block, in the grid; -1: none
  bool operator==(const FindingParty&) const = default;
};

struct Finding {
  FindingKind kind{};
  FindingParty at = {}, other = {};  // other.place.line is 0 where there is no second party
  std::string element = {};          // "sS[3][7]"; may be empty
  std::string what = {};             // one sentence, without the places
  std::string instead = {};          // what to do
  bool operator==(const Finding&) const = default;
};

const char* name_of(FindingKind);  // "data race"
bool is_warning(FindingKind);      // the run may still be right
bool ends_run(FindingKind);

// "line 19: data race on sS[3][7]: thread 7 writes it, and thread 12 reads it in line 24, without a barrier between."
std::string text_of(const Finding&);

}  // namespace tilewalk::lab
