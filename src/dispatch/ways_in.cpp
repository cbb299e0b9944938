#include "dispatch/ways_in.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse.h"

namespace tilewalk {
namespace {

constexpr const char* kWays =
    "sdpa, flash-attn:VERSION, xformers, flex, hf:eager, hf:sdpa, hf:flash_attention_2, hf:flash_attention_3, "
    "hf:flash_attention_4, hf:flex_attention";

// The generation that a name or a package's version is of.
std::optional<int> generation_of(const std::string& via) {
  std::string_view rest = via;
  if (via.starts_with("hf:flash_attention_")) {
    rest.remove_prefix(19);
    return within(parse_integer<int>(rest), 2, 4);
  }
  if (!via.starts_with("flash-attn:")) return std::nullopt;
  rest.remove_prefix(11);
  const std::string version(rest);
  return version_from(version) ? within(parse_integer<int>(take_until(rest, '.')), 1, 4) : std::nullopt;
}

void ask(WayAnswer& out, std::string says, bool ok, std::string value) {
  const bool before = out.runs;
  out.checks.push_back({std::move(says), before ? std::optional(ok) : std::nullopt, before ? std::move(value) : ""});
  out.runs = before && ok;
}

std::string sm_value(const Call& call) { return call.on_gpu ? "SM " + sm_text(call.sm()) : "a CPU"; }

// What a released FlashAttention asks for.
void ask_flash_attention(const Call& c, int generation, WayAnswer& out) {
  const int sm = c.on_gpu ? c.sm() : 0;
  switch (generation) {
    case 1:
      ask(out, "SM 7.5, 8.x or 9.0", sm == 75 || (sm >= 80 && sm <= 90), sm_value(c));
      ask(out, "fp16, or bf16 from SM 8.0 on", c.type == CallType::Fp16 || (c.type == CallType::Bf16 && sm >= 80),
          name_of(c.type));
      ask(out, "d a multiple of 8, at most 128", c.d % 8 == 0 && c.d <= 128, std::to_string(c.d));
      ask(out, "as many KV heads as heads", c.heads == c.heads_of_kv(),
          fmt::format("{} and {}", c.heads, c.heads_of_kv()));
      break;
    case 2:
      ask(out, "SM 8.0 or newer", sm >= 80, sm_value(c));
      ask(out, "fp16 or bf16", c.is_16_bit(), name_of(c.type));
      ask(out, "d at most 256", c.d <= 256, std::to_string(c.d));
      break;
    case 3:
      ask(out, "SM 9.0, that is Hopper", sm >= 90 && sm < 100, sm_value(c));
      ask(out, "fp16 or bf16 (fp8 forward)", c.is_16_bit(), name_of(c.type));
      ask(out, "d at most 256", c.d <= 256, std::to_string(c.d));
      ask(out, "no dropout", c.dropout == 0, fmt::format("{}", c.dropout));
      break;
    default:
      ask(out, "SM 9.0 or 10, that is Hopper or Blackwell", sm >= 90 && sm < 120, sm_value(c));
      ask(out, "fp16 or bf16", c.is_16_bit(), name_of(c.type));
      ask(out, "no dropout", c.dropout == 0, fmt::format("{}", c.dropout));
  }
  if (generation > 1)
    ask(out, "KV heads divide the heads", c.heads % c.heads_of_kv() == 0,
        fmt::format("{} and {}", c.heads, c.heads_of_kv()));
  ask(out, "no attn_mask: there is no such argument", !c.has_mask(), mask_words(c));
  if (out.runs) out.shown = shown_by_generation(c, generation);
}

void ask_xformers(const Call& c, WayAnswer& out) {
  const int sm = c.on_gpu ? c.sm() : 0;
  ask(out, "on a GPU", c.on_gpu, sm_value(c));
  ask(out, "fp16, bf16 or fp32", c.type != CallType::Fp64, name_of(c.type));
  if (!out.runs) return;
  const bool flash = c.is_16_bit() && sm >= 80 && c.d <= 256 && c.d == c.value_size() && !c.has_mask();
  if (flash && sm >= 90 && sm < 100 && c.dropout == 0)
    out.shown = shown_by_generation(c, 3);
  else if (flash)
    out.shown = shown_by_generation(c, 2);
  else {
    out.shown = {.schedule = ScheduleKind::FlashV2, .generation = "FA-1"};
    out.shown.sentence = "its own CUTLASS kernel: as old as FA-1, with the loop over Q outside, as FA-2 has it";
  }
}

}  // namespace

std::optional<std::string> refuse_way_in(const std::string& text) {
  for (const char* plain : {"sdpa", "xformers", "flex", "hf:eager", "hf:sdpa", "hf:flex_attention"})
    if (text == plain) return std::nullopt;
  if (generation_of(text)) return std::nullopt;
  return std::string("is no way in that is known here: ").append(kWays);
}

WayAnswer answer_of_way(const Call& call) {
  const std::string& via = call.via;
  WayAnswer out{.name = via, .runs = true};
  if (via == "sdpa" || via == "hf:sdpa") {
    out.by_sdpa = true;
    out.source = "torch.nn.functional.scaled_dot_product_attention";
    return out;
  }
  if (via == "hf:eager") {
    out.shown = shown_eager();
    out.source = "transformers, eager_attention_forward";
  } else if (via == "xformers") {
    ask_xformers(call, out);
    out.source = "xformers/ops/fmha/dispatch.py";
    out.otherwise = "xFormers raises NotImplementedError and lists why each kernel refused";
  } else if (via == "flex" || via == "hf:flex_attention") {
    out.name = "FlexAttention";
    ask(out, "fp16, bf16 or fp32", call.type != CallType::Fp64, name_of(call.type));
    if (out.runs) out.shown = {.schedule = ScheduleKind::FlashV2, .generation = "FA-2"};
    if (out.runs) out.shown.sentence = "a Triton kernel that torch.compile writes, in the order of FA-2";
    out.source = "torch/nn/attention/flex_attention.py";
    out.otherwise = "it raises";
  } else {
    const int generation = generation_of(via).value_or(2);
    if (via.starts_with("flash-attn:")) out.name = "flash-attn " + via.substr(11);
    ask_flash_attention(call, generation, out);
    out.source = generation == 3   ? "flash-attention/hopper"
                 : generation == 4 ? "flash-attention/flash_attn/cute"
                                   : "flash-attention/csrc/flash_attn";
    out.otherwise = "it raises, or there is nothing to pass the argument to";
  }
  return out;
}

}  // namespace tilewalk
