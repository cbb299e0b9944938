// tilewalk decode: decodes names of kernels, and lists the attention in a profile.
#include <fmt/format.h>

#include "app/cli/dispatch/read_on_terminal.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "base/shown.h"
#include "base/units.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "dispatch/kernel_schedule.h"
#include "dispatch/profile/profile.h"
#include "pages/which/names_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostToldKernels = 12;

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

// A command line for the window with that schedule, and with the kernel's own tile where its name has it.
std::string way_on(const DecodedKernel& kernel) {
  std::string out = fmt::format("tilewalk --schedule {}", name_of(*kernel.schedule));
  const std::optional<Problem> p = problem_of(kernel);
  if (!kernel.tile || !kernel.d || !p) return out;
  out += fmt::format(" --n {} --d {} --br {} --bc {}", p->shape.n_q, p->shape.d, p->tiling.br, p->tiling.bc);
  if (p->numerics.dtype != DType::Fp32) out += fmt::format(" --dtype {}", name_of(p->numerics.dtype));
  if (p->machine.sram_bytes > device_of(p->machine).sram_per_block_bytes)
    out += fmt::format(" --sram {}", p->machine.sram_bytes);
  return out;
}

// The decoded parts of a name, one a line; the missing ones in the last line.
std::string parts_text(std::string_view name, const DecodedKernel& kernel) {
  if (!kernel.is_attention()) {
    const NameHint hint = hint_of(name);
    return fmt::format("  {}\n",
                       hint == NameHint::None ? "no attention that this program knows by name" : hint_text(hint));
  }
  std::string out = fmt::format("  {}\n", owner_of(kernel));
  std::vector<std::string> known_parts, unknown_parts;
  const auto add_part = [&](bool known, const char* part, const std::string& text) {
    known ? known_parts.push_back(text) : unknown_parts.push_back(part);
  };
  add_part(kernel.sm.has_value(), "sm", fmt::format("built for sm_{}", kernel.sm.value_or(0)));
  add_part(kernel.dtype.has_value(), "dtype", kernel.dtype.value_or(""));
  add_part(kernel.d.has_value(), "d", fmt::format("d up to {}", kernel.d.value_or(0)));
  const KernelTile tile = kernel.tile.value_or(KernelTile{});
  add_part(kernel.tile.has_value(), "tile", fmt::format("tiles of {} rows of Q and {} keys", tile.q_rows, tile.keys));
  add_part(kernel.split_kv.has_value(), "split-KV",
           kernel.split_kv.value_or(false) ? "keys shared out among thread blocks" : "keys not shared out");
  if (!known_parts.empty()) out += fmt::format("  {}\n", fmt::join(known_parts, ", "));
  if (!unknown_parts.empty()) out += fmt::format("  not in the name: {}\n", fmt::join(unknown_parts, ", "));
  if (kernel.schedule) out += fmt::format("  shown by {}: {}\n", title_of(*kernel.schedule), way_on(kernel));
  return out;
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

std::vector<std::string> row_of_time(const Profile& profile, std::vector<std::string> cells, const KernelTime& time) {
  cells.push_back(format_count(time.calls));
  cells.push_back(profile.is_timed ? gpu_time_text(time.ns) : "–");
  cells.push_back(share_text(profile.share(time.ns)));
  return cells;
}

void print_kernel(const Profile& profile, const ProfileKernel& kernel) {
  say("\n{}\n{}  {}", shown(kernel.name), parts_text(kernel.name, kernel.decoded), counted(kernel.time.calls, "call"));
  if (profile.is_timed) say(", {}, {}", gpu_time_text(kernel.time.ns), share_text(profile.share(kernel.time.ns)));
  say("\n");
}

void print_kernels(const Profile& profile, const std::vector<ProfileKernel>& kernels) {
  for (std::size_t i = 0; i < kernels.size() && i < kMostToldKernels; ++i) print_kernel(profile, kernels[i]);
  if (kernels.size() > kMostToldKernels) say("\nand {} more; --json has them all\n", kernels.size() - kMostToldKernels);
}

void print(const Profile& profile, const std::string& file) {
  const std::int64_t kernels = profile.attention.calls + profile.others.calls + profile.unknown.calls;
  say("{}: {}, {} launched", shown(file), name_of(profile.format), counted(kernels, "kernel"));
  if (profile.is_timed) say(", {} of GPU time", gpu_time_text(profile.gpu_ns()));
  say("\n\n");
  std::vector<std::vector<std::string>> rows;
  for (const ProfileGroup& group : profile.groups)
    rows.push_back(row_of_time(profile, {name_of(group.family), group.pass ? name_of(*group.pass) : "–"}, group.time));
  rows.push_back(row_of_time(profile, {"all attention", ""}, profile.attention));
  if (profile.unknown.calls > 0)
    rows.push_back(row_of_time(profile, {"speak of attention, not known", ""}, profile.unknown));
  rows.push_back(row_of_time(profile, {"other kernels", ""}, profile.others));
  if (profile.copies.calls > 0) rows.push_back(row_of_time(profile, {"copies", ""}, profile.copies));
  say("{}", table_text({"family", "pass", "calls", "time", "of GPU time"}, rows, "  "));
  print_kernels(profile, profile.kernels);
  print_kernels(profile, profile.unknown_kernels);
  for (const std::string& note : notes_on(profile)) say("\n{}\n", note);
}

int decode_profile(const CommandLine& line, const std::string& path) {
  const Result<Profile> profile = read_profile_on_terminal(path);
  if (!profile) return refuse(profile.issues());
  if (line.has("json"))
    print_json(json_of(*profile, path));
  else
    print(*profile, path);
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
      say("{}\n{}", shown(name), parts_text(name, kernel));
  }
  if (line.has("json")) print_json({{"kernels", std::move(kernels)}});
  return kExitOk;
}

}  // namespace tilewalk
