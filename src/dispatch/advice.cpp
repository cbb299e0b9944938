#include "dispatch/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/contains.h"
#include "base/divide.h"
#include "base/units.h"
#include "dispatch/call_words.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMost = 4;

// How much a change alters the meaning of the call.
enum Weight { kNothing, kMemory, kRounding, kGradients, kMeaning };

bool is_one(const Call& c, const std::string& variable) {
  const auto at = c.env.find(variable);
  return at != c.env.end() && at->second == "1";
}

struct Change {
  Weight weight{};
  std::string words, costs;
  std::function<void(Call&)> apply;
};

void switches(const Call& c, std::vector<Change>& out) {
  if (!c.enabled.empty()) {
    out.push_back({kNothing, "leave sdpa_kernel out, so that every backend is enabled", "", [](Call& x) {
                     x.enabled.clear();
                     x.set_priority = false;
                   }});
    for (const SdpaBackend backend : kAllBackends)
      if (!contains(c.enabled, backend))
        out.push_back({kNothing, fmt::format("add SDPBackend.{} to sdpa_kernel's list", torch_name(backend)), "",
                       [backend](Call& x) { x.enabled.insert(x.enabled.begin(), backend); }});
    if (c.set_priority)
      out.push_back({kNothing, "leave set_priority out", "", [](Call& x) { x.set_priority = false; }});
  }
  for (const auto& [name, value] : c.env)
    out.push_back({kNothing, "unset " + name, "", [variable = name](Call& x) { x.env.erase(variable); }});
  if (c.deterministic == Deterministic::On)
    out.push_back({c.training ? kGradients : kNothing, "torch.use_deterministic_algorithms(True, warn_only=True)",
                   c.training ? "gradients may differ from run to run"
                              : "other operations of the program may differ from run to run, with a warning",
                   [](Call& x) { x.deterministic = Deterministic::Warn; }});
  if (c.training)
    out.push_back({kGradients, "torch.no_grad(), if nothing is learnt here", "no gradients",
                   [](Call& x) { x.training = false; }});
}

void masks(const Call& c, std::vector<Change>& out) {
  if (!c.has_mask()) return;
  if (c.mask == CallMask::FloatGrad)
    out.push_back({kGradients, "attn_mask.requires_grad_(False)", "the mask is no longer learnt",
                   [](Call& x) { x.mask = CallMask::Float; }});
  if (c.is_causal)
    out.push_back({kNothing, "write the causal part into attn_mask and leave is_causal out", "",
                   [](Call& x) { x.is_causal = false; }});
  if (!c.is_causal && c.n_q == c.keys())
    out.push_back(
        {kMeaning, "drop the mask; if it is only causal, is_causal=True", "only if the mask is causal", [](Call& x) {
           x.mask = CallMask::None;
           x.is_causal = true;
         }});
  else
    out.push_back({kMeaning, "drop the mask, if it masks nothing", "only if the mask masks nothing",
                   [](Call& x) { x.mask = CallMask::None; }});
}

// A decoder's new query is its last row; is_causal takes it for the first.
void causal(const Call& c, std::vector<Change>& out) {
  if (c.is_causal && c.n_q == 1 && c.keys() > 1)
    out.push_back({kMeaning, "is_causal=False: the new query of a decoder may see all keys",
                   fmt::format("the query sees {} keys; with is_causal it sees key 0 alone", format_count(c.keys())),
                   [](Call& x) { x.is_causal = false; }});
}

void shapes(const Call& c, std::vector<Change>& out) {
  if (c.layout == CallLayout::Strided)
    out.push_back({kMemory, "q, k, v = q.contiguous(), k.contiguous(), v.contiguous()", "a copy of Q, K and V",
                   [](Call& x) { x.layout = CallLayout::Bhnd; }});
  if (c.layout == CallLayout::Bhnd)
    out.push_back({kMemory, "store Q, K and V as [batch, N, heads, d], and pass q.transpose(1, 2), likewise k and v",
                   "a copy of Q, K and V, unless they are computed in that order",
                   [](Call& x) { x.layout = CallLayout::Bnhd; }});
  if (c.heads != c.heads_of_kv() && !c.enable_gqa && c.heads % c.heads_of_kv() == 0)
    out.push_back({kNothing, "enable_gqa=True", "", [](Call& x) { x.enable_gqa = true; }});
  if (c.heads != c.heads_of_kv() && c.heads % c.heads_of_kv() == 0)
    out.push_back(
        {kMemory,
         fmt::format("repeat K and V to {} heads: k.repeat_interleave({}, dim=1)", c.heads, c.heads / c.heads_of_kv()),
         fmt::format("K and V take {} times the memory", c.heads / c.heads_of_kv()), [](Call& x) {
           x.kv_heads.reset();
           x.enable_gqa = false;
         }});
  const std::int64_t wide = round_up(std::max(c.d, c.value_size()), 8);
  if (c.d % 8 || c.value_size() % 8)
    out.push_back({kMemory,
                   c.d == c.value_size() ? fmt::format("pad d from {} to {} with zeros and give scale={:.4g}", c.d,
                                                       round_up(c.d, 8), 1 / std::sqrt(double(c.d)))
                                         : "pad both head sizes to a multiple of 8 with zeros, and give scale",
                   "a copy of Q, K and V", [](Call& x) {
                     x.d_v = round_up(x.value_size(), 8);
                     x.d = round_up(x.d, 8);
                     if (*x.d_v == x.d) x.d_v.reset();
                   }});
  if (c.d != c.value_size())
    out.push_back({kMemory,
                   fmt::format("pad {} to {} with zeros{}, so that Q, K and V have one head size",
                               c.d < c.value_size() ? "Q's and K's head size" : "V's head size", wide,
                               wide != c.d ? ", and give scale" : ""),
                   "a copy of what is padded", [wide](Call& x) {
                     x.d = wide;
                     x.d_v.reset();
                   }});
}

void numbers(const Call& c, std::vector<Change>& out) {
  const auto cast = [&](CallType type, const char* torch, const char* costs) {
    if (c.type != type)
      out.push_back({kRounding,
                     fmt::format("cast Q, K and V to torch.{}{}", torch, c.has_mask() ? ", and the mask" : ""), costs,
                     [type](Call& x) { x.type = type; }});
  };
  if (!c.is_16_bit() || c.sm() < 80) {
    if (c.sm() >= 80 || !c.on_gpu) cast(CallType::Bf16, "bfloat16", "numbers of 8 significant bits");
    if (c.on_gpu) cast(CallType::Fp16, "float16", "numbers of 11 significant bits, none above 65504");
  }
  if (c.type == CallType::Fp64) cast(CallType::Fp32, "float32", "numbers of 24 significant bits");
  if (c.dropout > 0) {
    const double sixteenth = std::max(1.0, std::round(c.dropout * 16)) / 16;
    if (sixteenth != c.dropout && sixteenth < 1)
      out.push_back({kRounding, fmt::format("dropout_p={}, a multiple of 1/16", format_number(sixteenth)),
                     "another share is dropped", [sixteenth](Call& x) { x.dropout = sixteenth; }});
    out.push_back({kMeaning, "dropout_p=0", "nothing is dropped", [](Call& x) { x.dropout = 0; }});
  }
}

// A wheel that has kernels for the GPU.
void wheels(const Call& c, const RuleTable& table, std::vector<Change>& out) {
  if (!c.on_gpu || c.build == TorchBuild::Source || wheel_has(table, c.cuda.value_or(table.cuda), c.sm())) return;
  if (const std::optional<Version> cuda = wheel_for(table, c.sm()))
    out.push_back({kNothing, fmt::format("install PyTorch's wheel for CUDA {}", text_of(*cuda)), "",
                   [cuda](Call& x) { x.cuda = cuda; }});
  out.push_back({kMemory, fmt::format("build PyTorch from source for SM {}", sm_text(c.sm())), "a long build",
                 [](Call& x) { x.build = TorchBuild::Source; }});
}

// Variables that a backend's rule needs.
void variables(const Call& c, const RuleTable& table, std::vector<Change>& out) {
  if (!c.on_gpu) return;
  for (const char* const name : kVariables)
    for (const auto& [backend, rules] : table.gpu)
      if (std::any_of(rules.begin(), rules.end(), [&, variable = name](const Rule& rule) {
            const auto at = rule.numbers.text.find("variable");
            return at != rule.numbers.text.end() && at->second == variable && !is_one(c, variable);
          }))
        out.push_back({kNothing, fmt::format("set {}=1 in the environment", name), "",
                       [variable = name](Call& x) { x.env[variable] = "1"; }});
}

std::vector<Change> changes_of(const Call& call, const RuleTable& table) {
  std::vector<Change> out;
  wheels(call, table, out);
  switches(call, out);
  variables(call, table, out);
  masks(call, out);
  causal(call, out);
  shapes(call, out);
  numbers(call, out);
  return out;
}

}  // namespace

int speed_rank(const Call& call, std::optional<SdpaBackend> backend) {
  if (!backend) return 0;
  const bool cudnn_leads = call.sm() / 10 == 9 || call.sm() / 10 == 10;
  switch (*backend) {
    case SdpaBackend::Math: return 1;
    case SdpaBackend::Efficient: return 2;
    case SdpaBackend::Flash: return cudnn_leads ? 3 : 4;
    case SdpaBackend::Cudnn: return cudnn_leads ? 4 : 3;
  }
  return 0;
}

std::string rank_words(const Call& call) {
  if (!call.on_gpu) return "FLASH, MATH";
  const bool cudnn_leads = speed_rank(call, SdpaBackend::Cudnn) > speed_rank(call, SdpaBackend::Flash);
  return cudnn_leads ? "cuDNN, FLASH, EFFICIENT, MATH" : "FLASH, cuDNN, EFFICIENT, MATH";
}

std::vector<Advice> advice_for(const Call& call, const RuleTable& table) {
  struct Tried {
    int weight = 0, rank = 0;
    Advice advice;
  };
  const int now = speed_rank(call, answer_of(call, table).runs);
  const std::vector<Change> changes = changes_of(call, table);
  std::vector<Tried> found;
  const auto attempt = [&](Call with, std::string words, std::string costs, int weight) {
    const std::optional<SdpaBackend> runs = answer_of(with, table).runs;
    if (runs && with.has_mask() && contains(table.drops_mask, *runs)) return;  // another result, not a faster one
    if (const int rank = speed_rank(with, runs); rank > now)
      found.push_back({weight, rank, {std::move(words), std::move(costs), std::move(with), *runs}});
  };
  for (const Change& change : changes) {
    Call with = call;
    change.apply(with);
    attempt(std::move(with), change.words, change.costs, change.weight);
  }
  if (found.empty())
    for (std::size_t i = 0; i < changes.size(); ++i)
      for (std::size_t j = i + 1; j < changes.size(); ++j) {
        Call with = call;
        changes[i].apply(with);
        changes[j].apply(with);
        const auto join = [](const std::string& a, const std::string& b, const char* between) {
          return a.empty() || b.empty() || a == b ? (a.empty() ? b : a) : a + between + b;
        };
        attempt(std::move(with), join(changes[i].words, changes[j].words, "; and "),
                join(changes[i].costs, changes[j].costs, "; "), changes[i].weight + changes[j].weight);
      }
  std::stable_sort(found.begin(), found.end(), [](const Tried& a, const Tried& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.rank > b.rank;
  });
  std::vector<Advice> out;
  for (Tried& each : found) {  // a heavier change must gain more, or reach the best backend in another way
    const auto same = [&](const Advice& kept) { return kept.call == each.advice.call; };
    if (out.size() < kMost && std::none_of(out.begin(), out.end(), same)) out.push_back(std::move(each.advice));
  }
  return out;
}

}  // namespace tilewalk
