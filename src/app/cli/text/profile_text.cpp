#include "app/cli/text/profile_text.h"

#include <fmt/format.h>

#include "app/cli/output.h"
#include "base/shown.h"
#include "base/units.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "dispatch/kernel_schedule.h"
#include "pages/which/names_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostToldKernels = 12;

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

}  // namespace

std::string kernel_parts_text(std::string_view name, const DecodedKernel& kernel) {
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

namespace {

std::vector<std::string> row_of_time(const Profile& profile, std::vector<std::string> cells, const KernelTime& time) {
  cells.push_back(format_count(time.calls));
  cells.push_back(profile.is_timed ? gpu_time_text(time.ns) : "–");
  cells.push_back(share_text(profile.share(time.ns)));
  return cells;
}

std::string kernel_text(const Profile& profile, const ProfileKernel& kernel) {
  std::string out = fmt::format("\n{}\n{}  {}", shown(kernel.name), kernel_parts_text(kernel.name, kernel.decoded),
                                counted(kernel.time.calls, "call"));
  if (profile.is_timed)
    out += fmt::format(", {}, {}", gpu_time_text(kernel.time.ns), share_text(profile.share(kernel.time.ns)));
  return out + "\n";
}

std::string kernels_text(const Profile& profile, const std::vector<ProfileKernel>& kernels) {
  std::string out;
  for (std::size_t i = 0; i < kernels.size() && i < kMostToldKernels; ++i) out += kernel_text(profile, kernels[i]);
  if (kernels.size() > kMostToldKernels)
    out += fmt::format("\nand {} more; --json has them all\n", kernels.size() - kMostToldKernels);
  return out;
}

}  // namespace

std::string profile_text(const Profile& profile, const std::string& file) {
  const std::int64_t kernels = profile.attention.calls + profile.others.calls + profile.unknown.calls;
  std::string out =
      fmt::format("{}: {}, {} launched", shown(file), name_of(profile.format), counted(kernels, "kernel"));
  if (profile.is_timed) out += fmt::format(", {} of GPU time", gpu_time_text(profile.gpu_ns()));
  out += "\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const ProfileGroup& group : profile.groups)
    rows.push_back(row_of_time(profile, {name_of(group.family), group.pass ? name_of(*group.pass) : "–"}, group.time));
  rows.push_back(row_of_time(profile, {"all attention", ""}, profile.attention));
  if (profile.unknown.calls > 0)
    rows.push_back(row_of_time(profile, {"speak of attention, not known", ""}, profile.unknown));
  rows.push_back(row_of_time(profile, {"other kernels", ""}, profile.others));
  if (profile.copies.calls > 0) rows.push_back(row_of_time(profile, {"copies", ""}, profile.copies));
  out += table_text({"family", "pass", "calls", "time", "of GPU time"}, rows, "  ") +
         kernels_text(profile, profile.kernels) + kernels_text(profile, profile.unknown_kernels);
  for (const std::string& note : notes_on(profile)) out += "\n" + note + "\n";
  return out;
}

}  // namespace tilewalk
