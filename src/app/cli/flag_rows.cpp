#include "app/cli/flag_rows.h"

#include <string_view>

#include "app/cli/output.h"
#include "core/fields/fields.h"

namespace tilewalk {
namespace {

// Flags beside the fields of the problem: those that set several fields, and files. Each comes before a field in
// --help.
struct WideFlag {
  Flag flag;
  std::string_view before;
};

const std::vector<WideFlag>& wide_flags() {
  static const std::vector<WideFlag> rows = {
      {{"preset", "NAME", "Start from a preset (default: picture)"}, "schedule"},
      {{"session", "FILE", "Start from a saved session (.toml)"}, "schedule"},
      {{"n", "LENGTH", "Both lengths"}, "n-q"},
      {{"tiles",
        "NAME",
        "Instead of --br and --bc: released (this schedule's own kernel), fa1, fa2, fa3, split-kv or paper",
        {"released", "fa1", "fa2", "fa3", "split-kv", "paper"}},
       "splits"},
      {{"q", "FILE", "Q from .npy or .safetensors, with its shape and dtype"}, "device"},
      {{"k", "FILE", "K, in the same way"}, "device"},
      {{"v", "FILE", "V, in the same way"}, "device"},
      {{"do", "FILE", "dO of a backward pass, in the same way, with the shape of Q"}, "device"},
      {{"layout",
        "ORDER",
        "How these files order batch, heads, rows and d: bhsd, or bshd as flash-attn has it; results are bhsd",
        {"bhsd", "bshd"}},
       "device"},
  };
  return rows;
}

}  // namespace

const std::vector<ExitCodeRow>& exit_code_rows() {
  static const std::vector<ExitCodeRow> rows = {{kExitOk, "agree or done"},
                                                {kExitDivergence, "divergence"},
                                                {kExitBadInput, "bad input"},
                                                {kExitNoDevice, "no device"},
                                                {kExitInternal, "internal"}};
  return rows;
}

std::vector<Flag> problem_flags() {
  std::vector<Flag> out;
  for (const Field& field : fields()) {
    for (const WideFlag& wide : wide_flags())
      if (wide.before == field.name) out.push_back(wide.flag);
    out.push_back({field.name, field.type, field.help.c_str(), field.choices});
  }
  out.push_back({.name = "edit",
                 .value = "PLACE=X",
                 .help = "Change one value, such as Q:0:0:3:1=2.5 (tensor:batch:head:row:col); may be repeated",
                 .repeats = true});
  return out;
}

std::vector<Flag> window_flags() {
  return {{"lessons", "DIR", "The lessons of another folder; assets/lessons/README.md explains the format"}};
}

std::vector<Flag> switches_every_verb_has() { return {{"json", "", "One JSON object on stdout"}}; }

std::vector<Flag> flags_of(const Verb& verb) {
  std::vector<Flag> out = verb.options;
  out.insert(out.end(), verb.switches.begin(), verb.switches.end());
  for (const Flag& flag : switches_every_verb_has()) out.push_back(flag);
  return out;
}

bool names_file(const Flag& flag) { return std::string_view(flag.value) == "FILE"; }
bool names_folder(const Flag& flag) {
  return std::string_view(flag.value) == "FOLDER" || std::string_view(flag.value) == "DIR";
}

}  // namespace tilewalk
