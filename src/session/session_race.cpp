// The part of a Session that the page of the race belongs to.
#include "session/session.h"

namespace tilewalk {

void Session::open_race() {
  if (!race_.recorded && race_.recorded_missing.empty()) {
    if (!setup_.load_race) {
      race_.recorded_missing = "The recorded race cannot be read here.";
    } else if (Result<Race> loaded = setup_.load_race(); loaded) {
      race_.recorded = std::make_shared<const Race>(std::move(*loaded));
    } else {
      race_.recorded_missing = text_of(loaded.issues());
    }
  }
}

void Session::carry_out(const ChooseRace& c) {
  RaceChoice& choice = race_.choice;
  choice.source = c.source.value_or(choice.source);
  choice.metric = c.metric.value_or(choice.metric);
  choice.pass = c.pass.value_or(choice.pass);
  choice.n = c.n.value_or(choice.n);
  choice.d = c.d.value_or(choice.d);
  choice.causal = c.causal.value_or(choice.causal);
}

void Session::carry_out(const ReportRace& c) {
  const RaceNews& news = c.news;
  race_.running = news.running;
  race_.stopping = news.running && race_.stopping;
  race_.fraction = news.fraction;
  race_.doing = news.doing;
  race_.failure = news.failure;
  if (news.race && !news.race->rows.empty()) (news.source == RaceSource::Gpu ? race_.gpu : race_.cpu) = news.race;
}

void Session::start_race(RaceSource on) {
  if (race_.running) return say("A race is running already; stop it first", true);
  if (on == RaceSource::Gpu && !setup_.gpu_present)
    return say(setup_.gpu_reason.empty() ? "There is no GPU to race on." : setup_.gpu_reason, true);
  race_.running_on = on;
  race_.running = true, race_.stopping = false;
  race_.choice.source = race_.running_on;
  race_.fraction = 0;
  race_.doing = "starting";
  race_.failure.clear();
  ++race_.start_serial;
  document_.view.page = Page::Race;
  open_race();
}

bool Session::race(Action action) {
  switch (action) {
    case Action::ShowRace: carry_out(ShowPage{page() == Page::Race ? Page::Walk : Page::Race}); return true;
    case Action::RaceCpu: start_race(RaceSource::Cpu); return true;
    case Action::RaceGpu: start_race(RaceSource::Gpu); return true;
    case Action::StopRace:
      if (race_.running && !race_.stopping) {
        race_.stopping = true;
        ++race_.stop_serial;
      }
      return true;
    default: return false;
  }
}

}  // namespace tilewalk
