// The rules of one PyTorch version, as data: its order of backends, every check of every backend in the order that
// PyTorch asks in, what a backend that was chosen still raises, and for each the source line it was read from. One file
// a version, assets/dispatch/torch-VERSION.toml. A rule names a check of rule_checks and gives its numbers; there is no
// logic here. Not held: ROCm, XPU and MPS, nested tensors.
#pragma once

#include <map>
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
  std::vector<RuleNumbers> cases;  // of a rule that depends on the card: the first that fits
};

struct Rule {
  std::string check;   // of rule_checks
  std::string says;    // in plain words: "no attn_mask"
  std::string source;  // "cuda/sdp_utils.cpp:187"
  std::string raises;  // of what a chosen backend still refuses: PyTorch's words
  RuleNumbers numbers;
};

struct PreferCudnn {  // whether cuDNN goes first; no card: never
  Version above;
  std::vector<int> sm;
  std::string unless_one;  // an environment variable that, set to 1, forbids it
  std::string source;
};

struct RuleTable {
  std::string version, title, commit, checked;
  Version cuda, cudnn;  // what its wheel brings
  std::vector<SdpaBackend> order, order_cpu;
  std::string order_source, order_cpu_source;
  bool can_set_priority = false;
  std::string set_priority_note;
  PreferCudnn prefer_cudnn;
  std::string flash_generation;  // "FA-2"
  std::map<SdpaBackend, std::vector<Rule>> gpu, cpu;
  std::map<SdpaBackend, std::vector<Rule>> gpu_raises, cpu_raises;
  std::string none_left, none_enabled, none_left_cpu;  // PyTorch's words
};

Result<RuleTable> parse_rule_table(std::string_view text, const std::string& name);

// All that are shipped under ROOT/assets/dispatch, the newest first. A damaged one is refused.
Result<std::vector<RuleTable>> load_rule_tables(const std::string& root);

// The table of the call's version. Where there is none, the issue names those there are, says what to do instead, and
// what changed from version to version.
Result<const RuleTable*> table_for(const std::vector<RuleTable>&, const std::string& version);
std::string ask_torch_itself();  // "ask that PyTorch itself: …"

struct TorchEvent {
  const char *version, *what;
};
const std::vector<TorchEvent>& torch_history();  // of its attention; told as history, no rules follow from it

}  // namespace tilewalk
