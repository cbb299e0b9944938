// One row at one tile visit, as the judge compares it and as mistakes are tried on it. All in natural units.
#pragma once

#include <optional>
#include <vector>

#include "lab/judge/judged_row.h"

namespace tilewalk {

// What a kernel keeps for a row. NaN where it does not keep l; m is 0 where it does not keep m.
struct KeptRow {
  double m = 0;
  std::optional<double> l;
  std::vector<double> o;  // empty: not kept
};

// o as the sum of weighted rows of V, or divided by l at each visit.
enum class OForm { Sum, Divided };

struct RowCase {
  RowId id;
  std::int64_t kv_tile = 0;
  KeyRange tile;                  // as marked, cut at n_kv
  std::optional<KeptRow> before;  // the row's last visit in the same pass over the keys; none at its first
  bool repeats = false;           // its keys had been absorbed before, and the state does not start afresh
  KeptRow got;
  OForm form = OForm::Sum;
  JudgedRow exact;  // after the visit
  bool l_wrong = false, o_wrong = false;

  // What fits the kernel's own m, and how far rounding may move it: twice JudgedRow's bounds.
  double fitting_l() const;
  double fitting_o(std::size_t x) const;
  double l_tolerance() const;
  double o_tolerance(std::size_t x) const;
};

// The comparison of one state under one reading of it.
struct RowFit {
  bool l = true, o_sum = true, o_divided = true;
  bool o(OForm form) const { return form == OForm::Sum ? o_sum : o_divided; }
};
RowFit fit_of(const JudgedRow&, const KeptRow&);

// True: a distance keeps the rule, given the bound of one side and the error of plain attention, which is computed only
// if needed. False for NaN.
template <class Plain>
bool keeps_rule(double distance, double bound, const Plain& plain) {
  if (!(distance <= 4 * bound)) return false;
  return distance <= 2 * bound || distance <= 2 * bound + 2 * plain();
}

}  // namespace tilewalk
