// The tile is the subject: equal tiles are drawn equal, numbers of a block are written whole or not at all, and nothing
// that is written touches its neighbour, at any size of window and text, in lessons and without.
#include <algorithm>
#include <cstring>
#include <optional>

#include "core/schedules/registry.h"
#include "pages/walk/walk_page.h"
#include "session/lesson/lesson_file.h"
#include "tests/ui/headless.h"
#include "ui/matrix/number_block.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::picture_document;
using tilewalk::test::tooltip_area;
using tilewalk::test::touches;
using tilewalk::test::within;

namespace {

void with_lessons(SessionSetup& setup) {
  setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
  setup.presets = *load_presets(TILEWALK_SOURCE_DIR);
}

void settle(Headless& head) {
  while (head.session->busy()) head.session->dispatch(Work{64});
  head.frames(3);
}

// Tiles with equal numbers of rows and columns have equal sizes; a tile cut by the edge is smaller in proportion.
void check_equal_tiles(const ScoresModel& m, const Tiling& tiling) {
  const ScoreTile* whole = nullptr;
  for (const ScoreTile& t : m.tiles)
    if (t.rows == tiling.br && t.cols == tiling.bc) whole = &t;
  for (const ScoreTile& t : m.tiles) {
    if (!whole) break;
    const float share_x = float(t.cols) / float(whole->cols), share_y = float(t.rows) / float(whole->rows);
    CHECK(t.x1 - t.x0 == Approx(share_x * (whole->x1 - whole->x0)).margin(2.5 * m.cols.px / 10 + 1));
    CHECK(t.y1 - t.y0 == Approx(share_y * (whole->y1 - whole->y0)).margin(2.5 * m.rows.px / 10 + 1));
    if (t.cols == whole->cols) CHECK(t.x1 - t.x0 == Approx(whole->x1 - whole->x0).margin(0.02));
    if (t.rows == whole->rows) CHECK(t.y1 - t.y0 == Approx(whole->y1 - whole->y0).margin(0.02));
  }
}

}  // namespace

TEST_CASE("neighbouring numbers of the tile at hand are apart by 0.35 em, so that no minus touches a digit") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}})
    for (const std::int64_t tile : {4, 8}) {
      Document document = picture_document();
      document.problem.tiling.br = document.problem.tiling.bc = tile;
      Headless head(document, w, h, false, with_lessons);
      head.session->dispatch(GoToTile{tile == 4 ? 2 : 1, tile == 4 ? 1 : 0});
      settle(head);
      const float least = figure_width(head.theme) + 0.34f * head.theme.fonts.mono_small.em;
      const auto check = [&, w = w, h = h](const char* name, std::int64_t columns) {
        INFO(w << "x" << h << ", tile " << tile << ", " << name);
        CHECK(head.rect(name).width() / float(columns) >= least);
      };
      check("scores/numbers", tile);
      if (w > 1280) check("side/o numbers", document.problem.shape.d);
    }
}

TEST_CASE("equal tiles are drawn equal in every schedule, at every size and text, in a lesson and without") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}})
    for (const double text : {0.8, 1.0, 1.5, 2.0, 3.0}) {
      Document document = picture_document();
      document.view.text_scale = text;
      Headless head(document, w, h, false, with_lessons);
      for (const ScheduleKind kind : all_schedules()) {
        head.session->dispatch(SetSchedule{kind});
        settle(head);
        for (std::int64_t step = 1; step <= head.session->schedule().step_count(); step += 7) {
          INFO(w << "x" << h << ", text " << text << ", " << name_of(kind) << ", step " << step);
          head.session->dispatch(GoToStep{step});
          check_equal_tiles(head.models<WalkPage>().scores, head.session->problem().tiling);
        }
      }
      for (const int lesson : {4, 7, 9}) {
        INFO(w << "x" << h << ", text " << text << ", lesson " << lesson);
        head.session->dispatch(OpenLesson{lesson, 2});
        settle(head);
        check_equal_tiles(head.models<WalkPage>().scores, head.session->problem().tiling);
      }
    }
}

TEST_CASE("the learner of lesson 7 reads the scores of the current tile, under the columns of K") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0},
                                   {1600, 900, 1.0},
                                   {1600, 900, 1.5},
                                   {3840, 2160, 1.0},
                                   {3840, 2160, 1.5},
                                   {1920, 1080, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, true, with_lessons);
    head.session->dispatch(OpenLesson{7, 3});
    settle(head);
    const std::int64_t first = head.session->cursor();
    for (std::int64_t step = first; step < first + 24; step += 4) {
      INFO("step " << step);
      head.session->dispatch(GoToStep{step});
      head.frames(2);
      const ScoresModel m = head.models<WalkPage>().scores;
      if (text == 1.0) CHECK(m.cols.end - m.cols.begin == 16);
      if (!head.session->state().step.in_visit()) continue;
      const draw::Rect numbers = head.rect("scores/numbers");
      CHECK(within(numbers, head.layout.scores));
      CHECK(m.cols.begin <= double(head.session->state().step.col_begin) + 1e-6);
      CHECK(m.cols.end >= double(head.session->state().step.col_end) - 1e-6);
      CHECK(numbers.width() / 4 >= draw::text_width(head.theme.fonts.mono_small, "−0.00"));
      CHECK(numbers.height() / 4 >= head.theme.fonts.mono_small.em);
      // A column of K is above its column of scores.
      const draw::Rect above = head.rect("scores/values above");
      CHECK(above.width() <= 1.05f * numbers.width());  // cells of the matrix end at the gap between tiles
      CHECK(above.middle().x == Approx(numbers.middle().x).margin(1));
      CHECK_FALSE(touches(above, head.rect("scores/values left")));
      CHECK_FALSE(touches(above, head.rect("scores/matrix")));
      if (const auto place = head.ui.rects.find("scores/arithmetic")) CHECK_FALSE(touches(above, *place));
    }
  }
}

TEST_CASE("the tile in work is the subject: it is at least 2 % of the window, and covers no word") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}})
    for (const std::int64_t q : {0, 2, 3}) {
      INFO(w << "x" << h << ", Q tile " << q);
      Headless head(picture_document(), w, h);
      head.session->dispatch(GoToTile{q, q == 3 ? 2 : 0});
      settle(head);
      const draw::Rect tile = head.rect("scores/current tile"), left = head.rect("scores/values left");
      CHECK(tile.width() * tile.height() >= 0.02f * float(w) * float(h));
      CHECK(tile.width() * tile.height() + left.width() * left.height() >= 0.03f * float(w) * float(h));
      CHECK(left.middle().y == Approx(tile.middle().y).margin(1));
      int words = 0;
      for (const auto& [name, r] : head.ui.rects.all())
        if (name.starts_with("scores/word ")) {
          INFO(name);
          ++words;
          CHECK_FALSE(touches(r, tile));
        }
      CHECK(words > 1);
    }
}

TEST_CASE("at a real size the current tile stands beside the matrix, and a click there chooses its cell") {
  Document document = picture_document();
  Problem& p = document.problem;
  p.shape.n_q = p.shape.n_kv = 4096;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 128;
  p.machine.sram_bytes = 227 * 1024;
  p.shape.mask = {};
  document.cursor = 24;
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}, {3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    document.view.text_scale = text;
    Headless head(document, w, h);
    head.frames(2);
    const draw::Rect lens = head.rect("scores/lens");
    CHECK(within(lens, head.layout.scores));
    CHECK_FALSE(touches(lens, head.rect("scores/matrix")));
    CHECK(lens.width() >= 100);
    for (const Command& each : head.click(lens.x0 + 0.505f * lens.width(), lens.y0 + 0.255f * lens.height()))
      head.session->dispatch(each);
    const auto& selection = head.session->walk().selection();
    REQUIRE(selection);
    const Step& step = head.session->state().step;
    CHECK(selection->row == step.row_begin + 32);
    CHECK(selection->col == step.col_begin + 64);
  }
}

TEST_CASE("a block has all of its numbers with all of their digits, or none") {
  Headless head(picture_document());
  const Problem& p = head.session->problem();
  const Font& font = head.theme.fonts.mono_small;
  const float wide = draw::text_width(font, "−0.00");
  const auto style = [&](const std::vector<float>& values, float width) {
    return number_style(p, values, width, 100, {{&font, 0, 0}});
  };
  REQUIRE(style({0.4f, -0.01f}, wide).font);
  CHECK(style({0.4f}, wide).of(p, -0.01) == "−0.01");
  CHECK_FALSE(style({0.4f, -0.01f}, wide - 1).font);
  CHECK_FALSE(style({0.4f, 0.3f}, wide - 1).font);  // also where these would fit, so that digits do not come and go
  CHECK_FALSE(style({0.4f, -12.25f}, wide).font);
  CHECK(style({0.4f, -12.25f}, 1.2f * wide + 1).font);
  CHECK_FALSE(number_style(p, {0.4f}, wide, font.em - 1, {{&font, 0, 0}}).font);
  Problem exact = p;
  exact.numerics.base = Base::Two;
  const NumberStyle fractions = number_style(exact, {2.015625f}, wide, 100, {{&font, 0, 0}});
  REQUIRE(fractions.font);
  CHECK(fractions.of(exact, 2.015625) == "2.02");
}

TEST_CASE("the table of m and ℓ never has fewer than two decimals, and no figure touches the next") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}})
    for (const double text : {0.8, 1.0, 1.5, 2.0, 3.0})
      for (const ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::FlashV2})
        for (const bool lesson : {false, true}) {
          if (lesson && text > 2) continue;
          INFO(w << "x" << h << ", text " << text << ", " << name_of(kind) << (lesson ? ", lesson" : ""));
          Document document = picture_document();
          document.view.text_scale = text;
          document.problem.schedule = kind;
          document.cursor = kind == ScheduleKind::FlashV1 ? 64 : 46;
          Headless head(document, w, h, false, with_lessons);
          if (lesson) head.session->dispatch(OpenLesson{7, 4});
          settle(head);
          const SoftmaxModel m = head.models<WalkPage>().softmax;
          int seen = 0;
          for (const SoftmaxRow& row : m.rows) {
            float taken = head.layout.side.x0;
            for (std::size_t c = 0; c < m.columns.size(); ++c) {
              const auto r = head.ui.rects.find("side/figure " + m.columns[c] + " " + std::to_string(row.row));
              if (!r) continue;
              INFO("row " << row.row << ", " << m.columns[c] << " " << row.cells[c]);
              ++seen;
              const float share = r->width() / draw::text_width(head.theme.fonts.mono_small, row.cells[c]);
              CHECK(share * head.theme.fonts.mono_small.em > 9);
              CHECK(r->x0 > taken);
              CHECK(r->x1 <= head.layout.side.x1);
              taken = r->x1;
            }
          }
          CHECK(seen >= 4);
        }
}

TEST_CASE("where the current tile shows weights and the others scores, both ranges are named and apart") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}, {3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    document.problem.schedule = ScheduleKind::Standard;  // whose S is in HBM; elsewhere the other tiles are gone
    Headless head(document, w, h);
    const auto go_to = [&](Phase phase) {
      std::int64_t k = 0;
      while (head.session->schedule().step(k).phase != phase) ++k;
      head.session->dispatch(GoToStep{k + 1});
      head.frames(3);
    };
    go_to(Phase::Exponentiate);
    const draw::Rect now = head.rect("scores/scale"), others = head.rect("scores/scale of others");
    CHECK_FALSE(touches(now.inset(0.5f), others.inset(0.5f)));
    CHECK_FALSE(touches(others.inset(0.5f), head.rect("scores/formula")));
    CHECK(within(now, head.layout.scores));
    CHECK(within(others, head.layout.scores));
    go_to(Phase::Scores);
    CHECK_FALSE(head.ui.rects.find("scores/scale of others"));
  }
}

TEST_CASE("a tile that no memory stores is plainly gone once its visit is over, and naive's is not") {
  Headless head(picture_document(), 1600, 900);
  head.session->dispatch(GoToStep{45});
  head.frames(3);
  CHECK(head.ui.rects.find("scores/gone tile"));
  CHECK_FALSE(head.ui.rects.find("scores/scale of others"));
  head.session->dispatch(SetSchedule{ScheduleKind::Standard});
  head.session->dispatch(Action::Last);
  head.session->dispatch(Action::CloseDialog);
  head.frames(3);
  CHECK_FALSE(head.ui.rects.find("scores/gone tile"));
}

TEST_CASE("what the sentence names is ringed in the matrix, within the row of the current tile") {
  Headless head(picture_document(), 1600, 900);
  head.session->dispatch(GoToStep{45});
  head.frames(3);
  const ScoresModel m = head.models<WalkPage>().scores;
  REQUIRE(m.named_row == 9);
  REQUIRE(m.named_col == 7);
  const draw::Rect ring = head.rect("scores/named cell"), matrix = head.rect("scores/matrix");
  const float x = matrix.x0 + float(m.now_cols.at(7.5) - m.x0), y = matrix.y0 + float(m.now_rows.at(9.5) - m.y0);
  CHECK(ring.holds({x, y}));
  CHECK(ring.width() < 1.2f * float(m.now_cols.px));
  head.session->dispatch(Action::WorkByHand);  // the sentence waits, so nothing is named
  head.frames(3);
  CHECK(head.models<WalkPage>().scores.named_row == -1);
}

TEST_CASE("the tooltip of a cell is beside its tile, never over it, and a drag has none") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}}) {
    Headless head(picture_document(), w, h);
    head.frames(3);
    const ScoresModel m = head.models<WalkPage>().scores;
    const draw::Rect matrix = head.rect("scores/matrix");
    const auto x = [&](double col) { return matrix.x0 + float(m.cols.at(col) - m.x0); };
    const auto y = [&](double row) { return matrix.y0 + float(m.rows.at(row) - m.y0); };
    for (const int q : {0, 2, 3})
      for (const int k : {0, 1, 3}) {
        INFO(w << "x" << h << ", Q" << q << " K" << k);
        inject_mouse(x(4 * k + 1.5), y(4 * q + 1.5), false);
        head.rest();
        const auto area = tooltip_area();
        REQUIRE(area);
        CHECK_FALSE(touches(*area, draw::Rect{x(4 * k), y(4 * q), x(4 * k + 4), y(4 * q + 4)}.inset(1)));
        CHECK(within(*area, {-2, -2, float(w) + 2, float(h) + 2}));
      }
    inject_mouse(x(9.5), y(9.5), true);
    head.rest();
    CHECK_FALSE(tooltip_area());
    inject_mouse(x(9.5), y(9.5), false);
    head.frames(2);
  }
}

TEST_CASE(
    "names above the timeline do not touch, at any number of groups, and the caret is there at loads and stores") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1280, 720, 2.0}, {1600, 900, 1.0}, {3840, 2160, 1.5}})
    for (const std::int64_t n : {16, 40, 128}) {
      INFO(w << "x" << h << ", text " << text << ", N " << n);
      Document document = picture_document();
      document.view.text_scale = text;
      document.problem.shape.n_q = document.problem.shape.n_kv = n;
      Headless head(document, w, h);
      for (const std::int64_t step : {0, 1, 12, 45, 57}) {
        head.session->dispatch(GoToStep{step});
        head.frames(2);
        const TimelineModel m = head.models<WalkPage>().transport.timeline;
        const draw::Rect area = head.rect("transport/timeline");
        float taken = -1;
        int names = 0;
        for (std::size_t i = 0; i < m.groups.size(); ++i) {
          const auto r = head.ui.rects.find("transport/group " + std::to_string(i));
          if (!r) continue;
          ++names;
          CHECK(r->x0 > taken);
          CHECK(within(*r, area));
          taken = r->x1;
        }
        CHECK((names > 0) == (!m.folded && area.height() >= 46 * head.theme.s));
        if (!m.folded) CHECK(head.ui.rects.find("transport/caret"));
      }
    }
}

TEST_CASE("with a mistake the wrong O and the right one each have their name above their numbers") {
  for (const int width : {1280, 1600}) {
    INFO(width);
    Document document = picture_document();
    document.problem.fault = Fault::ForgetRescaleO;
    Headless head(document, width, width == 1280 ? 720 : 900);
    const std::int64_t end = head.session->schedule().end_step_of_visit(0, {.q_tile = 2, .kv_tile = 1});
    head.session->dispatch(GoToStep{end});
    head.frames(3);
    const draw::Rect wrong = head.rect("side/title of wrong O"), right = head.rect("side/title of right O");
    CHECK_FALSE(touches(wrong, right));
    CHECK(std::abs(wrong.x0 - head.rect("side/o numbers").x0) < 2);
    CHECK(std::abs(right.x0 - head.rect("side/right o numbers").x0) < 2);
    CHECK(wrong.y0 < head.rect("side/o numbers").y0);
    CHECK(right.y0 < head.rect("side/right o numbers").y0);
  }
}

TEST_CASE("with a mistake the wrong row of O is in the place of the source, and its numbers wait until O's land") {
  for (const auto& [w, h, text] :
       {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.25}, {3840, 2160, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.problem.fault = Fault::ForgetRescaleO;
    document.view.text_scale = text;
    Headless head(document, w, h);
    head.session->dispatch(GoToStep{43});
    head.frames(2);
    CHECK_FALSE(head.ui.rects.find("side/mistake wrong"));  // O is right so far
    head.session->dispatch(GoToStep{47});
    head.session->dispatch(HoldMotion{0});
    head.frames(2);
    CHECK_FALSE(head.ui.rects.find("side/mistake difference 0"));
    head.session->dispatch(HoldMotion{1});
    head.frames(2);
    for (const char* const name : {"side/mistake wrong", "side/mistake right", "side/mistake difference"})
      CHECK((within(head.rect(name), head.layout.side) || text == 1.5));  // there the column scrolls
    CHECK(head.rect("side/mistake wrong").y0 >= head.rect("side/o numbers").y1);
    if (text == 1) CHECK(within(head.rect("side/mistake difference 0"), head.layout.side));
    CHECK(holds(head.click("side/code switch"), Action::ToggleCode));
    head.session->dispatch(Action::ToggleCode);
    head.frames(2);
    CHECK_FALSE(head.ui.rects.find("side/mistake wrong"));
  }
}

TEST_CASE("a short table that scrolls says which rows it shows, beside its title") {
  Headless head(picture_document(), 1280, 720, true, with_lessons);
  head.session->dispatch(OpenLesson{5, 5});  // tiles of eight rows, of which four are in view
  head.frames(3);
  REQUIRE(head.models<WalkPage>().softmax.rows.size() == 8);
  const draw::Rect rows = head.rect("side/rows in view");
  CHECK_FALSE(touches(rows, head.rect("side/table title")));
  CHECK_FALSE(touches(rows, head.rect("side/tiles")));
}
