// How far a schedule's results are from float64, beside naive attention's in the same precision, under FlashAttention's
// rule, as its own tests have it (hopper/test_flash_attn.py): the error of O and of each gradient may be at most twice
// that of naive attention, plus a floor. Anything not finite fails.
//
// The floor. Naive attention is often nearer to float64 by luck than it has a right to be, most of all where few values
// are compared: twice its error bounds nothing then. Both sides start from the same scores S, bit for bit, so
//   error <= naive attention's error + |own - naive|,
// and only roundings after S can part the two. A forward error analysis bounds them (core/witness/roundings.h), for
// each value; the floor is the largest bound. With u = 2^-24, h half a unit in the last place of a 16-bit dtype, n
// keys:
//   O    sum(P |v|) (u (5 + 2 |s - max|) + 2 h) + 2 sqrt(2 n + 5 visits) u (span of the partial sums) + 2 h |O|
//   dS   the same for P times |dP - D|, the error of D times P, and 2 h |dS|
//   dQ, dK, dV    the errors of dS times |k| and |q|, of P times |dO|, their sums, 2 h of the result
// In fp32 that is some 20 roundings at the size of V for n = 16. It is in proportion to V (and to dP for gradients), so
// V of 1e-30 has a floor of 1e-36. FlashAttention's tests have another floor, what 0.3 added and taken away costs a
// value; that is 0 for constant rows and large V, and as large as the value itself for small V.
//
// Both sides are replays from the same inputs (rounded to the dtype as the problem says); float64 starts from those
// rounded inputs too. Errors are absolute, the largest over what was compared. L is not compared. Long problems are
// sampled: forward, rows of Q tiles spread evenly over batch, heads and rows; backward, whole KV heads. The report says
// how many rows of how many.
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
  double floor = 0;               // by how much roundings after S may part two right results
  double bound = 0;               // 2 plain + floor
  std::int64_t rows = 0, of_rows = 0;
  bool operator==(const QuantityError&) const = default;
  bool within() const { return error <= bound; }  // NaN on either side: no
};

struct AccuracyReport {
  Verdict verdict = Verdict::NotChecked;  // WithinRule, Diverged (the rule is broken), NotFinite or NotChecked
  std::vector<QuantityError> quantities;
  std::string reason;  // why there is none
  bool operator==(const AccuracyReport&) const = default;
};

struct AccuracyOptions {
  // Multiply-adds of float64 that may be spent on it, roughly; decides how many rows are sampled.
  double reference_products = double(1 << 28);
  // A single row that needs more than that, or a KV head of a backward pass, is not compared at all.
  double most_row_products = double(1ll << 29), most_head_products = 6.5e9;
  // Changes the schedule's results before they are compared: O of a Q tile, or gradients of a KV head. For tests.
  std::function<void(TensorId, std::vector<float>&)> alter_results = {};
};

// `go_on` hears of the progress, 0 to 1, at every tile visit or row, and ends the work by false.
AccuracyReport measure_accuracy(const Inputs&, const AccuracyOptions& = {},
                                const std::function<bool(double)>& go_on = {});

// The same in slices: a visit or two of the walk of a tile, or some rows against float64. The inputs must live as long.
class AccuracyWork {
 public:
  explicit AccuracyWork(const Inputs&, const AccuracyOptions& = {});
  ~AccuracyWork();
  AccuracyWork(const AccuracyWork&) = delete;
  AccuracyWork& operator=(const AccuracyWork&) = delete;
  bool work(const std::function<bool(double)>& go_on = {});  // true: the report is there
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
