#include "view/words/call_model.h"

#include "tests/support/catch.h"
#include "tests/support/shipped_setup.h"

using namespace tilewalk;

TEST_CASE("a call that a lesson sets is named the lesson's until the person's own comes back") {
  const auto session = test::shipped_session();
  session->dispatch(ChooseRoofline{.n = 3000});
  CHECK_FALSE(build_call_model(*session).of_lesson);
  session->dispatch(OpenLesson{14});
  REQUIRE(session->lesson().lesson());
  CHECK(session->call().call.n_q == 4096);
  CHECK(build_call_model(*session).of_lesson);
  session->dispatch(Action::LeaveLesson);
  CHECK(session->call().call.n_q == 3000);
  CHECK_FALSE(build_call_model(*session).of_lesson);

  session->dispatch(OpenLesson{14});
  session->dispatch(ChooseRoofline{.n = 2048});  // a person's choice stays
  CHECK_FALSE(build_call_model(*session).of_lesson);
  session->dispatch(Action::LeaveLesson);
  CHECK(session->call().call.n_q == 2048);
}
