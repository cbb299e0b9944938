#include "lab/judge/row_case.h"

#include <cmath>

namespace tilewalk {
namespace {

constexpr double kSmallest = 0x1p-149;  // of fp32

double fitting_weight(const JudgedRow& exact, const KeptRow& got) {
  return exact.sees_nothing() ? 0 : std::exp(exact.lse() - got.m);
}
double share(OForm form, const JudgedRow& exact, const KeptRow& got) {
  return form == OForm::Divided ? 1 : fitting_weight(exact, got);
}
double o_bound(OForm form, const JudgedRow& exact, const KeptRow& got, std::size_t x) {
  const double by_sum = form == OForm::Sum ? exact.lse_bound() * std::fabs(exact.attention(x)) : 0;
  return (exact.attention_bound(x) + by_sum) * share(form, exact, got) + kSmallest;
}

bool fits_o(OForm form, const JudgedRow& exact, const KeptRow& got) {
  if (exact.sees_nothing()) {
    for (const double value : got.o)
      if (!(value == 0)) return false;
    return true;
  }
  const double weight = share(form, exact, got);
  std::optional<double> plain;
  for (std::size_t x = 0; x < got.o.size(); ++x) {
    const double distance = std::fabs(got.o[x] - exact.attention(x) * weight);
    const bool fits = keeps_rule(distance, o_bound(form, exact, got, x), [&] {
      if (!plain) plain = exact.plain_errors().attention * weight;
      return *plain;
    });
    if (!fits) return false;
  }
  return true;
}

}  // namespace

double RowCase::fitting_l() const { return fitting_weight(exact, got); }
double RowCase::fitting_o(std::size_t x) const { return exact.attention(x) * share(form, exact, got); }
double RowCase::l_tolerance() const { return 2 * exact.lse_bound() * fitting_l() + kSmallest; }
double RowCase::o_tolerance(std::size_t x) const { return 2 * o_bound(form, exact, got, x); }

RowFit fit_of(const JudgedRow& exact, const KeptRow& got) {
  RowFit fit;
  if (exact.sees_nothing()) {
    fit.l = (!got.l || *got.l == 0) && !std::isnan(got.m) && got.m < kUnbounded;
    fit.o_sum = fit.o_divided = fits_o(OForm::Sum, exact, got);
    return fit;
  }
  if (got.l)
    fit.l = keeps_rule(std::fabs(got.m + std::log(*got.l) - exact.lse()), exact.lse_bound(),
                       [&] { return exact.plain_errors().lse; });
  else
    fit.l = std::isfinite(got.m);
  fit.o_sum = fits_o(OForm::Sum, exact, got);
  fit.o_divided = fits_o(OForm::Divided, exact, got);
  return fit;
}

}  // namespace tilewalk
