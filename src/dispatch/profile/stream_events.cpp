#include "dispatch/profile/stream_events.h"

#include <limits>

#include "dispatch/profile/table_columns.h"

namespace tilewalk {

void StreamEvents::name_process(std::int64_t process, std::string_view name) {
  is_gpu_[process] = name.find("/device:GPU:") != std::string_view::npos;
  if (is_gpu_[process]) return;
  for (auto at = events_.begin(); at != events_.end();)
    at = at->first.first == process ? events_.erase(at) : std::next(at);
}

void StreamEvents::name_thread(std::int64_t process, std::int64_t thread, std::string_view name) {
  if (name.starts_with("Stream #")) streams_.insert({process, thread});
}

void StreamEvents::add(std::int64_t process, std::int64_t thread, const std::string& name, KernelTime time) {
  if (const auto known = is_gpu_.find(process); known != is_gpu_.end() && !known->second) return;
  auto& here = events_[{process, thread}];
  auto at = here.find(name);
  if (at == here.end()) {
    if (++kinds_ > kMostKinds || (bytes_ += name.size()) > kMostBytes) return void(too_many_ = true);
    at = here.emplace(name, KernelTime{}).first;
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  at->second.calls += time.calls;
  at->second.ns = at->second.ns > most - time.ns ? most : at->second.ns + time.ns;
}

bool StreamEvents::is_stream(const Place& place) const {
  const auto process = is_gpu_.find(place.first);
  return process != is_gpu_.end() && process->second && streams_.contains(place);
}

bool StreamEvents::any() const {
  for (const auto& [place, events] : events_)
    if (is_stream(place) && !events.empty()) return true;
  return false;
}

bool StreamEvents::put(KernelTally& tally) const {
  for (const auto& [place, events] : events_) {
    if (!is_stream(place)) continue;
    for (const auto& [name, time] : events)
      if (!(is_copy_name(name) ? tally.add_copy(time) : tally.add_kernel(name, time))) return false;
  }
  return true;
}

}  // namespace tilewalk
