#include "view/sentence/film_caption.h"

#include "base/words.h"
#include "tests/unit/view/view_fixture.h"
#include "view/sentence/sentence.h"
#include "view/views.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

TEST_CASE("a caption of the film says in a few words what moved, shrank or was added") {
  Walk walk(picture());
  const auto said = [&](Phase phase) { return film_caption(*walk.schedule, walk.after(phase, 2, 1), false); };
  CHECK(said(Phase::LoadKV) == "K1, V1 → SRAM");
  CHECK(said(Phase::Scores) == "Scores Q2 · K1");
  CHECK(said(Phase::Mask) == "None masked");
  CHECK(said(Phase::RowMax) == "m 0.51 → 0.92");
  CHECK(said(Phase::Rescale) == "O shrinks × 0.66");
  CHECK(said(Phase::Accumulate) == "O adds P · V1");
  CHECK(film_caption(*walk.schedule, walk.after(Phase::Mask, 2, 2), false) == "6 of 16 masked");
  CHECK(film_caption(*walk.schedule, walk.after(Phase::Mask, 2, 1), true) == "Q2 meets K");
}

TEST_CASE("in the film each caption is on screen for as long as it takes to read") {
  Document document;
  document.problem = picture();
  SessionSetup setup;
  setup.presets = {{.name = "picture", .document = document}};
  setup.reading_time = reading_seconds;
  auto opened = Session::open(document, std::move(setup));
  REQUIRE(opened.ok());
  Session& session = **opened;
  session.dispatch(Action::Watch);
  struct Caption {
    std::string words;
    double begin = 0, end = 0;
  };
  std::vector<Caption> captions;
  ViewRoom room;
  room.scores_width = room.scores_height = 500;
  room.timeline_width = 800;
  ViewBuilder builder({});
  double now = 100;
  for (session.dispatch(Tick{now}); session.tour().runs() && now < 200; session.dispatch(Tick{now += 0.02})) {
    const Views& views = builder.build(session, room);
    if (!views.present) continue;
    CHECK(views.present->arithmetic.empty());
    if (captions.empty() || captions.back().words != views.present->sentence)
      captions.push_back({views.present->sentence, now, now});
    captions.back().end = now + 0.02;
  }
  CHECK(captions.size() > 10);
  std::string all;
  for (const Caption& caption : captions) {
    INFO(caption.words << ": " << caption.end - caption.begin << " s");
    CHECK(double(character_count(caption.words)) <= 16 * (caption.end - caption.begin + 0.05));
    all += caption.words + "; ";
  }
  for (const char* word : {"→ SRAM", "shrinks", "masked", "→ HBM"}) CHECK(all.find(word) != std::string::npos);
}
