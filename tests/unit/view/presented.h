// A session with the questions of presenting, and the way to one of its steps.
#pragma once

#include "tests/unit/view/view_fixture.h"
#include "view/present/question.h"

namespace tilewalk::test {

inline std::unique_ptr<Session> presented(const Problem& problem, std::int64_t cursor = 0) {
  Document document;
  document.problem = problem;
  document.cursor = cursor;
  SessionSetup setup;
  setup.has_question = [](const Schedule& schedule, const State& state) {
    return question_at(schedule, state).has_value();
  };
  auto opened = Session::open(document, std::move(setup));
  REQUIRE(opened.ok());
  while ((*opened)->busy()) (*opened)->dispatch(Work{64});
  return std::move(*opened);
}

inline void to_phase(Session& session, Phase phase, std::int64_t kv_tile) {
  for (std::int64_t k = 0; k < session.schedule().step_count(); ++k) {
    const Step step = session.schedule().step(k);
    if (step.phase == phase && step.q_tile == 2 && step.kv_tile == kv_tile) {
      session.dispatch(GoToStep{k + 1});
      return;
    }
  }
  FAIL("no such step");
}

}  // namespace tilewalk::test
