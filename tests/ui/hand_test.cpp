// Work by hand in the window: by keys alone, by the mouse alone.
#include <sstream>

#include "tests/ui/headless.h"
#include "view/present/present_model.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::picture_document;

namespace {

Document at_row_max() {
  Document document = picture_document();
  document.cursor = 43;  // row max of Q2 and KV tile 1
  return document;
}

void type(Headless& head, const char* text) {
  inject_text(text);
  head.frames(2);
}

// Keys of the number pad, one after the other.
void click_keys(Headless& head, const std::string& keys) {
  std::istringstream all(keys);
  for (std::string key; all >> key;) head.click("side/pad " + key);
}

std::string typed(const Headless& head) {
  const HandField* field = head.session->hand().focused();
  REQUIRE(field);
  return head.ui.hand_texts.at(HandKey{field->made_at, field->place});
}

HandState state_of(const Headless& head, Quantity quantity) {
  const HandField* field = head.session->hand().field({quantity, 9});
  REQUIRE(field);
  return field->state;
}

}  // namespace

TEST_CASE("m, α and ℓ of a row can be filled in by keys alone") {
  Headless head(at_row_max(), 1600, 900, true);
  head.frames(2);
  head.press(Key::H);
  REQUIRE(head.session->hand().on());
  head.press(Key::Tab);
  REQUIRE(head.session->hand().focused());
  head.frames(3);
  // A field receives every key: none of these steps, plays or opens anything.
  for (const Key key : {Key::Right, Key::Space, Key::T, Key::G, Key::C, Key::Home}) CHECK(head.press(key).empty());
  CHECK(head.session->cursor() == 43);
  head.press(Key::Escape);
  CHECK_FALSE(head.session->hand().focused());
  CHECK(head.session->hand().on());

  head.press(Key::Tab);
  head.frames(3);
  type(head, "0.51");
  head.press(Key::Enter);
  CHECK(state_of(head, Quantity::M) == HandState::Wrong);
  CHECK(head.session->hand().field({Quantity::M, 9})->mistake == "old-max");
  head.frames(3);
  type(head, "0,92");  // replaces the earlier text
  head.press(Key::Enter);
  CHECK(state_of(head, Quantity::M) == HandState::Right);
  CHECK_FALSE(head.session->hand().focused());

  head.press(Key::Right);  // rescale
  head.press(Key::Tab);
  head.frames(3);
  head.press(Key::F1);
  CHECK(head.session->hand().field({Quantity::Alpha, 9})->hints == 1);
  type(head, "0.66");
  head.press(Key::Enter);
  CHECK(state_of(head, Quantity::Alpha) == HandState::Right);

  head.press(Key::Right);  // exponentiate: every weight is shown
  for (int i = 0; i < 4; ++i) {
    head.press(Key::Tab);
    head.frames(3);
    REQUIRE(head.session->hand().focused());
    CHECK(head.session->hand().focused()->place.quantity == Quantity::P);
    head.press(Key::Enter, false, true);
  }
  CHECK(head.session->hand().all_right());
  head.press(Key::Right);  // row sum
  head.press(Key::Tab);
  head.frames(3);
  const double l = double(head.session->state().l[1]);
  type(head, std::to_string(l).c_str());
  head.press(Key::Enter);
  CHECK(state_of(head, Quantity::L) == HandState::Right);
  head.press(Key::H);
  CHECK_FALSE(head.session->hand().on());
}

TEST_CASE("a room sees what is asked, and the presenter types the number or clicks its field") {
  for (const auto& [w, h] : {std::pair{1600, 900}, {1280, 720}}) {
    Headless head(at_row_max(), w, h, true);
    head.session->dispatch(Action::WorkByHand);
    head.session->dispatch(Action::Present);
    head.frames(3);
    const PresentModel seen = build_present_model(*head.session, {});
    CHECK(seen.asks_by_hand);
    CHECK(seen.sentence.find("of row 9") != std::string::npos);
    const HandField* first = head.session->hand().first_open();
    REQUIRE(first);
    const std::string place = "present/field " + text_of(first->place);
    CHECK(test::within(head.rect(place), head.rect("present/table")));
    const draw::Rect field = head.rect(place);
    head.click(field.middle().x, field.middle().y);
    REQUIRE(head.session->hand().focused());
    CHECK_FALSE(head.ui.spotlight);
    head.frames(3);
    type(head, "0.92");
    head.press(Key::Enter);
    CHECK(state_of(head, first->place.quantity) == HandState::Right);
    while (head.session->hand().focused()) head.press(Key::Escape);
    CHECK(head.session->view().presenting());
    head.press(Key::Escape);
    CHECK_FALSE(head.session->view().presenting());
  }
}

TEST_CASE("Tab and Shift+Tab go through the open fields of all panels") {
  Headless head(at_row_max(), 1600, 900, true);
  head.session->dispatch(AskByHand{{HandRows::These, {9}}, HandQuantities{Quantity::M, Quantity::Alpha}});
  head.frames(2);
  head.press(Key::Tab);
  head.frames(3);
  CHECK(head.session->hand().focused()->place.quantity == Quantity::M);
  head.press(Key::Tab);
  head.frames(3);
  CHECK(head.session->hand().focused()->place.quantity == Quantity::Alpha);
  type(head, "5");
  CHECK(head.session->hand().focused()->place.quantity == Quantity::Alpha);
  CHECK(head.ui.hand_texts.at(HandKey{43, {Quantity::Alpha, 9}}) == "5");
  head.press(Key::Tab, false, true);
  head.frames(3);
  CHECK(head.session->hand().focused()->place.quantity == Quantity::M);
  type(head, "0.92");
  head.press(Key::Enter);
  head.frames(3);
  CHECK(head.session->hand().focused()->place.quantity == Quantity::Alpha);
}

TEST_CASE("m, α and ℓ of a row can be filled in by the mouse alone") {
  Headless head(at_row_max(), 1600, 900, true);
  head.frames(2);
  head.click("side/hand switch");
  REQUIRE(head.session->hand().on());
  head.click("side/hand quantities");  // m, α and ℓ alone
  REQUIRE(head.session->hand().fields().size() == 3);
  head.click("side/field m:9");
  REQUIRE(head.session->hand().focused());
  head.frames(3);
  head.click("side/number pad");
  click_keys(head, "7 clear 0 . 9 3 del 2");
  CHECK(typed(head) == "0.92");
  head.click("side/hand check");
  CHECK(state_of(head, Quantity::M) == HandState::Right);
  head.click("side/field l:9");
  CHECK(head.session->hand().focused()->place.quantity == Quantity::L);
  head.click("side/field alpha:9");
  CHECK(head.session->hand().focused()->place.quantity == Quantity::Alpha);
  head.frames(3);
  head.click("side/hand hint");
  CHECK(head.session->hand().field({Quantity::Alpha, 9})->hints == 1);
  head.frames(3);
  click_keys(head, "− ∞ del del 1 . 5 1");
  CHECK(typed(head) == "1.51");
  head.click("side/hand check");
  CHECK(state_of(head, Quantity::Alpha) == HandState::Wrong);
  head.click("side/hand show");
  CHECK(state_of(head, Quantity::Alpha) == HandState::Shown);
  head.click("side/hand show");
  CHECK(state_of(head, Quantity::L) == HandState::Shown);
  CHECK(head.session->hand().all_right());
  head.click("side/hand rows");
  CHECK(head.session->hand().rows().kind == HandRows::All);
  head.click("header/more");
  head.click("header/work-by-hand");
  CHECK_FALSE(head.session->hand().on());
}

TEST_CASE("fields are in the cells of the current tile and of O") {
  Document document = picture_document();
  document.cursor = 44;
  Headless head(document, 1600, 900, true);
  head.session->dispatch(AskByHand{{HandRows::These, {9}}, {}});
  head.session->dispatch(Action::StepForward);  // exponentiate
  head.frames(2);
  const draw::Rect matrix = head.rect("scores/matrix"), field = head.rect("scores/field p:9:5");
  CHECK(field.x0 > matrix.x0);
  CHECK(field.y1 < matrix.y1);
  head.click("scores/field p:9:5");
  REQUIRE(head.session->hand().focused());
  CHECK(head.session->hand().focused()->place == HandPlace{Quantity::P, 9, 5});
  head.session->dispatch(Action::TileForward);
  head.frames(2);
  head.click("side/field o:9:1");
  CHECK(head.session->hand().focused()->place == HandPlace{Quantity::O, 9, 1});
}

TEST_CASE("at 1280 by 720 the fields and the buttons beside them are visible") {
  Headless head(at_row_max(), 1280, 720, true);
  head.press(Key::H);
  head.frames(2);
  for (const char* place : {"side/field m:9", "side/hand check", "side/hand hint", "side/hand show", "side/hand rows",
                            "side/hand quantities"}) {
    INFO(place);
    const draw::Rect r = head.rect(place);
    CHECK(r.width() > 8);
    CHECK(r.x1 <= 1280);
    CHECK(r.y1 <= 720);
  }
}
