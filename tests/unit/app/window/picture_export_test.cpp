// Pictures exported between frames: the view without the dialog, and a Q tile's walk while the window continues.
#include "app/window/picture_export.h"

#include <epoxy/gl.h>

#include <cstring>

#include "render/offscreen_context.h"
#include "session/document/playback.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

struct ExportScreen {
  ExportScreen() {
    auto made = OffscreenContext::create();
    if (!made) return;
    context = std::move(*made);
    Document document;
    document.problem.shape.n_q = document.problem.shape.n_kv = 8;
    document.cursor = 14;
    screen = std::move(*Screen::create(*open_document({document, nullptr}, {})));
    while (screen->session().busy()) screen->session().dispatch(Work{64});
    frames(4);
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) {
      exports.work(*screen, kWidth, kHeight);
      screen->frame(kWidth, kHeight, now += 1.0 / 60);
      exports.after_frame(*screen);
    }
  }
  std::vector<std::uint8_t> shown() const {
    glFinish();
    return screen->painter().picture().read_rgb();
  }
  static constexpr int kWidth = 480, kHeight = 360;
  std::unique_ptr<OffscreenContext> context;
  std::unique_ptr<Screen> screen;
  PictureExports exports;
  double now = 0;
};

}  // namespace

TEST_CASE("a picture of the view is the view without the dialog") {
  ExportScreen on;
  if (!on.screen) return test::skip("no OpenGL here");
  test::TemporaryFolder folder;
  const std::vector<std::uint8_t> before = on.shown();
  on.screen->session().dispatch(Action::ShowExport);
  on.frames(3);
  CHECK(on.shown() != before);
  on.screen->session().dispatch(ExportFile{ExportKind::Picture, folder.file("a.png")});
  on.frames(6);
  CHECK_FALSE(on.screen->session().exporting().running);
  const std::vector<std::byte> expected = png_bytes({ExportScreen::kWidth, ExportScreen::kHeight, before});
  const std::string written = test::read_text(folder.file("a.png"));
  REQUIRE(written.size() == expected.size());
  CHECK(std::memcmp(written.data(), expected.data(), written.size()) == 0);
}

TEST_CASE("a film of the Q tile is drawn one frame at a time, and the window does not change") {
  ExportScreen on;
  if (!on.screen) return test::skip("no OpenGL here");
  test::TemporaryFolder folder;
  const std::vector<std::uint8_t> before = on.shown();
  Session& session = on.screen->session();
  ImGuiContext* const context = ImGui::GetCurrentContext();
  session.dispatch(ExportFile{ExportKind::Film, folder.file("a.gif")});
  int slices = 0;
  for (; session.exporting().running && slices < 5000; ++slices) on.frames(1);
  CHECK(slices > 10);
  CHECK(ImGui::GetCurrentContext() == context);
  CHECK(test::read_text(folder.file("a.gif")).starts_with("GIF89a"));
  CHECK(session.cursor() == 14);
  while (session.message()) session.dispatch(Tick{on.now += 60});
  on.frames(4);
  CHECK(on.shown() == before);
}

TEST_CASE("a stopped film leaves no file, and one that cannot be opened says why") {
  ExportScreen on;
  if (!on.screen) return test::skip("no OpenGL here");
  test::TemporaryFolder folder;
  Session& session = on.screen->session();
  session.dispatch(ExportFile{ExportKind::Film, folder.file("a.apng")});
  on.frames(3);
  CHECK(on.exports.busy());
  session.dispatch(Action::StopExport);
  on.frames(1);
  CHECK_FALSE(on.exports.busy());
  CHECK_FALSE(session.exporting().running);
  CHECK(std::filesystem::is_empty(folder.path()));
  session.dispatch(ExportFile{ExportKind::Film, folder.file("no/a.gif")});
  on.frames(1);
  CHECK_FALSE(session.exporting().running);
  REQUIRE(session.message());
  CHECK(session.message()->error);
}

TEST_CASE("a square picture is drawn on a screen of its own, whatever the window's size") {
  ExportScreen on;
  if (!on.screen) return test::skip("no OpenGL here");
  test::TemporaryFolder folder;
  const std::vector<std::uint8_t> before = on.shown();
  Session& session = on.screen->session();
  session.dispatch(ExportFile{ExportKind::Picture, folder.file("a.png"), {}, true});
  for (int slices = 0; session.exporting().running && slices < 50; ++slices) on.frames(1);
  const std::string png = test::read_text(folder.file("a.png"));
  REQUIRE(png.size() > 24);
  const auto side = [&](std::size_t at) {  // of the header, most significant byte first
    return (int(std::uint8_t(png[at + 2])) << 8) + int(std::uint8_t(png[at + 3]));
  };
  CHECK(side(16) == kSquareSide);
  CHECK(side(20) == kSquareSide);
  while (session.message()) session.dispatch(Tick{on.now += 60});
  on.frames(4);
  CHECK(on.shown() == before);
}

TEST_CASE("a square film shows the whole walk by tile visits") {
  ExportScreen on;
  if (!on.screen) return test::skip("no OpenGL here");
  test::TemporaryFolder folder;
  Session& session = on.screen->session();
  session.dispatch(ExportFile{ExportKind::Film, folder.file("a.gif"), {}, true});
  int slices = 0;
  for (; session.exporting().running && slices < 2000; ++slices) on.frames(1);
  // A still at the start, after each of 4 visits and 2 stores, and 15 pictures of a motion before each.
  CHECK(slices >= 7 + 6 * 15);
  CHECK(test::read_text(folder.file("a.gif")).starts_with("GIF89a"));
}
