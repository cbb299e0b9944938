// The view model of the zoom out of one tile: sizes, places and words at each t.
#include "base/units.h"
#include "core/schedules/registry.h"
#include "pages/walk/endless_zoom_model.h"
#include "tests/support/catch.h"

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

TEST_CASE("at t 0 the tile fills the picture, at t 1 the longest context does, and between the factor is even") {
  auto session = zoom_walk();
  CHECK_FALSE(build_endless_zoom(*session));
  const EndlessZoomModel begin = zoom_at(*session, 0), middle = zoom_at(*session, 0.5), end = zoom_at(*session, 1);
  CHECK(share_of_picture(begin, 0) == Approx(kZoomFill));
  CHECK(begin.at == 0);
  CHECK(share_of_picture(end, end.levels.size() - 1) == Approx(kZoomFill));
  CHECK(end.at == end.levels.size() - 1);
  CHECK(middle.extent == Approx(std::sqrt(begin.extent * end.extent)));
  CHECK(middle.levels[middle.at].square.side() == 512);
}

TEST_CASE("at its own t each square fills the picture and is the current one, with its bytes") {
  auto session = zoom_walk();
  for (const ZoomSquare& square : zoom_squares(session->problem())) {
    const EndlessZoomModel m = zoom_at(*session, square.t);
    INFO(square.side());
    CHECK(m.levels[m.at].square == square);
    CHECK(share_of_picture(m, m.at) == Approx(kZoomFill));
    CHECK(m.levels[m.at].bytes == 4 * square.rows * square.cols);
    CHECK(m.figure == format_bytes(m.levels[m.at].bytes));
  }
}

TEST_CASE("the ends say what exists and what never does") {
  auto session = zoom_walk();
  const EndlessZoomModel begin = zoom_at(*session, 0), end = zoom_at(*session, 1);
  CHECK(begin.figure == "64 B");
  CHECK(begin.figure_words == "exist on chip at a time");
  CHECK(begin.tile_figure.empty());
  CHECK(end.figure == "64.0 GiB");
  CHECK(end.figure_words == "of scores never exist");
  CHECK(end.figure_detail ==
        "131,072 × 131,072, in fp32: on an H200 that fits in HBM, and in no smaller memory. 16 times the scores of N "
        "32,768.");
  CHECK(end.tile_figure == "32.0 KiB");
  CHECK(end.tile_words == "exist at a time in a thread block: one 128 × 64 tile, 1 / 2,097,152 of them");
  CHECK(end.levels[1].name == "This walk");
  CHECK(end.levels.back().name == "N 131,072");
}

TEST_CASE("the tile beside a square is no larger than the square") {
  auto session = zoom_walk();
  bool walk = false;
  for (int i = 0; i <= 100; ++i) {
    const EndlessZoomModel m = zoom_at(*session, i / 100.0);
    CHECK(m.tile_words.find("1 / 0 ") == std::string::npos);
    if (m.levels[m.at].name != "This walk") continue;
    walk = true;
    CHECK(m.tile_figure == "64 B");
    CHECK(m.tile_words == "exist at a time in a thread block: one 4 × 4 tile, 1 / 16 of them");
  }
  CHECK(walk);
}

TEST_CASE("scores are fp32 in any type, and naive attention writes them") {
  auto half = zoom_walk(ScheduleKind::FlashV2, DType::Bf16);
  CHECK(zoom_at(*half, 1).figure == "64.0 GiB");
  auto naive = zoom_walk(ScheduleKind::Standard);
  const EndlessZoomModel m = zoom_at(*naive, 1);
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
  REQUIRE(m.ticks.size() == 5);
  CHECK(m.ticks[0].text == "1 B");
  CHECK(m.ticks[0].share == 0);
  CHECK(m.ticks[2].text == "1 MiB");
  CHECK(m.ticks.back().text == m.levels.back().size);
  CHECK(m.ticks.back().share == 1);
  for (std::size_t i = 1; i + 1 < m.ticks.size(); ++i)
    CHECK(m.ticks[i].share - m.ticks[i - 1].share == Approx(10.0 / 36));  // of 64 GiB, 2^36 bytes
  for (const ZoomLevel& level : m.levels)
    if (level.bytes == 1 << 20) CHECK(level.share == Approx(m.ticks[2].share));
}
