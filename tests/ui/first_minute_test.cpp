// The first minute: a card that offers three ways on, where it lies, and the strip that takes its place while the tour
// runs.
#include <cmath>

#include "tests/ui/headless.h"
#include "tests/ui/presented_room.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::holds;
using tilewalk::test::picture_document;
using tilewalk::test::within;

namespace {

Document picture_at(double text) {
  Document document = picture_document();
  document.view.text_scale = text;
  return document;
}

void offer_first_minute(Headless& head, std::int64_t step = 0) {
  head.session->dispatch(GoToStep{step});
  head.session->dispatch(Action::OfferTour);
  head.frames(3);
}

}  // namespace

TEST_CASE("the ways on of the first minute are in view at 150 % and 200 % text, where O gives them its place") {
  for (const auto& [w, h, text] :
       {std::tuple{1600, 900, 1.5}, std::tuple{1280, 720, 1.5}, std::tuple{1280, 720, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Headless head(picture_at(text), w, h, true);
    offer_first_minute(head, 30);
    for (const char* way : {"side/watch", "side/learn", "side/my gpu"}) CHECK(within(head.rect(way), head.layout.side));
  }
}

TEST_CASE("in the first minute one line says what the program is, in the place of the schedules") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.0}, std::tuple{1600, 900, 1.5},
                                   std::tuple{3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Headless head(picture_at(text), w, h, true);
    offer_first_minute(head);
    CHECK(within(head.rect("schedules/what it is"), head.layout.schedules));
    if (text == 1.0) {  // the header has another N
      CHECK(within(head.rect("schedules/walked problem"), head.layout.schedules));
      CHECK(head.rect("schedules/what it is").x1 < head.rect("schedules/walked problem").x0);
    }
    head.session->dispatch(Action::CloseTour);
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("schedules/what it is"));
  }
}

TEST_CASE("while the card is open no other way on is beside it: no call, no work by hand, no distance from float64") {
  Headless head(picture_document(), 1600, 900, true);
  offer_first_minute(head, 45);
  const char* const others[] = {"header/call n-q", "header/walk call", "side/hand switch"};
  for (const char* other : others) CHECK_FALSE(head.ui.rects.find(other));
  head.session->dispatch(Action::CloseTour);
  head.frames(3);
  for (const char* other : others) {
    INFO(other);
    CHECK(head.ui.rects.find(other));
  }
}

TEST_CASE("in the first minute the card stays where it is, and O is above it where it shrinks") {
  const auto [w, h] = GENERATE(std::pair{1600, 900}, std::pair{1280, 720});
  Headless head(picture_document(), w, h, true);
  offer_first_minute(head, 30);
  const draw::Rect at = head.rect("side/watch");
  CHECK(within(head.rect("side/my gpu"), head.layout.side));
  for (const std::int64_t step : {30, 31, 40, 41, 43, 44, 46, 47, 50, 56, 57}) {
    INFO("step " << step << ", " << w << "x" << h);
    head.session->dispatch(GoToStep{step});
    head.frames(3);
    CHECK(head.rect("side/watch").y0 == at.y0);
    CHECK(head.rect("side/watch").y1 == at.y1);
    if (step == 44) CHECK(head.rect("side/o numbers").y1 < at.y0);
  }
}

TEST_CASE("before anything has moved the card says what attention is, and covers neither matrix nor table") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.0}, std::tuple{1600, 900, 1.2},
                                   std::tuple{3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Headless head(picture_at(text), w, h, true);
    offer_first_minute(head);
    const draw::Rect card = head.rect("side/first card");
    CHECK(within(card, head.layout.side));
    CHECK(card.y0 >= head.rect("side/softmax rows").y1);
    CHECK(within(head.rect("side/what attention is"), card));
    for (const char* way : {"side/watch", "side/learn", "side/my gpu"}) {
      CHECK(within(head.rect(way), card));
      CHECK(head.rect(way).y0 >= head.rect("side/what attention is").y1);
    }
    CHECK_FALSE(head.ui.rects.find("transport/check"));
    CHECK_FALSE(head.ui.rects.find("transport/accuracy"));
    head.session->dispatch(GoToStep{41});
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("side/first card"));
    CHECK(within(head.rect("side/watch"), head.layout.side));
    if (w != 1280 && text == 1.0) CHECK(within(head.rect("memory/what attention is"), head.layout.memory));
  }
}

TEST_CASE("the header's N is written as on every page, and plain while it is edited") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(EditCall{"n-q", "3000"});
  head.frames(3);
  CHECK(head.ui.rects.find("header/call n-q at rest"));
  const draw::Rect field = head.rect("header/call n-q");
  inject_mouse(field.middle().x, field.middle().y, false);
  head.frames(2);
  inject_mouse(field.middle().x, field.middle().y, true);
  head.frames(3);
  CHECK_FALSE(head.ui.rects.find("header/call n-q at rest"));
}

TEST_CASE("while the tour runs a strip has its chapter and its time, and the card is away") {
  Headless head(picture_document(), 1600, 900, true);
  offer_first_minute(head);
  head.click("side/watch");
  head.frames(2);
  CHECK(head.session->tour().runs());
  for (const auto& [name, r] : head.ui.rects.all()) {
    INFO(name);
    CHECK((name.starts_with("one row/") || name.starts_with("room/")));
    if (name.starts_with("one row/")) CHECK(r.y0 >= head.rect("room/tour bar").y1);
  }
  CHECK_FALSE(head.ui.rects.find("one row/watch"));
  head.click("room/stop watching");
  CHECK_FALSE(head.session->tour().runs());
}

TEST_CASE("the strip of the tour is above each of its pictures") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    const Document document = picture_at(text);
    Headless head(document, w, h, true, [&](SessionSetup& setup) {
      setup.presets = {Preset{.name = "picture", .document = document}};
      test::with_recorded_race(setup);
    });
    head.ui.motion = true;
    head.session->dispatch(Action::Watch);
    double now = 10;
    head.session->dispatch(Tick{now});
    // Above each presented page; no question to a class and no key is below it.
    const auto has_strip = [&](const char* picture) {
      INFO(picture);
      CHECK(within(head.rect("room/tour time"), head.layout.whole));
      CHECK(head.rect("room/tour bar").y1 < 0.07f * head.layout.whole.height());
      CHECK(head.rect("room/tour bar").y1 < head.rect(picture).y0);
      CHECK(head.rect("room/tour bar").y1 < head.rect("room/panel").y1 - 2 * head.theme.s);  // not on its edge
      CHECK_FALSE(head.ui.rects.find("room/question"));
      CHECK_FALSE(head.ui.rects.find("room/keys"));
    };
    const auto tick_while = [&](const auto& goes_on) {
      while (goes_on() && now < 100) head.session->dispatch(Tick{now += 0.1});
      head.frames(3);
    };
    head.frames(3);
    has_strip("one row/sentence");
    tick_while([&] { return head.session->shows_one_row(); });
    has_strip("present/sentence");
    has_strip("present/memories");
    CHECK(within(head.rect("present/walk"), head.layout.whole));
    CHECK_FALSE(head.ui.rects.find("present/ask"));
    CHECK_FALSE(head.ui.rects.find("present/leave"));
    tick_while([&] { return head.session->page() == Page::Walk; });
    has_strip("pipes/share 0");
    tick_while([&] { return !head.session->shows_endless_zoom(); });
    has_strip("zoom/figure");
    tick_while([&] { return head.session->page() != Page::Race; });
    has_strip("race-win/line 0");
    for (const Command& command : head.frames(3)) head.session->dispatch(command);  // of a person they would end it
    CHECK(head.session->tour().watches());
    head.click("room/stop watching");
    CHECK_FALSE(head.session->tour().runs());
    head.frames(2);
    CHECK_FALSE(head.ui.rects.find("room/tour time"));
    CHECK_FALSE(head.session->view().presenting());
  }
}

TEST_CASE("the card of the first minute offers three ways on, each by a click") {
  Headless head(picture_document(), 1600, 900, true);
  offer_first_minute(head, 30);
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
  head.click("room/stop watching");
  CHECK(!head.session->tour().offers());
  CHECK(!head.session->tour().runs());
}

TEST_CASE("before the first step one button plays the walk, in the place of numbers and source that say nothing") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.0}, std::tuple{1600, 900, 1.5},
                                   std::tuple{3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Headless head(picture_at(text), w, h, true);
    head.session->dispatch(GoToStep{0});
    head.frames(3);
    const draw::Rect begin = head.rect("side/begin");
    CHECK(within(begin, head.layout.side));
    CHECK(begin.height() >= 40 * head.theme.s);
    CHECK(head.rect("side/step sentence").y0 > begin.y1);
    for (const char* empty : {"side/softmax rows", "side/o numbers", "side/source", "side/hand switch"})
      CHECK_FALSE(head.ui.rects.find(empty));
    CHECK(holds(head.click("side/begin"), Action::PlayPause));
    CHECK(head.session->walk().playback().playing);
    head.session->dispatch(GoToStep{1});
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("side/begin"));
    CHECK(head.ui.rects.find("side/softmax rows"));
  }
}

TEST_CASE("nobody is asked to play before the first step of a film, a mistake or work by hand") {
  for (const Command& other :
       {Command(SetFault{Fault::NoMax}), Command(Action::WorkByHand), Command(Action::OfferTour)}) {
    Headless head(picture_document(), 1600, 900, true);
    head.session->dispatch(GoToStep{0});
    head.session->dispatch(other);
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("side/begin"));
  }
  Headless film(picture_document());
  film.post = true;
  film.session->dispatch(GoToStep{0});
  film.frames(3);
  CHECK_FALSE(film.ui.rects.find("side/begin"));
}
