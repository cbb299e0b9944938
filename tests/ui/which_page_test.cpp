// The page of which attention runs: drawn for all kinds of calls, and each click and key gives exactly its command.
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

namespace {

void with_rules(SessionSetup& setup) {
  setup.load_rules = [] { return load_rule_tables(TILEWALK_SOURCE_DIR); };
}

}  // namespace

TEST_CASE("the page of which attention runs draws for every kind of call, in both themes, at four sizes") {
  for (const bool dark : {true, false})
    for (const auto& [w, h] :
         {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}, std::pair{640, 360}}) {
      INFO(w << "x" << h);
      Document document = picture_document();
      document.view.dark = dark;
      Headless head(document, w, h, false, with_rules);
      head.session->dispatch(Action::ShowWhich);
      for (const EditCall& edit :
           {EditCall{"attn-mask", "float-grad"}, EditCall{"kv-heads", "5"}, EditCall{"n-q", "x"}, EditCall{"n-q", "0"},
            EditCall{"enabled", "flash"}, EditCall{"on", "cpu"}, EditCall{"via", "flash-attn:2.8.3"}}) {
        head.session->dispatch(edit);
        CHECK(head.frames(3).empty());
        CHECK(finite(*ImGui::GetDrawData()));
      }
    }
}

TEST_CASE("without rules the page says why") {
  Headless head(picture_document());
  head.session->dispatch(Action::ShowWhich);
  CHECK(head.frames(3).empty());
  CHECK(head.builder.build(*head.session, room_of(head.layout, head.theme)).which->missing ==
        "PyTorch's rules cannot be read here.");
}

TEST_CASE("J opens the page of which attention runs, J and Esc go back; Shift+J lists the mistakes") {
  Headless head(picture_document(), 1600, 900, true, with_rules);
  head.frames(2);
  CHECK(head.press(Key::J) == Commands{Action::ShowWhich});
  CHECK(head.session->page() == Page::Which);
  CHECK(head.press(Key::Escape) == Commands{ShowPage{Page::Walk}});
  head.press(Key::J);
  head.press(Key::J);
  CHECK(head.session->page() == Page::Walk);
}

TEST_CASE("a choice goes on at a click, advice is taken, and the walk opens") {
  Headless head(picture_document(), 1600, 900, false, with_rules);
  head.session->dispatch(Action::ShowWhich);
  head.session->dispatch(EditCall{"attn-mask", "float-grad"});
  head.frames(2);
  CHECK(head.click("which-call/call dtype") == Commands{EditCall{"dtype", "fp64"}});
  CHECK(head.click("which-call/call attn-mask") == Commands{EditCall{"attn-mask", "none"}});
  CHECK(head.click("which-call/plain call") == Commands{Action::ForgetWhich});
  CHECK(head.click("which-so/advice 1") == Commands{TakeAdvice{1}});
  CHECK(head.click("which-so/walk which") == Commands{Action::WalkWhich});
  CHECK(head.click("which-so/which roofline") ==
        Commands{ChooseRoofline{.device = "h200",
                                .n = 1024,
                                .d = 64,
                                .heads = 12,
                                .kv_heads = 0,
                                .batch = 1,
                                .causal = false,
                                .dtype = DType::Bf16},
                 ShowPage{Page::Roofline}});
}
