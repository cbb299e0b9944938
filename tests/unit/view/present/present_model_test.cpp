#include "view/present/present_model.h"

#include <algorithm>

#include "core/schedules/registry.h"
#include "tests/unit/view/presented.h"
#include "view/hand/hide.h"
#include "view/sentence/named_cell.h"

using namespace tilewalk;
using tilewalk::test::presented;
using tilewalk::test::to_phase;

namespace {

const PresentTableRow& spoken_row_of(const PresentTable& table) {
  const auto at = std::find_if(table.rows.begin(), table.rows.end(), [](const auto& row) { return row.spoken; });
  REQUIRE(at != table.rows.end());
  return *at;
}

int marks(const PresentModel& m) {
  int count = 0;
  for (const PresentTableRow& row : m.table.rows) count += int(std::count(row.cells.begin(), row.cells.end(), "?"));
  for (const PresentCell& cell : m.tile.cells) count += cell.text == "?";
  return count;
}

}  // namespace

TEST_CASE("an open question's answer is nowhere on screen, and the next press shows it") {
  const auto s = presented(test::picture());
  s->dispatch(Action::Present);
  to_phase(*s, Phase::Rescale, 1);
  const std::int64_t here = s->cursor();
  const std::int64_t spoken = spoken_row(s->problem(), s->state());
  const std::string alpha = build_softmax_model(s->schedule(), s->state()).rows[std::size_t(spoken)].cells[4];
  REQUIRE(alpha == "0.66");
  s->dispatch(Action::AskFirst);
  const PresentModel asked = build_present_model(*s, {});
  CHECK(asked.question_open);
  CHECK(asked.sentence == "Row 9: the running max was 0.51 and is 0.92 now. What is α?");
  CHECK(spoken_row_of(asked.table).cells[4] == "?");
  CHECK(asked.sentence.find(alpha) == std::string::npos);
  s->dispatch(Action::StepForward);
  CHECK(s->cursor() == here);
  const PresentModel told = build_present_model(*s, {});
  CHECK_FALSE(told.question_open);
  CHECK(spoken_row_of(told.table).cells[4] == alpha);
  CHECK(told.sentence.find(alpha) != std::string::npos);
  s->dispatch(Action::StepForward);
  CHECK(s->cursor() == here + 1);
  s->dispatch(Action::StepBack);
  CHECK(s->cursor() == here);
}

TEST_CASE("the number of O that a product makes is asked, and hidden in the table beside the column of V") {
  const auto s = presented(test::picture());
  s->dispatch(Action::Present);
  to_phase(*s, Phase::Accumulate, 1);
  const PresentModel told = build_present_model(*s, {});
  REQUIRE(told.table.output);
  const std::string answer = spoken_row_of(told.table).cells[told.table.first_head];
  REQUIRE(answer == "0.91");
  s->dispatch(Action::AskFirst);
  const PresentModel asked = build_present_model(*s, {});
  CHECK(asked.question_open);
  CHECK(asked.sentence ==
        "Row 9: O in column 0 is 0.29 so far. The row's weights 0.25, 0.26, 1.00, 0.47 meet column 0 of V1. What does "
        "0.29 become?");
  CHECK(spoken_row_of(asked.table).cells[asked.table.first_head] == "?");
  CHECK(spoken_row_of(asked.table).asked == int(asked.table.first_head));
  CHECK(asked.column);
  CHECK(asked.arithmetic.empty());
  CHECK(marks(asked) == 1);
  s->dispatch(Action::StepForward);
  CHECK(spoken_row_of(build_present_model(*s, {}).table).cells[told.table.first_head] == answer);
}

TEST_CASE("each question of every schedule has one place for its answer") {
  int asked = 0;
  for (const ScheduleKind kind : all_schedules()) {
    Problem p = test::picture(kind);
    p.tiling.splits = kind == ScheduleKind::SplitKv ? 2 : 1;
    p.machine.sram_bytes = 1 << 16;
    const auto s = presented(p);
    s->dispatch(Action::Present);
    s->dispatch(Action::AskFirst);
    for (std::int64_t k = 0; k <= s->schedule().step_count(); ++k) {
      s->dispatch(GoToStep{k});
      const PresentModel m = build_present_model(*s, {.tile_rows = 3, .tile_cols = 3, .table_rows = 3});
      INFO(name_of(kind) << ", step " << k << ": " << m.sentence);
      CHECK(marks(m) == (m.question_open && k < s->schedule().step_count() ? 1 : 0));  // at the end: of the whole walk
      CHECK(m.question_open == (m.sentence.back() == '?'));
      CHECK_FALSE(m.sentence.empty());
      CHECK_FALSE(m.place.empty());
      asked += m.question_open;
    }
  }
  CHECK(asked > 150);
}

TEST_CASE("at the end of a walk a class is asked for the bytes of the other way before it sees them") {
  for (const auto& [kind, question] :
       {std::pair(
            ScheduleKind::Standard,
            "Finished: Naive moved 6.50 KiB between HBM and SRAM. FA-2 computes the same. How much does it move?"),
        std::pair(ScheduleKind::FlashV2,
                  "Finished: FA-2 moved 1.81 KiB between HBM and SRAM. Naive computes the same. "
                  "How much does it move?")}) {
    Problem p = test::picture(kind);
    p.machine.sram_bytes = 1024;
    const auto s = presented(p);
    s->dispatch(Action::Last);
    while (s->busy()) s->dispatch(Work{64});
    s->dispatch(Action::Present);
    CHECK_FALSE(build_present_model(*s, {}).question_open);
    s->dispatch(Action::AskFirst);
    const PresentModel m = build_present_model(*s, {});
    CHECK(m.question_open);
    CHECK(m.sentence == question);
    s->dispatch(Action::StepForward);
    CHECK_FALSE(build_present_model(*s, {}).question_open);
  }
}

TEST_CASE("a part of a large tile is shown, around the row of the sentence, and it says so") {
  Problem p = test::picture();
  p.shape.n_q = p.shape.n_kv = 512;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 128;
  p.machine.sram_bytes = 1 << 20;
  const auto s = presented(p);
  s->dispatch(Action::Present);
  to_phase(*s, Phase::Rescale, 1);
  while (s->busy()) s->dispatch(Work{64});
  const PresentModel m = build_present_model(*s, {.tile_rows = 5, .tile_cols = 4, .table_rows = 5});
  CHECK(m.tile.part == "5 of 128 rows, 4 of 128 columns");
  CHECK(m.tile.rows.size() == 5);
  CHECK(m.tile.columns.size() == 4);
  CHECK(m.table.rows.size() == 5);
  REQUIRE(m.tile.spoken >= 0);
  CHECK(spoken_row_of(m.table).cells[0] == m.tile.rows[std::size_t(m.tile.spoken)]);
  CHECK(m.sentence.starts_with("Row " + spoken_row_of(m.table).cells[0]));
  CHECK(build_present_model(*presented(test::picture(), 44), {}).tile.part.empty());
}

TEST_CASE("masked scores are dots in the tile, and a product of 0 elsewhere is not") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::Backward}) {
    INFO(name_of(kind));
    const auto s = presented(test::picture(kind));
    s->dispatch(Action::Present);
    to_phase(*s, Phase::Exponentiate, 2);
    const PresentModel m = build_present_model(*s, {});
    REQUIRE(m.tile.rows.size() == 4);
    REQUIRE(m.tile.columns.size() == 4);
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t c = 0; c < 4; ++c) {  // on the diagonal
        CHECK(m.tile.at(r, c).left_out == (c > r));
        CHECK((m.tile.at(r, c).text == "·") == (c > r));
      }
  }
}

TEST_CASE("presenting ends where another page opens, and asks nothing during playback") {
  const auto s = presented(test::picture(), 44);
  s->dispatch(ShowPage{Page::Roofline});
  s->dispatch(Action::BlankScreen);
  CHECK_FALSE(s->view().blank());  // only while presenting
  s->dispatch(ShowPage{Page::Walk});
  s->dispatch(Action::Present);
  s->dispatch(Action::BlankScreen);
  CHECK(s->view().blank());
  s->dispatch(Action::StepForward);
  CHECK_FALSE(s->view().blank());
  s->dispatch(Action::AskFirst);
  s->dispatch(GoToStep{44});
  CHECK(s->hides_answer());
  s->dispatch(Action::PlayFromHere);
  CHECK(s->walk().playback().playing);
  CHECK_FALSE(s->hides_answer());
  s->dispatch(ShowPage{Page::Compare});
  CHECK_FALSE(s->view().presenting());
  CHECK_FALSE(s->hides_answer());
}

TEST_CASE("a number asked by hand is not on the large screen either") {
  const auto s = presented(test::picture());
  to_phase(*s, Phase::Mask, 0);
  s->dispatch(Action::WorkByHand);
  to_phase(*s, Phase::RowMax, 0);
  REQUIRE(s->hand().hides());
  s->dispatch(Action::Present);
  s->dispatch(Action::AskFirst);
  const PresentModel m = build_present_model(*s, {});
  CHECK_FALSE(m.question_open);
  CHECK(m.asks_by_hand);
  CHECK(m.sentence == "m of row 9. m was −∞, this tile's max is 0.51.\nTab or a click goes to its field");
  int asked = 0;
  for (const PresentTableRow& row : m.table.rows)
    if (s->hand().hidden(Quantity::M, std::stoll(row.cells[0]))) {
      CHECK(row.cells[3].empty());
      ++asked;
    }
  CHECK(asked > 0);
}

TEST_CASE("the output is on the screen where a product, a division or a factor changes it") {
  const auto s = presented(test::picture());
  s->dispatch(Action::Present);
  const auto model_at = [&](Phase phase, std::int64_t kv_tile) {
    to_phase(*s, phase, kv_tile);
    return build_present_model(*s, {});
  };
  CHECK(model_at(Phase::Accumulate, 1).table.title.starts_with("O tile 2"));
  const PresentModel divided = model_at(Phase::Normalise, -1);
  CHECK(divided.tile.title.starts_with("O tile 2"));
  CHECK_FALSE(divided.table.title.starts_with("O tile 2"));  // the rows before, and ℓ that divided them, are beside it
  CHECK(divided.table.columns == std::vector<std::string>{"row", "0", "1", "2", "3", "/ ℓ"});
  const PresentTableRow& before = spoken_row_of(divided.table);
  CHECK(before.cells == std::vector<std::string>{"9", "1.03", "0.94", "0.39", "0.20", "1.62"});
  const auto earlier = presented(test::picture());
  to_phase(*earlier, Phase::Normalise, -1);
  earlier->dispatch(Action::StepBack);
  const std::vector<float>& undivided = earlier->state().o;
  for (std::size_t c = 0; c < 4; ++c)
    CHECK(before.cells[c + 1] == format_value(s->problem(), undivided[std::size_t(s->problem().shape.d) + c]));
  CHECK(divided.table.dimmed == std::vector<bool>{false, true, true, true, true, false});
  CHECK(divided.arithmetic.on_one_line(1).find("1.03 / 1.62 = 0.64") != std::string::npos);
  for (const Phase phase : {Phase::Rescale, Phase::Scores}) {
    const PresentModel m = model_at(phase, 1);
    CHECK(m.table.title.starts_with("O tile 2") == (phase == Phase::Rescale));
    CHECK_FALSE(m.tile.title.starts_with("O tile 2"));
  }
  const PresentModel m = model_at(Phase::Accumulate, 1);
  const PresentTableRow& row = spoken_row_of(m.table);
  const std::int64_t first = s->state().step.row_begin, d = s->problem().shape.d;
  for (std::int64_t c = 0; c < d; ++c)
    CHECK(row.cells[std::size_t(c + 1)] ==
          format_value(s->problem(), s->state().o[std::size_t((std::stoll(row.cells[0]) - first) * d + c)]));
}

TEST_CASE("the two memories show what crosses, in its place in both") {
  for (const ScheduleKind kind : all_schedules()) {
    Problem p = test::picture(kind);
    p.tiling.splits = kind == ScheduleKind::SplitKv ? 2 : 1;
    p.machine.sram_bytes = 1 << 16;
    const auto s = presented(p);
    s->dispatch(Action::Present);
    for (const double width : {18.0, 12.0}) {
      int moving = 0;
      for (std::int64_t k = 0; k <= s->schedule().step_count(); ++k) {
        s->dispatch(GoToStep{k});
        const PresentMemories m = build_present_model(*s, {.memory_tiles = width}).memories;
        INFO(name_of(kind) << ", step " << k << ", width " << width);
        std::int64_t bytes = 0;
        for (const MemoryMove& move : m.moves) {
          bytes += move.byte_count;
          if (move.tensor == TensorId::l || move.tensor == TensorId::LPartial ||
              (move.tensor == TensorId::L && kind == ScheduleKind::SplitKv))
            continue;  // no line
          const auto group = std::find_if(m.groups.begin(), m.groups.end(),
                                          [&](const PresentGroup& g) { return g.tensor == move.tensor; });
          REQUIRE(group != m.groups.end());
          INFO(move.label << " in " << group->tiles.front().label << " to " << group->tiles.back().label);
          const auto named = [&](const MemoryTile& tile) { return tile.label == move.in_hbm; };
          CHECK(std::any_of(group->tiles.begin(), group->tiles.end(), named));
        }
        const Traffic all = k > 0 ? s->schedule().cost_of(s->state().step).hbm_total() : Traffic{};
        CHECK(bytes == all.bytes());
        moving += !m.moves.empty();
        const auto rests = [&](const PresentGroup& g) {
          return std::none_of(m.moves.begin(), m.moves.end(),
                              [&](const auto& move) { return move.tensor == g.tensor; });
        };
        CHECK((m.width() <= width || std::none_of(m.groups.begin(), m.groups.end(), rests)));
        if (kind == ScheduleKind::FlashV2) {
          const bool stores = std::any_of(m.moves.begin(), m.moves.end(),
                                          [](const MemoryMove& move) { return move.tensor == TensorId::L; });
          if (width == 18) CHECK(m.groups.size() == 4u + stores);  // Q, K, V and O, and L beside O
          for (const MemoryResident& r : m.only_on_chip) CHECK((r.tensor != TensorId::K && r.tensor != TensorId::Q));
        }
      }
      CHECK(moving > 0);
    }
  }
}

TEST_CASE("while presenting, a step moves: its numbers are those before it until they land") {
  const auto s = presented(test::picture());
  s->dispatch(Action::Present);
  to_phase(*s, Phase::RowMax, 1);
  s->dispatch(HoldMotion{0});
  REQUIRE(s->walk().before());
  const PresentModel m = build_present_model(*s, {});
  REQUIRE(m.moving);
  const MovingValues* made = m.moving->motion.of(Quantity::M);
  REQUIRE(made);
  const auto column = std::find(m.table.columns.begin(), m.table.columns.end(), "m new") - m.table.columns.begin();
  REQUIRE(m.table.quantities[std::size_t(column)] == Quantity::M);
  REQUIRE(m.table.rows.size() == m.moving->table.rows.size());
  int changed = 0;
  for (std::size_t r = 0; r < m.table.rows.size(); ++r) {
    CHECK(m.table.rows[r].row == made->row_begin + std::int64_t(r));
    CHECK(m.moving->table.rows[r].row == m.table.rows[r].row);
    changed += m.table.rows[r].cells[std::size_t(column)] != m.moving->table.rows[r].cells[std::size_t(column)];
    const Span span = m.moving->motion.span_of_figure(Quantity::M, m.table.rows[r].row);
    CHECK_FALSE(span.has_landed(0));
    CHECK(span.has_landed(1));
  }
  CHECK(changed > 0);
  s->dispatch(Action::AskFirst);
  to_phase(*s, Phase::Rescale, 1);
  s->dispatch(HoldMotion{0});
  const PresentModel asked = build_present_model(*s, {});
  REQUIRE(asked.question_open);
  CHECK_FALSE(asked.moving);
}

TEST_CASE("a room sees O at the step that shrinks it, unless it is asked for the factor") {
  const auto s = presented(test::picture());
  s->dispatch(Action::Present);
  to_phase(*s, Phase::Rescale, 1);
  s->dispatch(HoldMotion{0.5});
  const PresentModel m = build_present_model(*s, {});
  CHECK(m.table.output);
  CHECK_FALSE(m.column);
  REQUIRE(m.moving);
  CHECK(m.moving->table.output);
  const PresentTableRow &row = spoken_row_of(m.table), &before = spoken_row_of(m.moving->table);
  CHECK(row.row == before.row);
  CHECK(row.cells != before.cells);
  s->dispatch(Action::AskFirst);
  to_phase(*s, Phase::Rescale, 1);
  CHECK_FALSE(build_present_model(*s, {}).table.output);
}

TEST_CASE("the output has the walk's colours for a room: each value over the largest of its tile") {
  const auto s = presented(test::picture());
  to_phase(*s, Phase::Accumulate, 1);
  const PresentTable t = build_present_model(*s, {}).table;
  REQUIRE(t.output);
  const std::vector<float>& o = s->state().o;
  const float largest =
      std::abs(*std::max_element(o.begin(), o.end(), [](float a, float b) { return std::abs(a) < std::abs(b); }));
  for (const PresentTableRow& row : t.rows) {
    REQUIRE(row.shades.size() == row.cells.size());
    CHECK(row.shades[0] == 0);  // the row's number
    for (std::size_t c = t.first_head; c < row.cells.size(); ++c) {
      const std::size_t at =
          std::size_t(row.row - s->state().step.row_begin) * std::size_t(s->problem().shape.d) + c - t.first_head;
      CHECK(row.shades[c] == Approx(o[at] / largest));
    }
  }
}

TEST_CASE("before the first step a room sees the tiles of the scores, those that the mask skips, and why") {
  const auto s = presented(test::picture());
  const PresentModel m = build_present_model(*s, {});
  REQUIRE(m.map.has_value());
  CHECK(m.map->title == "16×16 scores in tiles of 4×4");
  REQUIRE(m.map->facts.size() == 3);
  CHECK(m.map->facts[1] == "6 of 16 tiles are skipped: a row sees only keys up to its own.");
  for (int row = 0; row < 4; ++row)
    for (int col = 0; col < 4; ++col)
      CHECK(m.map->at(row, col) == (col > row ? TileState::Skipped : TileState::Pending));
  CHECK(m.map->rows.back() == "Q3");
  to_phase(*s, Phase::Scores, 0);
  CHECK_FALSE(build_present_model(*s, {}).map.has_value());
}

TEST_CASE("the map of a long walk has a bounded number of boxes, and marks the current tile of Q") {
  Problem problem = test::picture(ScheduleKind::Backward);
  const auto s = presented(problem, 1);  // O and dO come, and no score is there
  const PresentModel m = build_present_model(*s, {});
  REQUIRE(m.map.has_value());
  CHECK(m.map->facts.empty());
  CHECK(m.map->now_row == int(s->state().step.q_tile));
  problem = test::picture();
  problem.shape.n_q = problem.shape.n_kv = 4096;
  problem.tiling.br = problem.tiling.bc = 16;
  problem.machine.sram_bytes = 1 << 16;
  const PresentMap map = build_present_map(*make_schedule(problem), State{});
  CHECK(map.boxes.size() == std::size_t(PresentMap::kMostOnASide * PresentMap::kMostOnASide));
  CHECK(map.rows.empty());
  CHECK(map.title == "4,096×4,096 scores in tiles of 16×16 · a box is several tiles");
  CHECK(map.at(0, 31) == TileState::Skipped);
  CHECK(map.at(31, 0) == TileState::Pending);
}
