#include "pages/which/profile_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/shown.h"
#include "base/words.h"
#include "dispatch/dispatch.h"
#include "dispatch/kernel_schedule.h"
#include "pages/which/names_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostKernels = 6;

KernelFamily family_of(SdpaBackend backend) {
  switch (backend) {
    case SdpaBackend::Flash: return KernelFamily::Flash;
    case SdpaBackend::Efficient: return KernelFamily::Efficient;
    case SdpaBackend::Cudnn: return KernelFamily::Cudnn;
    default: return KernelFamily::Math;
  }
}

bool merges(const Profile& profile, KernelFamily family) {
  return std::any_of(profile.groups.begin(), profile.groups.end(), [&](const ProfileGroup& group) {
    return group.family == family && group.pass == KernelPass::Combine;
  });
}

JoinedKernel joined(const ProfileKernel& kernel, const KernelSchedule& expected, const Profile& profile) {
  JoinedKernel out{.name = kernel.name, .words = "", .calls = kernel.time.calls, .as_expected = std::nullopt};
  const auto compare = [&](const std::string& what, bool equal, const std::string& should) {
    add_to_list(out.words, what + (equal ? ", as expected" : ", expected " + should));
    out.as_expected = out.as_expected.value_or(true) && equal;
  };
  const KernelTile tile = kernel.decoded.tile.value_or(KernelTile{});
  if (expected.br && kernel.decoded.tile)
    compare(fmt::format("tile {}×{}", tile.q_rows, tile.keys), *expected.br == tile.q_rows && *expected.bc == tile.keys,
            fmt::format("{}×{}", *expected.br, *expected.bc));
  std::optional<bool> split = kernel.decoded.split_kv;
  const bool tells_by_merging = kernel.decoded.family == KernelFamily::Cudnn;
  if (!split && tells_by_merging && !merges(profile, kernel.decoded.family)) split = false;
  if (expected.split_kv && split)
    compare(*split ? "keys shared out" : "keys not shared out", *expected.split_kv == *split,
            *expected.split_kv ? "shared out" : "not shared out");
  return out;
}

}  // namespace

namespace {

// The versions, among those with rules, that would run a backend for this call whose kernels the profile has: "PyTorch
// 2.5 to 2.8 and 2.10 would take FLASH_ATTENTION". Empty where there is none. Each with its own wheel's CUDA and cuDNN.
std::string versions_that_fit(Call call, const std::vector<RuleTable>& tables, const Profile& profile) {
  call.cuda.reset(), call.cudnn.reset();
  const Result<const RuleTable*> own = table_for(tables, call.torch);
  std::map<SdpaBackend, std::vector<std::string>> fit;
  for (auto table = tables.rbegin(); table != tables.rend(); ++table) {
    if (own && *own == &*table) continue;
    const std::optional<SdpaBackend> runs = answer_of(call, *table).runs;
    const bool ran = runs && std::any_of(profile.groups.begin(), profile.groups.end(), [&](const ProfileGroup& group) {
                       return group.pass == KernelPass::Forward && group.family == family_of(*runs);
                     });
    if (ran) fit[*runs].push_back(table->version);
  }
  std::string out;
  for (const auto& [backend, versions] : fit)
    out += fmt::format(
        " By the rules here PyTorch {} would take {} for this call: give --torch the version that the "
        "profile was recorded with.",
        listed(versions, " and ", [](const std::string& version) { return version; }), torch_name(backend));
  return out;
}

}  // namespace

ProfileJoin join_profile(const Call& call, const std::vector<RuleTable>& tables, const Profile& profile) {
  ProfileJoin out;
  const Result<const RuleTable*> found = table_for(tables, call.torch);
  if (!found) return out;
  const RuleTable& table = **found;
  const WhichAnswer answer = answer_of(call, table);
  std::size_t families = 0;
  for (const ProfileGroup& group : profile.groups) {
    if (group.pass != KernelPass::Forward) continue;
    out.ran += fmt::format("{}{} {}", out.ran.empty() ? "" : ", ", family_title(group.family),
                           counted(group.time.calls, "call"));
    ++families;
    if (answer.runs && group.family == family_of(*answer.runs)) out.seen = true;
  }
  out.should = answer.runs ? torch_name(*answer.runs) : "none";
  if (!answer.runs)
    out.verdict = "Nothing should run for this call: what ran is of other calls.";
  else if (families == 0)
    out.verdict = "The profile has no forward kernel of attention that is known here, so it gives no answer.";
  else if (!out.seen)
    out.verdict =
        "Another one ran than should have: look whether type, mask, shapes and switches were those of this "
        "call." +
        versions_that_fit(call, tables, profile);
  else
    out.verdict = families == 1 ? "What should have run is what ran."
                                : "What should have run is there, and others are: of other calls.";
  if (!answer.runs || !call.on_gpu) return out;
  const KernelSchedule expected = kernel_schedule(call, table, *answer.runs);
  for (const ProfileKernel& kernel : profile.kernels)
    if (kernel.decoded.family == family_of(*answer.runs) && kernel.decoded.pass == KernelPass::Forward)
      out.kernels.push_back(joined(kernel, expected, profile));
  return out;
}

std::string join_text(const ProfileJoin& join) {
  std::string out = fmt::format("  should have run: {}\n  ran, forward: {}\n  {}\n", join.should,
                                join.ran.empty() ? "nothing that is known" : join.ran, join.verdict);
  for (std::size_t i = 0; i < join.kernels.size() && i < kMostKernels; ++i) {
    const JoinedKernel& kernel = join.kernels[i];
    out += fmt::format("  {}, {}{}{}\n", shown(kernel.name, 80), counted(kernel.calls, "call"),
                       kernel.words.empty() ? "" : ": ", kernel.words);
  }
  return out;
}

}  // namespace tilewalk
