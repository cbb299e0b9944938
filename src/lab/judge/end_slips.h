// The mistakes that people make after the last visit: the division by l, the logarithm of L, the merge of shares.
#pragma once

#include <optional>
#include <vector>

#include "lab/judge/row_case.h"

namespace tilewalk {

// A row of the outputs: what it must be, and what the kernel wrote. All in natural units.
struct EndRow {
  static constexpr double kOwnShare = 1e-4;  // how far an output may be from its own state, relative

  RowId id;
  JudgedRow exact;
  std::vector<const KeptRow*> parts = {};  // of the blocks that shared the row's keys; often one
  OForm form = OForm::Sum;                 // of the o of the parts
  std::vector<double> expected = {};       // O
  double lse = 0;
  bool own = false;  // expected and lse follow from the kernel's last state, not from float64
  std::vector<double> o = {};
  std::optional<double> l = {};
  bool o_wrong = false, l_wrong = false;

  const KeptRow* kept() const { return parts.size() == 1 ? parts[0] : nullptr; }
  void follow_exact();
  bool follow_own();  // false: there is no single state, or it is not finite
  bool o_fits_own() const;
};

// The mistake of the end that explains all wrong rows: of L, or of O.
std::optional<Diagnosis> end_slip_of(const std::vector<EndRow>&, bool of_l);

}  // namespace tilewalk
