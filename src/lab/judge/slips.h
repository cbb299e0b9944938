// The mistakes that people make in a tile visit, each as a small change of the right arithmetic in float64. A mistake
// is tried on the first wrong visits: from the state that the kernel kept before, it must give every l and o of every
// row that the kernel keeps after. Where it does, it is named.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/judge/row_case.h"

namespace tilewalk {

// How a sum from before the visit is rescaled.
enum class Rescale {
  Right,     // times α
  Skipped,   // left as it is
  Inverse,   // divided by α
  AfterAdd,  // times α after this tile was added, so that this tile shrinks too
  Dropped,   // overwritten
  NotAdded,  // times α, but this tile was not added
};

enum class SubtractedMax {
  Kept,          // the m that the kernel keeps
  NewButUnkept,  // the running max, which is never stored
  Old,           // m before the visit
  Zero,          // none
};

enum class ShortFormat { None, Tf32, Tf32Truncated, Fp16, Bf16 };

// A row of the table. Each member but the words changes one thing.
struct Slip {
  const char* name = "";
  const char* sentence = "";  // "{}" becomes "at visit 2" or "since visit 2"
  bool since = false;         // the mistake is made at all later visits too
  Rescale l = Rescale::Right, o = Rescale::Right;
  SubtractedMax max = SubtractedMax::Kept;
  // Of the scores. NeverInBaseTwo: neither the scale nor log2 e, and exp2 is taken.
  enum class Scale { Once, Never, Twice, TimesLog2E, TimesLn2, NeverInBaseTwo } scale = Scale::Once;
  enum class Unit { Same, TimesLog2E, TimesLn2 } exponent = Unit::Same;  // of s - m, and of α's exponent
  enum class MaskUse { Right, OneMore, OneLess, Off, OtherCorner } mask = MaskUse::Right;
  enum class Ragged { Hidden, Zeros, Memory } ragged = Ragged::Hidden;
  enum class Hidden { NoWeight, Finite, NaN } hidden = Hidden::NoWeight;
  enum class Keys { Own, FirstTile, PreviousTile, NextTile } k = Keys::Own, v = Keys::Own;
  bool other_kv_head = false;  // head modulo kv_heads
  int times_added = 1;
  bool divided_again = false;  // o, divided by l at the visit before, was not multiplied back
  ShortFormat scores = ShortFormat::None, weights = ShortFormat::None, values = ShortFormat::None,
              o_kept = ShortFormat::None;

  bool rounds() const {
    return scores != ShortFormat::None || weights != ShortFormat::None || values != ShortFormat::None ||
           o_kept != ShortFormat::None;
  }
};
std::span<const Slip> all_slips();  // in the order of trial
const Slip& added_again();          // a right step on keys that had been absorbed before

double rounded_to(ShortFormat, double);

// The state that a row has after the visit if the kernel makes this mistake.
struct SlippedRow {
  double l = 0;
  std::vector<double> o;
  bool possible = true;  // false: the mistake cannot be made here
};
SlippedRow slip(const JudgedInputs&, const Slip&, const RowCase&, std::int64_t bc);

using WrongVisit = std::vector<RowCase>;  // the rows of a tile visit of which some is wrong

// The slip that explains all rows of the first of these visits, and most of the others; null if none does.
const Slip* explaining_slip(const JudgedInputs&, const std::vector<WrongVisit>&, std::int64_t bc);

}  // namespace tilewalk
