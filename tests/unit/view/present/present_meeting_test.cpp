// What a room sees beside the scores: the row of Q and the row of K that meet, of every schedule and of long rows.
#include "view/present/present_meeting.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/schedules/registry.h"
#include "tests/unit/view/view_fixture.h"
#include "view/present/present_model.h"
#include "view/scores/score_sample.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> at_step(const Problem& problem, std::int64_t cursor) {
  Document document;
  document.problem = problem;
  document.cursor = cursor;
  auto opened = Session::open(document, SessionSetup{});
  REQUIRE(opened.ok());
  while ((*opened)->busy()) (*opened)->dispatch(Work{64});
  (*opened)->dispatch(Action::Present);
  return std::move(*opened);
}

std::int64_t after(const Session& session, Phase phase, std::int64_t q_tile, std::int64_t kv_tile) {
  for (std::int64_t k = 0; k < session.schedule().step_count(); ++k) {
    const Step step = session.schedule().step(k);
    if (step.phase == phase && step.q_tile == q_tile && step.kv_tile == kv_tile) return k + 1;
  }
  FAIL("no such step");
  return 0;
}

}  // namespace

TEST_CASE("beside the scores a room sees the two rows that meet, their products and the sum, in place of the table") {
  const Problem problem = test::picture();
  const auto s = at_step(problem, 0);
  s->dispatch(GoToStep{after(*s, Phase::Scores, 2, 1)});
  const PresentModel m = build_present_model(*s, {});
  REQUIRE(m.meeting);
  const PresentMeeting& meeting = *m.meeting;
  CHECK(meeting.title == "Row 9 of Q2 meets row 6 of K1");
  REQUIRE(meeting.terms.size() == std::size_t(problem.shape.d));
  CHECK(meeting.left_out == 0);
  const OperandTile q = operand_at(s->schedule(), s->inputs(), s->state(), TensorId::Q),
                    k = operand_at(s->schedule(), s->inputs(), s->state(), TensorId::K);
  double sum = 0;
  for (std::int64_t x = 0; x < problem.shape.d; ++x) {
    const MeetingTerm& term = meeting.terms[std::size_t(x)];
    CHECK(term.left == format_value(problem, q.at(meeting.row, x)));
    CHECK(term.upper == format_value(problem, k.at(meeting.col, x)));
    sum += double(q.at(meeting.row, x)) * k.at(meeting.col, x);
    CHECK(term.sum == format_value(problem, float(sum)));
  }
  // The formula is not a second time under the sentence; the total is.
  REQUIRE(m.arithmetic.lines.size() == 1);
  CHECK(m.sentence.find(meeting.total.result) != std::string::npos);
  s->dispatch(HoldMotion{0.5});
  const PresentModel half = build_present_model(*s, {});
  REQUIRE(half.meeting);
  for (std::size_t i = 0; i < half.meeting->terms.size(); ++i) {
    const Span& span = half.meeting->terms[i].span;
    CHECK(span.begin < span.end);
    if (i > 0) CHECK(span.begin >= half.meeting->terms[i - 1].span.end - 1e-9);
  }
  CHECK(half.meeting->total.span.begin >= half.meeting->terms.back().span.end - 1e-9);
}

TEST_CASE("rows of a large d meet in their first numbers, and the others are counted") {
  Problem problem = test::picture();
  problem.shape.d = 64;
  problem.machine.sram_bytes = 1 << 16;
  const auto s = at_step(problem, 0);
  s->dispatch(GoToStep{after(*s, Phase::Scores, 2, 1)});
  const PresentRoom room{.whole_rows = 6};
  const PresentModel m = build_present_model(*s, room);
  REQUIRE(m.meeting);
  CHECK(m.meeting->terms.size() < 6);
  CHECK(std::int64_t(m.meeting->terms.size()) + m.meeting->left_out == 64);
}

TEST_CASE("scores have one scale in all tiles of a head") {
  const auto s = at_step(test::picture(), 0);
  const ScoreRange range = score_range(s->inputs(), {0, 0});
  std::set<std::int64_t> tiles;
  for (std::int64_t k = 1; k <= s->schedule().step_count(); ++k) {
    s->dispatch(GoToStep{k});
    if (s->state().step.phase != Phase::Scores) continue;
    tiles.insert(s->state().step.kv_tile);
    const PresentModel m = build_present_model(*s, {});
    const auto& values = s->state().s;
    REQUIRE(values.size() == m.tile.cells.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const float shown = display_score(s->problem(), values[i]);
      const float at = std::clamp((shown - range.low) / (range.high - range.low), 0.0f, 1.0f);
      CHECK(std::abs(m.tile.cells[i].at - at) < 1e-5f);
    }
  }
  CHECK(tiles.size() > 1);
}

TEST_CASE("the factor that shrinks a row of O is beside it") {
  const auto s = at_step(test::picture(), 0);
  s->dispatch(GoToStep{after(*s, Phase::Rescale, 2, 1)});
  const PresentTable table = build_present_model(*s, {}).table;
  REQUIRE(table.output);
  REQUIRE(table.alpha_column == 1);
  CHECK(table.first_head == 2);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    CHECK(table.rows[r].cells[1] == format_value(s->problem(), s->state().alpha[r]));
    CHECK(table.rows[r].rescaled == (s->state().alpha[r] < 1));
  }
  s->dispatch(GoToStep{after(*s, Phase::Accumulate, 2, 1)});
  CHECK(build_present_model(*s, {}).table.first_head == 1);
}

TEST_CASE("below a wrong row of O a room sees what it should be") {
  Problem problem = test::picture();
  const auto right = at_step(problem, 0);
  right->dispatch(GoToStep{after(*right, Phase::Accumulate, 2, 1)});
  problem.fault = Fault::ForgetRescaleO;
  const auto wrong = at_step(problem, 0);
  wrong->dispatch(GoToStep{after(*wrong, Phase::Accumulate, 2, 1)});
  const std::vector<PresentTableRow> rows = build_present_model(*wrong, {}).table.rows,
                                     should = build_present_model(*right, {}).table.rows;
  const auto added = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.right; });
  REQUIRE(added != rows.end());
  REQUIRE(added != rows.begin());
  CHECK(added + 1 == rows.end());
  const auto spoken = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.spoken; });
  REQUIRE(spoken != rows.end());
  CHECK(spoken->row == added->row);
  const auto same = std::find_if(should.begin(), should.end(), [&](const auto& row) { return row.row == added->row; });
  REQUIRE(same != should.end());
  CHECK(std::equal(same->cells.begin() + 1, same->cells.end(), added->cells.begin() + 1, added->cells.end()));
  CHECK(added->cells[1] != spoken->cells[1]);
  CHECK(std::none_of(should.begin(), should.end(), [](const auto& row) { return row.right; }));
}

TEST_CASE("a step that only moves tiles shows the memories alone, and no formula repeats its sentence") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::Standard, ScheduleKind::Backward}) {
    Problem problem = test::picture(kind);
    problem.machine.sram_bytes = 1 << 16;
    const auto s = at_step(problem, 0);
    int alone = 0;
    for (std::int64_t k = 1; k <= s->schedule().step_count(); ++k) {
      s->dispatch(GoToStep{k});
      const PresentModel m = build_present_model(*s, {});
      const Step& step = s->state().step;
      INFO(name_of(kind) << ", step " << k);
      const bool makes = !made_by(row_of(problem), step.section_name, step.phase).empty();
      CHECK(m.only_memories == (!makes && !m.memories.moves.empty()));
      alone += m.only_memories;
      if (step.phase == Phase::RowMax || step.phase == Phase::Exponentiate)
        for (const ArithmeticLine& line : m.arithmetic.lines) CHECK(line.text.find("m new") == std::string::npos);
    }
    CHECK(alone > 1);
  }
}

TEST_CASE("the strip of HBM has a place for L at the step that stores it") {
  const auto s = at_step(test::picture(), 0);
  s->dispatch(GoToStep{after(*s, Phase::Store, 2, -1)});
  const PresentMemories m = build_present_model(*s, {}).memories;
  const auto l = std::find_if(m.groups.begin(), m.groups.end(), [](const auto& g) { return g.tensor == TensorId::L; });
  REQUIRE(l != m.groups.end());
  REQUIRE(l->tiles.size() == 1);
  const auto move =
      std::find_if(m.moves.begin(), m.moves.end(), [](const auto& each) { return each.tensor == TensorId::L; });
  REQUIRE(move != m.moves.end());
  CHECK(l->tiles[0].label == move->in_hbm);
  CHECK(l->on_chip == std::vector<std::string>{move->label});
  s->dispatch(GoToStep{after(*s, Phase::Scores, 2, 1)});
  for (const PresentGroup& group : build_present_model(*s, {}).memories.groups) CHECK(group.tensor != TensorId::L);
}

TEST_CASE("in a short strip of a backward pass the gradients on chip stay, and O, which no visit reads, does not") {
  const auto s = at_step(test::picture(ScheduleKind::Backward), 0);
  s->dispatch(GoToStep{after(*s, Phase::GradS, 1, 0)});
  const PresentMemories m = build_present_model(*s, {.memory_tiles = 18}).memories;
  CHECK(m.width() <= 18);
  const auto shown = [&](TensorId tensor) {
    return std::any_of(m.groups.begin(), m.groups.end(),
                       [&](const PresentGroup& group) { return group.tensor == tensor && !group.on_chip.empty(); });
  };
  for (const TensorId tensor : {TensorId::dQ, TensorId::dK, TensorId::dV, TensorId::Q, TensorId::K})
    CHECK(shown(tensor));
  for (const PresentGroup& group : m.groups) CHECK(group.tensor != TensorId::O);
}
