// The rows of a call: how each field is parsed and formatted.
#include <algorithm>
#include <sstream>

#include "base/contains.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/units.h"
#include "base/words.h"
#include "core/problem/device_model.h"
#include "dispatch/call.h"
#include "dispatch/call_words.h"
#include "dispatch/entry_points.h"

namespace tilewalk {
namespace {

using Broken = std::optional<std::string>;  // the broken rule, if any

template <std::size_t N>
std::vector<std::string> all_of(const char* const (&words)[N]) {
  return {std::begin(words), std::end(words)};
}

template <class Choice, std::size_t N>
Broken choose(const std::string& text, const char* const (&words)[N], Choice& to) {
  const auto at = std::find_if(std::begin(words), std::end(words), [&](std::string_view word) {
    return spelled_alike(text, word) || (word == "on" && spelled_alike(text, "true")) ||
           (word == "off" && spelled_alike(text, "false"));  // Python's spelling of a switch
  });
  if (at == std::end(words)) return "must be one of " + listed(words);
  to = Choice(at - std::begin(words));
  return {};
}

template <class To>
Broken whole(const std::string& text, std::int64_t low, std::int64_t high, To& to) {
  const auto number = within(parse_integer<std::int64_t>(text), low, high);
  if (!number) return "must be a whole number from " + format_count(low) + " to " + format_count(high);
  to = *number;
  return {};
}

std::string field_text(const std::optional<std::int64_t>& number) { return number ? std::to_string(*number) : ""; }
std::string field_text(const std::optional<Version>& version) { return version ? text_of(*version) : ""; }
std::string field_text(bool on) { return kSwitchWords[on]; }

Broken read_version(const std::string& text, std::optional<Version>& to) {
  const auto version = version_from(text);
  if (!version) return "is not a version";
  to = version;
  return {};
}

// Parts between commas or spaces.
std::vector<std::string> parts_of(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string part; in >> part;) out.push_back(part);
  return out;
}

Broken read_enabled(Call& call, const std::string& text) {
  std::vector<SdpaBackend> read;
  std::string list = text;
  std::replace(list.begin(), list.end(), '+', ',');  // the window's commands use commas between arguments
  for (const std::string& part : parts_of(list)) {
    const auto backend = backend_named(part);
    if (!backend) return "names no backend of flash, efficient, math and cudnn";
    if (contains(read, *backend)) return "names " + part + " twice";
    read.push_back(*backend);
  }
  if (read.empty()) return "names no backend: with none enabled there is nothing to choose from";
  call.enabled = std::move(read);
  return {};
}

std::string enabled_text(const Call& call) {
  std::string out;
  for (const SdpaBackend backend : call.enabled) add_to_list(out, std::string(name_of(backend)), ",");
  return out;
}

Broken read_env(Call& call, const std::string& text) {
  std::map<std::string, std::string> read;
  for (const std::string& part : parts_of(text)) {
    std::string_view rest = part;
    const std::string name(take_until(rest, '='));
    if (name.size() == part.size()) return "must be NAME=VALUE";
    if (!contains(kVariables, name))
      return "names " + name + ", which no check reads; these are read: " + listed(kVariables);
    read[name] = rest;
  }
  call.env = std::move(read);
  return {};
}

std::string env_text(const Call& call) {
  std::string out;
  for (const auto& [name, value] : call.env) add_to_list(out, name + "=" + value, ",");
  return out;
}

Broken read_device(Call& call, const std::string& text) {
  if (!sm_of(text))
    return no_such_device("device", text).rule + ". The table has " + device_names() +
           "; others go by what they can do, such as sm_86";
  const std::optional<DeviceModel> known = device_named(text);
  call.device = known ? known->name : text;
  return {};
}

Broken read_dropout(Call& call, const std::string& text) {
  const auto number = within(parse_real(text), 0.0, 1.0);
  if (!number) return "must be a probability from 0 to 1";
  call.dropout = *number;
  return {};
}

Broken read_via(Call& call, const std::string& text) {
  if (Broken rule = refuse_entry_point(text)) return rule;
  call.via = text;
  return {};
}

Broken read_build(Call& call, const std::string& text) {
  if (spelled_alike(text, "rocm"))
    return "is for AMD's GPUs, and these rules are those for CUDA. There FLASH and EFFICIENT are AOTriton's kernels "
           "(attn_fwd, bwd_kernel_dk_dv, bwd_kernel_dq) or Composable Kernel's (ck_tile::kentry), and cuDNN is not "
           "there; tilewalk decode reads their names";
  return choose(text, kBuildWords, call.build);
}

Broken read_torch(Call& call, const std::string& text) {
  const auto version = version_from(text);
  if (!version || text.size() > 8) return "is not a version of PyTorch";
  const bool has_patch = std::count(text.begin(), text.end(), '.') == 2;  // rules may differ: 2.5.0 and 2.5.1
  call.torch = std::to_string(version->number / 10000) + "." + std::to_string(version->number / 100 % 100) +
               (has_patch ? "." + std::to_string(version->number % 100) : "");
  return {};
}

}  // namespace

const std::vector<CallField>& call_fields() {
  constexpr std::int64_t most = std::int64_t(1) << 24;
  static const std::vector<CallField> rows = {
      {"device",
       "NAME",
       "The GPU: h200, a100, rtx4090 …, or sm_86",
       "GPU",
       {},
       [](const Call& c) { return c.device; },
       read_device,
       "Try --device h200"},
      {"torch",
       "VERSION",
       "PyTorch's version",
       "PyTorch",
       {},
       [](const Call& c) { return c.torch; },
       read_torch,
       "Such as --torch 2.11"},
      {"cuda",
       "VERSION",
       "CUDA that PyTorch was built with (default: as that PyTorch's wheel)",
       "CUDA",
       {},
       [](const Call& c) { return field_text(c.cuda); },
       [](Call& c, const std::string& text) { return read_version(text, c.cuda); },
       "Such as --cuda 13.0"},
      {"cudnn",
       "VERSION",
       "cuDNN that is loaded (default: as that PyTorch's wheel)",
       "cuDNN",
       {},
       [](const Call& c) { return field_text(c.cudnn); },
       [](Call& c, const std::string& text) { return read_version(text, c.cudnn); },
       "Such as --cudnn 9.19"},
      {"build", "BUILD", "Which PyTorch: the wheel for linux or windows, or built from source for this GPU", "build",
       all_of(kBuildWords), [](const Call& c) { return std::string(kBuildWords[int(c.build)]); }, read_build,
       "Try --build linux"},
      {"via",
       "WAY",
       "The way in: sdpa, flash-attn:VERSION, xformers, hf:sdpa, hf:flash_attention_2, hf:eager …",
       "way in",
       {},
       [](const Call& c) { return c.via; },
       read_via,
       "Try --via sdpa"},
      {"on", "WHERE", "Where the tensors are: cuda or cpu", "tensors on", all_of(kDeviceWords),
       [](const Call& c) { return std::string(kDeviceWords[c.on_gpu]); },
       [](Call& c, const std::string& text) { return choose(text, kDeviceWords, c.on_gpu); }, "Try --on cuda"},
      {"dtype", "TYPE", "bf16, fp16, fp32 or fp64", "dtype", all_of(kTypeWords),
       [](const Call& c) { return name_of(c.type); },
       [](Call& c, const std::string& text) { return choose(text, kTypeWords, c.type); }, "Try --dtype bf16"},
      {"batch",
       "COUNT",
       "Sequences in the batch",
       "batch",
       {},
       [](const Call& c) { return std::to_string(c.batch); },
       [](Call& c, const std::string& text) { return whole(text, 1, most, c.batch); },
       "Try --batch 1"},
      {"heads",
       "COUNT",
       "Query heads",
       "heads",
       {},
       [](const Call& c) { return std::to_string(c.heads); },
       [](Call& c, const std::string& text) { return whole(text, 1, most, c.heads); },
       "Try --heads 12"},
      {"kv-heads",
       "COUNT",
       "Heads of K and V (default: as many as query heads)",
       "KV heads",
       {},
       [](const Call& c) { return field_text(c.kv_heads); },
       [](Call& c, const std::string& text) { return whole(text, 1, most, c.kv_heads); },
       "Try --kv-heads 12"},
      {"enable-gqa", "ON", "enable_gqa: may several query heads share a KV head? on or off", "enable_gqa",
       all_of(kSwitchWords), [](const Call& c) { return field_text(c.enable_gqa); },
       [](Call& c, const std::string& text) { return choose(text, kSwitchWords, c.enable_gqa); },
       "Try --enable-gqa on"},
      {"n-q",
       "LENGTH",
       "Query rows",
       "N_q",
       {},
       [](const Call& c) { return std::to_string(c.n_q); },
       [](Call& c, const std::string& text) { return whole(text, 0, most, c.n_q); },
       "Try --n-q 1024"},
      {"n-kv",
       "LENGTH",
       "Keys (default: N_q)",
       "N_kv",
       {},
       [](const Call& c) { return field_text(c.n_kv); },
       [](Call& c, const std::string& text) { return whole(text, 0, most, c.n_kv); },
       "Try --n-kv 1024"},
      {"d",
       "SIZE",
       "Head size of Q and K",
       "d",
       {},
       [](const Call& c) { return std::to_string(c.d); },
       [](Call& c, const std::string& text) { return whole(text, 1, 65536, c.d); },
       "Try --d 64"},
      {"d-v",
       "SIZE",
       "Head size of V (default: d)",
       "d of V",
       {},
       [](const Call& c) { return field_text(c.d_v); },
       [](Call& c, const std::string& text) { return whole(text, 1, 65536, c.d_v); },
       "Try --d-v 64"},
      {"attn-mask", "KIND", "none, bool, float, or float-grad (float that needs a gradient)", "attn_mask",
       all_of(kMaskWords), [](const Call& c) { return std::string(kMaskWords[int(c.mask)]); },
       [](Call& c, const std::string& text) { return choose(text, kMaskWords, c.mask); }, "Try --attn-mask none"},
      {"mask-dims",
       "COUNT",
       "2: [N_q, N_kv]; 4: [batch, heads, N_q, N_kv]",
       "its dimensions",
       {"2", "4"},
       [](const Call& c) { return std::to_string(c.mask_dims); },
       [](Call& c, const std::string& text) -> Broken {
         if (text != "2" && text != "4") return "must be 2 or 4";
         c.mask_dims = text == "2" ? 2 : 4;
         return {};
       },
       "Try --mask-dims 4"},
      {"is-causal", "ON", "is_causal: on or off", "is_causal", all_of(kSwitchWords),
       [](const Call& c) { return field_text(c.is_causal); },
       [](Call& c, const std::string& text) { return choose(text, kSwitchWords, c.is_causal); }, "Try --is-causal off"},
      {"dropout",
       "P",
       "dropout_p, from 0 to 1",
       "dropout",
       {},
       [](const Call& c) { return format_number(c.dropout); },
       read_dropout,
       "Try --dropout 0"},
      {"training", "ON", "Do Q, K and V require a gradient? on or off", "training", all_of(kSwitchWords),
       [](const Call& c) { return field_text(c.training); },
       [](Call& c, const std::string& text) { return choose(text, kSwitchWords, c.training); }, "Try --training off"},
      {"layout", "NAME", "bhnd (contiguous), bnhd ([B,N,H,d] transposed) or strided (last dimension of stride 2)",
       "layout", all_of(kCallLayoutWords), [](const Call& c) { return std::string(kCallLayoutWords[int(c.layout)]); },
       [](Call& c, const std::string& text) { return choose(text, kCallLayoutWords, c.layout); }, "Try --layout bhnd"},
      {"deterministic", "HOW", "torch.use_deterministic_algorithms: off, warn (warn_only) or on", "deterministic",
       all_of(kDeterministicWords),
       [](const Call& c) { return std::string(kDeterministicWords[int(c.deterministic)]); },
       [](Call& c, const std::string& text) { return choose(text, kDeterministicWords, c.deterministic); },
       "Try --deterministic off"},
      {"enabled",
       "LIST",
       "Backends that sdpa_kernel lists: of flash,efficient,math,cudnn (default: no sdpa_kernel)",
       "sdpa_kernel",
       {},
       enabled_text,
       read_enabled,
       "Such as --enabled flash,math"},
      {"set-priority", "ON", "sdpa_kernel(…, set_priority=True): does the order of --enabled count? on or off",
       "set_priority", all_of(kSwitchWords), [](const Call& c) { return field_text(c.set_priority); },
       [](Call& c, const std::string& text) { return choose(text, kSwitchWords, c.set_priority); },
       "Try --set-priority on"},
      {"env",
       "NAME=VALUE",
       "Environment variables that matter, commas between them",
       "environment",
       {},
       env_text,
       read_env,
       "Such as --env TORCH_CUDNN_SDPA_DEPRIORITIZED=1"},
  };
  return rows;
}

}  // namespace tilewalk
