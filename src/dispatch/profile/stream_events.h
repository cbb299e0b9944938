// Events of a Chrome trace without categories, as JAX (XLA) writes it. The names of the process, "/device:GPU:0", and
// of the thread, "Stream #13(Compute)", tell which events are kernels. Those names may follow the events. Events of
// processes that are known to be no GPU's are dropped at once. Internal to dispatch/profile.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "dispatch/profile/kernel_tally.h"

namespace tilewalk {

class StreamEvents {
 public:
  static constexpr std::size_t kMostKinds = 200'000, kMostBytes = 64 << 20;

  void name_process(std::int64_t process, std::string_view name);
  void name_thread(std::int64_t process, std::int64_t thread, std::string_view name);
  void add(std::int64_t process, std::int64_t thread, const std::string& name, KernelTime);

  bool any() const;                            // something ran on a GPU's stream
  bool too_many() const { return too_many_; }  // kinds of events: some were not kept
  bool put(KernelTally&) const;                // false if the sum would exceed 292 years

 private:
  using Place = std::pair<std::int64_t, std::int64_t>;  // process, thread
  bool is_stream(const Place&) const;

  std::map<std::int64_t, bool> is_gpu_;  // by process
  std::set<Place> streams_;
  std::map<Place, std::map<std::string, KernelTime>> events_;
  std::size_t kinds_ = 0, bytes_ = 0;
  bool too_many_ = false;
};

}  // namespace tilewalk
