#include "session/desks/roofline_desk.h"

#include <algorithm>
#include <iterator>

#include "measured/held_against.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kColumns = 2048, kTokens = 16384;

void shape_as_raced(AttentionCall& call) {
  call.heads = std::max<std::int64_t>(1, kColumns / std::max<std::int64_t>(1, call.d));
  call.batch = std::max<std::int64_t>(1, kTokens / std::max<std::int64_t>(1, call.n));
  call.kv_heads = 0;
}

}  // namespace

void RooflineDesk::read_times() {
  want_times();
  while (busy()) work();
}

bool RooflineDesk::busy() const { return wanted_ && load_ && read_ < std::size(kRacedDevices); }

bool RooflineDesk::work() {
  if (!busy()) return false;
  Result<RaceTimes> found = load_(kRacedDevices[read_++]);
  if (found)
    times_.push_back(std::move(*found));
  else
    messages_.refuse(text_of(found.issues()), About::Deed);
  return true;
}

DeviceModel RooflineDesk::card() const { return tilewalk::own_card(device_of(device_), bandwidth_.value, peak_.value); }

const RaceTimes* RooflineDesk::times() const { return own_card() ? nullptr : recorded(device_); }

const RaceTimes* RooflineDesk::recorded(const std::string& device) const {
  const auto at = std::find_if(times_.begin(), times_.end(), [&](const RaceTimes& t) { return t.device == device; });
  return at == times_.end() ? nullptr : &*at;
}

AttentionCall RooflineDesk::call_of_length(std::int64_t n) const {
  AttentionCall call = call_;
  call.n = n;
  if (as_raced_) shape_as_raced(call);
  return call;
}

void RooflineDesk::ask_anew() {
  revealed_ = false;
  guess_.reset();
}

void RooflineDesk::carry_out(Action action) {
  if (action != Action::RevealWin) return;
  if (revealed_) {
    revealed_ = false;
    return;
  }
  revealed_ = true;
  if (!guess_) return;
  const auto right = win_of(held_rows(call_, card(), times()));
  if (!right) return;
  misses_.push_back(*guess_ / *right - 1);
  if (misses_.size() > kGuessesKept) misses_.erase(misses_.begin());
}

void RooflineDesk::carry_out(const ChooseRoofline& c) {
  if (c.device && !device_named(*c.device))
    return messages_.refuse("No GPU is called " + *c.device + ". Try one of " + device_names(), About::Deed);
  AttentionCall call = call_;
  call.n = c.n.value_or(call.n);
  call.d = c.d.value_or(call.d);
  call.heads = c.heads.value_or(call.heads);
  call.kv_heads = c.kv_heads.value_or(c.heads ? 0 : call.kv_heads);
  call.batch = c.batch.value_or(call.batch);
  call.causal = c.causal.value_or(call.causal);
  call.dtype = c.dtype.value_or(call.dtype);
  const bool raced = c.as_raced.value_or(as_raced_ && !c.heads && !c.kv_heads && !c.batch);
  if (raced) shape_as_raced(call);
  if (const Issues issues = why_no_call(call); !issues.empty()) return messages_.refuse(issues, About::Deed);
  call_ = call;
  as_raced_ = raced;
  if (c.device) {
    device_ = *c.device;
    bandwidth_ = peak_ = {};
  }
  ask_anew();
}

void RooflineDesk::carry_out(const EditOwnCard& c) {
  TypedRate* const rate = c.field == "bandwidth" ? &bandwidth_ : c.field == "peak" ? &peak_ : nullptr;
  if (!rate) return messages_.refuse("A GPU of your own has a bandwidth and a peak, no " + c.field, About::Deed);
  rate->text = c.text;
  rate->issue.clear();
  if (c.text.empty()) {
    rate->value.reset();
  } else if (const Result<double> read = card_rate(c.field, c.text)) {
    rate->value = *read;
  } else {
    rate->issue = text_of(read.issues());
    return;
  }
  ask_anew();
}

void RooflineDesk::carry_out(const GuessWin& c) {
  if (!(c.times > 0) || !(c.times <= 1000))
    return messages_.refuse("A win is a number above 0, at most 1,000", About::Deed);
  if (!revealed_) guess_ = c.times;
}

void RooflineDesk::carry_out(const WalkMethod& c) {
  const AttentionMethod* const method = method_named(c.method);
  if (!method || !method->schedule) return messages_.refuse("No schedule here walks " + c.method, About::Deed);
  const DeviceModel device = card();
  if (const std::string why = why_not_there(*method, call_, device); !why.empty())
    return messages_.refuse(why, About::Deed);
  Problem problem = walked_by(*method, call_, device);
  problem.machine.sram_bytes = std::max(problem.machine.sram_bytes, device.sram_per_block_bytes);
  if (const Issues issues = owner_.adopt(walking(document_, problem), false); !issues.empty())
    messages_.refuse(issues, About::Problem);
}

}  // namespace tilewalk
