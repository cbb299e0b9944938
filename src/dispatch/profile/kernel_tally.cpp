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

void KernelTally::add_operator(std::string_view name, std::int64_t calls) {
  const auto at = std::find(std::begin(kSdpaOperators), std::end(kSdpaOperators), name);
  if (at != std::end(kSdpaOperators)) operators_[std::size_t(at - std::begin(kSdpaOperators))] += calls;
}

KernelTally::Named KernelTally::read(const std::string& name) {
  Named out{decode_kernel(name), NameHint::None, {}};
  if (out.decoded.is_attention()) return out;
  out.hint = hint_of(name);
  if (out.hint == NameHint::Softmax) out.decoded = as_part_of_attention(name).value_or(DecodedKernel{});
  return out;
}

KernelTime& KernelTally::place_of(const Named& named) {
  const Key key{named.decoded.family, named.decoded.pass ? int(*named.decoded.pass) : -1};
  if (named.hint == NameHint::Softmax) return softmax_[key];
  if (named.hint == NameHint::Attention) return unknown_;
  return named.decoded.is_attention() ? groups_[key] : others_;
}

bool KernelTally::add_kernel(std::string_view text, KernelTime time) {
  std::string name(text);
  if (const auto at = names_.find(name); at != names_.end()) {
    if (!add(place_of(at->second), time)) return false;
    at->second.time.calls += time.calls, at->second.time.ns += time.ns;
    return true;
  }
  Named named = read(name);
  if (!add(place_of(named), time)) return false;
  if (names_.size() < kMostNames && name_bytes_ + name.size() < kMostNameBytes) {
    name_bytes_ += name.size();
    named.time = time;
    names_.emplace(std::move(name), std::move(named));
  }
  return true;
}

// MATH launches one softmax a call, forward: if there are no more than that, all softmaxes are attention's.
bool KernelTally::softmax_is_attention() const {
  const auto forward = softmax_.find({KernelFamily::Math, int(KernelPass::Forward)});
  return forward != softmax_.end() && forward->second.calls <= operators_[std::size_t(SdpaOperator::Math)];
}

void KernelTally::put_groups(Profile& out) const {
  const auto add_to = [](KernelTime& to, const KernelTime& time) { to.calls += time.calls, to.ns += time.ns; };
  std::map<Key, KernelTime> groups = groups_;
  for (const auto& [key, time] : softmax_) {
    if (softmax_is_attention()) {
      add_to(groups[key], time);
      continue;
    }
    add_to(out.others, time);
    add_to(out.lone_softmax, time);
  }
  for (const auto& [key, time] : groups) {
    const std::optional pass = key.pass < 0 ? std::nullopt : std::optional(KernelPass(key.pass));
    out.groups.push_back({.family = key.family, .pass = pass, .time = time});
    add_to(out.attention, time);
  }
}

void KernelTally::put_kernels(Profile& out) const {
  for (const auto& [name, named] : names_) {
    const bool of_attention = named.decoded.is_attention() && (named.hint == NameHint::None || softmax_is_attention());
    if (of_attention || named.hint == NameHint::Attention)
      (of_attention ? out.kernels : out.unknown_kernels)
          .push_back({shown(name, kLongestShownName), named.decoded, named.time});
  }
}

Profile KernelTally::profile(ProfileFormat format) const {
  Profile out{.format = format,
              .is_timed = timed_,
              .groups = {},
              .kernels = {},
              .attention = {},
              .others = others_,
              .copies = copies_,
              .unknown = unknown_,
              .operators = operators_};
  put_groups(out);
  put_kernels(out);
  const auto longer = [](const KernelTime& a, const KernelTime& b) {
    return a.ns != b.ns ? a.ns > b.ns : a.calls > b.calls;
  };
  std::stable_sort(out.groups.begin(), out.groups.end(),
                   [&](const ProfileGroup& a, const ProfileGroup& b) { return longer(a.time, b.time); });
  for (std::vector<ProfileKernel>* kernels : {&out.kernels, &out.unknown_kernels}) {
    std::sort(kernels->begin(), kernels->end(), [&](const ProfileKernel& a, const ProfileKernel& b) {
      return a.time == b.time ? a.name < b.name : longer(a.time, b.time);
    });
    if (kernels->size() > kMostProfileKernels) kernels->resize(kMostProfileKernels);
  }
  return out;
}

}  // namespace tilewalk
