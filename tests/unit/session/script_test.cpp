#include "session/script.h"

#include "session/command/command_text.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> opened() {
  Document d;
  d.problem.shape.n_q = d.problem.shape.n_kv = 16;
  d.problem.shape.mask.kind = MaskKind::Causal;
  d.problem.tiling.br = d.problem.tiling.bc = 4;
  auto session = Session::open(d, {});
  REQUIRE(session.ok());
  return std::move(*session);
}

Result<Done> carried_out(Session& session, const char* text) {
  const auto commands = commands_from(text);
  REQUIRE(commands.ok());
  return carry_out(session, *commands);
}

}  // namespace

TEST_CASE("a script reaches the same state as the same clicks") {
  const auto s = opened();
  REQUIRE(carried_out(*s, "go-to-tile 2,1; select 9,6; show compare; set-speed 2").ok());
  CHECK(s->cursor() == s->schedule().end_step_of_visit(0, {.q_tile = 2, .kv_tile = 1}));
  CHECK(s->walk().selection() == Selection{9, 6});
  CHECK(s->page() == Page::Compare);
  CHECK(s->document().view.speed == 2);
  REQUIRE(carried_out(*s, "set-field n 64; apply-edit; set-schedule flash_v1; last").ok());
  CHECK(s->problem().shape.n_kv == 64);
  CHECK(s->cursor() == s->schedule().step_count());
  CHECK(s->state().cursor == s->cursor());
}

TEST_CASE("a script accepts the screen's spelling of words") {
  const auto s = opened();
  REQUIRE(carried_out(*s, "set-schedule FA-3; set-field device \"H100 SXM\"; apply-edit; set-schedule Naive").ok());
  CHECK(s->problem().schedule == ScheduleKind::Standard);
  CHECK(s->problem().machine.device == "h100");
  const auto call = command_from("set-call attn_mask bool");
  REQUIRE(call.ok());
  CHECK(text_of(*call) == "set-call attn-mask bool");
}

TEST_CASE("a script stops at what the session refuses, and says why") {
  for (const auto& [text, place] :
       {std::pair{"first; go-to-tile 0,3; last", "command 2"}, std::pair{"select 99,0", "command 1"},
        std::pair{"set-field d 999", "command 1"}, std::pair{"load-preset nobody", "command 1"},
        std::pair{"first; set-call is-causal maybe", "command 2"}}) {
    INFO(text);
    const auto s = opened();
    const auto done = carried_out(*s, text);
    REQUIRE_FALSE(done.ok());
    CHECK(done.issues().front().field == place);
    CHECK_FALSE(done.issues().front().rule.empty());
    CHECK(s->cursor() == 0);
  }
}
