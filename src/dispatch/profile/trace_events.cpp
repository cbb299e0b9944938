#include <algorithm>
#include <cmath>

#include "base/contains.h"
#include "base/units.h"
#include "dispatch/profile/profile_readers.h"
#include "dispatch/profile/stream_events.h"

namespace tilewalk {
namespace {

constexpr std::string_view kKernels[] = {"kernel", "Kernel"};  // the spelling of PyTorch since 2.0, and the earlier one
constexpr std::string_view kCopies[] = {"gpu_memcpy", "gpu_memset", "Memcpy", "Memset"};

bool is_category(std::span<const std::string_view> words, std::string_view word) { return contains(words, word); }

struct TraceEvent {
  std::string phase, category, name;
  std::optional<double> us, process, thread;
  std::string called;  // the name that an event of phase M gives its process or thread
};

// One of traceEvents. Skips events that are neither kernel nor copy; keeps those without a category apart.
class EventReader {
 public:
  EventReader(JsonReader& json, KernelTally& tally) : json_(json), tally_(tally) {}

  // After the last event: adds what ran on streams. False for a trace without them.
  bool put_streams() {
    if (json_.failed() || !streams_.any()) return false;
    if (streams_.too_many()) return json_.refuse("more kinds of events than can be kept");
    return streams_.put(tally_) || json_.refuse("more time than can be");
  }

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
    event_ = {};
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
    if (key_ == "args" && json_.kind() == '{' && (event_.name.empty() || event_.name.ends_with("_name")))
      return names();
    const bool is_number = json_.kind() == '-' || (json_.kind() >= '0' && json_.kind() <= '9');
    if (key_ == "pid" && is_number) return json_.read_number(event_.process.emplace());
    if (key_ == "tid" && is_number) return json_.read_number(event_.thread.emplace());
    if (key_ != "dur" || is_text) return json_.pass_over();
    return json_.read_number(event_.us.emplace());
  }

  // {"name": "/device:GPU:0"}
  bool names() {
    constexpr std::size_t longest = 256;
    json_.enter('{');
    for (bool first = true; json_.next_key(first, key_);)
      if (!(key_ == "name" && json_.kind() == '"' ? json_.read_string(event_.called, longest) : json_.pass_over()))
        return false;
    return !json_.failed();
  }

  static std::int64_t number_of(std::optional<double> number) {
    return number && std::abs(*number) < 1e15 ? std::int64_t(*number) : -1;
  }

  // Handles an event without a category.
  void keep() {
    const std::int64_t process = number_of(event_.process), thread = number_of(event_.thread);
    if (event_.phase == "M" && event_.name == "process_name") streams_.name_process(process, event_.called);
    if (event_.phase == "M" && event_.name == "thread_name") streams_.name_thread(process, thread, event_.called);
    constexpr double longest_us = 1e15;
    if (event_.phase == "X" && event_.us && *event_.us >= 0 && *event_.us <= longest_us && !event_.name.empty())
      streams_.add(process, thread, event_.name, {.calls = 1, .ns = std::llround(*event_.us * 1000)});
  }

  bool count(std::int64_t at) {
    if (event_.category.empty()) return keep(), true;
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
  StreamEvents streams_;
  TraceEvent event_;
  std::string key_;
};

}  // namespace

Result<std::optional<ProfileFormat>> read_trace(JsonReader& json, KernelTally& tally) {
  EventReader events(json, tally);
  bool found = json.kind() == '[';  // the list alone is a trace too
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
  const bool has_kernels = !tally.empty(), of_xla = !has_kernels && events.put_streams();
  if (json.failed()) return json.issues();
  if (!found) return std::optional<ProfileFormat>();
  return std::optional(of_xla ? ProfileFormat::XlaTrace : ProfileFormat::ChromeTrace);
}

}  // namespace tilewalk
