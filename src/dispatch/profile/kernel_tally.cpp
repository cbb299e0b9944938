#include "dispatch/profile/kernel_tally.h"

#include <algorithm>
#include <limits>

#include "base/shown.h"

namespace tilewalk {

bool KernelTally::add(KernelTime& to, KernelTime more) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (more.calls < 0 || more.ns < 0 || total_.calls > most - more.calls || total_.ns > most - more.ns) return false;
  for (KernelTime* each : {&to, &total_}) each->calls += more.calls, each->ns += more.ns;
  return true;
}

bool KernelTally::add_copy(KernelTime time) { return add(copies_, time); }

bool KernelTally::add_kernel(std::string_view text, KernelTime time) {
  std::string name(text);
  const auto at = names_.find(name);
  DecodedKernel decoded = at != names_.end() ? at->second.decoded : decode_kernel(name);
  const Key key{decoded.family, decoded.pass ? int(*decoded.pass) : -1};
  if (!add(decoded.is_attention() ? groups_[key] : others_, time)) return false;
  if (at != names_.end()) {
    at->second.time.calls += time.calls, at->second.time.ns += time.ns;
  } else if (names_.size() < kMostNames && name_bytes_ + name.size() < kMostNameBytes) {
    name_bytes_ += name.size();
    names_.emplace(std::move(name), Named{std::move(decoded), time});
  }
  return true;
}

Profile KernelTally::profile(ProfileFormat format) const {
  Profile out{.format = format,
              .is_timed = timed_,
              .groups = {},
              .kernels = {},
              .attention = {},
              .others = others_,
              .copies = copies_};
  for (const auto& [key, time] : groups_) {
    const std::optional pass = key.pass < 0 ? std::nullopt : std::optional(KernelPass(key.pass));
    out.groups.push_back({.family = key.family, .pass = pass, .time = time});
    out.attention.calls += time.calls, out.attention.ns += time.ns;
  }
  for (const auto& [name, named] : names_)
    if (named.decoded.is_attention())
      out.kernels.push_back({shown(name, kLongestShownName), named.decoded, named.time});
  const auto longer = [](const KernelTime& a, const KernelTime& b) {
    return a.ns != b.ns ? a.ns > b.ns : a.calls > b.calls;
  };
  std::stable_sort(out.groups.begin(), out.groups.end(),
                   [&](const ProfileGroup& a, const ProfileGroup& b) { return longer(a.time, b.time); });
  std::sort(out.kernels.begin(), out.kernels.end(), [&](const ProfileKernel& a, const ProfileKernel& b) {
    return a.time == b.time ? a.name < b.name : longer(a.time, b.time);
  });
  if (out.kernels.size() > kMostProfileKernels) out.kernels.resize(kMostProfileKernels);
  return out;
}

}  // namespace tilewalk
