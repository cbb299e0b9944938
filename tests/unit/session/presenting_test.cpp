// Presenting a page: the pipes and the race stay on screen, every other page gives way to the walk.
#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> opened(Page page, Filling filling = Filling::Pipes) {
  Document document;
  document.problem.shape.mask.kind = MaskKind::Causal;
  document.view.page = page;
  document.view.filling = filling;
  auto session = Session::open(document, {});
  REQUIRE(session.ok());
  return std::move(*session);
}

}  // namespace

TEST_CASE("presenting keeps the pipes, the race and the tree on screen, and leaves them for no other page") {
  for (const Page page : {Page::Compare, Page::Race, Page::Tree}) {
    const auto session = opened(page);
    for (int i = 0; i < 2; ++i) {
      session->dispatch(Action::Present);
      CHECK(session->page() == page);
      CHECK(session->presents_page());
      session->dispatch(Action::Present);
      CHECK(session->page() == page);
      CHECK_FALSE(session->view().presenting());
    }
    session->dispatch(Action::Present);
    session->dispatch(ShowPage{Page::Walk});
    CHECK_FALSE(session->view().presenting());
  }
}

TEST_CASE("of other pages a room sees the walk") {
  for (const auto& [page, filling] :
       {std::pair{Page::Roofline, Filling::Pipes}, {Page::Which, Filling::Pipes}, {Page::Compare, Filling::Sms}}) {
    const auto session = opened(page, filling);
    session->dispatch(Action::Present);
    CHECK(session->view().presenting());
    CHECK_FALSE(session->presents_page());
    CHECK(session->page() == Page::Walk);
  }
}

TEST_CASE("presenting ends where the pipes give way to the lanes") {
  const auto session = opened(Page::Compare);
  session->dispatch(Action::Present);
  session->dispatch(Action::ShowPipes);
  CHECK(session->page() == Page::Compare);
  CHECK_FALSE(session->view().presenting());
}

TEST_CASE("a click of a room's clicker moves the pipes of a call by a twentieth, and those of the walk by a phase") {
  const auto session = opened(Page::Compare);
  session->dispatch(Action::Present);
  const std::int64_t cursor = session->cursor();
  session->dispatch(Action::StepForward);
  CHECK(session->cursor() == cursor + 1);
  session->dispatch(Action::StepBack);
  CHECK(session->cursor() == cursor);
  session->dispatch(ChooseCompared{Compared::Call});
  REQUIRE(session->compare().moves_call());
  session->dispatch(GoToCallStep{0});
  const Problem call = session->compare().problems().now;
  const double steps = double(make_schedule(call)->step_count());
  session->dispatch(Action::StepForward);
  CHECK(double(*session->compare().call_walk().cursor(call)) == Approx(steps * kShareOfClick).margin(1));
  session->dispatch(Action::StepBack);
  CHECK(*session->compare().call_walk().cursor(call) == 0);
  CHECK(session->cursor() == cursor);
  session->dispatch(Action::PlayFromHere);
  CHECK(session->compare().call_walk().plays());
}

TEST_CASE("a click of a room's clicker runs the race again, or shows its end") {
  const auto session = opened(Page::Race);
  session->dispatch(Action::Present);
  const std::int64_t cursor = session->cursor();
  for (const Action run : {Action::StepForward, Action::PlayPause, Action::PlayFromHere}) {
    session->dispatch(run);
    CHECK(session->race().seconds_run.has_value());
    session->dispatch(Action::StepBack);
    CHECK_FALSE(session->race().seconds_run.has_value());
  }
  CHECK(session->cursor() == cursor);
}

TEST_CASE("a blank screen shows the presented page again at the next command") {
  const auto session = opened(Page::Compare);
  session->dispatch(Action::Present);
  session->dispatch(Action::BlankScreen);
  CHECK(session->view().blank());
  session->dispatch(Action::StepForward);
  CHECK_FALSE(session->view().blank());
  CHECK(session->presents_page());
}
