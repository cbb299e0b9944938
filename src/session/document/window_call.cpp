#include "session/document/window_call.h"

#include <string_view>

#include "base/contains.h"
#include "core/problem/device_model.h"

namespace tilewalk {

Call start_call() {
  Call call;
  call.batch = 2, call.heads = 32, call.n_q = 8192;
  return call;
}

bool is_shape_field(const std::string& field) {
  constexpr std::string_view kFields[] = {"batch", "heads", "kv-heads", "n-q", "d"};
  return contains(kFields, field);
}

bool is_header_field(const std::string& field) { return contains(kHeaderFields, std::string_view(field)); }

bool is_of_the_call(Page page) { return page == Page::Race || page == Page::Roofline || page == Page::Which; }

namespace {

AttentionCall attention_call(const Call& c) {
  return {.n = c.n_q,
          .d = c.d,
          .heads = c.heads,
          .kv_heads = c.kv_heads.value_or(0),
          .batch = c.batch,
          .causal = c.is_causal,
          .dtype = c.type == CallType::Fp32   ? DType::Fp32
                   : c.type == CallType::Fp16 ? DType::Fp16
                                              : DType::Bf16};
}

}  // namespace

std::string why_not_modelled(const Call& c) {
  if (!c.on_gpu) return "its tensors are on the CPU";
  if (!device_named(c.device)) return "the rates of " + c.device + " are not known";
  if (c.type == CallType::Fp64) return "its type is fp64";
  if (c.n_q != c.keys()) return "N_kv differs from N_q";
  if (c.d != c.value_size()) return "the head size of V differs from d";
  const Issues issues = why_no_call(attention_call(c));
  return issues.empty() ? "" : issues.front().field + " " + issues.front().rule;
}

std::optional<AttentionCall> modelled_call(const Call& c) {
  return why_not_modelled(c).empty() ? std::optional(attention_call(c)) : std::nullopt;
}

void put(const AttentionCall& from, Call& to) {
  to.n_q = from.n;
  to.n_kv.reset();
  to.d = from.d;
  to.d_v.reset();
  to.batch = from.batch;
  to.heads = from.heads;
  to.kv_heads.reset();
  if (from.kv_heads > 0 && from.kv_heads != from.heads) to.kv_heads = from.kv_heads, to.enable_gqa = true;
  to.is_causal = from.causal;
  to.type = from.dtype == DType::Fp32 ? CallType::Fp32 : from.dtype == DType::Fp16 ? CallType::Fp16 : CallType::Bf16;
}

}  // namespace tilewalk
