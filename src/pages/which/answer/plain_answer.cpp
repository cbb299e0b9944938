#include "pages/which/answer/plain_answer.h"

#include <fmt/format.h>

#include "base/words.h"
#include "dispatch/kernel/shows.h"
#include "dispatch/rule_checks.h"

namespace tilewalk {
namespace {

// The name in the races; MATH, which does not race, has PyTorch's name.
const char* short_name(SdpaBackend backend) {
  const std::optional<Contender> contender = contender_of(backend);
  return contender ? contender_row(*contender).short_title : torch_name(backend);
}

// "FA-2" becomes "FlashAttention-2".
std::string in_full(const std::string& generation) {
  return generation.starts_with("FA-") ? "FlashAttention-" + generation.substr(3) : generation;
}

std::string kernel_of(SdpaBackend backend, const Call& call, const RuleTable& table) {
  switch (backend) {
    case SdpaBackend::Flash: return call.on_gpu ? in_full(table.flash_generation) : "its own FlashAttention for CPUs";
    case SdpaBackend::Efficient: return "the memory-efficient kernel";
    case SdpaBackend::Math: return "plain attention";
    case SdpaBackend::Cudnn: return "cuDNN's FlashAttention";
  }
  return "";
}

std::string refusal_of(const RuleAnswer& failed) {
  return failed.rule->check == "enabled" ? "it is switched off" : refusal_words(*failed.rule);
}

}  // namespace

PlainAnswer plain_answer(const Call& call, const RuleTable& table, const WhichAnswer& answer) {
  PlainAnswer out;
  std::string others;  // what PyTorch tries before the kernel that runs, besides the subject of the refusal
  for (const BackendAnswer& one : answer.backends) {
    if (one.backend == answer.runs) break;
    const RuleAnswer* const failed = one.tried ? one.failed() : nullptr;
    if (!failed) continue;
    const std::string name = short_name(one.backend), why = refusal_of(*failed);
    if (out.refusal.empty() && is_refused_for_call(*failed->rule))
      out.refusal = fmt::format("{} refuses this call: {}", name, why);
    else
      add_to_list(others, fmt::format("{} refuses the call: {}.", name, why), " ");
  }
  if (!answer.runs) return out;
  out.runs = fmt::format("PyTorch {} runs {}.", table.version, kernel_of(*answer.runs, call, table));
  const BackendAnswer* const runs = answer.of(*answer.runs);
  if (call.enabled.size() == 1)
    out.because = "sdpa_kernel allows no other backend.";
  else if (out.refusal.empty() && others.empty())
    out.because = fmt::format("It tries {} first, and this call meets all {} of its conditions.",
                              short_name(*answer.runs), runs ? runs->checks.size() : 0);
  else
    out.because = others;
  return out;
}

PlainAnswer plain_answer(const EntryPointAnswer& way) {
  if (!way.runs) return {};
  const std::string kernel = way.shown.schedule == shows::unfused ? "plain attention"
                             : way.shown.generation.empty()       ? "a kernel of its own"
                                                                  : in_full(way.shown.generation);
  return {.runs = way.name + " runs " + kernel + ".",
          .because = "This way in has its own kernel: PyTorch chooses nothing."};
}

}  // namespace tilewalk
