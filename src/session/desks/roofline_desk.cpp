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
  const auto right = win_asked(call(), device_, times());
  if (!guess_ || !right) return;
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

std::optional<double> win_asked(const AttentionCall& call, const std::string& device, const RaceTimes* times) {
  const DeviceModel& card = device_of({.device = device});
  const RaceTimes* const held = times && times->device == device ? times : nullptr;
  const auto ms_of = [&](const char* method) -> std::optional<double> {
    if (held)
      if (const auto ms = held->ms_of(method, cell_of(call))) return ms;
    return predict(*method_named(method), call, card).predicted_ms;
  };
  const auto naive = ms_of("naive");
  auto fast = ms_of("flash_v3");
  if (!fast) fast = ms_of("flash_v2");
  if (!naive || !fast) return std::nullopt;
  return *naive / *fast;
}

}  // namespace tilewalk
