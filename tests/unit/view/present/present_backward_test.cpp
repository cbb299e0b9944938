// A backward walk as a class sees it: what each step computes by its formula, and the gradients where they are stored.
#include <algorithm>

#include "core/schedules/registry.h"
#include "tests/unit/view/presented.h"
#include "view/present/present_model.h"
#include "view/words/units.h"

using namespace tilewalk;
using tilewalk::test::presented;

namespace {

// The model after the first step of that phase in a visit or at an edge.
PresentModel after(Session& session, Phase phase, bool in_visit) {
  for (std::int64_t k = 0; k < session.schedule().step_count(); ++k) {
    const Step step = session.schedule().step(k);
    if (step.phase != phase || step.in_visit() != in_visit) continue;
    session.dispatch(GoToStep{k + 1});
    return build_present_model(session, {});
  }
  FAIL("no such step");
  return {};
}

}  // namespace

TEST_CASE("presented, each product of a backward pass names its operands and its formula") {
  const auto s = presented(test::picture(ScheduleKind::Backward));
  CHECK(after(*s, Phase::Scores, true).tile.title.ends_with("Q0 meets K0"));
  CHECK(after(*s, Phase::GradP, true).tile.title.ends_with("dO0 meets V0"));
  CHECK(after(*s, Phase::GradV, true).table.title == "dV = dV before + Pᵀ dO · tile 0");
  CHECK(after(*s, Phase::GradQ, true).table.title == "dQ = dQ before + dS K · tile 0");
  CHECK(after(*s, Phase::GradK, true).table.title == "dK = dK before + dSᵀ Q · tile 0");
}

TEST_CASE("presented, dV is beside dK where a pass loads and stores its KV tile") {
  const auto s = presented(test::picture(ScheduleKind::Backward));
  const Schedule& schedule = s->schedule();
  int seen = 0;
  for (std::int64_t k = 0; k < schedule.step_count(); ++k) {
    const Step step = schedule.step(k);
    if (step.in_visit() || step.kv_tile < 0) continue;
    s->dispatch(GoToStep{k + 1});
    const PresentModel m = build_present_model(*s, {});
    INFO(k + 1);
    CHECK(m.tile.title.starts_with("Gradient of K, tile " + std::to_string(step.kv_tile)));
    CHECK(m.table.title == "Gradient of V, tile " + std::to_string(step.kv_tile));
    REQUIRE(m.table.rows.size() == 4);
    CHECK(m.table.rows[1].cells[m.table.first_head + 2] == format_value(s->problem(), s->state().dv[1 * 4 + 2]));
    ++seen;
  }
  CHECK(seen == 8);
}

TEST_CASE("presented, the first pass has a column of D alone, and the last, which has no numbers of rows, no table") {
  const auto s = presented(test::picture(ScheduleKind::Backward));
  const PresentModel dot = after(*s, Phase::RowDot, false);
  CHECK(dot.table.columns == std::vector<std::string>{"row", "D"});
  CHECK(dot.table.title == "D of each row");
  for (const PresentTableRow& row : dot.table.rows) CHECK(row.cells.size() == 2);
  CHECK(after(*s, Phase::ScaleDQ, false).table.columns.empty());
  CHECK(after(*s, Phase::Exponentiate, true).table.columns == std::vector<std::string>{"row", "L", "D"});
}
