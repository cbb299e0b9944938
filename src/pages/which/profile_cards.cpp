#include "pages/which/profile_cards.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/problem/device_model.h"
#include "dispatch/dispatch.h"
#include "pages/which/names_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::optional<SdpaBackend> backend_of(KernelFamily family) {
  switch (family) {
    case KernelFamily::Flash: return SdpaBackend::Flash;
    case KernelFamily::Efficient: return SdpaBackend::Efficient;
    case KernelFamily::Cudnn: return SdpaBackend::Cudnn;
    case KernelFamily::Math: return SdpaBackend::Math;
    default: return std::nullopt;
  }
}

const DecodedKernel* name_read_in(const Profile& profile, const ProfileGroup& group) {
  for (const ProfileKernel& kernel : profile.kernels)
    if (kernel.decoded.family == group.family && kernel.decoded.pass == group.pass) return &kernel.decoded;
  return nullptr;
}

std::vector<std::string> facts_of_name(const DecodedKernel& kernel) {
  std::vector<std::string> out;
  if (kernel.dtype) out.push_back(*kernel.dtype);
  if (kernel.d) out.push_back(fmt::format("d up to {}", *kernel.d));
  if (kernel.tile) out.push_back(fmt::format("tile {}×{}", kernel.tile->q_rows, kernel.tile->keys));
  if (kernel.sm) out.push_back("built for SM " + sm_text(*kernel.sm));
  if (kernel.split_kv.value_or(false)) out.push_back("keys shared out");
  return out;
}

// A build for SM 8.0 also runs on later GPUs, so only a later build than the window's GPU names another one.
std::optional<std::string> gpu_for(const DecodedKernel& kernel, const Call& window) {
  if (!kernel.sm || *kernel.sm <= window.sm()) return std::nullopt;
  for (const DeviceModel& device : device_models())
    if (sm_of(device.name) == kernel.sm) return device.name;
  return std::nullopt;
}

CallWords implied_by(const DecodedKernel& kernel, const ProfileGroup& group, const Call& window) {
  CallWords words;
  const auto put = [&](const char* field, const std::string& text) {
    CallWords all = changed_fields(window);
    all[field] = text;
    if (const Result<Call> read = call_from(all); read && !(*read == window)) words[field] = text;
  };
  if (const auto gpu = gpu_for(kernel, window)) put("device", *gpu);
  if (kernel.dtype) put("dtype", *kernel.dtype);
  if (kernel.d) put("d", std::to_string(*kernel.d));
  if (group.pass == KernelPass::Backward) put("training", "on");
  return words;
}

void judge(const Call& call, const RuleTable& table, SdpaBackend ran, ProfileCard& card) {
  const std::optional<SdpaBackend> runs = answer_of(call, table).runs;
  card.agrees = runs == ran;
  if (*card.agrees)
    card.verdict =
        fmt::format("By the rules of PyTorch {} such a call runs {}: what ran.", call.torch, torch_name(ran));
  else
    card.verdict =
        fmt::format("By the rules of PyTorch {} such a call would run {}: look at its mask, lengths and switches.",
                    call.torch, runs ? torch_name(*runs) : "nothing");
}

}  // namespace

std::vector<ProfileCard> profile_cards(const Call& window, const RuleTable* table, const Profile& profile) {
  std::vector<ProfileCard> out;
  for (const ProfileGroup& group : profile.groups) {
    const DecodedKernel* const kernel = name_read_in(profile, group);
    if (!kernel || group.pass == KernelPass::Combine || group.pass == KernelPass::Helper) continue;
    ProfileCard card;
    card.title = family_title(group.family);
    const std::string calls = counted(group.time.calls, "call");
    card.figure = profile.is_timed ? share_text(profile.share(group.time.ns)) : calls;
    card.words = (group.pass ? name_of(*group.pass) + std::string(" · ") : "") + calls +
                 (profile.is_timed ? ", " + gpu_time_text(group.time.ns) : "");
    card.facts = facts_of_name(*kernel);
    const CallWords implied = implied_by(*kernel, group, window);
    CallWords all = changed_fields(window);
    for (const auto& [field, text] : implied) {
      all[field] = text;
      card.take.push_back(EditCall{field, text});
    }
    const Result<Call> call = call_from(all);
    const std::optional<SdpaBackend> ran = backend_of(group.family);
    if (!ran)
      card.verdict = "scaled_dot_product_attention does not launch it: another package does.";
    else if (table && call)
      judge(*call, *table, *ran, card);
    out.push_back(std::move(card));
  }
  return out;
}

}  // namespace tilewalk
