#include "view/walk/transport_model.h"

#include "core/schedules/registry.h"
#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("the transport prints the speed that the walk plays at") {
  auto opened = Session::open(Document{}, {});
  REQUIRE(opened.ok());
  Session& session = **opened;
  for (const auto& [speed, text] :
       {std::pair{0.25, "1/4×"}, {0.5, "1/2×"}, {1.0, "1×"}, {1.75, "1.75×"}, {4.0, "4×"}}) {
    session.dispatch(SetSpeed{speed});
    CHECK(build_transport_model(session, 400).speed == text);
  }
}

TEST_CASE("before the first step the transport names the tiles that meet first, until the walk has begun") {
  for (const ScheduleKind kind : all_schedules()) {
    Document document;
    document.problem.schedule = kind;
    auto opened = Session::open(document, {});
    REQUIRE(opened.ok());
    Session& session = **opened;
    INFO(schedule_row(kind).identity.tab);
    CHECK(build_transport_model(session, 400).begin == "Play: Q0 meets K0");
    session.dispatch(GoToStep{1});
    CHECK(build_transport_model(session, 400).begin.empty());
    session.dispatch(GoToStep{0});
    session.dispatch(SelectCell{0, 0});
    CHECK(build_transport_model(session, 400).begin.empty());
  }
}
