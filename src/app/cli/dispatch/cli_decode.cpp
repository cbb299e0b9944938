// tilewalk decode: decodes names of kernels, and lists the attention in a profile.

#include "app/cli/dispatch/read_on_terminal.h"
#include "app/cli/output.h"
#include "app/cli/text/profile_text.h"
#include "app/cli/verbs.h"
#include "base/shown.h"
#include "core/schedules/registry.h"
#include "dispatch/profile/profile.h"

namespace tilewalk {
namespace {

Json note_json(std::string_view name) {
  const NameHint hint = hint_of(name);
  return hint == NameHint::None ? Json() : Json(hint_text(hint));
}

Json json_of(std::string_view name, const DecodedKernel& kernel) {
  return {{"name", std::string(name)},
          {"family", name_of(kernel.family)},
          {"pass", kernel.pass ? Json(name_of(*kernel.pass)) : Json()},
          {"sm", or_null(kernel.sm)},
          {"dtype", or_null(kernel.dtype)},
          {"d", or_null(kernel.d)},
          {"tile", kernel.tile ? Json::array({kernel.tile->q_rows, kernel.tile->keys}) : Json()},
          {"split_kv", or_null(kernel.split_kv)},
          {"schedule", kernel.schedule ? Json(name_of(*kernel.schedule)) : Json()},
          {"program", or_null(kernel.program)},
          {"note", kernel.is_attention() ? Json() : note_json(name)}};
}

Json json_time(const Profile& profile, const KernelTime& time) {
  return {{"calls", time.calls},
          {"time_ns", profile.is_timed ? Json(time.ns) : Json()},
          {"share", or_null(profile.share(time.ns))}};
}

Json json_of(const Profile& profile, const std::string& file) {
  Json groups = Json::array(), kernels = Json::array();
  for (const ProfileGroup& group : profile.groups) {
    Json row = {{"family", name_of(group.family)}, {"pass", group.pass ? Json(name_of(*group.pass)) : Json()}};
    row.update(json_time(profile, group.time));
    groups.push_back(std::move(row));
  }
  for (const ProfileKernel& kernel : profile.kernels) {
    Json row = json_of(kernel.name, kernel.decoded);
    row.update(json_time(profile, kernel.time));
    kernels.push_back(std::move(row));
  }
  Json unknown = json_time(profile, profile.unknown);
  unknown["kernels"] = Json::array();
  for (const ProfileKernel& kernel : profile.unknown_kernels) {
    Json row = {{"name", kernel.name}};
    row.update(json_time(profile, kernel.time));
    unknown["kernels"].push_back(std::move(row));
  }
  Json operators = Json::object();
  for (std::size_t i = 0; i < std::size(kSdpaOperators); ++i) operators[kSdpaOperators[i]] = profile.operators[i];
  return {{"file", file},
          {"format", name_of(profile.format)},
          {"gpu_time_ns", profile.is_timed ? Json(profile.gpu_ns()) : Json()},
          {"attention", json_time(profile, profile.attention)},
          {"other_kernels", json_time(profile, profile.others)},
          {"copies", json_time(profile, profile.copies)},
          {"unknown_attention", std::move(unknown)},
          {"lone_softmax", json_time(profile, profile.lone_softmax)},
          {"operators", std::move(operators)},
          {"groups", std::move(groups)},
          {"kernels", std::move(kernels)}};
}

int decode_profile(const CommandLine& line, const std::string& path) {
  const Result<Profile> profile = read_profile_on_terminal(path);
  if (!profile) return refuse(profile.issues());
  if (line.has("json"))
    print_json(json_of(*profile, path));
  else
    say("{}", profile_text(*profile, path));
  return kExitOk;
}

}  // namespace

int decode_verb(const CommandLine& line) {
  const auto path = line.option("profile");
  if (path.has_value() == !line.words.empty())
    return refuse({{"decode", "", path ? "takes names or a profile, not both" : "needs a name or a profile",
                    "Such as: tilewalk decode fmha_cutlassF_bf16_aligned_64x128_rf_sm80"}});
  if (path) return decode_profile(line, *path);
  Json kernels = Json::array();
  for (const std::string& name : line.words) {
    const DecodedKernel kernel = decode_kernel(name);
    if (line.has("json"))
      kernels.push_back(json_of(name, kernel));
    else
      say("{}\n{}", shown(name), kernel_parts_text(name, kernel));
  }
  if (line.has("json")) print_json({{"kernels", std::move(kernels)}});
  return kExitOk;
}

}  // namespace tilewalk
