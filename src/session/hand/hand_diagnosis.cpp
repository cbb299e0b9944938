#include "session/hand/hand_diagnosis.h"

#include <cmath>

#include "base/typed_number.h"

namespace tilewalk {
namespace {

// The sources of a number as they are printed, in two decimals, and the number that a person computes from these. It
// may differ from the kernel's number in its second digit.
using Letter = Quantity;

double output(const HandFacts& f) {
  if (f.reads(Letter::PV)) return (f.alpha * f.l_old * f.o_before + f.beta * f.pv) / f.l;
  if (f.reads(Letter::O)) return f.undivided / f.l;
  const double part = dot(f.p, f.v);
  if (f.first_visit) return part;
  return (f.reads(Letter::Alpha) ? f.alpha : 1) * f.o_before + part;
}

double sum(const HandFacts& f) {
  if (!f.log_sums.empty()) return NAN;
  const double part = f.reads(Letter::TileSum) ? f.beta * f.tile_l : sum_of(f.p);
  return f.reads_before(Letter::L) && !f.first_visit ? f.alpha * f.l_old + part : part;
}

double computed(const HandFacts& f) {
  switch (f.place.quantity) {
    case Letter::O: return output(f);
    case Letter::L: return sum(f);
    case Letter::TileSum: return sum_of(f.p);
    case Letter::Alpha: return f.power(f.m_old - f.m);
    case Letter::Beta: return f.power(f.tile_max - f.m);
    case Letter::D: return dot(f.do_row, f.o_row);
    case Letter::DP: return dot(f.do_row, f.v_row);
    default: return NAN;
  }
}

// `right` is computed from the printed sources; NaN for a quantity without such a rule.
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

// True if the typed number is that of the printed sources, and these are as near to the right one as rounding leaves
// them.
bool answers_from_print(double typed, const HandFacts& facts) {
  constexpr double kMostRounding = 0.04;  // as a share: more is no rounding of two digits
  const double printed = printed_facts(facts).right;
  return std::isfinite(printed) && answers(typed, printed) &&
         std::fabs(printed - facts.right) <= kMostRounding * std::fabs(facts.right);
}

}  // namespace

std::string how_far_off(double typed, double right) {
  if (std::isinf(right)) return "It is no finite number.";
  if (std::isinf(typed)) return "It is finite.";
  const double off = typed - right;
  if (right == 0) return off > 0 ? "Too large." : "Too small.";
  if (typed != 0 && (typed < 0) != (right < 0)) return typed < 0 ? "Not below 0." : "Not above 0.";
  const double times = std::fabs(typed / right);
  const std::string direction = off > 0 ? "Too large" : "Too small";
  if (times > 0.9 && times < 1.1) return direction + ", but close. Two digits must be right.";
  if (times > 0.65 && times < 1.5) return direction + ", not by much.";
  if (times > 4 || times < 0.25) return direction + ", by far.";
  return direction + ", by about half or twice.";
}

namespace {

// The first slip or classic mistake whose number fits.
template <class Fits>
std::optional<HandDiagnosis> first_mistake(HandValues& values, const HandKey& key, const HandFacts& facts,
                                           const Fits& fits) {
  for (const HandSlip& slip : slips_of(facts))
    if (fits(slip.value)) return HandDiagnosis{slip.name, slip.words};
  for (const Fault fault : all_faults())
    if (const std::optional<double> value = values.under(fault, key); value && !std::isnan(*value) && fits(*value))
      return HandDiagnosis{name_of(fault), std::string("A walk with this mistake gives that number: ") +
                                               description_of(fault) + " " + harm_of(fault)};
  return std::nullopt;
}

}  // namespace

HandDiagnosis diagnosed(HandValues& values, const HandKey& key, double typed) {
  const HandFacts facts = facts_of(values, key);
  const auto as_printed = [](double value) { return std::round(value * 100) / 100; };
  const auto fits = [&](double value) {
    const bool same = answers(typed, value) || (typed != 0 && std::fabs(typed - as_printed(value)) < 1e-9);
    return same && !answers(value, facts.right);
  };
  if (const auto mistake = first_mistake(values, key, facts, fits)) return *mistake;
  for (const HandSlip& slip : slips_of(printed_facts(facts)))
    if (fits(slip.value)) return HandDiagnosis{slip.name, slip.words};
  return HandDiagnosis{"", how_far_off(typed, facts.right)};
}

bool answers_field(HandValues& values, const HandKey& key, double typed) {
  const std::optional<double> right = values.right(key);
  if (!right) return false;
  if (answers(typed, *right)) return true;
  const HandFacts facts = facts_of(values, key);
  if (!answers_from_print(typed, facts)) return false;
  const double off = std::fabs(typed - printed_facts(facts).right);
  const auto nearer = [&](double value) {
    return !answers(value, *right) && answers(typed, value) && std::fabs(typed - value) < off;
  };
  return !first_mistake(values, key, facts, nearer);
}

std::optional<HandDiagnosis> mistake_in_digits(HandValues& values, const HandKey& key, double typed) {
  const std::optional<double> right = values.right(key);
  if (!right || rounds(typed, *right)) return std::nullopt;
  return first_mistake(values, key, facts_of(values, key),
                       [&](double value) { return shows_mistake(typed, *right, value); });
}

}  // namespace tilewalk
