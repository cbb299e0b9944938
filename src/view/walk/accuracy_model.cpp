#include "view/walk/accuracy_model.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"
#include "base/words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::string distance_text(double value) { return value == 0 ? "0" : exponent_number(value); }

// The quantity that is closest to the rule's limit, or exceeds it most; NaN counts as the worst.
const QuantityError& worst_of(const AccuracyReport& report) {
  const QuantityError* worst = &report.quantities.front();
  for (const QuantityError& q : report.quantities)
    if (!std::isnan(worst->error / worst->bound) && !(q.error / q.bound <= worst->error / worst->bound)) worst = &q;
  return *worst;
}

}  // namespace

AccuracyModel build_accuracy_model(const Problem& p, const std::optional<AccuracyReport>& report, bool at_end) {
  AccuracyModel model;
  if (!report) {
    model.text = "comparing with float64 …";
    return model;
  }
  if (report->quantities.empty()) {
    model.text = model.detail = report->reason;
    return model;
  }
  const QuantityError& worst = worst_of(*report);
  const bool kept = report->verdict == Verdict::WithinRule;
  model.mark = kept ? AccuracyMark::Kept : AccuracyMark::Broken;
  const bool narrow = p.numerics.narrow_scores;  // beside naive attention with S in fp32, which rounds less
  const std::string naive = narrow ? "naive attention with S in fp32" : "naive attention";
  const std::string verdict =
      report->verdict == Verdict::NotFinite ? "not finite"
      : narrow && kept ? fmt::format("at most {} is allowed, as S is rounded", distance_text(worst.bound))
      : narrow         ? fmt::format("more than {}, which the rounding of S allows", distance_text(worst.bound))
      : kept           ? "at most twice that is allowed"
                       : "more than twice that";
  const std::string rows = worst.rows == worst.of_rows
                               ? (worst.rows == 1 ? "its one row" : "all " + counted(worst.rows, "row"))
                               : fmt::format("{} of {}", format_count(worst.rows), counted(worst.of_rows, "row"));
  model.figure = distance_text(worst.error);
  model.text =
      fmt::format("{} is at most {} from float64. {} in {}: {}; {} · {} compared", name_of(worst.tensor), model.figure,
                  capitalized(naive), name_of(p.numerics.dtype), distance_text(worst.plain), verdict, rows);
  if (!at_end) model.mark = AccuracyMark::None, model.text = "compared with float64 at the end of the walk";
  for (const QuantityError& q : report->quantities)
    model.detail += fmt::format("{}: {} from float64; {} {}; allowed {}\n", name_of(q.tensor), distance_text(q.error),
                                naive, distance_text(q.plain), distance_text(q.bound));
  model.detail += fmt::format(
      "FlashAttention's rule: at most twice the distance of {} in the same precision ({}), plus {}, by "
      "which roundings alone may part two right results. Compared: {}.",
      naive, name_of(p.numerics.dtype), distance_text(worst.floor), rows);
  return model;
}

}  // namespace tilewalk
