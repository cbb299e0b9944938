// Each step on its way, in real frames of the interface: tiles have a place to come from and to go to, numbers wait
// until they land, and the picture at t = 1 is the picture at rest.
#include "core/schedules/registry.h"
#include "tests/ui/headless.h"
#include "ui/panels/motion/moving.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::within;

namespace {

// All that is drawn, as one text: equal exactly where two frames are.
std::string drawn(const ImDrawData& data) {
  std::string all;
  for (int n = 0; n < list_count(data); ++n) {
    const ImDrawList& list = *list_at(data, n);
    all.append(reinterpret_cast<const char*>(list.VtxBuffer.Data),
               std::size_t(list.VtxBuffer.Size) * sizeof(ImDrawVert));
  }
  return all;
}

// False for a mask that leaves all of its tile.
bool changes_anything(Headless& head) {
  const WalkPage page = head.models<WalkPage>();
  if (!page.moving) return false;
  const Motion& motion = page.moving->motion;
  bool any = !motion.tiles.empty();
  for (const MovingValues& v : motion.values)
    for (std::int64_t r = v.row_begin; r < v.row_begin + v.rows; ++r)
      for (std::int64_t c = v.col_begin; c < v.col_begin + v.cols; ++c) any |= v.does_change(r, c);
  return any;
}

}  // namespace

TEST_CASE("every step of every schedule can be drawn on its way, and t = 1 is the picture at rest") {
  for (const ScheduleKind kind : all_schedules()) {
    Document document = picture_document();
    document.problem.schedule = kind;
    Headless head(document);
    const std::int64_t last = head.session->schedule().step_count();
    for (std::int64_t k = 1; k <= last; k += 1) {
      head.session->dispatch(GoToStep{k});
      head.frames(2);
      const std::string at_rest = drawn(*ImGui::GetDrawData());
      INFO(name_of(kind) << ", step " << k);
      head.session->dispatch(HoldMotion{0.5});
      head.frames(2);
      REQUIRE(finite(*ImGui::GetDrawData()));
      REQUIRE((drawn(*ImGui::GetDrawData()) != at_rest) == changes_anything(head));
      head.session->dispatch(HoldMotion{1});
      head.frames(2);
      REQUIRE(drawn(*ImGui::GetDrawData()) == at_rest);
    }
  }
}

TEST_CASE("tiles that cross begin and end at places on the screen, beside whose numbers they unfold") {
  Headless head(picture_document());
  head.session->dispatch(GoToStep{40});  // K1 and V1 to meet Q2
  head.session->dispatch(HoldMotion{0.5});
  head.frames(2);
  const MovingPlaces& places = head.ui.of<MovingPlaces>();
  for (const auto& [tensor, name] : {std::pair{TensorId::K, "K1"}, std::pair{TensorId::V, "V1"}}) {
    INFO(name);
    const draw::Rect* hbm = places.find({PlaceKind::HbmTile, int(tensor), 0, 0, name});
    const draw::Rect* sram = places.find({PlaceKind::SramTile, int(tensor), 0, 0, name});
    REQUIRE((hbm && sram));
    CHECK(hbm->y1 <= sram->y0);
    CHECK(within(*sram, head.layout.memory));
    const auto numbers = places.all_of(PlaceKind::Operand, int(tensor));
    REQUIRE(numbers);
    CHECK(within(*numbers, tensor == TensorId::K ? head.layout.scores : head.layout.side));
  }
  head.session->dispatch(GoToStep{40});
  head.frames(2);
  CHECK(head.ui.of<MovingPlaces>().at.empty());
}

TEST_CASE("nothing moves where motion is switched off or nobody watches, but what is held is shown") {
  Document document = picture_document();
  Headless head(document, 1600, 900, true);
  head.press(Key::Right);
  head.session->dispatch(Tick{1});
  head.frame();
  CHECK(head.ui.of<MovingPlaces>().at.empty());  // off-screen pictures show steps at rest
  head.session->dispatch(Tick{1.5});
  head.ui.motion = true;
  head.press(Key::Right);
  head.session->dispatch(Tick{2});
  head.frame();
  CHECK(!head.ui.of<MovingPlaces>().at.empty());
  head.session->dispatch(Tick{3});
  head.frame();
  CHECK(head.ui.of<MovingPlaces>().at.empty());
}

TEST_CASE("with reduced motion nothing travels: new values fade in, and at once there is the picture at rest") {
  Headless head(picture_document(), 1600, 900, true);
  head.ui.motion = true;
  head.session->dispatch(Action::ToggleMotion);
  head.session->dispatch(GoToStep{41});
  head.press(Key::Right);
  head.session->dispatch(Tick{4});
  head.frame();
  CHECK(head.session->walk().motion().t() == 0);
  CHECK(!head.ui.of<MovingPlaces>().at.empty());
  const int veiled = ImGui::GetForegroundDrawList()->VtxBuffer.Size;
  CHECK(veiled > 0);
  head.session->dispatch(Tick{4 + 1.01 * kSecondsOfFade});
  head.frame();
  CHECK(head.ui.of<MovingPlaces>().at.empty());
  CHECK(ImGui::GetForegroundDrawList()->VtxBuffer.Size == 0);
}

TEST_CASE("numbers that are asked for by hand do not arrive by themselves") {
  Headless head(picture_document());
  head.session->dispatch(GoToStep{40});
  head.session->dispatch(AskByHand{.rows = {.kind = HandRows::All}});
  head.session->dispatch(GoToStep{43});
  head.session->dispatch(HoldMotion{0.5});
  head.frames(2);
  CHECK(head.ui.of<MovingPlaces>().at.empty());
}

TEST_CASE("the ways on of the first minute are in view at 150 % and 200 % text, where O gives them its place") {
  for (const auto& [w, h, text] :
       {std::tuple{1600, 900, 1.5}, std::tuple{1280, 720, 1.5}, std::tuple{1280, 720, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, true);
    head.session->dispatch(Action::OfferTour);
    head.frames(3);
    for (const char* way : {"side/watch", "side/learn", "side/my gpu"}) CHECK(within(head.rect(way), head.layout.side));
  }
}

TEST_CASE("in the first minute one line says what the program is, in the place of the schedules") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.0}, std::tuple{1600, 900, 1.5},
                                   std::tuple{3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, true);
    head.session->dispatch(Action::OfferTour);
    head.frames(3);
    CHECK(within(head.rect("schedules/what it is"), head.layout.schedules));
    head.session->dispatch(Action::CloseTour);
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("schedules/what it is"));
  }
}

TEST_CASE("in the first minute the card stays where it is, and O is above it where it shrinks") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::OfferTour);
  head.frames(2);
  const draw::Rect at = head.rect("side/watch");
  for (const std::int64_t step : {30, 40, 44, 47, 57}) {
    INFO("step " << step);
    head.session->dispatch(GoToStep{step});
    head.frames(3);
    CHECK(head.rect("side/watch").y0 == at.y0);
    CHECK(head.rect("side/watch").y1 == at.y1);
    if (step == 44) CHECK(head.ui.rects.find("side/o numbers"));
  }
}

TEST_CASE("the card of the first minute offers three ways on, each by a click") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::OfferTour);
  head.frames(2);
  for (const char* way : {"side/watch", "side/learn", "side/my gpu", "side/close first minute"})
    CHECK(within(head.rect(way), head.layout.side));
  head.click("side/my gpu");
  CHECK(head.session->page() == Page::Which);
  head.session->dispatch(ShowPage{Page::Walk});
  head.frames(2);
  head.click("side/learn");
  CHECK(head.session->view().dialog() == Dialog::Lessons);
  head.session->dispatch(Action::CloseDialog);
  head.frames(2);
  head.click("side/watch");
  CHECK(head.session->tour().runs());
  head.click("side/close first minute");
  CHECK(!head.session->tour().offers());
  CHECK(!head.session->tour().runs());
}
