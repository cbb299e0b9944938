// How far a schedule's results are from float64, beside naive attention's in the same precision, under FlashAttention's
// rule, as its own tests have it (hopper/test_flash_attn.py): of O and of each gradient the error may be at most twice
// that of naive attention, plus twice the most that a right value loses when 0.3 is added to it and taken away again in
// that precision. Those tests hold it against attention that rounds its scores to 16 bits, too; this naive attention
// rounds its results alone. So what its luck is in a small problem, a gradient may be off by, too: in fp32 its P is
// made again from L, which costs kRemadeRoundings of the largest value on the way; in 16 bits D is taken from O as it
// was rounded, which moves dQ and dK by as much as core/witness/reference says. Anything not finite fails. Both sides
// are replays from the same inputs (rounded to the dtype as the problem says); float64 starts from those rounded inputs
// too. Errors are absolute, the largest over what was compared. Long problems are sampled: forward, rows of Q tiles
// spread evenly over batch, heads and rows; backward, whole KV heads. The report says how many rows of how many.
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
  double floor = 0;               // the small absolute term
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

// What one right value adds to the rule: twice what it loses when 0.3 is added and taken away in that precision.
double rule_floor(DType, double right);

// Of gradients in fp32: roundings of the largest value on the way (dP or the gradient itself), times 1 + |L|, since P
// is 2^(S - L), whose relative error is the absolute one of S.
inline constexpr double kRemadeRoundings = 4;
double remade_floor(double largest_value, double largest_lse);

// "O 1.2e-07 from float64, naive attention's 2.3e-07 (rule: at most twice that and 6e-08, 5.2e-07), both in fp32:
// within FlashAttention's rule. Compared: 16 of 16 rows."
std::string sentence_of(const Problem&, const AccuracyReport&);

}  // namespace tilewalk
