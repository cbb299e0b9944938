// Whole frames, off-screen: a key's effect is in the picture of the same frame, and nothing is painted twice.
#include "app/window/screen.h"

#include <epoxy/gl.h>

#include "render/offscreen_context.h"
#include "session/command/command_text.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"
#include "ui/imgui_compat.h"

using namespace tilewalk;

namespace {

struct OffScreen {
  explicit OffScreen(const Document& document = {}, int wide = 1280, int high = 720) : width(wide), height(high) {
    auto made = OffscreenContext::create();
    if (!made) return;
    context = std::move(*made);
    auto created = Screen::create(*open_document({document, nullptr}, {}));
    INFO((created ? "" : text_of(created.issues())));
    REQUIRE(created.ok());
    screen = std::move(*created);
    inject_mouse(-1e5f, -1e5f, false);
    for (int i = 0; i < 4; ++i) frame();
  }
  bool frame() { return screen->frame(width, height, now += 1.0 / 60); }
  std::vector<std::uint8_t> picture() const {
    glFinish();
    return screen->painter().picture().read_rgb();
  }
  bool shows(const std::vector<std::uint8_t>& expected) const { return picture() == expected; }
  bool press(Key key, bool ctrl = false) {  // the frame in which the key arrives
    inject_modifiers(ctrl, false);
    inject_key(key, true);
    return frame();
  }
  void release(Key key) {
    inject_key(key, false);
    inject_modifiers(false, false);
    for (int i = 0; i < 4; ++i) frame();
  }
  std::unique_ptr<OffscreenContext> context;
  std::unique_ptr<Screen> screen;
  int width, height;
  double now = 0;
};

// Commands that change a walk visibly at once; without those that open files, end the program or race.
Command random_command(test::Draw& draw, const Problem& p) {
  static const std::vector<Command> all = {
      Action::StepForward,  Action::StepForward, Action::StepForward,   Action::StepBack,    Action::TileForward,
      Action::QTileForward, Action::QTileBack,   Action::First,         Action::Last,        Action::NextUnit,
      Action::ZoomIn,       Action::ZoomOut,     Action::ZoomFit,       Action::ZoomToTile,  Action::SelectNothing,
      Action::EditProblem,  Action::ShowPresets, Action::ShowTraffic,   Action::ShowCompare, Action::NextPace,
      Action::LanesLater,   Action::ShowWarps,   Action::ExchangeSides, Action::ShowRace,    Action::ToggleTheme,
      Action::TextBigger,   Action::TextSmaller, Action::ShowPalette,   Action::ShowKeys,    Action::CloseDialog,
      Action::CloseDialog,  Action::Faster,      Action::PinNow};
  const auto pick = draw.upto(0, std::int64_t(all.size()) + 1);
  if (pick < std::int64_t(all.size())) return all[std::size_t(pick)];
  return SelectCell{draw.upto(0, p.shape.n_q - 1), draw.upto(0, p.shape.n_kv - 1)};
}

// The first difference of two pictures; empty: none.
std::string difference(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b, int width) {
  if (a.size() != b.size()) return "sizes";
  std::size_t first = a.size(), differing = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) first = std::min(first, i), ++differing;
  if (differing == 0) return "";
  const std::size_t pixel = first / 3;
  return std::to_string(differing) + " bytes, first at x " + std::to_string(pixel % std::size_t(width)) + ", y " +
         std::to_string(pixel / std::size_t(width));
}

}  // namespace

TEST_CASE("the frame of a key press shows its effect, and nothing is painted once it has settled") {
  OffScreen off;
  if (!off.context) return test::skip("no off-screen OpenGL");
  const auto before = off.picture();
  CHECK_FALSE(off.frame());
  REQUIRE(off.press(Key::Right));
  CHECK_FALSE(off.shows(before));
  CHECK(off.screen->session().cursor() == 1);
  off.release(Key::Right);
  CHECK_FALSE(off.frame());
}

TEST_CASE("the frame of a key that changes the text size or the theme shows its effect") {
  OffScreen off;
  if (!off.context) return test::skip("no off-screen OpenGL");
  for (const Action wanted : {Action::TextBigger, Action::ToggleTheme}) {
    const CommandRow& row = command_row(wanted);
    INFO(row.name);
    const auto before = off.picture();
    const float header = off.screen->layout().header.height();
    REQUIRE(off.press(row.key.key, row.key.ctrl));
    CHECK_FALSE(off.shows(before));
    CHECK((off.screen->layout().header.height() > header) == (wanted == Action::TextBigger));
    off.release(row.key.key);
    CHECK_FALSE(off.frame());
  }
}

TEST_CASE("a page that is presented has letters of one and a half times their size, and its own size if that is more") {
  float smallest = 0;
  for (const double own : {1.0, 1.5}) {
    Document document;
    document.view.page = Page::Compare;
    document.view.filling = Filling::Pipes;
    document.view.text_scale = own;
    OffScreen off(document, 1920, 1080);
    if (!off.context) return;
    const auto high = [&] {
      const auto share = off.screen->rects().find("pipes/share 0");  // a figure: it is as high as its letters
      REQUIRE(share);
      return share->height();
    };
    const float before = high();
    off.press(Key::P);
    off.release(Key::P);
    REQUIRE(off.screen->session().presents_page());
    if (own == 1.0) {
      smallest = high();
      CHECK(smallest >= 1.5f * before);
    }
    CHECK(high() == smallest);
    off.press(Key::Escape);
    off.release(Key::Escape);
    CHECK(high() == before);
  }
}

TEST_CASE("commands of the mouse wait for the next frame, which runs them") {
  OffScreen off;
  if (!off.context) return test::skip("no off-screen OpenGL");
  const draw::Rect matrix = *off.screen->rects().find("scores/matrix");
  const float x = matrix.x0 + 0.4f * matrix.width(), y = matrix.y0 + 0.4f * matrix.height();  // within a tile
  inject_mouse(x, y, false);
  off.frame(), off.frame();
  inject_mouse(x, y, true);
  off.frame();
  inject_mouse(x, y, false);
  bool waited = false;
  for (int i = 0; i < 4; ++i) {
    const bool had = off.screen->has_commands();
    const std::uint64_t revision = off.screen->session().revision();
    off.frame();
    waited = waited || (had && off.screen->session().revision() != revision);
  }
  CHECK(waited);
  CHECK_FALSE(off.screen->has_commands());
}

TEST_CASE("after any sequence of commands the kept picture equals that of a full redraw") {
  const std::pair<int, int> sizes[] = {{1280, 720}, {1601, 899}, {777, 500}};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Document document;
    document.problem = test::random_problem(seed);
    if (seed % 3 == 0) document.problem.shape.n_q = document.problem.shape.n_kv = 4096;
    if (seed % 3 == 0) document.problem.machine.sram_bytes = 1 << 20;
    const auto [width, height] = sizes[seed % 3];
    OffScreen off(document, width, height);
    if (!off.context) return test::skip("no off-screen OpenGL");
    test::Draw draw(seed);
    std::string done;
    for (int step = 0; step < 25; ++step) {
      const Command command = random_command(draw, off.screen->session().problem());
      done += text_of(command) + "; ";
      off.screen->session().dispatch(command);
      if (off.screen->session().compare().shows_visit())  // it plays when it is shown
        off.screen->session().dispatch(HoldMotion{double(draw.upto(0, 10)) / 10});
      inject_mouse(float(draw.upto(0, width)), float(draw.upto(0, height)), false);
      for (int i = 0; i < 3; ++i) off.frame();
      for (int i = 0; i < 8 && off.frame(); ++i) {
      }  // as the window does until nothing changes
      const auto kept = off.picture();
      off.screen->show_again();
      off.frame();
      INFO(width << "x" << height << ", seed " << seed << ": " << done);
      REQUIRE(difference(kept, off.picture(), width) == "");
    }
  }
}
