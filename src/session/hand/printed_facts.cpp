#include "session/hand/printed_facts.h"

#include <numeric>

#include "base/typed_number.h"

namespace tilewalk {
namespace {

using Letter = Quantity;

double total_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double output(const HandFacts& f) {
  if (f.reads(Letter::PV)) return (f.alpha * f.l_old * f.o_before + f.beta * f.pv) / f.l;
  if (f.reads(Letter::O)) return f.undivided / f.l;
  const double part = dot(f.p, f.v);
  if (f.first_visit) return part;
  return (f.reads(Letter::Alpha) ? f.alpha : 1) * f.o_before + part;
}

double sum(const HandFacts& f) {
  if (!f.log_sums.empty()) return NAN;
  const double part = f.reads(Letter::TileSum) ? f.beta * f.tile_l : total_of(f.p);
  return f.reads_before(Letter::L) && !f.first_visit ? f.alpha * f.l_old + part : part;
}

double computed(const HandFacts& f) {
  switch (f.place.quantity) {
    case Letter::O: return output(f);
    case Letter::L: return sum(f);
    case Letter::TileSum: return total_of(f.p);
    case Letter::Alpha: return f.power(f.m_old - f.m);
    case Letter::Beta: return f.power(f.tile_max - f.m);
    case Letter::D: return dot(f.do_row, f.o_row);
    case Letter::DP: return dot(f.do_row, f.v_row);
    default: return NAN;
  }
}

}  // namespace

HandFacts printed_facts(const HandFacts& facts) {
  HandFacts out = facts;
  const auto print = [&](double& value) { value = typed_number(facts.number(value)).value_or(value); };
  for (double* value : {&out.m_old, &out.tile_max, &out.m, &out.alpha, &out.beta, &out.l_old, &out.l, &out.tile_l,
                        &out.against, &out.lse, &out.d, &out.o_before, &out.undivided, &out.pv})
    print(*value);
  for (std::vector<double>* values : {&out.s, &out.p, &out.v, &out.dp, &out.ds, &out.do_row, &out.v_row, &out.o_row})
    for (double& value : *values) print(value);
  out.right = computed(out);
  return out;
}

bool answers_from_print(double typed, const HandFacts& facts) {
  constexpr double kMostRounding = 0.04;  // as a share: more is no rounding of two digits
  const double printed = printed_facts(facts).right;
  return std::isfinite(printed) && answers(typed, printed) &&
         std::fabs(printed - facts.right) <= kMostRounding * std::fabs(facts.right);
}

}  // namespace tilewalk
