#include "pages/race/race_controller.h"

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
  RaceChoice& choice = races_.choice;
  choice.source = c.source.value_or(choice.source);
  choice.metric = c.metric.value_or(choice.metric);
  choice.pass = c.pass.value_or(choice.pass);
  choice.n = c.n.value_or(choice.n);
  choice.d = c.d.value_or(choice.d);
  choice.causal = c.causal.value_or(choice.causal);
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
