// Whole frames, off-screen: what a key does is in the picture of that very frame, and nothing is painted twice.
#include "app/window/screen.h"

#include <epoxy/gl.h>

#include "render/offscreen_context.h"
#include "tests/support/catch.h"
#include "ui/imgui_compat.h"

using namespace tilewalk;

namespace {

struct OffScreen {
  OffScreen() {
    auto made = OffscreenContext::create();
    if (!made) return;
    context = std::move(*made);
    auto created = Screen::create(*open_document({}, {}));
    INFO((created ? "" : text_of(created.issues())));
    REQUIRE(created.ok());
    screen = std::move(*created);
    inject_mouse(-1e5f, -1e5f, false);
    for (int i = 0; i < 4; ++i) frame();
  }
  bool frame() { return screen->frame(1280, 720, now += 1.0 / 60); }
  std::vector<std::uint8_t> picture() const {
    glFinish();
    return screen->painter().picture().read_rgb();
  }
  bool shows(const std::vector<std::uint8_t>& expected) const { return picture() == expected; }
  bool press(Key key, bool ctrl = false) {  // the frame that the key comes with
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
  double now = 0;
};

}  // namespace

TEST_CASE("the frame of a key press shows what it did, and nothing is painted once it has settled") {
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

TEST_CASE("so does a key that changes the size of all text, or the theme") {
  OffScreen off;
  if (!off.context) return test::skip("no off-screen OpenGL");
  for (const Action wanted : {Action::TextBigger, Action::ToggleTheme}) {
    const CommandRow& row = row_of(wanted);
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

TEST_CASE("Commands of the mouse wait for the next frame, which carries them out") {
  OffScreen off;
  if (!off.context) return test::skip("no off-screen OpenGL");
  const draw::Rect grid = off.screen->layout().scores;
  const float x = (grid.x0 + grid.x1) / 2, y = (grid.y0 + grid.y1) / 2;
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
