#include "trace/not_finite.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "core/replay/replay.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

// What may pass the largest number of its type, in the order in which a walk makes it.
enum class Overflow { Score, Weight, SumO, GradP, GradS, SumDQ, SumDK, SumDV, O, Stored };

struct Passed {
  Overflow made{};
  bool in_fp32 = false;  // else in the dtype
  bool operator<(const Passed& other) const { return made < other.made; }
};

class Search : public VisitSink {
 public:
  Search(const Problem& p, const std::function<bool()>& go_on) : p_(p), go_on_(go_on) {}
  bool on_visit(const VisitState& v) override {
    const bool stored = row_of(p_).memory.scores_in_hbm;  // dS is in the dtype, as it was stored
    for (const float s : v.s)
      if (std::isnan(s) || s == INFINITY) passed(Overflow::Score, true);
    look(Overflow::Weight, v.p);
    look(Overflow::SumO, v.o);
    look(Overflow::GradP, v.dp);
    look(Overflow::GradS, v.ds, !stored);
    look(Overflow::SumDQ, v.dq);
    look(Overflow::SumDK, v.dk);
    look(Overflow::SumDV, v.dv);
    return !go_on_ || go_on_();
  }
  const std::set<Passed>& found() const { return found_; }
  void passed(Overflow made, bool in_fp32) { found_.insert({made, in_fp32}); }

 private:
  void look(Overflow made, const std::vector<float>& values, bool in_fp32 = true) {
    const bool operand =
        made == Overflow::Weight || made == Overflow::GradS;  // of a product, and so rounded to the dtype
    for (const float x : values)
      if (!std::isfinite(x) || (operand && !std::isfinite(round_to(p_.numerics.dtype, x))))
        return passed(made, in_fp32 && !std::isfinite(x));
  }

  const Problem& p_;
  const std::function<bool()>& go_on_;
  std::set<Passed> found_;
};

// What each result is made of.
std::vector<Overflow> made_of(TensorId id) {
  switch (id) {
    case TensorId::L: return {Overflow::Score, Overflow::Weight};
    case TensorId::O: return {Overflow::Score, Overflow::Weight, Overflow::SumO};
    case TensorId::dQ:
      return {Overflow::Score, Overflow::O, Overflow::Weight, Overflow::GradP, Overflow::GradS, Overflow::SumDQ};
    case TensorId::dK:
      return {Overflow::Score, Overflow::O, Overflow::Weight, Overflow::GradP, Overflow::GradS, Overflow::SumDK};
    case TensorId::dV: return {Overflow::Score, Overflow::Weight, Overflow::SumDV};
    default: return {};
  }
}

const char* what_passes(Overflow made) {
  switch (made) {
    case Overflow::Score: return "scores";
    case Overflow::Weight: return "values of P";
    case Overflow::SumO: return "sums of P V";
    case Overflow::GradP: return "values of dP";
    case Overflow::GradS: return "values of dS";
    case Overflow::SumDQ: return "sums of dS K";
    case Overflow::SumDK: return "sums of dS Q";
    case Overflow::SumDV: return "sums of P dO";
    case Overflow::O:
    case Overflow::Stored: break;
  }
  return "they";
}

std::string way_out(const Problem& p, const std::vector<TensorId>& results, const Passed& passed) {
  if (p.fault != Fault::None) return std::string("The mistake does it: ") + title_of(p.fault);
  const bool in_fp16 = !passed.in_fp32 && p.numerics.dtype == DType::Fp16;
  const std::string other = in_fp16 ? "Use bf16 or fp32, or make " : "Make ";
  switch (passed.made) {
    case Overflow::Score: return other + "Q, K or the scale smaller";
    case Overflow::Weight:
      return other + (row_of(p).settings.rescale_threshold ? "the threshold smaller" : "Q or K smaller");
    case Overflow::Stored:
      if (results.front() == TensorId::O) return other + "V smaller";
      return other + (results.back() == TensorId::dV ? "dO smaller" : "dO, V or the scale smaller");
    case Overflow::SumO: return other + "V smaller";
    case Overflow::SumDV: return other + "dO smaller";
    default: return other + "dO, V or the scale smaller";
  }
}

std::string sentence(const Problem& p, const std::vector<TensorId>& results, const Passed& passed) {
  const std::string begin = listed(results) + (results.size() == 1 ? " is" : " are") + " not finite: ";
  if (passed.made == Overflow::O) return begin + "O of the forward pass is not";
  const DType type = passed.in_fp32 ? DType::Fp32 : p.numerics.dtype;
  const char* largest = type == DType::Fp16 ? "65,504" : "3.4e38";
  const bool one = passed.made == Overflow::Stored && results.size() == 1;
  return begin + (one ? "it" : what_passes(passed.made)) + (one ? " passes " : " pass ") + largest +
         ", the largest number of " + name_of(type) + ". " + way_out(p, results, passed);
}

}  // namespace

std::string listed(const std::vector<TensorId>& ids) {
  return listed(ids, " and ", [](TensorId id) { return name_of(id); });
}

std::vector<std::string> why_not_finite(const Inputs& inputs, const std::vector<TensorId>& results,
                                        const std::function<bool()>& go_on) {
  const Problem& p = inputs.problem();
  const auto is_gradient = [](TensorId id) { return id != TensorId::O && id != TensorId::L; };
  const Problem forward = row_of(p).family.forward == p.schedule ? p : forward_of(p);
  Search of_forward(forward, go_on), of_gradients(p, go_on);
  if (!std::all_of(results.begin(), results.end(), is_gradient)) {
    Replay(make_schedule(forward), inputs.under(forward)).walk(of_forward);
    if (contains(results, TensorId::O)) of_gradients.passed(Overflow::O, true);
    if (of_forward.found().contains({Overflow::Score})) of_gradients.passed(Overflow::Score, true);
  }
  if (std::any_of(results.begin(), results.end(), is_gradient)) Replay(make_schedule(p), inputs).walk(of_gradients);

  std::vector<std::pair<Passed, std::vector<TensorId>>> causes;
  for (const TensorId id : results) {
    const std::set<Passed>& found = (is_gradient(id) ? of_gradients : of_forward).found();
    Passed cause{Overflow::Stored, p.numerics.dtype == DType::Fp32};
    for (const Overflow made : made_of(id))
      if (const auto at = found.find({made}); at != found.end()) {
        cause = *at;
        break;
      }
    const auto same = std::find_if(causes.begin(), causes.end(), [&](const auto& c) {
      return c.first.made == cause.made &&
             (cause.made == Overflow::Score || is_gradient(c.second.front()) == is_gradient(id));
    });
    if (same == causes.end())
      causes.push_back({cause, {id}});
    else
      same->second.push_back(id);
  }
  std::vector<std::string> out;
  for (const auto& [cause, ids] : causes) out.push_back(sentence(is_gradient(ids.front()) ? p : forward, ids, cause));
  return out;
}

}  // namespace tilewalk
