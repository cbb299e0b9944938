// What is known about the values on screen, held against a kernel. Made by whoever ran the check (app/check_runner),
// kept by Session, shown by the badge and the timeline. Nothing here is green unless `state` says it was compared and
// equal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tilewalk {

enum class CheckAgainst { Nothing, LiveGpu, Recording };
enum class CheckState { NotChecked, Running, Equal, WithinRule, Diverged, NotFinite };

struct Divergence {
  std::int64_t step = 0;         // the step of this problem's schedule at which the values first differ
  std::int64_t visit_index = 0;  // Schedule::visit_index of that visit
  std::int64_t q_tile = 0, kv_tile = 0;
  std::int64_t row = -1, col = -1;  // -1 where only a digest of the state was recorded
  std::string quantity;             // "m", "l", "alpha", "O", "S", "P" or "state hash"
  std::string expected, got;        // as text; empty where only a digest was recorded
  bool operator==(const Divergence&) const = default;
};

struct CheckReport {
  CheckAgainst against = CheckAgainst::Nothing;
  CheckState state = CheckState::NotChecked;
  std::string gpu;          // "H200"
  std::string date;         // of the recording; empty for a live check
  std::string reason;       // why nothing was checked, or what went wrong; one sentence
  std::int64_t visits = 0;  // tile visits compared
  std::int64_t values = 0;
  std::int64_t differing = 0;
  std::int64_t max_ulp = 0;
  std::optional<Divergence> first;
  std::uint64_t problem_revision = 0;  // which problem this is about; others are dropped

  bool operator==(const CheckReport&) const = default;
};

}  // namespace tilewalk
