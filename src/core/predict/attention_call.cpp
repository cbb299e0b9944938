#include "core/predict/attention_call.h"

#include <cmath>

namespace tilewalk {

Issues why_no_call(const AttentionCall& call) {
  constexpr std::int64_t kMost = std::int64_t(1) << 24, kMostDepth = 65536;
  Issues issues;
  const auto within = [&](const char* field, std::int64_t value, std::int64_t most) {
    if (value < 1 || value > most)
      issues.push_back({field, std::to_string(value), "must be 1 to " + std::to_string(most),
                        "Try " + std::to_string(value < 1 ? 1 : most)});
  };
  within("n", call.n, kMost);
  if (call.n_kv != 0) within("n-kv", call.n_kv, kMost);
  within("d", call.d, kMostDepth);
  within("heads", call.heads, kMost);
  within("batch", call.batch, kMost);
  if (call.kv_heads != 0) within("kv-heads", call.kv_heads, kMost);
  if (!issues.empty()) return issues;
  if (call.kv_heads > 0 && call.heads % call.kv_heads != 0)
    issues.push_back({"kv-heads", std::to_string(call.kv_heads), "must divide heads, " + std::to_string(call.heads),
                      "Try " + std::to_string(call.heads)});
  if (call.causal && !call.square())
    issues.push_back({"n-kv", std::to_string(call.n_kv), "is not predicted under a causal mask, unless n is as long",
                      "Leave out the mask, or n-kv"});
  if (call.scores() * double(call.d) >= std::ldexp(1.0, 60))
    issues.push_back({"n", std::to_string(call.n), "makes more work than can be counted, with so many heads",
                      "Lower n, heads or batch"});
  return issues;
}

}  // namespace tilewalk
