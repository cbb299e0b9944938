// How far a schedule's results are from float64, beside naive attention's in the same precision, under the rule of
// FlashAttention's own tests (hopper/test_flash_attn.py): the error of O and of each gradient may be at most twice that
// of naive attention, plus a floor. Anything not finite fails.
//
// The floor. Naive attention is often nearer to float64 by luck than its roundings allow, most of all where few values
// are compared: twice its error is then no useful bound. Both sides start from the same scores S, bit for bit, so
//   error <= naive attention's error + |own - naive|,
// and the two can differ only by roundings after S. A forward error analysis bounds these (core/witness/roundings.h),
// for each value; the floor is the largest bound. With u = 2^-24, h half a unit in the last place of a 16-bit dtype, n
// keys:
//   O    sum(P |v|) (u (5 + 2 |s - max|) + 2 h) + 2 sqrt(2 n + 5 visits) u (span of the partial sums) + 2 h |O|
//   dS   the same for P times |dP - D|, the error of D times P, and 2 h |dS|
//   dQ, dK, dV    the errors of dS times |k| and |q|, of P times |dO|, their sums, 2 h of the result
// In fp32 that is some 20 roundings at the size of V for n = 16. It is proportional to V (and to dP for gradients), so
// V of 1e-30 has a floor of 1e-36. FlashAttention's tests have another floor, the error of a value to which 0.3 is
// added and subtracted again; that is 0 for constant rows and large V, and as large as the value itself for small V.
//
// A walk whose S is rounded to 16 bits (Numerics::narrow_scores) stands beside naive attention with S in fp32, and its
// floor has the rounding of S too: by the size of the scores, a weight is off by a factor of e^(h |s| ln 2).
//
// Both sides are replays from the same inputs (rounded to the problem's dtype); float64 also starts from those rounded
// inputs. Errors are absolute, the largest over all compared values. L is not compared. Long problems are sampled:
// forward, rows of Q tiles spread evenly over batch, heads and rows; backward, whole KV heads. The report says how many
// rows of how many were compared.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "core/walk/step.h"
#include "trace/verdict.h"

namespace tilewalk {

struct QuantityError {
  TensorId tensor = TensorId::O;  // O; dQ, dK, dV of a backward pass
  double error = 0, plain = 0;    // NaN where a value was not a number
  double floor = 0;               // how far roundings after S may separate two right results
  double bound = 0;               // 2 plain + floor
  std::int64_t rows = 0, of_rows = 0;
  bool operator==(const QuantityError&) const = default;
  bool within() const { return error <= bound; }  // NaN on either side: no
};

struct AccuracyReport {
  Verdict verdict = Verdict::NotChecked;  // WithinRule, Diverged (the rule is broken), NotFinite or NotChecked
  std::vector<QuantityError> quantities;
  std::string reason;  // why there is no verdict
  bool operator==(const AccuracyReport&) const = default;
};

struct AccuracyOptions {
  // The approximate limit of float64 multiply-adds for the reference; decides how many rows are sampled.
  double reference_products = double(1 << 28);
  // A single row that needs more than that, or a KV head of a backward pass, is not compared.
  double most_row_products = double(1ll << 29), most_head_products = 6.5e9;
  // Changes the schedule's results before they are compared: O of a Q tile, or gradients of a KV head. For tests.
  std::function<void(TensorId, std::vector<float>&)> alter_results = {};
};

// Calls `go_on` with the progress, 0 to 1, at every tile visit or row; stops when it returns false.
AccuracyReport measure_accuracy(const Inputs&, const AccuracyOptions& = {},
                                const std::function<bool(double)>& go_on = {});

// The same in slices: a visit or two of the walk of a tile, or some rows against float64. The inputs must outlive it.
class AccuracyWork {
 public:
  explicit AccuracyWork(const Inputs&, const AccuracyOptions& = {});
  ~AccuracyWork();
  AccuracyWork(const AccuracyWork&) = delete;
  AccuracyWork& operator=(const AccuracyWork&) = delete;
  bool work(const std::function<bool(double)>& go_on = {});  // true: the report is complete
  const AccuracyReport& report() const;

 private:
  struct Kept;
  class Forward;
  class Backward;
  struct Measured;
  std::unique_ptr<Measured> measured_;
};

// "O 1.2e-07 from float64, naive attention's 2.3e-07 (rule: at most twice that and 6e-08, 5.2e-07), both in fp32:
// within FlashAttention's rule. Compared: 16 of 16 rows."
std::string sentence_of(const Problem&, const AccuracyReport&);

}  // namespace tilewalk
