// tilewalk which: the kernel that PyTorch takes for a call, and why.
#include <fmt/format.h>

#include "app/cli/text/which_text.h"
#include "app/cli/verbs.h"
#include "measured/recorded_race.h"
#include "session/resources.h"

namespace tilewalk {

int which_verb(const CommandLine& line) {
  CallWords words;
  for (const CallField& field : call_fields())
    if (const auto text = line.option(field.name)) words[field.name] = *text;
  Issues empty;
  for (const auto& [name, text] : words)
    if (text.empty()) empty.push_back({name, "nothing", "must not be empty", "Leave --" + name + " out"});
  if (!empty.empty()) return refuse(empty);
  const Result<Call> call = call_from(words);
  if (!call) return refuse(call.issues());
  const Result<std::string> root = find_resource_root();
  if (!root) return refuse(root.issues());
  const Result<std::vector<RuleTable>> tables = load_rule_tables(*root);
  if (!tables) return refuse(tables.issues());
  const Result<const RuleTable*> table = table_for(*tables, call->torch);
  if (!table) return refuse(table.issues());
  const Result<Race> recorded = load_shipped_race(*root);
  const WhichModel model = build_which_model(*call, **table, recorded ? &*recorded : nullptr);
  if (line.has("json"))
    print_json(which_json(*call, **table, model));
  else
    fmt::print("{}", which_text(model));
  return kExitOk;
}

std::vector<Flag> which_flags() {
  std::vector<Flag> out;
  for (const CallField& field : call_fields()) out.push_back({field.name, field.value, field.help, field.choices});
  return out;
}

}  // namespace tilewalk
