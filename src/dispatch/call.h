// A call of attention in Python, with everything that PyTorch's choice of a kernel depends on: the card and the
// versions, types, shapes, mask, dropout, layout, switches, environment. Parsed from the words of the command line, and
// formatted as such words. A mask of two dimensions is [N_q, N_kv], one of four [batch, heads, N_q, N_kv].
// Not modelled: values of tensors, nested tensors, batches that differ between Q and K.
// Invariant: call_from(changed_fields(call)) gives the same call.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/problem/contender.h"
#include "core/problem/problem.h"

namespace tilewalk {

enum class SdpaBackend { Flash, Efficient, Math, Cudnn };
inline constexpr SdpaBackend kAllBackends[] = {SdpaBackend::Flash, SdpaBackend::Efficient, SdpaBackend::Math,
                                               SdpaBackend::Cudnn};
const char* name_of(SdpaBackend);                    // "flash", as --enabled spells it
const char* torch_name(SdpaBackend);                 // "FLASH_ATTENTION", as torch.nn.attention.SDPBackend does
std::optional<Contender> contender_of(SdpaBackend);  // the contender of races; none: not raced
std::optional<SdpaBackend> backend_named(const std::string&);

enum class CallType { Fp64, Fp32, Fp16, Bf16 };
enum class CallMask { None, Bool, Float, FloatGrad };
enum class CallLayout { Bhnd, Bnhd, Strided };
enum class Deterministic { Off, Warn, On };
enum class TorchBuild { Linux, Windows, Source };  // PyTorch's wheel for Linux or Windows, or built for this GPU

// A version as one comparable number: 9.19.0 is 91900.
struct Version {
  int number = 0;
  auto operator<=>(const Version&) const = default;
};
std::optional<Version> version_from(const std::string&);  // "9.19", "9.19.0", "91900"
std::string text_of(Version);                             // "9.19", "9.15.1"

struct Call {
  std::string device = kDefaultDevice;
  std::string torch = "2.11";
  std::optional<Version> cuda, cudnn;  // none: that of the PyTorch wheel
  TorchBuild build = TorchBuild::Linux;
  std::string via = "sdpa";
  bool on_gpu = true;
  CallType type = CallType::Bf16;
  std::int64_t batch = 1, heads = 12;
  std::optional<std::int64_t> kv_heads;  // none: equal to heads
  bool enable_gqa = false;
  std::int64_t n_q = 1024;
  std::optional<std::int64_t> n_kv;  // none: N_q
  std::int64_t d = 64;
  std::optional<std::int64_t> d_v;  // none: d
  CallMask mask = CallMask::None;
  int mask_dims = 4;
  bool is_causal = false;
  double dropout = 0;
  bool training = false;
  CallLayout layout = CallLayout::Bhnd;
  Deterministic deterministic = Deterministic::Off;
  std::vector<SdpaBackend> enabled;  // by sdpa_kernel, in its order; none: sdpa_kernel is not used
  bool set_priority = false;         // true if that order is a priority
  std::map<std::string, std::string> env;

  bool operator==(const Call&) const = default;

  std::int64_t heads_of_kv() const { return kv_heads.value_or(heads); }
  std::int64_t keys() const { return n_kv.value_or(n_q); }
  std::int64_t value_size() const { return d_v.value_or(d); }
  int sm() const;  // 90 for SM 9.0
  bool has_mask() const { return mask != CallMask::None; }
  bool is_16_bit() const { return type == CallType::Fp16 || type == CallType::Bf16; }
};

// The fields of a call, one row each, in display order.
struct CallField {
  const char* name;   // "n-q", the flag without dashes
  const char* value;  // "LENGTH", the name of the value in the help
  const char* help;
  const char* label;                 // "N_q", on the page
  std::vector<std::string> choices;  // not empty: the accepted values
  std::string (*text)(const Call&);  // empty: the default
  // The rule that the text breaks; none where it was accepted.
  std::optional<std::string> (*read)(Call&, const std::string& text);
  const char* such_as;  // an example for messages
};
const std::vector<CallField>& call_fields();

using CallWords = std::map<std::string, std::string>;  // "n-q" -> "1024"
Result<Call> call_from(const CallWords&);
CallWords changed_fields(const Call&);     // the fields that differ from the default call
std::string command_line_of(const Call&);  // "tilewalk which --dtype fp16 --n-q 4096"

std::string name_of(CallType);
std::string mask_words(const Call&);  // "float, 1×12×1,024×1,024"
std::string sm_text(int sm);          // "9.0"

// The compute capability of a GPU of the device table, or of a text that names one ("sm_86"); none: neither.
std::optional<int> sm_of(const std::string& device);

}  // namespace tilewalk
