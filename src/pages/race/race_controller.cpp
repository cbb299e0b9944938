#include "pages/race/race_controller.h"

#include <utility>

#include "session/document/step_motion.h"

namespace tilewalk {

void RaceController::read_recorded() {
  if (races_.recorded || !races_.recorded_missing.empty()) return;
  if (!setup_.load_race) {
    races_.recorded_missing = "The recorded race cannot be read here.";
  } else if (Result<Race> loaded = setup_.load_race(); loaded) {
    races_.recorded = std::make_shared<const Race>(std::move(*loaded));
  } else {
    races_.recorded_missing = text_of(loaded.issues());
  }
}

void RaceController::run_again() {
  races_.seconds_run = 0;
  begin_presenting();
  began_ = -1;
}

bool RaceController::step_presented(StepUnit, int direction) {
  const bool ran = !races_.seconds_run;
  rest();
  if (direction < 0)
    races_.answered = std::exchange(races_.shows_win, false);
  else if (races_.shows_win)
    run_again();
  else if (ran && races_.answered)
    show_win();
  else
    races_.answered = ran;
  return true;
}

bool RaceController::tick(double now) {
  if (!races_.seconds_run) return false;
  if (began_ < 0) began_ = now;
  races_.seconds_run = now - began_;
  if (*races_.seconds_run >= kSecondsOfRun) rest();
  return true;
}

std::optional<double> RaceController::seconds_to_next() const {
  return races_.seconds_run ? std::optional(kMotionFrame) : std::nullopt;
}

void RaceController::start(RaceSource on) {
  if (races_.running) return messages_.refuse("A race is running already; stop it first", About::Race);
  if (on == RaceSource::Gpu && !checks_.gpu_present())
    return messages_.refuse(checks_.why_no_gpu("There is no GPU to race on."), About::Deed);
  races_.running_on = on;
  races_.start();
  races_.choice.source = on;
  races_.doing = "starting";
  races_.failure.clear();
  document_.view.page = Page::Race;
  read_recorded();
}

void RaceController::carry_out(const ChooseRace& c) {
  rest();
  begin_presenting();
  RaceChoice& choice = races_.choice;
  choice.source = c.source.value_or(choice.source);
  choice.metric = c.metric.value_or(choice.metric);
  choice.pass = c.pass.value_or(choice.pass);
  choice.all = c.all.value_or(choice.all);
  Call call = window_.call;
  if (c.n) call.n_q = *c.n, call.n_kv.reset();
  if (c.d) call.d = *c.d, call.d_v.reset();
  call.is_causal = c.causal.value_or(call.is_causal);
  if (const Result<Call> read = call_from(changed_fields(call)); !read)
    return messages_.refuse(read.issues(), About::Deed);
  window_.call = call;
  if (c.n) window_.as_raced = is_raced_length(*c.n);
  window_.as_raced |= !c.n && c.d;
}

void RaceController::follow() {
  if (races_.call == window_.call) return;
  races_.call = window_.call;
  races_.choice.n = window_.call.n_q;
  races_.choice.d = window_.call.d;
  races_.choice.causal = window_.call.is_causal;
}

void RaceController::carry_out(const ReportRace& c) {
  const RaceNews& news = c.news;
  races_.report(news.running, news.fraction);
  races_.doing = news.doing;
  races_.failure = news.failure;
  if (news.race && !news.race->rows.empty()) (news.source == RaceSource::Gpu ? races_.gpu : races_.cpu) = news.race;
  if (!news.running) messages_.done(About::Race);
}

}  // namespace tilewalk
