#include <filesystem>

#include "pages/walk/walk_page.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

TEST_CASE("each transport button sends exactly its command, for the current unit") {
  Headless head(picture_document());
  head.frames(2);
  head.session->dispatch(SetUnit{StepUnit::Tile});
  const Action by_tile[] = {Action::First, Action::TileBack, Action::PlayPause, Action::TileForward, Action::Last};
  const char* buttons[] = {"first", "back", "play", "forward", "last"};
  for (int i = 0; i < 5; ++i) CHECK(head.click(std::string("transport/") + buttons[i]) == Commands{by_tile[i]});
  head.session->dispatch(SetUnit{StepUnit::Phase});
  CHECK(head.click("transport/forward") == Commands{Action::StepForward});
  head.session->dispatch(SetUnit{StepUnit::QTile});
  CHECK(head.click("transport/back") == Commands{Action::QTileBack});
}

TEST_CASE("a button without an effect sends no command") {
  Document document = picture_document();
  document.cursor = 0;
  Headless head(document);
  head.frames(2);
  CHECK(head.click("transport/first").empty());
  CHECK(head.click("transport/back").empty());
}

TEST_CASE("a click on a cell of the matrix selects it, and a second click deselects it") {
  Headless head(picture_document(), 1600, 900, true);
  head.frames(2);
  const draw::Rect matrix = head.rect("scores/matrix");
  const ScoresModel grid = head.models<WalkPage>().scores;
  const float x = matrix.x0 + float(grid.now_cols.at(6.5) - grid.x0),
              y = matrix.y0 + float(grid.now_rows.at(11.5) - grid.y0);
  CHECK(head.click(x, y) == Commands{SelectCell{11, 6}});
  CHECK(head.click(x, y) == Commands{Action::SelectNothing});
}

TEST_CASE("a click on the timeline goes to the step under it, and pauses") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::PlayPause);
  head.frames(2);
  const draw::Rect strip = head.rect("transport/timeline");
  const TimelineModel m = head.models<WalkPage>().transport.timeline;
  const float at = 0.9f;
  const Commands made = head.click(strip.x0 + at * strip.width(), strip.y0 + 15);
  REQUIRE_FALSE(made.empty());
  CHECK(made.front() == Command(GoToStep{m.cursor_at(double(at))}));
  CHECK_FALSE(head.session->walk().playback().playing);
}

TEST_CASE("moving the mouse over the whole window without a click sends no command") {
  Headless head(picture_document());
  for (int y = 5; y < 900; y += 45)
    for (int x = 5; x < 1600; x += 80) {
      inject_mouse(float(x), float(y), false);
      REQUIRE(head.frame().empty());
    }
}

TEST_CASE("dragging a splitter widens its panel and sends no command") {
  Headless head(picture_document());
  head.frames(2);
  const float before = head.layout.memory.width(), x = (head.layout.split_left.x0 + head.layout.split_left.x1) / 2,
              y = 400;
  inject_mouse(x, y, false);
  Commands all = head.frames(2);
  inject_mouse(x, y, true);
  for (Command& c : head.frames(2)) all.push_back(c);
  inject_mouse(x + 60, y, true);
  for (Command& c : head.frames(2)) all.push_back(c);
  inject_mouse(x + 60, y, false);
  for (Command& c : head.frames(2)) all.push_back(c);
  CHECK(all.empty());
  CHECK(head.layout.memory.width() == Approx(before + 60).margin(3));
}

namespace {

// Tile sizes that the editor offers, by the first with that Br and Bc.
const TileChoice& chosen_tiles(Headless& head, const std::string& size) {
  const Views& views = head.builder.build(*head.session, room_of(head.layout, head.theme));
  for (const TileChoice& choice : views.problem->tiles)
    if (choice.br == size && choice.bc == size) return choice;
  FAIL("no tiles of " + size);
  return views.problem->tiles.front();
}

}  // namespace

TEST_CASE("a click on a kernel's tile sizes enters both, and applies nothing") {
  Document document = picture_document();
  document.problem.numerics.dtype = DType::Fp16;
  Headless head(document, 1600, 900, true);
  head.session->dispatch(Action::EditProblem);
  head.frames(3);
  const Problem before = head.session->problem();
  const TileChoice choice = chosen_tiles(head, "128");
  CHECK(head.click("dialog/" + choice.label) == Commands{EditField{"br", choice.br}, EditField{"bc", choice.bc}});
  CHECK(head.session->editing().draft().at("br") == "128");
  CHECK(head.session->editing().draft().at("bc") == "128");
  CHECK(head.session->problem() == before);
}

TEST_CASE("dragging a tile border changes the problem at every cell") {
  Headless head(picture_document(), 1600, 900, true);
  head.frames(2);
  const draw::Rect border = head.rect("scores/K border 0");
  const ScoresModel grid = head.models<WalkPage>().scores;
  const float x = (border.x0 + border.x1) / 2, y = (border.y0 + border.y1) / 2, cell = float(grid.cols.px);
  inject_mouse(x, y, false);
  head.frames(2);
  inject_mouse(x, y, true);
  head.frames(2);
  for (int i = 1; i <= 2; ++i) {
    inject_mouse(x + float(i) * cell, y, true);
    head.frames(2);
    CHECK(head.session->problem().tiling.bc == 4 + i);
  }
  inject_mouse(x + 2 * cell, y, false);
  head.frames(2);
  CHECK(head.session->undo().steps_back() == 1);
}

TEST_CASE("a press on a border, or where a tile is cut off, changes no tile") {
  for (const auto& [n, zoom] : {std::pair{16, 1.0}, std::pair{16, 1.9}, std::pair{14, 1.0}}) {
    Document document = picture_document();
    document.problem.shape.n_q = document.problem.shape.n_kv = n;
    document.cursor = 0;
    Headless head(document, 1600, 900, true);
    head.session->dispatch(SetGridView{zoom, 0.3, 0.3});
    head.frames(2);
    int borders = 0;
    for (int tile = 0; tile < 4; ++tile)
      for (const char* side : {"Q", "K"})
        if (const auto r = head.ui.rects.find("scores/" + std::string(side) + " border " + std::to_string(tile))) {
          CHECK(head.click((r->x0 + r->x1) / 2, (r->y0 + r->y1) / 2).empty());
          ++borders;
        }
    CHECK(borders > 0);
    CHECK(head.session->problem().tiling.br == 4);
    CHECK(head.session->problem().tiling.bc == 4);
  }
}

TEST_CASE("the open dialog lists the files, and arrows and Enter choose one") {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("lessons"));
  Document small = picture_document();
  small.problem.shape.n_q = small.problem.shape.n_kv = 8;
  small.cursor = 0;
  REQUIRE(save_document(small, folder.file("lessons/small.toml")).ok());
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::OpenFileDialog);
  head.session->dispatch(ShowFolder{folder.path()});
  head.frames(3);
  head.press(Key::Down);
  head.press(Key::Down);  // past ".." to the folder
  CHECK(head.press(Key::Enter) == Commands{ShowFolder{folder.file("lessons")}});
  head.press(Key::Down);
  head.press(Key::Down);
  CHECK(head.press(Key::Enter) == Commands{OpenFile{folder.file("lessons/small.toml")}});
  CHECK(head.session->problem().shape.n_q == 8);
  CHECK(head.session->settings().recent == std::vector<std::string>{folder.file("lessons/small.toml")});
}
