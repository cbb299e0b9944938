// How far a schedule's results are from float64, beside naive attention's in the same precision, under FlashAttention's
// rule: an error may be at most twice that of naive attention, plus a small floor, a quarter of the dtype's unit in the
// last place of 1. Anything not finite fails. Both sides are replays from the same inputs (rounded to the dtype as the
// problem says); float64 starts from those rounded inputs too. Errors are absolute, the largest over what was compared.
// Long problems are sampled: forward, rows of Q tiles spread evenly over batch, heads and rows; backward, whole KV
// heads. The report says how many rows of how many.
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

double rule_floor(DType);

// "O: at most 1.2e-07 from float64, naive attention in fp32 2.3e-07; the rule allows 4.9e-07: within it. 16 of 16
// rows."
std::string sentence_of(const Problem&, const AccuracyReport&);

}  // namespace tilewalk
