#include "dispatch/entry_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse.h"
#include "core/problem/device_model.h"
#include "dispatch/xformers_kernels.h"

namespace tilewalk {
namespace {

enum class WayKind { Sdpa, Eager, Xformers, Flex, Flash };

struct Way {
  WayKind kind{};
  int generation = 0;                // of a FlashAttention package
  std::optional<Version> version{};  // none: the newest
  std::optional<int> pre{};          // 12 of "4.0.0b12"
  bool paged = false, hub = false;
};

struct WayRow {
  const char* name;
  Way way;
};
const WayRow kWays[] = {
    {"sdpa", {.kind = WayKind::Sdpa}},
    {"xformers", {.kind = WayKind::Xformers}},
    {"flex", {.kind = WayKind::Flex}},
    {"hf:eager", {.kind = WayKind::Eager}},
    {"hf:sdpa", {.kind = WayKind::Sdpa}},
    {"hf:flash_attention_2", {.kind = WayKind::Flash, .generation = 2}},
    {"hf:flash_attention_3", {.kind = WayKind::Flash, .generation = 3}},
    {"hf:flash_attention_4", {.kind = WayKind::Flash, .generation = 4}},
    {"hf:flex_attention", {.kind = WayKind::Flex}},
    {"hf:kernels-community/flash-attn2", {.kind = WayKind::Flash, .generation = 2, .hub = true}},
    {"hf:kernels-community/flash-attn3", {.kind = WayKind::Flash, .generation = 3, .hub = true}},
    {"hf:kernels-community/vllm-flash-attn3", {.kind = WayKind::Flash, .generation = 3, .hub = true}},
    {"hf:paged|eager", {.kind = WayKind::Eager, .paged = true}},
    {"hf:paged|sdpa", {.kind = WayKind::Sdpa, .paged = true}},
    {"hf:paged|flash_attention_2", {.kind = WayKind::Flash, .generation = 2, .paged = true}},
    {"hf:paged|flash_attention_3", {.kind = WayKind::Flash, .generation = 3, .paged = true}},
};
constexpr std::string_view kPackage = "flash-attn:";

// Suffixes of a Python package's version: ".post1", "rc2", "b12", ".beta12", "+cu12torch2.8".
bool read_suffix(std::string_view rest, Way& out) {
  rest = rest.substr(0, rest.find('+'));
  if (rest.empty()) return true;
  if (rest.starts_with('.')) rest.remove_prefix(1);
  for (const std::string_view word : {"post", "dev", "rc", "alpha", "beta", "a", "b"}) {
    if (!rest.starts_with(word)) continue;
    const auto number = within(parse_integer<int>(rest.substr(word.size())), 0, 9999);
    if (number && word != "post") out.pre = *number;
    return number.has_value();
  }
  return false;
}

std::optional<Way> package_of(std::string_view text) {
  std::size_t end = 0;
  const auto is_digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  while (is_digit(end) || (end < text.size() && text[end] == '.' && is_digit(end + 1))) ++end;
  const std::string numbers(text.substr(0, end));
  Way out{.kind = WayKind::Flash, .version = version_from(numbers)};
  if (!out.version || numbers.find('.') == std::string::npos) out.version.reset();  // "2" means any version 2
  const auto major = within(parse_integer<int>(numbers.substr(0, numbers.find('.'))), 0, 4);
  if (!major || !version_from(numbers) || !read_suffix(text.substr(end), out)) return std::nullopt;
  if (*major == 0 && numbers.find('.') == std::string::npos) return std::nullopt;
  out.generation = std::max(*major, 1);  // 0.2 is FlashAttention-1
  return out;
}

std::optional<Way> way_of(const std::string& via) {
  for (const WayRow& row : kWays)
    if (via == row.name) return row.way;
  if (!via.starts_with(kPackage)) return std::nullopt;
  return package_of(std::string_view(via).substr(kPackage.size()));
}

void ask(EntryPointAnswer& out, std::string says, bool ok, std::string value) {
  const bool before = out.runs;
  out.checks.push_back({std::move(says), before ? std::optional(ok) : std::nullopt, before ? std::move(value) : ""});
  out.runs = before && ok;
}

std::string sm_value(const Call& call) { return call.on_gpu ? "SM " + sm_text(call.sm()) : "a CPU"; }
std::string d_value(const Call& c) {
  return c.d == c.value_size() ? fmt::format("{}", c.d) : fmt::format("{}, of V {}", c.d, c.value_size());
}
std::string heads_value(const Call& c) { return fmt::format("{} and {}", c.heads, c.heads_of_kv()); }

void ask_sizes_of_flash4(const Call& c, EntryPointAnswer& out) {
  const std::int64_t d = c.d, d_v = c.value_size();
  const int major = c.sm() / 10;
  ask(out, "d a multiple of 8", d % 8 == 0 && d_v % 8 == 0, d_value(c));
  if (major == 9) ask(out, "d at most 256", d <= 256 && d_v <= 256, d_value(c));
  if (major == 10 || major == 11)
    ask(out, "d at most 128, or 192 with 128 for V, or 256",
        (d <= 128 && d_v <= 128) || (d == 192 && d_v == 128) || (d == 256 && d_v == 256) ||
            ((d == 64 || d == 512) && d_v == 512),
        d_value(c));
}

bool is_before(const Way& way, int version) { return way.version && way.version->number < version; }

// Backward passes with a large head want more shared memory than all but the data-centre cards have. Read in the tags
// v0.2.1 to v1.0.9 (fmha_api.cpp, mha_bwd) and v2.0.0 to v2.8.3 (flash_api.cpp, mha_bwd).
void ask_backward_limit(const Call& c, const Way& way, EntryPointAnswer& out) {
  if (!c.training) return;
  const int sm = c.on_gpu ? c.sm() : 0;
  const bool large_memory = sm == 80 || (sm == 90 && !(way.generation == 1 && is_before(way, 10000)));
  const std::string value =
      fmt::format("d {}{}, {}", c.d, c.dropout > 0 ? fmt::format(", dropout {}", c.dropout) : "", sm_value(c));
  const auto limit = [&](const char* says, bool refused) { ask(out, says, large_memory || !refused, value); };
  if (way.generation == 1) {
    limit(is_before(way, 10000) ? "the backward pass above d 64 wants SM 8.0 (in 0.2)"
                                : "the backward pass above d 64 wants SM 8.0 or 9.0",
          c.d > 64);
    return;
  }
  const std::int64_t d = (c.d + 7) / 8 * 8;
  if (is_before(way, 20505))
    limit("the backward pass above d 192 wants SM 8.0 or 9.0 (2.0.0 to 2.5.4)", d > 192);
  else if (is_before(way, 20602))
    limit("the backward pass with d of 193 to 224, or above with dropout, wants SM 8.0 or 9.0 (2.5.5 to 2.6.1)",
          d > 192 && (d <= 224 || c.dropout > 0));
  else if (is_before(way, 20703))
    limit("the backward pass above d 192 with dropout wants SM 8.0 or 9.0 (2.6.2 to 2.7.2)", d > 192 && c.dropout > 0);
}

// From 2.7.3 on no call is refused, but the launcher of d 256 has no kernel for dropout where shared memory is small.
bool launches_no_backward(const Call& c, const Way& way) {
  const bool small_memory = c.sm() == 86 || c.sm() == 89 || c.sm() / 10 == 12;
  return way.generation == 2 && c.training && c.d > 192 && c.dropout > 0 && small_memory && !is_before(way, 20703);
}

// is_causal is aligned to the bottom right from v2.1.0 on (commit 9e5e8bc9), where one query row masks nothing.
bool is_bottom_right(const Way& way) { return way.generation > 1 && !is_before(way, 20100); }

std::string causal_note(const Call& c, const Way& way, const std::string& name) {
  if (!c.is_causal || c.n_q == c.keys()) return "";
  if (is_bottom_right(way) && c.n_q == 1)
    return fmt::format(
        "{} aligns causal to the bottom right: the one query is the last, sees all {} keys, and nothing is masked. "
        "PyTorch's is_causal aligns to the top left, where that query sees key 0 alone.",
        name, c.keys());
  if (is_bottom_right(way))
    return fmt::format(
        "{} aligns causal to the bottom right, as decoding wants it: the last query sees the last key. PyTorch's "
        "is_causal aligns to the top left: the same word, another mask.",
        name);
  return fmt::format(
      "{} aligns causal to the top left: query 0 sees key 0 alone. From flash-attn 2.1 on it is the bottom right.",
      name);
}

// The requirements of a released FlashAttention.
void ask_flash_attention(const Call& c, const Way& way, EntryPointAnswer& out) {
  const int sm = c.on_gpu ? c.sm() : 0;
  const bool same_d = c.d == c.value_size();
  switch (way.generation) {
    case 1:
      if (is_before(way, 10000))
        ask(out, "SM 7.5 or 8.x (9.0 from 1.0 on)", sm == 75 || (sm >= 80 && sm < 90), sm_value(c));
      else
        ask(out, "SM 7.5, 8.x or 9.0", sm == 75 || (sm >= 80 && sm <= 90), sm_value(c));
      ask(out, "fp16, or bf16 from SM 8.0 on", c.type == CallType::Fp16 || (c.type == CallType::Bf16 && sm >= 80),
          name_of(c.type));
      ask(out, "d a multiple of 8, at most 128", c.d % 8 == 0 && c.d <= 128, std::to_string(c.d));
      ask(out, "the same d for V", same_d, d_value(c));
      ask(out, "as many KV heads as heads", c.heads == c.heads_of_kv(), heads_value(c));
      break;
    case 2:
      if (is_before(way, 20703))
        ask(out, "SM 8.x or 9.0 (newer ones from 2.7.3 on)", sm >= 80 && sm <= 90, sm_value(c));
      else
        ask(out, "SM 8.0 or newer", sm >= 80, sm_value(c));
      ask(out, "fp16 or bf16", c.is_16_bit(), name_of(c.type));
      ask(out, "d at most 256", c.d <= 256, std::to_string(c.d));
      ask(out, "the same d for V", same_d, d_value(c));
      break;
    case 3:
      ask(out, "SM 8.0 to 9.0: Hopper, and Ampere and Ada since 2025", sm >= 80 && sm <= 90, sm_value(c));
      ask(out, "fp16 or bf16 (fp8 forward)", c.is_16_bit(), name_of(c.type));
      ask(out, "d at most 256", c.d <= 256, std::to_string(c.d));
      ask(out, "the same d for V; on Hopper also 128 with a d above 128, or up to 512 with a d up to 64",
          same_d || (sm == 90 && ((c.d > 128 && c.d <= 192 && c.value_size() > 96 && c.value_size() <= 128) ||
                                  (c.d <= 64 && c.value_size() <= 512))),
          d_value(c));
      ask(out, "no dropout", c.dropout == 0, fmt::format("{}", c.dropout));
      break;
    default: {
      const bool early = way.pre.value_or(99) < 5;  // before 4.0.0.beta5
      ask(out, early ? "SM 9.0 to 11" : "SM 8.0 to 12", early ? sm >= 90 && sm < 120 : sm >= 80, sm_value(c));
      ask(out, "fp16 or bf16", c.is_16_bit(), name_of(c.type));
      ask_sizes_of_flash4(c, out);
      ask(out, "no dropout", c.dropout == 0, fmt::format("{}", c.dropout));
    }
  }
  if (way.generation > 1) ask(out, "KV heads divide the heads", c.heads % c.heads_of_kv() == 0, heads_value(c));
  ask(out, "no attn_mask: there is no such argument", !c.has_mask(), mask_words(c));
  if (way.generation <= 2) ask_backward_limit(c, way, out);
}

KernelSchedule shown_flash(const Call& c, const Way& way) {
  KernelSchedule out = way.generation == 1   ? shown_flash1(c)
                       : way.generation == 2 ? shown_flash2(c, way.version)
                       : way.generation == 3 ? shown_flash3(c)
                                             : shown_flash4(c);
  if (!way.paged && !way.hub) return out;
  KernelSchedule less{.generation = out.generation, .sentence = out.sentence};
  if (way.hub) {
    less.sentence += ", built for the Hub";
    less.unknown = "Its tile is not known: which version was built was not read.";
    if (c.n_q > 1 && way.generation == 3) less.schedule = out.schedule, less.split_kv = out.split_kv;
  } else {
    less.unknown =
        "Rows of different lengths and a cache in pages are launched in other ways than this call: neither "
        "its tile nor its splits are known.";
  }
  return less;
}

void ask_xformers(const Call& c, EntryPointAnswer& out) {
  const int sm = c.on_gpu ? c.sm() : 0;
  ask(out, "on a GPU", c.on_gpu, sm_value(c));
  ask(out, "fp16, bf16 or fp32", c.type != CallType::Fp64, name_of(c.type));
  ask(out, "bf16 from SM 8.0 on", c.type != CallType::Bf16 || sm >= 80, name_of(c.type) + ", " + sm_value(c));
  ask(out, "KV heads divide the heads", c.heads % c.heads_of_kv() == 0, heads_value(c));
  bool taken = false;
  std::string tries;
  for (const XformersTry& one : xformers_tries(c)) {
    taken = taken || one.refuses.empty();
    if (!tries.empty()) tries += "; ";
    tries += one.name + ": " + (one.refuses.empty() ? "takes it" : one.refuses);
    if (taken) break;
  }
  ask(out, "one of FA-3, FA-2 and CUTLASS takes it", taken, tries);
  if (out.runs) out.shown = shown_xformers(c);
}

// The tile that torch.compile takes without a search, and its number of stages. From torch/_inductor's heuristics
// (a100_default_flex_config, h100_default_flex_config) as in PyTorch 2.7 to 2.11, and pull request 181835.
struct FlexTile {
  std::int64_t rows, keys, stages;
};
std::optional<FlexTile> default_flex_tile(const Call& c) {
  const bool wide = !c.is_16_bit();
  if (c.sm() >= 80 && c.sm() < 90) {
    if (c.d == 64) return wide ? FlexTile{128, 32, 3} : FlexTile{128, 64, 3};
    if (c.d == 128) return wide ? FlexTile{128, 32, 3} : FlexTile{128, 64, 3};
    if (c.d == 256) return wide ? FlexTile{64, 16, 3} : FlexTile{32, 64, 3};
    if (c.d < 256) return FlexTile{64, 64, 3};
  }
  return std::nullopt;
}

std::int64_t power_of_two(std::int64_t size) {
  std::int64_t out = 16;
  while (out < size) out *= 2;
  return out;
}

// Triton pads head sizes to powers of two. Q's tile, K's tiles of all stages and one of V: 128 KiB for fp32 at d 128,
// as reported (131,074 bytes), and 144 KiB for bf16 at d 192 and 128.
std::string flex_memory_note(const Call& c) {
  const std::optional<FlexTile> tile = c.on_gpu && c.n_q >= 128 ? default_flex_tile(c) : std::nullopt;
  if (!tile) return "";
  const std::int64_t value = c.is_16_bit() ? 2 : 4, d = power_of_two(c.d), d_v = power_of_two(c.value_size());
  const std::int64_t needed = value * (tile->rows * d + tile->stages * tile->keys * d + tile->keys * d_v);
  const std::optional<DeviceModel> known = device_named(c.device);
  const std::int64_t given = known ? known->sram_per_block_bytes : device_of_capability(c.sm()).sram_per_block_bytes;
  if (needed <= given) return "";
  return fmt::format(
      "Its default tiles may not fit: {}×{} in {} stages take about {} KiB of shared memory, and a thread block of SM "
      "{} gets {} KiB. Then torch.compile raises “out of resource: shared memory”. Smaller ones help: kernel_options="
      "{{\"BLOCK_M\": 32, \"BLOCK_N\": 32, \"num_stages\": 1}}.",
      tile->rows, tile->keys, tile->stages, needed >> 10, sm_text(c.sm()), given >> 10);
}

void ask_flex(const Call& c, EntryPointAnswer& out) {
  ask(out, "fp16, bf16 or fp32", c.type != CallType::Fp64, name_of(c.type));
  ask(out, "as many KV heads as heads, or enable_gqa",
      c.heads == c.heads_of_kv() || (c.enable_gqa && c.heads % c.heads_of_kv() == 0), heads_value(c));
  ask(out, "no dropout: there is no such argument", c.dropout == 0, fmt::format("{}", c.dropout));
  ask(out, "no attn_mask: it is written as score_mod or block_mask", !c.has_mask(), mask_words(c));
  if (c.on_gpu)
    ask(out, "d at least 16", c.d >= 16 && c.value_size() >= 16, d_value(c));
  else
    ask(out, "no training on a CPU", !c.training, c.training ? "training" : "not training");
  if (out.runs) out.shown = shown_flex(c);
}

}  // namespace

std::optional<std::string> refuse_entry_point(const std::string& text) {
  if (way_of(text)) return std::nullopt;
  std::string ways = "flash-attn:VERSION";
  for (const WayRow& row : kWays) ways += std::string(", ") + row.name;
  return "is not a known entry point; the known ones: " + ways;
}

EntryPointAnswer entry_point_answer(const Call& call) {
  const std::string& via = call.via;
  EntryPointAnswer out{.name = via, .runs = true};
  const Way way = way_of(via).value_or(Way{.kind = WayKind::Sdpa});
  switch (way.kind) {
    case WayKind::Sdpa:
      out.by_sdpa = true;
      out.source = "torch.nn.functional.scaled_dot_product_attention";
      if (way.paged)
        out.note =
            "paged|sdpa gathers K and V from their pages, repeats them for all heads, and calls PyTorch's "
            "function with an attn_mask: ask for that call, with --attn-mask float.";
      break;
    case WayKind::Eager:
      out.shown = shown_eager();
      out.source = "transformers, eager_attention_forward";
      break;
    case WayKind::Xformers:
      ask_xformers(call, out);
      out.source = "xformers/ops/fmha at tag v0.0.35";
      if (call.on_gpu && call.sm() < 75)
        out.note = "Wheels of xFormers from 0.0.31 on no longer support V100 or older GPUs.";
      out.otherwise = "xFormers raises NotImplementedError and lists why each kernel refused";
      break;
    case WayKind::Flex:
      out.name = "FlexAttention";
      ask_flex(call, out);
      out.source = "torch/nn/attention/flex_attention.py";
      out.otherwise = "it raises, or there is nothing to pass the argument to";
      out.note = "Without torch.compile FlexAttention stores the scores, as eager attention does.";
      if (const std::string memory = flex_memory_note(call); out.runs && !memory.empty()) out.note += " " + memory;
      break;
    case WayKind::Flash:
      if (via.starts_with(kPackage)) out.name = "flash-attn " + via.substr(kPackage.size());
      ask_flash_attention(call, way, out);
      if (out.runs) {
        out.shown = shown_flash(call, way);
        out.shown.bottom_right = is_bottom_right(way);
        out.note = causal_note(call, way, out.name);
        if (launches_no_backward(call, way))
          out.note += std::string(out.note.empty() ? "" : " ") +
                      "The forward pass runs, but with this little shared memory there is no backward kernel for "
                      "dropout above d 192: nothing is launched, and the gradients are not computed.";
      }
      out.source = way.generation == 3   ? "flash-attention/hopper"
                   : way.generation == 4 ? "flash-attention/flash_attn/cute"
                                         : "flash-attention/csrc/flash_attn";
      out.otherwise = "it raises, or there is nothing to pass the argument to";
      break;
  }
  return out;
}

}  // namespace tilewalk
