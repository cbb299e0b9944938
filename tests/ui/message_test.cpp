// Where messages are: on the line of the transport, or in a box with the whole text.
#include "pages/walk/walk_page.h"
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::within;

namespace {

std::optional<draw::Rect> box(const Headless& head) { return head.ui.rects.find("message/box"); }

// The error about a file that cannot be opened, dropped there.
void drop_file(Headless& head, const std::string& path, float x, float y) {
  head.session->dispatch(OpenFile{path});
  REQUIRE(head.session->message());
  REQUIRE(head.session->message()->error);
  head.ui.dropped = {x, y, head.session->message()->serial};
  head.frames(3);
}

}  // namespace

TEST_CASE("a command with nothing to do leaves a quiet line for four seconds, and no box") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::Z, true);
  REQUIRE(head.session->message());
  CHECK(head.session->message()->text == "There is nothing to undo");
  CHECK(head.session->message()->no_op);
  CHECK(head.models<WalkPage>().transport.news.tone == TransportTone::NoOp);
  CHECK_FALSE(box(head));
  head.session->dispatch(Tick{100});
  head.session->dispatch(Tick{103.9});
  CHECK(head.session->message());
  head.session->dispatch(Tick{104});
  CHECK_FALSE(head.session->message());
}

TEST_CASE("the error about a dropped file is in a box where it was dropped, with its whole text") {
  for (const Page page : {Page::Walk, Page::Race})
    for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}})
      for (const std::string& path : {std::string("/none.toml"), "/none/" + std::string(300, 'a') + ".toml"}) {
        INFO(int(page) << " " << w << " " << path.size());
        Headless head(picture_document(), w, h);
        head.session->dispatch(ShowPage{page});
        head.frames(2);
        drop_file(head, path, 300, 200);
        REQUIRE(box(head));
        CHECK(box(head)->holds({300, 200}));
        CHECK(within(*box(head), {0, 0, float(w), float(h)}));
        CHECK(within(head.rect("message/text"), *box(head)));
        const draw::Rect text = head.rect("message/text");
        const float lines = text.height() / draw::leading(head.theme.fonts.body);
        const float needed = draw::text_width(head.theme.fonts.body, head.session->message()->text) / text.width();
        CHECK(lines + 0.1f >= needed);
      }
}

TEST_CASE("a box at the edge of the window stays inside, and another message takes its place") {
  Headless head(picture_document());
  head.frames(2);
  for (const auto& [x, y] : {std::pair{0, 0}, {1599, 0}, {0, 899}, {1599, 899}}) {
    drop_file(head, "/none.toml", float(x), float(y));
    REQUIRE(box(head));
    CHECK(within(*box(head), {0, 0, 1600, 900}));
  }
  head.session->dispatch(Action::Undo);
  head.frames(3);
  CHECK_FALSE(box(head));
}

TEST_CASE("an error that does not fit the line of the transport is in a box above it") {
  Headless head(picture_document());
  head.session->dispatch(Action::RunToSelection);  // a short one
  head.frames(3);
  REQUIRE(head.session->message()->error);
  CHECK_FALSE(box(head));
  head.session->dispatch(OpenFile{"/none/" + std::string(200, 'a') + ".toml"});
  head.frames(3);
  REQUIRE(box(head));
  CHECK(box(head)->y1 <= head.layout.transport.y0);
}
