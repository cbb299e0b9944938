// A session at a step of a problem, with work by hand on or off.
#pragma once

#include <memory>
#include <string>

#include "core/problem/format_value.h"
#include "session/command/command_text.h"
#include "session/hand/hand_diagnosis.h"
#include "session/session.h"
#include "tests/support/catch.h"

namespace tilewalk::test {

struct AtHand {
  std::unique_ptr<Session> session;

  explicit AtHand(const Problem& problem) {
    Document document;
    document.problem = problem;
    auto opened = Session::open(document, {});
    INFO((opened ? "" : text_of(opened.issues())));
    REQUIRE(opened.ok());
    session = std::move(*opened);
  }
  const HandController& hand() const { return session->hand(); }
  const State& state() const { return session->state(); }
  void give(const std::string& text) {
    const auto commands = commands_from(text);
    INFO((commands ? "" : text_of(commands.issues())));
    REQUIRE(commands.ok());
    for (const Command& command : *commands) session->dispatch(command);
    while (session->busy()) session->dispatch(Work{64});
  }
  // Goes to the state after that phase of the visit (in the first section with visits).
  void go(std::int64_t q_tile, std::int64_t kv_tile, Phase phase, int section = -1) {
    const Schedule& schedule = session->schedule();
    if (section < 0) section = schedule.visit_section();
    for (std::int64_t k = schedule.first_step_of_visit(section, {.q_tile = q_tile, .kv_tile = kv_tile});
         k < schedule.step_count(); ++k)
      if (schedule.step(k).phase == phase) return give("go-to-step " + std::to_string(k + 1));
    FAIL("no such phase");
  }
  // Goes to the first state after a step of that kind.
  void go(Phase phase, std::int64_t from = 0) {
    for (std::int64_t k = from; k < session->schedule().step_count(); ++k)
      if (session->schedule().step(k).phase == phase) return give("go-to-step " + std::to_string(k + 1));
    FAIL("no such phase");
  }
  const HandField& field(const std::string& place) const {
    const auto at = hand_place_from(place);
    INFO(place);
    REQUIRE(at);
    const HandField* found = hand().field(*at);
    REQUIRE(found);
    return *found;
  }
  // The reply to an answer: the name of the recognised mistake.
  std::string mistake(const std::string& place, double typed) {
    give("answer-field " + place + " " + format_exactly(typed));
    CAPTURE(field(place).diagnosis);
    CHECK(field(place).state == HandState::Wrong);
    return field(place).mistake;
  }
  static std::string format_exactly(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
  }
};

inline Problem picture_problem() {  // the problem of lesson.png: row 9 meets a larger score in KV tile 1
  Problem problem;
  problem.shape.mask.kind = MaskKind::Causal;
  return problem;
}

}  // namespace tilewalk::test
