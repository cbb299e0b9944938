#include "session/session.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> open_session(const Document& document = {}) {
  SessionSetup setup;
  Preset preset;
  preset.name = "other";
  preset.document.problem.shape.n_q = preset.document.problem.shape.n_kv = 8;
  setup.presets = {preset};
  auto session = Session::open(document, std::move(setup));
  REQUIRE(session.ok());
  return std::move(*session);
}

// A random command that mostly changes the problem, its values, schedule, fault or pins.
Command change(test::Draw& draw) {
  const auto pick = [&](int below) { return int(draw.upto(0, below - 1)); };
  switch (pick(7)) {
    case 0: return SetSchedule{all_schedules()[std::size_t(pick(int(all_schedules().size())))]};
    case 1: return EditValue{TensorId::K, pick(8), pick(4), std::to_string(pick(9))};
    case 2: return Action::ClearValues;
    case 3: return pick(2) ? Command(Action::PinNow) : PinSchedule{ScheduleKind::FlashV1};
    case 4: return EditField{"n", std::to_string(4 * (1 + pick(6)))};
    case 5: return EditField{"fault", pick(2) ? "none" : "forget-rescale-o"};
    default: return pick(4) ? Command(ApplyEdit{}) : LoadPreset{"other"};
  }
}

}  // namespace

TEST_CASE("every change can be undone step by step, and redone") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    auto session = open_session();
    test::Draw draw(seed);
    std::vector<Document> seen = {session->document()};
    for (int i = 0; i < 60; ++i) {
      session->dispatch(GoToStep{draw.upto(0, 90)});
      const Document before = session->document();
      session->dispatch(change(draw));
      if (same_subject(before, session->document())) continue;
      seen.back().cursor = before.cursor;
      seen.push_back(session->document());
    }
    REQUIRE(session->undo().steps_back() == seen.size() - 1);
    for (std::size_t i = seen.size() - 1; i-- > 0;) {
      session->dispatch(Action::Undo);
      CHECK(same_subject(session->document(), seen[i]));
      CHECK(session->cursor() == seen[i].cursor);
    }
    session->dispatch(Action::Undo);
    CHECK(session->message()->text == "There is nothing to undo");
    for (std::size_t i = 1; i < seen.size(); ++i) {
      session->dispatch(Action::Redo);
      CHECK(same_subject(session->document(), seen[i]));
    }
    session->dispatch(Action::Redo);
    CHECK(session->message()->text == "There is nothing to do again");
  }
}

TEST_CASE("a new change discards the redo list, and looking is not a change") {
  auto session = open_session();
  session->dispatch(SetSchedule{ScheduleKind::FlashV1});
  session->dispatch(Action::ToggleTheme);
  session->dispatch(SelectCell{3, 2});
  CHECK(session->undo().steps_back() == 1);
  session->dispatch(Action::Undo);
  CHECK(session->message()->text == "Undone: the schedule is FA-2");
  CHECK(session->problem().schedule == ScheduleKind::FlashV2);
  CHECK_FALSE(session->document().view.dark);
  CHECK(session->walk().selection() == Selection{3, 2});
  session->dispatch(SetSchedule{ScheduleKind::Standard});
  session->dispatch(Action::Redo);
  CHECK(session->message()->text == "There is nothing to do again");
  CHECK(session->problem().schedule == ScheduleKind::Standard);
}

TEST_CASE("a problem set aside comes back with its step, its page and the call, whatever was shown meanwhile") {
  auto session = open_session();
  CHECK(session->set_aside() == nullptr);
  session->dispatch(GoToStep{7});
  const Document before = session->document();
  const WindowCall call = session->call();
  session->dispatch(Action::SetAside);
  session->dispatch(LoadPreset{"other"});
  session->dispatch(ChooseRoofline{.n = 1024});
  session->dispatch(ShowPage{Page::Compare});
  session->dispatch(Action::SetAside);  // a second question: the problem of the user stays the one set aside
  session->dispatch(Action::ToggleTheme);
  REQUIRE(session->set_aside());
  CHECK(session->set_aside()->problem == before.problem);
  session->dispatch(Action::BackToProblem);
  CHECK(session->set_aside() == nullptr);
  CHECK(same_subject(session->document(), before));
  CHECK(session->cursor() == 7);
  CHECK(session->page() == before.view.page);
  CHECK(session->call() == call);
  CHECK(session->document().view.dark != before.view.dark);  // a choice of look stays
  session->dispatch(Action::BackToProblem);
  CHECK(same_subject(session->document(), before));
}
