#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "dispatch/profile/profile_readers.h"

namespace tilewalk {
namespace {

constexpr std::string_view kKernels[] = {"kernel", "Kernel"};  // the spelling of PyTorch since 2.0, and the earlier one
constexpr std::string_view kCopies[] = {"gpu_memcpy", "gpu_memset", "Memcpy", "Memset"};

bool is_category(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct TraceEvent {
  std::string phase, category, name;
  std::optional<double> us;
};

// One of traceEvents. Skips events that are neither kernel nor copy.
class EventReader {
 public:
  EventReader(JsonReader& json, KernelTally& tally) : json_(json), tally_(tally) {}

  bool all() {
    if (!json_.enter('[')) return false;
    for (bool first = true; json_.next_element(first);)
      if (!one()) return false;
    return !json_.failed();
  }

 private:
  bool one() {
    if (json_.kind() != '{') return json_.pass_over();
    const std::int64_t at = json_.offset();
    event_.phase.clear(), event_.category.clear(), event_.name.clear(), event_.us.reset();
    json_.enter('{');
    for (bool first = true; json_.next_key(first, key_);)
      if (!field()) return false;
    return !json_.failed() && count(at);
  }

  bool field() {
    constexpr std::size_t word = 32;
    const bool is_text = json_.kind() == '"';
    if (key_ == "ph" && is_text) return json_.read_string(event_.phase, word);
    if (key_ == "cat" && is_text) return json_.read_string(event_.category, word);
    if (key_ == "name" && is_text) return json_.read_string(event_.name, kLongestKernelName);
    if (key_ != "dur" || is_text) return json_.pass_over();
    return json_.read_number(event_.us.emplace());
  }

  bool count(std::int64_t at) {
    const bool is_kernel = is_category(kKernels, event_.category);
    if (event_.phase == "X" && event_.category == "cpu_op") tally_.add_operator(event_.name);
    if (event_.phase != "X" || (!is_kernel && !is_category(kCopies, event_.category))) return true;
    constexpr double longest_us = 1e15;  // 32 years
    if (!event_.us || !(*event_.us >= 0 && *event_.us <= longest_us))
      return json_.refuse("the event that begins here has no time from 0 to 1e15 µs as dur", at,
                          event_.us ? format_number(*event_.us) : "");
    const KernelTime time{.calls = 1, .ns = std::llround(*event_.us * 1000)};
    if (!is_kernel) return tally_.add_copy(time) || json_.refuse("more time than can be", at);
    if (event_.name.empty()) return json_.refuse("the kernel that begins here has no name", at);
    return tally_.add_kernel(event_.name, time) || json_.refuse("more time than can be", at);
  }

  JsonReader& json_;
  KernelTally& tally_;
  TraceEvent event_;
  std::string key_;
};

}  // namespace

Result<Done> read_trace(JsonReader& json, KernelTally& tally, bool& found) {
  EventReader events(json, tally);
  found = json.kind() == '[';  // the list alone is a trace too
  if (found) {
    events.all();
  } else if (json.enter('{')) {
    std::string key;
    for (bool first = true; json.next_key(first, key);)
      if (key == "traceEvents" && json.kind() == '[') {
        found = true;
        if (!events.all()) break;
      } else if (!json.pass_over()) {
        break;
      }
  }
  if (!json.failed()) json.at_end();
  return json.failed() ? Result<Done>(json.issues()) : Done{};
}

}  // namespace tilewalk
