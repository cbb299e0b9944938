// Keyboard navigation, and text fields on pages: no key does two things.
#include <set>

#include "pages/roofline/roofline_page.h"
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

namespace {

// Letters and digits typed into each named field of the page go into the field; Esc leaves the field, and then the
// page.
void check_typing(Page page, const std::vector<std::string>& fields) {
  for (const std::string& field : fields) {
    CAPTURE(field);
    Headless head(picture_document(), 1600, 900, true, [](SessionSetup& setup) {
      setup.of<WhichController>().load_rules = [] { return load_rule_tables(TILEWALK_SOURCE_DIR); };
    });
    head.session->dispatch(ShowPage{page});
    head.frames(3);
    const draw::Rect r = head.rect(field);
    head.click(r.x0 + 12, (r.y0 + r.y1) / 2);
    const bool dark = head.session->document().view.dark;
    for (const Key key : {Key::A, Key::T, Key::C, Key::K, Key::J, Key::O, Key::L, Key::Zero, Key::Space, Key::Minus}) {
      inject_text("7");
      for (const Command& command : head.press(key)) CHECK_FALSE(command.is<Action>());
    }
    CHECK(head.session->page() == page);
    CHECK(head.session->document().view.dark == dark);
    head.press(Key::Escape);
    CHECK(head.session->page() == page);
    head.press(Key::T);
    CHECK(head.session->document().view.dark != dark);
    head.press(Key::Escape);
    CHECK(head.session->page() == Page::Walk);
  }
}

}  // namespace

TEST_CASE("text typed into a page's field goes into the field and triggers no shortcut") {
  check_typing(Page::Which, {"which-call/call torch", "header/call n-q", "which-names/kernel name"});
  check_typing(Page::Roofline, {"roofline/own bandwidth", "roofline/own peak"});
}

TEST_CASE("keyboard navigation needs no mouse: Tab moves between panels, arrows select, Enter activates") {
  Headless head(picture_document(), 1600, 900, true);
  head.frames(3);
  const std::int64_t before = head.session->cursor();
  head.press(Key::Tab);
  CHECK(head.ui.panel_at == "transport");
  CHECK(ImGui::GetIO().NavVisible);
  CHECK(head.press(Key::Enter) == Commands{Action::PlayPause});
  head.press(Key::Enter);
  const auto at = [&] { return head.ui.panel_at; };
  std::set<std::string> seen = {at()};
  for (int i = 0; i < 12; ++i) head.press(Key::Tab), seen.insert(at());
  CHECK(seen == std::set<std::string>{"header", "schedules", "memory", "scores", "side", "transport", "traffic"});
  while (at() != "transport") head.press(Key::Tab, false, true);
  head.press(Key::Right);
  CHECK(head.press(Key::Enter) == Commands{Action::StepForward});
  head.press(Key::Escape);
  head.press(Key::Home);
  CHECK(head.session->cursor() == 0);
  CHECK(before > 0);
}

TEST_CASE("in lists without a field, arrows or Tab select and Enter activates") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::J, false, true);
  REQUIRE(head.session->view().dialog() == Dialog::Faults);
  head.frames(2);
  head.press(Key::Down);
  head.press(Key::Enter);
  CHECK(head.session->problem().fault == all_faults()[0]);
  head.press(Key::J, false, true);
  head.frames(2);
  head.press(Key::Tab);
  head.press(Key::Enter);
  CHECK(head.session->problem().fault == all_faults()[1]);
  head.press(Key::J, false, true);
  head.frames(2);
  head.press(Key::Tab, false, true);
  head.press(Key::Tab, false, true);
  head.press(Key::Enter);
  CHECK(head.session->problem().fault == Fault::None);
}

TEST_CASE("from the first screen it takes five actions to see how much faster FA-3 is than eager on another GPU") {
  Headless head(picture_document(), 1600, 900, true);
  head.frames(2);
  head.click("header/call");
  head.frames(3);
  head.session->dispatch(EditCall{"device", "h100"});
  head.session->dispatch(EditCall{"d", "128"});
  head.frames(2);
  head.click("dialog/call field is-causal");
  head.frames(2);
  CHECK(head.click("dialog/How fast is it?") == Commands{Action::CloseDialog, Action::ShowRoofline});
  head.frames(3);
  CHECK(head.session->page() == Page::Roofline);
  const Call& call = head.session->call().call;
  CHECK(call.device == "h100");
  CHECK(call.d == 128);
  CHECK(call.is_causal);
  const RooflinePage page = head.models<RooflinePage>();
  INFO(page.answer);
  CHECK(page.answer.find("against eager: ") != std::string::npos);
}
