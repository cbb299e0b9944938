// Presenting a page: what is on screen stays there; keys of a class move it; afterwards it is as it was.
#include "session/lesson/lesson_file.h"
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

std::unique_ptr<Session> opened_with_lessons() {
  SessionSetup setup;
  setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
  auto session = Session::open({}, std::move(setup));
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

TEST_CASE("presenting keeps every page, the walk's step, and an animation, and returns to exactly these") {
  for (const auto& [page, filling] : {std::pair{Page::Roofline, Filling::Pipes},
                                      {Page::Which, Filling::Pipes},
                                      {Page::Compare, Filling::Sms},
                                      {Page::Compare, Filling::Warps},
                                      {Page::Walk, Filling::Sms}}) {
    const auto session = opened(page, filling);
    session->dispatch(GoToStep{5});
    session->dispatch(Action::Present);
    CHECK(session->view().presenting());
    CHECK(session->presents_page() == (page != Page::Walk));
    CHECK(session->way_out() == Action::Present);
    session->dispatch(session->way_out());
    CHECK_FALSE(session->view().presenting());
    CHECK(session->page() == page);
    CHECK(session->document().view.filling == filling);
    CHECK(session->cursor() == 5);
  }
  const auto session = opened(Page::Walk);
  session->dispatch(HoldZoom{0.4});
  session->dispatch(Action::Present);
  CHECK(session->presents_page());
  CHECK(session->way_out() == Action::Present);
  session->dispatch(Action::Present);
  CHECK(session->shows_endless_zoom());
  CHECK(session->endless_zoom().t() == Approx(0.4));
  // Opened while the walk is presented, it gives way to that.
  session->dispatch(Action::EndlessZoom);
  session->dispatch(Action::Present);
  session->dispatch(Action::EndlessZoom);
  CHECK(session->way_out() == Action::EndlessZoom);
}

TEST_CASE("the lab is not presented, and a sentence says why") {
  const auto session = opened(Page::Lab);
  REQUIRE(session->not_presented());
  session->dispatch(Action::Present);
  CHECK_FALSE(session->view().presenting());
  CHECK(session->page() == Page::Lab);
  REQUIRE(session->message());
  CHECK(session->message()->text.find(session->not_presented()) != std::string::npos);
}

TEST_CASE("presenting goes on where the pipes give way to the lanes") {
  const auto session = opened(Page::Compare);
  session->dispatch(Action::Present);
  session->dispatch(Action::ShowPipes);
  CHECK(session->page() == Page::Compare);
  CHECK(session->presents_page());
}

TEST_CASE("a click of a room's clicker doubles the length of the roofline's call, and goes on in the tree") {
  for (const Page page : {Page::Roofline, Page::Which}) {
    const auto session = opened(page);
    session->dispatch(ChooseRoofline{.n = 8192});
    session->dispatch(Action::Present);
    const std::int64_t cursor = session->cursor();
    if (page == Page::Which) {  // the reason first
      CHECK_FALSE(session->which().answered());
      session->dispatch(Action::StepForward);
      CHECK((session->which().answered() && session->call().call.n_q == 8192));
    }
    session->dispatch(Action::StepForward);
    CHECK(session->call().call.n_q == 16384);
    session->dispatch(Action::StepBack);
    session->dispatch(Action::StepBack);
    CHECK(session->call().call.n_q == 4096);
    CHECK(session->cursor() == cursor);
  }
  const auto session = opened(Page::Tree);
  session->dispatch(Action::Present);
  session->dispatch(Action::StepForward);
  CHECK(session->tree().member() == TreeMember::Paged);
  for (int i = 0; i < 30; ++i) session->dispatch(Action::StepBack);
  CHECK(session->tree().member() == TreeMember::OnlineSoftmax);
}

TEST_CASE("a click of a room's clicker answers a lesson's question, then turns to the next screen") {
  const auto opened_session = opened_with_lessons();
  Session& session = *opened_session;
  session.dispatch(OpenLesson{1, 1});
  session.dispatch(Action::Present);
  REQUIRE(session.presents_page());
  CHECK_FALSE(session.lesson().done());
  session.dispatch(Action::StepForward);
  CHECK(session.lesson().done());
  CHECK(session.lesson().screen_place() == 0);
  session.dispatch(Action::StepForward);
  CHECK(session.lesson().screen_place() == 1);
  CHECK(session.view().presenting());
  session.dispatch(Action::StepBack);
  CHECK(session.lesson().screen_place() == 0);
  session.dispatch(Action::Present);
  CHECK(session.lesson().lesson());
}

TEST_CASE("a click turns a presented lesson on the walk too, and moves the walk where the lesson asks for steps") {
  const auto opened_session = opened_with_lessons();
  Session& session = *opened_session;
  int turned = 0, walked = 0;
  for (int lesson = 1; lesson <= 10; ++lesson) {
    session.dispatch(OpenLesson{lesson, 1});
    const std::int64_t screens = std::int64_t(session.lesson().lesson()->screens.size());
    for (std::int64_t screen = 1; screen < screens; ++screen) {
      session.dispatch(OpenLesson{lesson, screen});
      if (!session.view().presenting()) session.dispatch(Action::Present);
      if (session.page() != Page::Walk || session.presents_page()) continue;
      INFO("lesson " << lesson << ", screen " << screen);
      const auto& task = session.lesson().screen().task;
      const bool steps = task && task->kind == TaskKind::Do && !session.lesson().done();
      const std::int64_t cursor = session.cursor();
      session.dispatch(Action::StepForward);
      if (steps) {
        CHECK(session.cursor() == std::min(cursor + 1, session.schedule().step_count()));
        ++walked;
        continue;
      }
      if (task && task->by_hand) continue;  // each click shows the numbers of a step, and goes to the next one
      if (session.lesson().screen_place() < screen) session.dispatch(Action::StepForward);
      CHECK(session.lesson().screen_place() == screen);
      ++turned;
    }
  }
  CHECK(turned > 0);
  CHECK(walked > 0);
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

TEST_CASE("a click of a room's clicker runs the race, shows its end, the answer, and what it wins") {
  const auto session = opened(Page::Race);
  session->dispatch(Action::Present);
  const std::int64_t cursor = session->cursor();
  for (const Action run : {Action::PlayPause, Action::PlayFromHere}) {
    session->dispatch(run);
    CHECK(session->race().seconds_run.has_value());
    session->dispatch(Action::StepBack);
    CHECK_FALSE(session->race().seconds_run.has_value());
  }
  session->dispatch(Action::StepForward);
  CHECK(session->race().answered);
  session->dispatch(Action::StepForward);
  CHECK(session->race().shows_win);
  session->dispatch(Action::StepBack);
  CHECK_FALSE(session->race().shows_win);
  CHECK(session->race().answered);
  session->dispatch(Action::StepForward);
  session->dispatch(Action::StepForward);
  CHECK_FALSE(session->race().shows_win);
  CHECK(session->race().seconds_run.has_value());
  CHECK_FALSE(session->race().answered);
  session->dispatch(Action::StepForward);
  CHECK_FALSE(session->race().seconds_run.has_value());
  session->dispatch(Action::StepForward);
  CHECK(session->race().answered);
  session->dispatch(Action::Present);
  session->dispatch(Action::Present);
  CHECK_FALSE(session->race().answered);  // another class answers for itself
  CHECK(session->cursor() == cursor);
}

TEST_CASE("a clicker's keys step through what passes between warps, and presenting begins with the picture") {
  const auto session = opened(Page::Compare, Filling::Warps);
  session->dispatch(Action::Present);
  const std::int64_t cursor = session->cursor();
  for (const int step : {1, 2, 2}) {
    session->dispatch(Action::StepForward);
    CHECK(session->compare().presented_step() == step);
  }
  session->dispatch(Action::StepBack);
  CHECK(session->compare().presented_step() == 1);
  session->dispatch(Action::Present);
  session->dispatch(Action::Present);
  CHECK(session->compare().presented_step() == 0);
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
