#include "lab/judge/visit_mistakes.h"

#include <algorithm>
#include <numbers>
#include <string>

namespace tilewalk {
namespace {

bool is_inherited(const JudgedInputs& in, const WrongVisit& visit, std::int64_t bc) {
  return misfit(in, Slip{}, visit, bc) < kUnbounded;  // the step is right, only the state before it was not
}

std::size_t count_explained(const JudgedInputs& in, const Slip& slip, const NumberedVisits& visits, std::int64_t bc,
                            const std::vector<bool>& inherited) {
  std::size_t out = 1;  // the first
  for (std::size_t i = 1; i < visits.size(); ++i)
    out += inherited[i] || misfit(in, slip, visits[i].second, bc) < kUnbounded;
  return out;
}

std::vector<bool> inherited_of(const JudgedInputs& in, const NumberedVisits& visits, std::int64_t bc) {
  std::vector<bool> out;
  for (const auto& [number, rows] : visits) out.push_back(is_inherited(in, rows, bc));
  return out;
}

struct SlipPair {
  const Slip *first = nullptr, *second = nullptr;
};

// Two slips that together explain the first visit, and most of the others. `one`: the first is known.
SlipPair explaining_pair(const JudgedInputs& in, const NumberedVisits& visits, std::int64_t bc, const Slip* one) {
  const std::vector<bool> inherited = inherited_of(in, visits, bc);
  SlipPair best;
  std::size_t most = 0;
  const auto attempt = [&](const Slip& a, const Slip& b) {
    if (a.rounds() || b.rounds()) return;
    const std::optional<Slip> both = both_slips(a, b);
    if (!both || misfit(in, *both, visits.front().second, bc) == kUnbounded) return;
    const std::size_t explained = count_explained(in, *both, visits, bc, inherited);
    if (explained > most) best = {&a, &b}, most = explained;
  };
  const std::span<const Slip> all = all_slips();
  if (one)
    for (const Slip& other : all) attempt(*one, other);
  else
    for (std::size_t a = 0; a < all.size(); ++a)
      for (std::size_t b = a + 1; b < all.size(); ++b) attempt(all[a], all[b]);
  return best;
}

Diagnosis diagnosis_of(const Slip& slip, std::int64_t visit) {
  std::string sentence = slip.sentence;
  sentence.replace(sentence.find("{}"), 2, (slip.since ? "since visit " : "at visit ") + std::to_string(visit + 1));
  return {slip.name, sentence};
}

// The first visit that the slip does not explain, and those after it.
NumberedVisits unexplained(const JudgedInputs& in, const NumberedVisits& visits, std::int64_t bc, const Slip& slip) {
  for (std::size_t i = 1; i < visits.size(); ++i)
    if (!is_inherited(in, visits[i].second, bc) && misfit(in, slip, visits[i].second, bc) == kUnbounded)
      return {visits.begin() + std::ptrdiff_t(i), visits.end()};
  return {};
}

// m and l were given to the mark in each other's place: in every row they fit when exchanged. m of base 2 is in log2
// units, and came here times ln 2.
bool is_exchanged(const WrongVisit& visit) {
  if (visit.empty()) return false;
  for (const double unit : {1.0, std::numbers::ln2}) {
    const auto fits = [&](const RowCase& c) {
      if (!c.got.l || c.exact.sees_nothing()) return false;
      return fit_of(c.exact, {.m = *c.got.l * unit, .l = c.got.m / unit, .o = {}}).l;
    };
    if (std::all_of(visit.begin(), visit.end(), fits)) return true;
  }
  return false;
}

}  // namespace

const Slip* explaining_slip(const JudgedInputs& in, const NumberedVisits& visits, std::int64_t bc) {
  if (visits.empty()) return nullptr;
  const std::vector<bool> inherited = inherited_of(in, visits, bc);
  const WrongVisit& first = visits.front().second;
  const auto repeats = [](const RowCase& c) { return c.repeats; };
  if (inherited.front() && std::all_of(first.begin(), first.end(), repeats)) return &added_again();
  const Slip* best = nullptr;
  double least = kUnbounded;
  std::size_t most = 0;
  for (const Slip& slip : all_slips()) {
    const double off = misfit(in, slip, first, bc);
    if (off == kUnbounded) continue;
    const std::size_t explained = count_explained(in, slip, visits, bc, inherited);
    // An earlier slip is likelier: a later one must explain more, or fit much better.
    if (!best || explained > most || (explained == most && least > 1 && off < 0.2 * least))
      best = &slip, least = off, most = explained;
  }
  return best;
}

VisitMistakes mistakes_of(const JudgedInputs& in, const NumberedVisits& visits, std::int64_t bc) {
  if (visits.empty()) return {};
  const std::int64_t number = visits.front().first;
  VisitMistakes out;
  if (is_exchanged(visits.front().second)) {
    out.first = {"m-l-exchanged",
                 "m and ℓ are exchanged in the mark: m comes before ℓ, as in visit_done(i, j, m, l, o)."};
    return out;
  }
  const Slip* const slip = explaining_slip(in, visits, bc);
  const auto second_of = [](Diagnosis found) {
    found.sentence = "A second mistake: " + found.sentence;
    return found;
  };
  if (!slip) {
    const SlipPair pair = explaining_pair(in, visits, bc, nullptr);
    if (!pair.first) return out;
    out.first = diagnosis_of(*pair.first, number);
    out.second = second_of(diagnosis_of(*pair.second, number));
    return out;
  }
  out.first = diagnosis_of(*slip, number);
  const NumberedVisits rest = slip->rounds() ? NumberedVisits{} : unexplained(in, visits, bc, *slip);
  if (rest.empty()) return out;
  const std::int64_t later = rest.front().first;
  const Slip* other = explaining_slip(in, rest, bc);
  if (!other) other = explaining_pair(in, rest, bc, slip).second;
  out.second = other ? second_of(diagnosis_of(*other, later))
                     : Diagnosis{"", "A second mistake remains: visit " + std::to_string(later + 1) +
                                         " is wrong in another way too."};
  return out;
}

}  // namespace tilewalk
