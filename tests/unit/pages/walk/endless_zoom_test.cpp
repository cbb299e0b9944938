// The view model of the zoom out of one tile: sizes, places and words at each t.
#include "base/units.h"
#include "core/problem/format_value.h"
#include "core/schedules/registry.h"
#include "pages/walk/endless_zoom_model.h"
#include "tests/support/catch.h"
#include "view/sentence/named_cell.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> zoom_walk(ScheduleKind kind = ScheduleKind::FlashV2, DType dtype = DType::Fp32) {
  Document document;
  document.problem.schedule = kind;
  document.problem.shape.mask.kind = MaskKind::Causal;
  document.problem.numerics.dtype = dtype;
  document.problem.machine.sram_bytes = 1 << 16;
  auto session = Session::open(document, {});
  REQUIRE(session.ok());
  return std::move(*session);
}

EndlessZoomModel zoom_at(Session& session, double t) {
  session.dispatch(HoldZoom{t});
  const auto model = build_endless_zoom(session);
  REQUIRE(model);
  return *model;
}

// The share of the picture's side.
double share_of_picture(const EndlessZoomModel& m, std::size_t i) {
  return double(m.levels[i].square.side()) / m.extent;
}

}  // namespace

TEST_CASE("at t 0 one score fills the picture, at t 1 the wall of heads does, and between the factor is even") {
  auto session = zoom_walk();
  CHECK_FALSE(build_endless_zoom(*session));
  const EndlessZoomModel begin = zoom_at(*session, 0), middle = zoom_at(*session, 0.5), end = zoom_at(*session, 1);
  CHECK(share_of_picture(begin, 0) == Approx(kZoomFill));
  CHECK(begin.at == 0);
  CHECK(share_of_picture(end, end.levels.size() - 1) == Approx(kZoomFill));
  CHECK(end.at == end.levels.size() - 1);
  CHECK(middle.extent == Approx(std::sqrt(begin.extent * end.extent)));
  CHECK(middle.levels[middle.at].square.side() == 512);  // 2^10 of 2^20
  CHECK(middle.extent > 512);
}

TEST_CASE("at its own t each square fills the picture and is the current one, with its bytes") {
  auto session = zoom_walk();
  for (const ZoomSquare& square : session->endless_zoom().squares()) {
    const EndlessZoomModel m = zoom_at(*session, square.t);
    INFO(square.side());
    CHECK(m.levels[m.at].square == square);
    CHECK(share_of_picture(m, m.at) == Approx(kZoomFill));
    if (square.kind == ZoomSquareKind::Heads) continue;
    CHECK(m.levels[m.at].bytes == 4 * square.rows * square.cols);
    if (square.kind != ZoomSquareKind::Score) CHECK(m.figure == format_bytes(m.levels[m.at].bytes));
  }
}

TEST_CASE("the ends say what exists and what never does") {
  auto session = zoom_walk();
  session->dispatch(EditCall{"is-causal", "on"});
  const EndlessZoomModel begin = zoom_at(*session, 2 / 20.0), end = zoom_at(*session, 17 / 20.0);
  CHECK(begin.figure == "64 B");
  CHECK(begin.figure_words == "exist on chip at a time");
  CHECK(begin.tile_figure.empty());
  CHECK(end.figure == "64.0 GiB");
  CHECK(end.figure_words == "of scores never exist");
  CHECK(end.figure_detail ==
        "131,072 × 131,072, in fp32: on an H200 that fits in HBM, and in no smaller memory. 16 times the scores of N "
        "32,768. Naive attention stores all of them; your call's mask keeps 8,590,000,128 of 17,179,869,184.");
  CHECK(end.tile_figure == "32.0 KiB");
  CHECK(end.tile_words == "exist at a time in a thread block: one 128 × 64 tile, 1 / 2,097,152 of them");
  CHECK(end.levels[2].name == "This walk");
  CHECK(end.levels[end.at].name == "N 131,072");
}

TEST_CASE("the tile beside a square is no larger than the square") {
  auto session = zoom_walk();
  bool walk = false;
  for (int i = 0; i <= 100; ++i) {
    const EndlessZoomModel m = zoom_at(*session, i / 100.0);
    CHECK(m.tile_words.find("1 / 0 ") == std::string::npos);
    if (m.levels[m.at].name != "This walk") continue;
    walk = true;
    CHECK(m.tile_figure == "64 B");
    CHECK(m.tile_words == "exist at a time in a thread block: one 4 × 4 tile, 1 / 16 of them");
  }
  CHECK(walk);
}

TEST_CASE("scores are fp32 in any type, and naive attention writes them") {
  auto half = zoom_walk(ScheduleKind::FlashV2, DType::Bf16);
  CHECK(zoom_at(*half, 17 / 20.0).figure == "64.0 GiB");
  auto naive = zoom_walk(ScheduleKind::Standard);
  const EndlessZoomModel m = zoom_at(*naive, 17 / 20.0);
  CHECK(m.written);
  CHECK(m.figure_words == "of scores are written and read back");
}

TEST_CASE("nothing is computed by t: squares and bytes stay, only the scale changes") {
  auto session = zoom_walk();
  const EndlessZoomModel one = zoom_at(*session, 0.21), other = zoom_at(*session, 0.77);
  REQUIRE(one.levels.size() == other.levels.size());
  for (std::size_t i = 0; i < one.levels.size(); ++i) {
    CHECK(one.levels[i].bytes == other.levels[i].bytes);
    CHECK(one.levels[i].name == other.levels[i].name);
  }
  CHECK(one.extent < other.extent);
}

TEST_CASE("the axis above the bars has a mark every factor of 1,024, and the longest bar's bytes at its end") {
  auto session = zoom_walk();
  const EndlessZoomModel m = zoom_at(*session, 1);
  REQUIRE(m.ticks.size() == 6);
  CHECK(m.ticks[0].text == "1 B");
  CHECK(m.ticks[0].share == 0);
  CHECK(m.ticks[2].text == "1 MiB");
  CHECK(m.ticks.back().text == m.levels.back().size);
  CHECK(m.ticks.back().share == 1);
  for (std::size_t i = 1; i + 1 < m.ticks.size(); ++i)
    CHECK(m.ticks[i].share - m.ticks[i - 1].share == Approx(10.0 / 42));  // of 4 TiB, 2^42 bytes
  for (const ZoomLevel& level : m.levels)
    if (level.bytes == 1 << 20) CHECK(level.share == Approx(m.ticks[2].share));
}

TEST_CASE("the zoom begins with the score that the step names, as the replay computed it, and how it was made") {
  auto session = zoom_walk();
  std::int64_t cursor = 0;
  for (std::int64_t k = 0; k < session->schedule().step_count() && cursor == 0; ++k)
    if (const Step step = session->schedule().step(k);
        step.phase == Phase::Scores && step.q_tile == 2 && step.kv_tile == 1)
      cursor = k + 1;
  session->dispatch(GoToStep{cursor});
  const EndlessZoomModel m = zoom_at(*session, 0);
  const State& state = session->state();
  const NamedCell named = named_cell(session->problem(), state);
  CHECK(m.tile.row == named.row);
  CHECK(m.tile.col == named.col);
  CHECK(m.tile.tile_row == 8);
  CHECK(m.tile.tile_col == 4);
  CHECK(m.row == double(named.row));  // the picture's corner is the cell's
  const float score = display_score(session->problem(), state.s[std::size_t((named.row - 8) * 4 + named.col - 4)]);
  CHECK(m.tile.at(named.row - 8, named.col - 4).value == score);
  CHECK(m.figure == signed_number(score));
  REQUIRE(m.tile.meeting);
  CHECK(m.tile.meeting->terms.size() == 4);
  CHECK(m.tile.meeting->total.result == m.figure);
  // The corner moves to the tile's, and to the matrix's.
  const EndlessZoomModel tile = zoom_at(*session, 2 / 20.0), walk = zoom_at(*session, 4 / 20.0);
  CHECK(tile.row == Approx(8));
  CHECK(tile.col == Approx(4));
  CHECK(walk.row == Approx(0).margin(1e-9));
}

TEST_CASE("a score that work by hand asks for is hidden, with the products that give it") {
  auto session = zoom_walk();
  session->dispatch(GoToStep{3});
  session->dispatch(Action::WorkByHand);
  const SeenState seen = session->hand().seen();
  const EndlessZoomModel m = zoom_at(*session, 0);
  for (std::int64_t i = 0; i < m.tile.rows; ++i)
    for (std::int64_t j = 0; j < m.tile.cols; ++j)
      CHECK(m.tile.at(i, j).hidden == seen.hides_score(m.tile.tile_row + i, m.tile.tile_col + j));
  CHECK(m.tile.meeting.has_value() != seen.hides_score(m.tile.row, m.tile.col));
  CHECK(m.tile.low_text.empty());  // the range of the colours would give it away
}

TEST_CASE("the legend's range is that of the colours, and each batch has a name") {
  auto session = zoom_walk();
  const EndlessZoomModel m = zoom_at(*session, 1);
  CHECK(m.tile.low_text == signed_number(m.tile.low));
  CHECK(m.tile.high_text == signed_number(m.tile.high));
  REQUIRE(m.batches.size() == 2);
  CHECK(m.batches[0].words == "batch 0");
  CHECK(m.batches[1].words == "batch 1");
  session->dispatch(EditCall{"batch", "1"});
  CHECK(zoom_at(*session, 1).batches.empty());
  session->dispatch(EditCall{"batch", "8"});
  const EndlessZoomModel eight = zoom_at(*session, 1);
  REQUIRE_FALSE(eight.batches.empty());
  CHECK(eight.batches.front().first == 0);
  CHECK(eight.batches.back().last == 7);
  for (std::size_t i = 1; i < eight.batches.size(); ++i) CHECK(eight.batches[i].first == eight.batches[i - 1].last + 1);
}

TEST_CASE(
    "the zoom ends with one largest matrix for each head of the window's call, and its bytes are theirs together") {
  auto session = zoom_walk();
  session->dispatch(EditCall{"is-causal", "on"});
  const EndlessZoomModel end = zoom_at(*session, 1);
  CHECK(end.levels.back().square.kind == ZoomSquareKind::Heads);
  CHECK(end.levels.back().bytes == 64 * end.levels[end.matrix].bytes);
  CHECK(end.figure == "4.00 TiB");
  CHECK(end.figure_words == "of scores never exist");
  CHECK(end.figure_detail ==
        "32 heads × batch 2: 64 such squares, in fp32: on an H200 that fits in no memory. 64 times the scores of N "
        "131,072. Naive attention stores all of them; your call's mask keeps 549,760,008,192 of 1,099,511,627,776.");
}

TEST_CASE("the walk's matrix has the walk's mask, and all larger ones have the call's") {
  auto session = zoom_walk();
  REQUIRE_FALSE(session->call().call.is_causal);
  for (const bool causal : {false, true}) {
    session->dispatch(EditCall{"is-causal", causal ? "on" : "off"});
    for (const ZoomSquare& square : session->endless_zoom().squares()) {
      const EndlessZoomModel m = zoom_at(*session, square.t);
      const ZoomSquareKind kind = m.levels[m.at].square.kind;
      const bool larger = kind == ZoomSquareKind::Length || kind == ZoomSquareKind::Heads;
      INFO("call causal " << causal << ", " << m.levels[m.at].name);
      CHECK(m.diagonal == (!larger || causal));
      CHECK((m.figure_detail.find("your call's mask") != std::string::npos) == (larger && causal));
      CHECK((m.figure_detail.find("this walk's mask") != std::string::npos) == (kind == ZoomSquareKind::Walk));
    }
  }
}
