#include "pages/roofline/roofline_controller.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "measured/prediction_error.h"
#include "measured/recorded_race.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kColumns = 2048;  // of all heads

void shape_as_on_cards(AttentionCall& call) {
  call.heads = std::max<std::int64_t>(1, kColumns / std::max<std::int64_t>(1, call.d));
  call.batch = std::max<std::int64_t>(1, kRacedRows / std::max<std::int64_t>(1, call.n));
  call.kv_heads = 0;
}

std::string rate_text_of(double rate) { return std::to_string(std::int64_t(std::lround(rate))); }

}  // namespace

void RooflineController::shape_as_raced(AttentionCall& call) const {
  if (processor_)
    processor_->shape_as_raced(call);
  else
    shape_as_on_cards(call);
}

void RooflineController::read_times() {
  wanted_ = true;
  while (busy()) work();
}

void RooflineController::read_cards() {
  while (cards_left()) read_card();
}

void RooflineController::read_card() {
  Result<RaceTimes> found = setup_.load_times(raced_devices()[read_++]);
  if (found)
    times_.push_back(std::move(*found));
  else
    messages_.refuse(text_of(found.issues()), About::Deed);
}

bool RooflineController::cards_left() const { return setup_.load_times && read_ < raced_devices().size(); }

// The pages of comparison, of which attention runs and of the tree show these times beside much else, so they do not
// wait for the reading.
void RooflineController::turned_to(Page page) {
  if (page == Page::Roofline) read_times();
  if (is_of_the_call(page) || page == Page::Compare || page == Page::Tree) wanted_ = true;
}

bool RooflineController::busy() const {
  return wanted_ && (cards_left() || (setup_.load_processors && !processors_read_));
}

bool RooflineController::work() {
  if (!busy()) return false;
  if (cards_left()) {
    read_card();
    return true;
  }
  processors_read_ = true;
  if (Result<std::vector<KnownProcessor>> found = setup_.load_processors())
    processors_ = std::move(*found);
  else
    messages_.refuse(text_of(found.issues()), About::Deed);
  return true;
}

DeviceModel RooflineController::card() const {
  DeviceModel out = tilewalk::own_card(device_of(device_), bandwidth_.value, peak_.value,
                                       measured_card_ ? RateFrom::MeasuredHere : RateFrom::Typed);
  if (measured_card_) out.title = "Your " + machine().card->name + " (" + machine().date + ")";
  return out;
}

std::vector<PredictionRow> RooflineController::rows() const {
  return processor_ ? prediction_rows(call_, *processor_) : prediction_rows(call_, card(), times());
}

const RaceTimes* RooflineController::times() const { return own_card() ? nullptr : recorded(device_); }

const RaceTimes* RooflineController::recorded(const std::string& device) const {
  const auto at = std::find_if(times_.begin(), times_.end(), [&](const RaceTimes& t) { return t.device == device; });
  return at == times_.end() ? nullptr : &*at;
}

AttentionCall RooflineController::call_of_length(std::int64_t n) const {
  AttentionCall call = call_;
  call.n = n;
  if (as_raced()) shape_as_raced(call);
  return call;
}

void RooflineController::ask_anew() {
  revealed_ = false;
  guess_.reset();
}

void RooflineController::follow(bool in_lesson) {
  in_lesson_ = in_lesson;
  if (window_ == followed_) return;
  const Call before = followed_.call, &now = window_.call;
  followed_ = window_;
  if (now.on_gpu && (processor_ || now.device != before.device)) {
    processor_.reset();
    if (now.device != device_) bandwidth_ = peak_ = {}, measured_card_ = false;
  }
  Call on_card = now;  // where a processor is chosen, the same call is shown on it
  if (processor_) on_card.on_gpu = true, on_card.device = device_;
  std::optional<AttentionCall> call = modelled_call(on_card);
  not_followed_ = call ? "" : why_not_modelled(on_card);
  if (!call) return;
  if (now.on_gpu) device_ = device_named(now.device)->name;
  if (as_raced()) shape_as_raced(*call);
  if (*call != call_) {
    call_ = *call;
    ask_anew();
  }
  publish();
}

void RooflineController::publish() {
  put(call_, window_.call);
  window_.call.on_gpu = !processor_;
  if (!processor_) window_.call.device = device_;
  followed_ = window_;
  not_followed_.clear();
}

void RooflineController::guess_first() {
  guesses_first_ = true;
  ask_anew();
}

void RooflineController::reveal() {
  if (revealed()) return guess_first();
  revealed_ = true;
  if (!guess_) return;
  const auto right = win_of(rows());
  if (!right) return;
  misses_.push_back(*guess_ / *right - 1);
  if (misses_.size() > kGuessesKept) misses_.erase(misses_.begin());
}

void RooflineController::measure() {
  if (!no_measuring().empty()) return messages_.refuse(no_measuring(), About::Deed);
  if (measuring_.running) return messages_.refuse("This machine is being measured already; stop it first", About::Deed);
  measuring_.start();
  measuring_.doing = "starting";
  measuring_.failure.clear();
  document_.view.page = Page::Roofline;
  read_times();
}

void RooflineController::carry_out(const ReportMeasure& c) {
  const MeasureNews& news = c.news;
  measuring_.report(news.running, news.fraction);
  measuring_.doing = news.doing;
  measuring_.failure = news.failure;
  if (news.running || !news.machine) return;
  if (!news.machine->any()) {
    measuring_.failure = "Nothing was measured. " + news.machine->no_processor + ". " + news.machine->no_card;
    return;
  }
  setup_.machine = *news.machine;
  if (measured_card_ && !machine().card) measured_card_ = false, bandwidth_ = peak_ = {};  // they were measured
  carry_out(ChooseRoofline{.device = machine().card ? kYourCard : your_processor_name()});
}

Result<Done> RooflineController::put_on(const std::string& device) {
  if (names_processor(device)) {
    read_times();
    Result<KnownProcessor> found = processor_named(device, processors_, machine());
    if (!found) return found.issues();
    processor_ = std::move(*found);
    return Done{};
  }
  const bool yours = device == kYourCard;
  if (yours && !machine().card)
    return Issue{"device", device,
                 machine().no_card.empty() ? "was not measured yet" : "was not measured: " + machine().no_card,
                 "Press Measure this machine"};
  if (!yours && !device_named(device)) return no_such_device("device", device, ", or cpu for a processor");
  processor_.reset();
  bandwidth_ = peak_ = {};
  measured_card_ = yours;
  if (!yours) {
    device_ = device_named(device)->name;
    return Done{};
  }
  if (const DeviceModel* like = device_like(machine().card->name)) device_ = like->name;
  bandwidth_ = {
      .text = rate_text_of(machine().card->copy_gb_per_s), .issue = {}, .value = machine().card->copy_gb_per_s};
  peak_ = {.text = rate_text_of(machine().card->product_tflops), .issue = {}, .value = machine().card->product_tflops};
  return Done{};
}

void RooflineController::carry_out(const ChooseRoofline& c) {
  // Changes are undone if the call is refused.
  const auto before = std::tuple(processor_, device_, bandwidth_, peak_, measured_card_);
  const bool on_processor = processor_.has_value();
  if (c.device)
    if (const Result<Done> put = put_on(*c.device); !put) return messages_.refuse(text_of(put.issues()), About::Deed);
  AttentionCall call = call_;
  if (processor_.has_value() != on_processor) call.dtype = processor_ ? DType::Fp32 : DType::Bf16;  // as raced
  call.n = c.n.value_or(call.n);
  call.d = c.d.value_or(call.d);
  call.heads = c.heads.value_or(call.heads);
  call.kv_heads = c.kv_heads.value_or(c.heads ? 0 : call.kv_heads);
  call.batch = c.batch.value_or(call.batch);
  call.causal = c.causal.value_or(call.causal);
  call.dtype = c.dtype.value_or(call.dtype);
  const bool raced_n = !c.n || is_raced_length(*c.n);
  const bool raced = c.as_raced.value_or(as_raced() && raced_n && !c.heads && !c.kv_heads && !c.batch);
  if (raced) shape_as_raced(call);
  if (const Issues issues = why_no_call(call); !issues.empty()) {
    std::tie(processor_, device_, bandwidth_, peak_, measured_card_) = before;
    return messages_.refuse(issues, About::Deed);
  }
  call_ = call;
  window_.as_raced = raced;
  publish();
  ask_anew();
  if (c.device)
    if (std::string sentence = stand_in_sentence(*c.device); !sentence.empty()) messages_.say(std::move(sentence));
}

void RooflineController::carry_out(const EditOwnCard& c) {
  TypedRate* const rate = c.field == "bandwidth" ? &bandwidth_ : c.field == "peak" ? &peak_ : nullptr;
  if (!rate) return messages_.refuse("A GPU of your own has a bandwidth and a peak, no " + c.field, About::Deed);
  rate->text = c.text;
  rate->issue.clear();
  std::optional<double> value;
  if (!c.text.empty()) {
    const Result<double> read = card_rate(c.field, c.text);
    if (!read) return void(rate->issue = text_of(read.issues()));
    value = *read;
  }
  rate->value = value;
  measured_card_ = false;
  if (processor_) {  // typing a card's rate selects the card
    processor_.reset();
    call_.dtype = DType::Bf16;
    if (as_raced()) shape_as_raced(call_);
    publish();
  }
  ask_anew();
}

void RooflineController::carry_out(const GuessWin& c) {
  if (!(c.times > 0) || !(c.times <= 1000))
    return messages_.refuse("A win is a number above 0, at most 1,000", About::Deed);
  if (!revealed()) guess_ = c.times;
}

void RooflineController::carry_out(const WalkMethod& c) {
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

bool RooflineController::step_presented(StepUnit, int direction) {
  if (!not_followed().empty()) return true;
  const std::int64_t n = call().n;
  const auto begin = std::begin(kRooflineLengths), end = std::end(kRooflineLengths);
  const auto after = std::min(std::upper_bound(begin, end, n), end - 1), at = std::lower_bound(begin, end, n);
  const std::int64_t next = direction > 0 ? std::max(n, *after) : at == begin ? n : *(at - 1);
  carry_out(ChooseRoofline{.n = next});
  return true;
}

}  // namespace tilewalk
