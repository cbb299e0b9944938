// tilewalk which: the kernel that PyTorch uses for a call, and why; and, with a profile, whether that kernel ran.

#include "app/cli/dispatch/read_on_terminal.h"
#include "app/cli/text/which_text.h"
#include "app/cli/verbs.h"
#include "base/shown.h"
#include "base/words.h"
#include "core/problem/device_model.h"
#include "measured/race_times.h"
#include "pages/which/profile_join.h"
#include "pages/which/which_page.h"
#include "session/document/window_call.h"
#include "session/resources.h"

namespace tilewalk {
namespace {

Json json_of(const ProfileJoin& join, const std::string& file) {
  Json kernels = Json::array();
  for (const JoinedKernel& kernel : join.kernels)
    kernels.push_back({{"name", kernel.name},
                       {"calls", kernel.calls},
                       {"as_expected", kernel.as_expected ? Json(*kernel.as_expected) : Json(nullptr)},
                       {"words", kernel.words}});
  return {{"file", file},      {"should", join.should},   {"ran", join.ran},
          {"seen", join.seen}, {"verdict", join.verdict}, {"kernels", std::move(kernels)}};
}

// "4.7× as fast as naive, …", as the page has it; empty where no time is known.
std::string speed_up(const Call& call, const WhichModel& model, const RaceTimes* recorded) {
  const std::optional<AttentionCall> modelled = modelled_call(call);
  const std::optional<DeviceModel> device = device_named(call.device);
  if (!model.runs || !modelled || !device) return "";
  WhichPage page;
  page.model = model;
  put_times_of_call(call, prediction_rows(*modelled, *device, recorded), page);
  std::string out = page.untimed;
  if (page.win) add_to_list(out, page.win->figure() + " " + page.win->words(), " ");
  if (!page.faster.empty()) add_to_list(out, page.faster + ".", " ");
  return out;
}

}  // namespace

void print_history(bool as_json) {
  if (as_json) {
    Json rows = Json::array();
    for (const TorchEvent& event : torch_history())
      rows.push_back({{"version", event.version}, {"what", event.what}, {"source", event.source}});
    return print_json({{"history", std::move(rows)}});
  }
  say("What changed in PyTorch's choice of attention, from version to version:\n");
  for (const TorchEvent& event : torch_history())
    say("  {:<6}  {}\n          ({})\n", event.version, event.what, event.source);
}

int which_verb(const CommandLine& line) {
  if (line.has("torch-history")) {
    print_history(line.has("json"));
    return kExitOk;
  }
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
  std::optional<RaceTimes> times;
  if (was_raced(call->device))
    if (Result<RaceTimes> read = load_race_times(*root, call->device)) times = std::move(*read);
  std::optional<ProfileJoin> join;
  const auto file = line.option("profile");
  if (file) {
    if (!entry_point_answer(*call).by_sdpa)
      return refuse({{"profile", *file, "is compared with calls of PyTorch's function alone", "Try --via sdpa"}});
    const Result<Profile> profile = read_profile_on_terminal(*file);
    if (!profile) return refuse(profile.issues());
    join = join_profile(*call, *tables, *profile);
  }
  const RaceTimes* const recorded = times ? &*times : nullptr;
  const WhichModel model = build_which_model(*call, **table, recorded);
  if (line.has("json")) {
    Json out = which_json(*call, **table, model);
    if (join) out["profile"] = json_of(*join, *file);
    print_json(out);
    return kExitOk;
  }
  say("{}", which_text(model, speed_up(*call, model, recorded)));
  if (join) say("\nThis call and {}:\n{}", shown(*file), join_text(*join));
  return kExitOk;
}

std::vector<Flag> which_flags() {
  std::vector<Flag> out;
  for (const CallField& field : call_fields()) out.push_back({field.name, field.value, field.help, field.choices});
  out.push_back({"profile", "FILE", "A profile, in a format of tilewalk decode: did the expected kernel run?", {}});
  return out;
}

}  // namespace tilewalk
