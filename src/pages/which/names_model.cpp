#include "pages/which/names_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/contains.h"
#include "base/shown.h"
#include "base/units.h"
#include "core/schedules/registry.h"
#include "dispatch/kernel_schedule.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::string program_of(const DecodedKernel& kernel) {
  static constexpr const char* owners[] = {"cuDNN",
                                           "FlashAttention 1 or 2",
                                           "PyTorch's memory-efficient attention",
                                           "FlashAttention-3",
                                           "FlashAttention-4",
                                           "xFormers",
                                           "attention written in Triton",
                                           "FlashInfer",
                                           "FlexAttention",
                                           "the softmax of attention that is not fused",
                                           "attention of another program"};
  if (kernel.program) return *kernel.program;
  return owners[std::size_t(kernel.family)];
}

void read_name(NamesModel& out) {
  if (out.name.empty()) return;
  const DecodedKernel kernel = decode_kernel(out.name);
  if (!kernel.is_attention()) {
    const NameHint hint = hint_of(out.name);
    out.parts.push_back(
        {"from", hint == NameHint::None ? "no attention that this program knows by name" : hint_text(hint)});
    return;
  }
  std::vector<std::string> missing;
  const auto add_part = [&](const char* part, bool known, const std::string& text) {
    if (known)
      out.parts.push_back({part, text});
    else
      missing.push_back(part);
  };
  const KernelTile tile = kernel.tile.value_or(KernelTile{});
  out.parts.push_back({"from", program_of(kernel)});
  add_part("pass", kernel.pass.has_value(), kernel.pass ? work_of(*kernel.pass) : "");
  add_part("built for", kernel.sm.has_value(), fmt::format("sm_{}", kernel.sm.value_or(0)));
  add_part("type", kernel.dtype.has_value(), kernel.dtype.value_or(""));
  add_part("head size", kernel.d.has_value(), fmt::format("d up to {}", kernel.d.value_or(0)));
  add_part("tile", kernel.tile.has_value(), fmt::format("{} rows of Q, {} keys", tile.q_rows, tile.keys));
  add_part("split-KV", kernel.split_kv.has_value(),
           kernel.split_kv.value_or(false) ? "keys shared out among thread blocks" : "keys not shared out");
  if (!missing.empty()) out.missing = fmt::format("Not in the name: {}.", fmt::join(missing, ", "));
  const auto problem = problem_of(kernel);
  if (!problem) return;
  out.walk_words = schedule_row(*kernel.schedule).identity.title;
  if (kernel.tile) out.walk_words += fmt::format(" with that kernel's tiles, {}×{}", tile.q_rows, tile.keys);
}

const ProfileKernel* longest_of(const Profile& profile, const ProfileGroup& group) {
  const auto at = std::find_if(profile.kernels.begin(), profile.kernels.end(), [&](const ProfileKernel& kernel) {
    return kernel.decoded.family == group.family && kernel.decoded.pass == group.pass;
  });
  return at == profile.kernels.end() ? nullptr : &*at;
}

ProfileRow row_with(const Profile& profile, std::string family, const KernelTime& time) {
  return {.family = std::move(family),
          .pass = "",
          .calls = format_count(time.calls),
          .time = profile.is_timed ? gpu_time_text(time.ns) : "–",
          .share = share_text(profile.share(time.ns)),
          .read = std::nullopt,
          .tip = ""};
}

// "30 % of GPU time is attention; most of that is efficient, in fp32. "; empty without times.
std::string largest_part(const Profile& profile) {
  const std::optional<double> share = profile.share(profile.attention.ns);
  const auto largest =
      std::max_element(profile.groups.begin(), profile.groups.end(),
                       [](const ProfileGroup& a, const ProfileGroup& b) { return a.time.ns < b.time.ns; });
  if (!profile.is_timed || !share || largest == profile.groups.end()) return "";
  const ProfileKernel* const kernel = longest_of(profile, *largest);
  return fmt::format("{:.0f} % of GPU time is attention; its largest part is {}{}. ", *share * 100,
                     family_title(largest->family),
                     kernel && kernel->decoded.dtype ? ", in " + *kernel->decoded.dtype : "");
}

std::string verdict_on(const Profile& profile) {
  if (profile.groups.empty())
    return profile.unknown.calls > 0 ? "No kernel here is attention that is known; some speak of it."
                                     : "No kernel here is attention by its name.";
  const auto any = [&](std::initializer_list<KernelFamily> families) {
    return std::any_of(profile.groups.begin(), profile.groups.end(),
                       [&](const ProfileGroup& group) { return contains(families, group.family); });
  };
  if (any({KernelFamily::Cudnn, KernelFamily::Flash, KernelFamily::Flash3, KernelFamily::Flash4}))
    return largest_part(profile) + "FlashAttention runs here. A click on a row reads the name of its longest kernel.";
  if (any({KernelFamily::Efficient, KernelFamily::Math}))
    return "No kernel here is FlashAttention's or cuDNN's. Put your call in at the left: its cards say what refused.";
  return "A click on a row reads the name of its longest kernel.";
}

void read_profile_rows(const Profile& profile, NamesModel& out) {
  out.headline = fmt::format("{}, {} launched", name_of(profile.format),
                             counted(profile.attention.calls + profile.others.calls + profile.unknown.calls, "kernel"));
  if (profile.is_timed) out.headline += fmt::format(", {} of GPU time", gpu_time_text(profile.gpu_ns()));
  for (const ProfileGroup& group : profile.groups) {
    ProfileRow row = row_with(profile, family_title(group.family), group.time);
    row.pass = group.pass ? name_of(*group.pass) : "–";
    if (const ProfileKernel* const kernel = longest_of(profile, group)) {
      row.read = ReadName{kernel->name};
      row.tip = "Reads the name of the longest of these:\n" + shown(kernel->name);
    }
    out.rows.push_back(std::move(row));
  }
  out.rows.push_back(row_with(profile, "all attention", profile.attention));
  if (profile.unknown.calls > 0) {
    ProfileRow row = row_with(profile, "speak of attention", profile.unknown);
    if (!profile.unknown_kernels.empty()) {
      row.read = ReadName{profile.unknown_kernels.front().name};
      row.tip = "Not known here. The longest of these:\n" + shown(profile.unknown_kernels.front().name);
    }
    out.rows.push_back(std::move(row));
  }
  out.rows.push_back(row_with(profile, "other kernels", profile.others));
  if (profile.copies.calls > 0) out.rows.push_back(row_with(profile, "copies", profile.copies));
  out.so = verdict_on(profile);
  out.notes = notes_on(profile);
}

}  // namespace

std::string owner_of(const DecodedKernel& kernel) {
  return program_of(kernel) + (kernel.pass ? ": " + work_of(*kernel.pass) : "");
}

std::vector<std::string> notes_on(const Profile& profile) {
  std::vector<std::string> out;
  const auto is_math = [](const ProfileGroup& group) { return group.family == KernelFamily::Math; };
  if (std::any_of(profile.groups.begin(), profile.groups.end(), is_math))
    out.push_back(
        "math: of attention that is not fused the softmax alone is counted. Its products are among the other kernels: "
        "their names are equal to those of other layers.");
  const std::int64_t math = profile.operators[std::size_t(SdpaOperator::Math)];
  if (profile.lone_softmax.calls > 0)
    out.push_back(
        fmt::format("Among the other kernels {} softmax{}, of attention or of anything else: the names do not "
                    "tell.{}",
                    profile.lone_softmax.calls == 1 ? "is one" : "are " + format_count(profile.lone_softmax.calls),
                    profile.lone_softmax.calls == 1 ? "" : "es",
                    math > 0 ? " By PyTorch's own record " + counted(math, "call") + " went to MATH." : ""));
  if (profile.unknown.calls > 0)
    out.push_back("Names that speak of attention and are not known here count neither as attention nor as others.");
  return out;
}

std::string family_title(KernelFamily family) {
  static constexpr const char* titles[] = {
      "cuDNN",  "FLASH · FA-1, FA-2", "EFFICIENT · CUTLASS", "FA-3",          "FA-4",           "xFormers",
      "Triton", "FlashInfer",         "FlexAttention",       "MATH: softmax", "other attention"};
  return titles[std::size_t(family)];
}

std::string work_of(KernelPass pass) {
  static constexpr const char* works[] = {"the forward pass", "the backward pass",
                                          "merges what several thread blocks found", "prepares or converts"};
  return works[std::size_t(pass)];
}

std::string gpu_time_text(std::int64_t ns) {
  if (ns < 1'000) return fmt::format("{} ns", ns);
  if (ns < 10'000) return fmt::format("{:.2f} µs", double(ns) / 1e3);
  if (ns < 1'000'000) return fmt::format("{:.1f} µs", double(ns) / 1e3);
  if (ns < 10'000'000) return fmt::format("{:.2f} ms", double(ns) / 1e6);
  if (ns < 10'000'000'000) return fmt::format("{:.1f} ms", double(ns) / 1e6);
  return fmt::format("{:.1f} s", double(ns) / 1e9);
}

std::string share_text(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", *share * 100) : "–";
}

NamesModel build_names_model(const std::string& name, const ProfileReading& reading) {
  NamesModel out;
  out.name = name;
  read_name(out);
  const ProfileNews& news = reading.news;
  out.file = shown(std::filesystem::path(news.path).filename().string());
  out.running = news.running;
  out.stopping = reading.stopping;
  out.fraction = news.fraction;
  out.failure = news.failure;
  if (news.profile) read_profile_rows(*news.profile, out);
  return out;
}

}  // namespace tilewalk
