#include "view/walk/transport_model.h"

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
