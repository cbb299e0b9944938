// The mistakes that people make in a tile visit, each as a small change of the right arithmetic in float64. A mistake
// is tried on the first wrong visits: from the state that the kernel kept before, it must give every l and o of every
// row that the kernel keeps after. Where it does, it is named.
#pragma once

#include <span>
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
  Twice,     // added as it was, and times α
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
  // How the scores are scaled. NeverInBaseTwo: neither the scale nor log2 e, and exp2 is taken.
  enum class Scale { Once, Never, Twice, TimesLog2E, TimesLn2, NeverInBaseTwo } scale = Scale::Once;
  enum class Unit { Same, TimesLog2E, TimesLn2 } exponent = Unit::Same;  // of s - m, and of α's exponent
  Unit alpha_exponent = Unit::Same;                                      // of α's alone
  // WithinTile: places within the tile are compared, as if it were on the diagonal.
  enum class MaskUse { Right, OneMore, OneLess, Off, OtherCorner, WithinTile } mask = MaskUse::Right;
  // Stale: rows of the tile before are still in shared memory.
  enum class Ragged { Hidden, Zeros, Memory, Stale } ragged = Ragged::Hidden;
  enum class Hidden { NoWeight, Finite, NaN, ScoreZero } hidden = Hidden::NoWeight;
  enum class Keys { Own, FirstTile, PreviousTile, NextTile } k = Keys::Own, v = Keys::Own;
  bool other_kv_head = false;  // head modulo kv_heads
  int times_added = 1;
  bool divided_again = false;  // o, divided by l at the visit before, was not multiplied back
  // By which l the old o is multiplied, where o is divided by l at each visit; Undivided: by the old l, where it is
  // not.
  enum class Back { OldL, NewL, Undivided } back = Back::OldL;
  bool beta_of_l = false, beta_of_o = false;  // this tile's part stays relative to the tile's own max
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
  bool possible = true;    // false: the mistake cannot be made here
  bool sees_keys = false;  // in this visit or before
};
SlippedRow slip(const JudgedInputs&, const Slip&, const RowCase&, std::int64_t bc);

using WrongVisit = std::vector<RowCase>;  // the rows of a tile visit of which some is wrong

// How far the slip is from the kernel's numbers, in units of the rounding that is allowed: the largest distance, or
// kUnbounded if the slip does not explain them.
double misfit(const JudgedInputs&, const Slip&, const WrongVisit&, std::int64_t bc);

// Both mistakes in one visit; none if they change the same thing.
std::optional<Slip> both_slips(const Slip&, const Slip&);

}  // namespace tilewalk
