// The rules of one PyTorch version, as data: its order of backends, every check of every backend in PyTorch's order,
// the errors that a chosen backend may still raise, and for each its source line. One file a version,
// assets/dispatch/torch-VERSION.toml; a file may take another version's rules over. A rule names a check of rule_checks
// and gives its numbers; there is no logic here. Not modelled: ROCm, XPU and MPS, nested tensors.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dispatch/call.h"

namespace tilewalk {

struct RuleNumbers {
  std::map<std::string, std::int64_t> whole;  // "most" -> 256
  std::map<std::string, std::string> text;    // "above" -> "9.15.0"
  std::map<std::string, bool> yes;            // "gqa" -> true
  std::map<std::string, std::vector<std::string>> lists;
  std::vector<RuleNumbers> cases;  // of a rule that depends on the card: the first that fits is used
};

struct Rule {
  std::string check;   // of rule_checks
  std::string says;    // in plain words: "no attn_mask"
  std::string source;  // "cuda/sdp_utils.cpp:187"
  std::string raises;  // for an error of a chosen backend: PyTorch's message
  RuleNumbers numbers;
};

struct PreferCudnn {  // whether cuDNN goes first; no card: never
  Version above;
  std::vector<int> sm;
  std::string unless_one, unless_zero;  // environment variables that turn it off when set to 1, or to 0
  std::string source;
};

// The GPUs that a wheel has kernels for: those of the same generation (the same first digit), from an entry on.
struct WheelBuild {
  Version cuda;
  std::vector<int> sm;
};

struct RuleTable {
  std::string version, title, commit, checked;
  std::string like;          // the version whose rules these are, where this table does not replace them
  std::string all_versions;  // of all tables that were loaded together: "2.2 to 2.14"
  Version cuda, cudnn;       // versions in its wheel
  std::vector<SdpaBackend> order, order_cpu;
  std::string order_source, order_cpu_source;
  std::vector<SdpaBackend> drops_mask;  // chosen with an attn_mask too, and run without it
  bool can_set_priority = false;
  std::string set_priority_note;
  PreferCudnn prefer_cudnn;
  std::string flash_generation;  // "FA-2"
  std::map<SdpaBackend, std::vector<Rule>> gpu, cpu;
  std::map<SdpaBackend, std::vector<Rule>> gpu_raises, cpu_raises;
  std::map<SdpaBackend, std::vector<Rule>> on_windows;  // checked before all others in a wheel for Windows
  std::vector<WheelBuild> wheels;                       // by CUDA's version, rising
  std::string wheels_source;
  std::string none_left, none_enabled, none_left_cpu;  // PyTorch's messages
};

// base: the table that `like` names; its rules apply where the text has none.
Result<RuleTable> parse_rule_table(std::string_view text, const std::string& name, const RuleTable* base = nullptr);

// True if the version reads that environment variable for its choice.
bool reads_variable(const RuleTable&, const std::string& name);

// True if the wheel for that CUDA has a kernel that the GPU runs. Also true where no wheel is known.
bool wheel_has(const RuleTable&, Version cuda, int sm);
// The newest wheel that has one; none: no wheel.
std::optional<Version> wheel_for(const RuleTable&, int sm);

// All tables shipped under ROOT/assets/dispatch, newest first. A damaged one is refused.
Result<std::vector<RuleTable>> load_rule_tables(const std::string& root);

// The table of the call's version: its patch's own (2.5.0), else that of the first two numbers. Where there is none,
// the issue lists the existing versions, says what to do instead, and what changed from version to version.
Result<const RuleTable*> table_for(const std::vector<RuleTable>&, const std::string& version);
std::string ask_torch_itself();  // "ask that PyTorch itself: …"

struct TorchEvent {
  const char *version, *what, *source;
};
const std::vector<TorchEvent>& torch_history();  // of its attention; for display, no rules follow from it

}  // namespace tilewalk
