#include "view/walk/softmax_model.h"

#include "core/schedules/registry.h"
#include "tests/unit/view/view_fixture.h"
#include "view/words/units.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

TEST_CASE("a number that the walk has not computed yet is empty, never a guess") {
  Walk walk(picture());
  const SoftmaxModel loaded = build_softmax_model(*walk.schedule, walk.after(Phase::LoadKV));
  for (const SoftmaxRow& row : loaded.rows)
    for (const int c : {2, 3, 4, 6}) CHECK(row.cells[std::size_t(c)].empty());
  const SoftmaxModel rescaled = build_softmax_model(*walk.schedule, walk.after(Phase::Rescale));
  for (const SoftmaxRow& row : rescaled.rows) {
    CHECK_FALSE(row.cells[4].empty());
    CHECK(row.cells[6].empty());
  }
  const SoftmaxModel summed = build_softmax_model(*walk.schedule, walk.after(Phase::RowSum));
  for (const SoftmaxRow& row : summed.rows) CHECK_FALSE(row.cells[6].empty());
}

TEST_CASE("the rows show the state in natural units, and alpha below 1 is marked") {
  Walk walk(picture());
  const State& state = walk.after(Phase::RowSum);
  const SoftmaxModel m = build_softmax_model(*walk.schedule, state);
  CHECK(m.title == "Running max and sum");
  CHECK(m.meeting == "Q tile 2 meets KV tile 1");
  CHECK(m.tiles == "Q2 × K1");
  REQUIRE(m.rows.size() == 4);
  for (std::size_t r = 0; r < 4; ++r) {
    CHECK(m.rows[r].row == std::int64_t(8 + r));
    CHECK(m.rows[r].cells[1] == compact_number(display_score(walk.problem, state.m_old[r])));
    CHECK(m.rows[r].cells[3] == compact_number(display_score(walk.problem, state.m[r])));
    CHECK(m.rows[r].cells[6] == compact_number(state.l[r]));
    CHECK(m.rows[r].rescaled == (state.alpha[r] != 1.0f));
  }
  const SoftmaxModel first = build_softmax_model(*walk.schedule, walk.after(Phase::RowSum, 2, 0));
  for (const SoftmaxRow& row : first.rows) CHECK_FALSE(row.rescaled);  // α is 0: nothing was summed before
}

TEST_CASE("every row has a cell for each column, at every step of both schedules") {
  for (const ScheduleKind kind : all_schedules()) {
    Problem p = picture(kind);
    p.shape.n_q = 10;
    p.shape.n_kv = 7;
    Walk walk(p);
    for (std::int64_t k = 0; k <= walk.schedule->step_count(); ++k) {
      const SoftmaxModel m = build_softmax_model(*walk.schedule, walk.at(k));
      for (const SoftmaxRow& row : m.rows) {
        REQUIRE(row.cells.size() == m.columns.size());
        REQUIRE(row.brief.size() == m.columns.size());
        for (std::size_t c = 1; c < row.brief.size(); ++c) {  // a number below a hundred has two decimals
          const std::size_t point = row.brief[c].find('.');
          if (!row.cells[c].empty() && row.brief[c].find("∞") == std::string::npos && row.brief[c].size() < 8)
            CHECK((point != std::string::npos && row.brief[c].size() - point == 3));
        }
      }
      REQUIRE(std::int64_t(m.rows.size()) <= m.most_rows);
    }
  }
}

TEST_CASE("in FA-1's table the new sum can be computed: its terms stand before it") {
  Walk walk(picture(ScheduleKind::FlashV1));
  const State& state = walk.after(Phase::Rescale, 3, 1);
  const SoftmaxModel m = build_softmax_model(*walk.schedule, state);
  CHECK(m.columns == std::vector<std::string>{"row", "m", "tile max", "tile ℓ", "m new", "α", "β", "ℓ", "ℓ new"});
  for (std::size_t r = 0; r < m.rows.size(); ++r) {
    const auto& cells = m.rows[r].cells;
    CHECK(cells[7] == compact_number(state.l_old[r]));
    CHECK(cells[8] == compact_number(state.l[r]));
    CHECK(state.alpha[r] * state.l_old[r] + state.beta[r] * state.tile_l[r] == Approx(state.l[r]).epsilon(1e-5));
  }
}

TEST_CASE("space is reserved for the heads of the widest table of the walk, at every step") {
  for (const ScheduleKind kind : all_schedules()) {
    INFO(name_of(kind));
    Walk walk(picture(kind));
    const std::vector<std::string> kept = build_softmax_model(*walk.schedule, walk.at(0)).most_columns;
    std::size_t most = 0;
    for (std::int64_t k = 0; k <= walk.schedule->step_count(); ++k) {
      const SoftmaxModel m = build_softmax_model(*walk.schedule, walk.at(k));
      CHECK(m.most_columns == kept);
      most = std::max(most, m.columns.size());
    }
    CHECK(most == kept.size());
  }
}

TEST_CASE("a row is marked only if the sentence names it") {
  Walk walk(picture(ScheduleKind::Backward));
  const auto marked = [&](Phase phase) {
    const SoftmaxModel m = build_softmax_model(*walk.schedule, walk.after(phase));
    for (const SoftmaxRow& row : m.rows)
      if (row.spoken) return m.sentence.find("Row " + std::to_string(row.row)) != std::string::npos;
    return m.sentence.find("Row") == std::string::npos || m.sentence.find(" of dV") != std::string::npos;
  };
  for (const Phase phase : {Phase::LoadRows, Phase::GradV, Phase::GradP, Phase::GradS, Phase::GradQ})
    CHECK(marked(phase));
}

TEST_CASE("before the first step the table has the rows of the first Q tile, and no number") {
  Walk walk(picture());
  const SoftmaxModel m = build_softmax_model(*walk.schedule, walk.at(0)),
                     next = build_softmax_model(*walk.schedule, walk.at(1));
  REQUIRE(m.rows.size() == next.rows.size());
  for (std::size_t r = 0; r < m.rows.size(); ++r) {
    CHECK(m.rows[r].row == next.rows[r].row);
    CHECK(m.rows[r].cells[0] == next.rows[r].cells[0]);
    REQUIRE(m.rows[r].cells.size() == m.columns.size());
    for (std::size_t c = 1; c < m.columns.size(); ++c) CHECK(m.rows[r].cells[c].empty());
  }
}
