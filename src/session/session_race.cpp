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

bool Session::dispatch_race(const Command& c) {
  switch (c.id) {
    case CommandId::ShowRace:
      document_.view.page = page() == Page::Race ? Page::Walk : Page::Race;
      if (page() == Page::Race) open_race();
      return true;
    case CommandId::ChooseRace: {
      RaceChoice& choice = race_.choice;
      if (c.field == "source" && c.a >= 0 && c.a <= std::int64_t(RaceSource::Gpu)) choice.source = RaceSource(c.a);
      if (c.field == "metric" && c.a >= 0 && c.a <= std::int64_t(RaceMetric::Memory)) choice.metric = RaceMetric(c.a);
      if (c.field == "n") choice.n = c.a;
      if (c.field == "d") choice.d = c.a;
      if (c.field == "causal") choice.causal = c.a != 0;
      if (c.field == "pass") choice.pass = c.text;
      return true;
    }
    case CommandId::RaceCpu:
    case CommandId::RaceGpu: {
      if (race_.running) {
        say("A race is running already; stop it first", true);
        return true;
      }
      if (c.id == CommandId::RaceGpu && !setup_.gpu_present) {
        say(setup_.gpu_reason.empty() ? "There is no GPU to race on." : setup_.gpu_reason, true);
        return true;
      }
      race_.running_on = c.id == CommandId::RaceCpu ? RaceSource::Cpu : RaceSource::Gpu;
      race_.running = true, race_.stopping = false;
      race_.choice.source = race_.running_on;
      race_.fraction = 0;
      race_.doing = "starting";
      race_.failure.clear();
      ++race_.start_serial;
      document_.view.page = Page::Race;
      open_race();
      return true;
    }
    case CommandId::StopRace:
      if (race_.running && !race_.stopping) {
        race_.stopping = true;
        ++race_.stop_serial;
      }
      return true;
    case CommandId::ReportRace: {
      if (!c.race) return true;
      const RaceNews& news = *c.race;
      race_.running = news.running;
      race_.stopping = news.running && race_.stopping;
      race_.fraction = news.fraction;
      race_.doing = news.doing;
      race_.failure = news.failure;
      if (news.race && !news.race->rows.empty()) {
        std::shared_ptr<const Race>& kept = news.source == RaceSource::Gpu ? race_.gpu : race_.cpu;
        kept = news.race;
      }
      return true;
    }
    default: return false;
  }
}

}  // namespace tilewalk
