#include "dispatch/xformers_kernels.h"

#include <algorithm>

#include "dispatch/rule_checks.h"

namespace tilewalk {
namespace {

std::string none_of_flash(const Call& c) {
  if (c.sm() < 80) return "SM 8.0 at least";
  if (!c.is_16_bit()) return "16 bits";
  if (c.has_mask()) return "no attn_mask";
  if (std::max(c.d, c.value_size()) > 256) return "d 256 at most";
  if (c.d % 8 != 0) return "d a multiple of 8";
  if (c.is_causal && c.n_q != c.keys()) return "causal only with as many keys as queries";
  return "";
}

std::string none_of_flash3(const Call& c) {
  if (c.sm() > 90) return "SM 9.0 at most";
  if (std::string refuses = none_of_flash(c); !refuses.empty()) return refuses;
  if (std::min(c.d, c.value_size()) < 32) return "d 32 at least";
  if (c.value_size() % 8 != 0) return "d of V a multiple of 8";
  if (c.sm() < 90 && c.d != c.value_size()) return "the same d for V below SM 9.0";
  if (c.dropout != 0) return "no dropout";
  // Few query rows that share keys: FA-3 is taken off the list.
  const bool shares = c.heads != c.heads_of_kv() && !c.training;
  if (shares && c.n_q <= 32 && c.keys() >= 256 && c.batch * c.heads < 64) return "not for few queries of grouped heads";
  return "";
}

std::string none_of_flash2(const Call& c) {
  if (std::string refuses = none_of_flash(c); !refuses.empty()) return refuses;
  return c.d == c.value_size() ? "" : "the same d for V";
}

std::string none_of_cutlass(const Call& c) {
  if (c.sm() > 90) return "SM 9.0 at most";
  if (c.mask == CallMask::Bool) return "attn_mask as numbers, which are added to the scores";
  const RuleNumbers none;
  const Finding aligned =
      check_named("d_aligned")
          ->look({.call = c, .cuda = {}, .cudnn = {}, .backend = SdpaBackend::Efficient, .numbers = none});
  return aligned.ok ? "" : "d in steps that tensor cores support";
}

}  // namespace

std::vector<XformersTry> xformers_tries(const Call& call) {
  return {{XformersKernel::Flash3, "FA-3", none_of_flash3(call)},
          {XformersKernel::Flash2, "FA-2", none_of_flash2(call)},
          {XformersKernel::Cutlass, "CUTLASS", none_of_cutlass(call)}};
}

}  // namespace tilewalk
