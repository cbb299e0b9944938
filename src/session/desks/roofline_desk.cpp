#include "session/desks/roofline_desk.h"

#include <algorithm>

#include "measured/held_against.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kColumns = 2048, kTokens = 16384;

}  // namespace

void RooflineDesk::read_times() {
  if (asked_) return;
  asked_ = true;
  if (!load_) return;
  Result<RaceTimes> found = load_();
  if (found)
    times_ = std::move(*found);
  else
    messages_.refuse(text_of(found.issues()), About::Deed);
}

const RaceTimes* RooflineDesk::times() const { return times_ && times_->device == device_ ? &*times_ : nullptr; }

AttentionCall RooflineDesk::call_of_length(std::int64_t n) const {
  return {.n = n, .d = d_, .heads = kColumns / d_, .batch = std::max<std::int64_t>(1, kTokens / n), .causal = causal_};
}

void RooflineDesk::carry_out(Action action) {
  if (action != Action::RevealWin) return;
  if (revealed_) {
    revealed_ = false;
    return;
  }
  revealed_ = true;
  if (!guess_) return;
  const auto right = win_of(held_rows(call(), device_of({.device = device_}), times()));
  if (!right) return;
  misses_.push_back(*guess_ / *right - 1);
  if (misses_.size() > kGuessesKept) misses_.erase(misses_.begin());
}

void RooflineDesk::carry_out(const ChooseRoofline& c) {
  if (c.device) {
    if (!device_named(*c.device))
      return messages_.refuse("No card is called " + *c.device + ". Try one of " + device_names(), About::Deed);
    device_ = *c.device;
  }
  const auto known = [](std::int64_t n) {
    return std::find(std::begin(kRooflineLengths), std::end(kRooflineLengths), n) != std::end(kRooflineLengths);
  };
  if (c.n && !known(*c.n)) return messages_.refuse("N is a power of two from 512 to 65,536 here", About::Deed);
  if (c.d && *c.d != 64 && *c.d != 128) return messages_.refuse("d is 64 or 128 here", About::Deed);
  if (c.n) n_ = *c.n;
  if (c.d) d_ = *c.d;
  if (c.causal) causal_ = *c.causal;
  revealed_ = false;  // another question
  guess_.reset();
}

void RooflineDesk::carry_out(const GuessWin& c) {
  if (!(c.times > 0) || !(c.times <= 1000))
    return messages_.refuse("A win is a number above 0, at most 1,000", About::Deed);
  if (!revealed_) guess_ = c.times;
}

}  // namespace tilewalk
