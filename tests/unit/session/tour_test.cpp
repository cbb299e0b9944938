#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/schedules/registry.h"
#include "session/command/command_text.h"
#include "session/controllers/tour_controller.h"
#include "session/script.h"
#include "session/session.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> picture_session(ReadingTime reading_time = {}) {
  Document document;
  document.problem.shape.mask.kind = MaskKind::Causal;
  SessionSetup setup;
  Preset picture{.name = "picture", .document = document};
  setup.presets = {picture};
  setup.reading_time = std::move(reading_time);
  auto opened = Session::open(document, std::move(setup));
  REQUIRE(opened.ok());
  return std::move(*opened);
}

}  // namespace

TEST_CASE("a tour is a script of ordinary commands in the order of their times") {
  for (const Tour tour : {Tour::FirstStart, Tour::Watch}) {
    double before = 0;
    for (const TourStep& step : tour_steps(tour)) {
      CHECK(step.seconds >= before);
      before = step.seconds;
      INFO(step.command);
      const Result<std::vector<Command>> read = commands_from(step.command);
      REQUIRE(read.ok());
      CHECK(read->size() == 1);
      CHECK(text_of(read->at(0)) == step.command);
    }
  }
  CHECK(tour_length() >= 40);
  CHECK(tour_length() <= 45);
  CHECK(std::abs(tour_seconds() - tour_length()) <= 0.5);     // the card and the strip show the same
  for (std::size_t i = 1; i < tour_chapters().size(); ++i) {  // a title is read while its chapter plays
    const double end = i + 1 < tour_chapters().size() ? tour_chapters()[i + 1].begin : tour_length();
    INFO(tour_chapters()[i].title);
    CHECK(double(std::string_view(tour_chapters()[i].title).size()) <= 15 * (end - tour_chapters()[i].begin));
  }
}

TEST_CASE("the tour has five chapters: one row, Q tile 2, naive attention, a length of 131,072, what that wins") {
  auto session = picture_session();
  session->dispatch(Action::Watch);
  double now = 100;
  session->dispatch(Tick{now});
  CHECK(session->tour().seconds() == 0);
  const auto chapter = [&] { return tour_chapter_at(session->tour().seconds(), session->cursor()); };
  std::vector<std::size_t> seen{chapter()};
  while (now < 143) {
    session->dispatch(Tick{now += 0.1});
    const std::size_t of_walk = session->shows_one_row() ? 0 : session->shows_endless_zoom() ? 3 : 1;
    if (session->page() == Page::Walk) CHECK(chapter() == of_walk);
    if (session->page() == Page::Race) CHECK(chapter() == 4);
    if (chapter() != seen.back()) seen.push_back(chapter());
  }
  CHECK(seen == std::vector<std::size_t>{0, 1, 2, 3, 4});
  CHECK(seen.size() == tour_chapters().size());
  CHECK(session->tour().seconds() < tour_length());
}

TEST_CASE("a change of text size, theme or motion does not end a tour, one of speed does") {
  for (const Tour tour : {Tour::FirstStart, Tour::Watch}) {
    auto session = picture_session();
    session->dispatch(tour == Tour::Watch ? Action::Watch : Action::FirstStart);
    for (const Command& look :
         {Command(SetTextScale{1.5}), Command(Action::ToggleTheme), Command(Action::ToggleMotion)})
      session->dispatch(look);
    CHECK(session->tour().runs());
    session->dispatch(Action::Faster);
    CHECK_FALSE(session->tour().runs());
  }
}

TEST_CASE("the tour begins with the load of Q tile 2, plays beyond its store, and ends on size and time") {
  auto session = picture_session();
  session->dispatch(Action::Watch);
  CHECK(session->tour().runs());
  session->dispatch(Tick{100});
  const Step loaded = session->state().step;
  CHECK(loaded.q_tile == 2);
  CHECK(loaded.index == session->schedule().first_step_of_group(0, {.batch = 0, .head = 0, .group = 2}));
  CHECK(session->shows_one_row());
  CHECK_FALSE(session->walk().playback().playing);
  const std::int64_t end = session->schedule().end_step_of_group(0, {.batch = 0, .head = 0, .group = 2});
  double now = 100;
  std::int64_t most = 0;
  while (session->page() == Page::Walk && now < 175) {
    CHECK(session->cursor() >= 31);  // the end of the tile before is not shown
    most = std::max(most, session->cursor());
    session->dispatch(Tick{now += 0.1});
  }
  CHECK(session->one_row().t() == 1);  // it was seen to its end
  CHECK(most >= end);
  CHECK(session->page() == Page::Compare);
  CHECK(session->baseline().schedule == ScheduleKind::FlashV2);
  CHECK(session->problem().schedule == ScheduleKind::Standard);
  while (session->page() == Page::Compare && now < 175) {
    most = session->cursor();
    session->dispatch(Tick{now += 0.1});
  }
  CHECK(most == 128);  // naive attention reaches its end, long after FA-2 has
  double t = 0, before = session->endless_zoom().t(), last_moved = now;
  while (session->shows_endless_zoom() && now < 175) {
    t = session->endless_zoom().t();
    CHECK(std::fabs(t - before) < 0.02);  // it glides
    if (std::exchange(before, t) != t) last_moved = now;
    session->dispatch(Tick{now += 0.1});
  }
  const std::vector<ZoomSquare> squares = session->endless_zoom().squares();
  const auto at =
      std::find_if(squares.begin(), squares.end(), [](const ZoomSquare& each) { return each.rows == 131072; });
  REQUIRE(at != squares.end());
  CHECK(t == Approx(at->t).margin(0.001));  // 64.0 GiB
  CHECK(now - last_moved > 1.2);            // and they are read
  CHECK(session->page() == Page::Race);
  CHECK(session->race().shows_win);
  CHECK_FALSE(session->race().seconds_run);
  const double win_from = now;
  while (session->page() == Page::Race && now < 175) session->dispatch(Tick{now += 0.1});
  CHECK(now - win_from > 2.8);  // the last picture is read
  CHECK(now < 100 + tour_length() + 0.3);
  CHECK(session->page() == Page::Walk);
  CHECK(session->problem().schedule == ScheduleKind::FlashV2);
  CHECK(session->cursor() == session->schedule().step_count());
  CHECK(session->baseline().schedule == ScheduleKind::Standard);
  CHECK(session->tour().offers());
}

TEST_CASE(
    "the film is presented from its first picture, and gives the window back at its end, or to whoever stops it") {
  const auto presented_at = [](double seconds) {
    auto session = picture_session();
    session->dispatch(Action::Watch);
    double now = 100;
    session->dispatch(Tick{now});
    const bool ends = seconds > tour_length();
    while (session->tour().runs() && (ends || session->tour().seconds() < seconds) && now < 200) {
      session->dispatch(Tick{now += 0.1});
      CHECK(session->view().presenting() == session->tour().runs());
    }
    return session;
  };
  const std::unique_ptr<Session> seen = presented_at(tour_length() + 1);
  CHECK_FALSE(seen->tour().runs());
  CHECK_FALSE(seen->view().presenting());
  CHECK(seen->shows_last_card());
  for (const double at : {1.0, 23.0, 31.0, 34.0, 38.0, 42.0})
    for (const Action by : {Action::CloseTour, Action::Present, Action::StepForward, Action::ShowKeys}) {
      INFO(at << " s, " << text_of(Command(by)));
      const std::unique_ptr<Session> session = presented_at(at);
      REQUIRE(session->view().presenting());
      session->dispatch(by);
      CHECK_FALSE(session->tour().runs());
      CHECK_FALSE(session->view().presenting());
    }
}

TEST_CASE("Watch plays the visit that raises the explained row's max phase by phase, and the others fast") {
  auto session = picture_session([](const Schedule&, const State&) { return 2.0; });
  session->dispatch(Action::Watch);
  double now = 100;
  std::map<std::int64_t, double> seconds;  // that the walk was at a step
  while (session->page() == Page::Walk && now < 175) {
    const std::int64_t before = session->cursor();
    session->dispatch(Tick{now += 0.02});
    if (!session->shows_one_row() && session->page() == Page::Walk) seconds[before] += 0.02;
  }
  const auto of_visit = [&](std::int64_t first, std::int64_t last) {
    double sum = 0;
    for (std::int64_t step = first; step <= last; ++step) sum += seconds[step];
    return sum;
  };
  for (std::int64_t step = 48; step <= 54; ++step) {
    INFO(step);
    CHECK(seconds[step] > 0.8);  // load, scores, row max, rescale …: each is seen
    CHECK(seconds[step] < 2.5);
  }
  CHECK(of_visit(31, 46) < 2.5);  // K0 and K1
  CHECK(of_visit(58, 89) < 3);    // Q tile 3
  CHECK(of_visit(48, 55) > 6);
}

TEST_CASE("on a slow machine the tour's time waits for the walk") {
  Document document;
  TourController tour(document);
  tour.begin(Tour::Watch);
  const double row = kSecondsOfRow + 0.2;  // and what follows it
  CHECK(tour.take_due(100, 0).size() == 6);
  CHECK(tour.take_due(100.5 + row, 31).size() == 5);
  CHECK(tour.take_due(150, 50).size() == 2);  // two visits are done, the third is not
  CHECK(tour.take_due(151, 50).empty());
  CHECK(tour.seconds() == Approx(row + 9.2));
  CHECK(tour_chapter_at(tour.seconds(), 50) == 1);
  CHECK(tour.take_due(151.2, 55).size() == 1);
  CHECK(tour.take_due(153, 57).size() == 2);
  CHECK(tour.take_due(156, 82).empty());
  CHECK(tour.take_due(156.01, 90).size() == 8);
  CHECK(tour.seconds() == Approx(row + 10.71));
  CHECK(tour.take_due(165, 100).empty());
  CHECK(tour.seconds() == Approx(row + 15.2));
  CHECK(tour.take_due(165.1, 128).size() == 5);
  CHECK(tour.take_due(169.2, 92).size() == 1);
  CHECK(tour.take_due(170.2, 92).size() == 4);  // what the call wins
  CHECK(tour.take_due(174, 92).size() == 2);
  CHECK(!tour.runs());
}

TEST_CASE("speed and unit are as before once the tour has ended, and no setting is changed by it") {
  auto session = picture_session();
  session->dispatch(SetSpeed{0.5});
  session->dispatch(SetUnit{StepUnit::QTile});
  const Settings before = session->settings();
  session->dispatch(Action::Watch);
  session->dispatch(Tick{1});
  session->dispatch(Action::OneRow);  // skips the row
  session->dispatch(Tick{1.1});
  CHECK(session->document().view.speed != 0.5);
  session->dispatch(Action::PlayPause);  // of a person
  CHECK(!session->tour().runs());
  CHECK(session->document().view.speed == 0.5);
  CHECK(session->document().view.unit == StepUnit::QTile);
  CHECK(session->settings() == before);
}

TEST_CASE("a first start explains one row, then plays, and offers the ways on until these are closed") {
  auto session = picture_session();
  session->dispatch(Action::FirstStart);
  session->dispatch(Tick{5});
  CHECK(session->shows_one_row());
  CHECK(session->is_in_motion());
  CHECK(session->cursor() == 31);
  CHECK(session->state().step.q_tile == 2);
  CHECK(session->tour().offers());
  CHECK_FALSE(session->tour().watches());
  double now = 5;
  while (session->shows_one_row() && now < 60) session->dispatch(Tick{now += 0.1});
  CHECK(now == Approx(5 + kSecondsOfRow).margin(0.5));
  CHECK(session->walk().playback().playing);
  CHECK(session->tour().offers());
  CHECK(session->document().view.unit == StepUnit::Tile);  // nothing shrinks in the first K tile
  while (session->cursor() < 39 && now < 60) session->dispatch(Tick{now += 0.1});
  session->dispatch(Tick{now += 0.1});
  CHECK(now < 5 + kSecondsOfRow + 4);
  CHECK(session->document().view.unit == StepUnit::Phase);
  CHECK(session->walk().playback().playing);
  CHECK_FALSE(session->tour().runs());
  session->dispatch(Action::StepForward);
  CHECK(session->tour().offers());
  session->dispatch(Action::CloseTour);
  CHECK(!session->tour().offers());
}

TEST_CASE("a tour's first picture needs no clock, so a command after it finds it as in the window") {
  for (const Command& next : {Command(HoldRow{0.5}), Command(Action::CloseTour)}) {
    auto session = picture_session();
    session->dispatch(Action::FirstStart);
    session->dispatch(next);
    CHECK(session->shows_one_row());
    CHECK(session->cursor() == 31);
    CHECK(session->tour().offers() == (next != Command(Action::CloseTour)));
  }
}

TEST_CASE("whoever closes the card of the first minute does not get the source in its place") {
  auto session = picture_session();
  CHECK(session->shows_code());
  session->dispatch(Action::FirstStart);
  session->dispatch(Action::CloseTour);
  CHECK_FALSE(session->shows_code());
  session->dispatch(Action::ToggleCode);
  CHECK(session->shows_code());
  session->dispatch(Action::OfferTour);
  session->dispatch(Action::CloseTour);
  CHECK(session->shows_code());  // as it was asked for
}

TEST_CASE("whoever closes the row of a tour goes on with what follows it") {
  for (const Action start : {Action::FirstStart, Action::Watch}) {
    auto session = picture_session();
    session->dispatch(start);
    session->dispatch(Tick{5});
    session->dispatch(Tick{8});
    REQUIRE(session->shows_one_row());
    session->dispatch(Action::OneRow);
    session->dispatch(Tick{8.1});
    CHECK_FALSE(session->shows_one_row());
    CHECK(session->walk().playback().playing);
    CHECK(session->tour().watches() == (start == Action::Watch));
  }
}

TEST_CASE("a tour that begins while a row or the zoom is on screen explains the row") {
  for (const Action open : {Action::FirstStart, Action::Watch, Action::OneRow, Action::EndlessZoom}) {
    auto session = picture_session();
    session->dispatch(open);
    session->dispatch(Tick{5});
    session->dispatch(Tick{8});
    session->dispatch(Action::Watch);
    session->dispatch(Tick{9});
    session->dispatch(Tick{10});
    CHECK(session->shows_one_row());
    CHECK_FALSE(session->shows_endless_zoom());
    double now = 10;
    while (session->tour().runs() && now < 100) session->dispatch(Tick{now += 0.1});
    CHECK(now < 80);
    CHECK_FALSE(session->shows_one_row());
    CHECK(session->cursor() == 92);
  }
}

TEST_CASE("a key ends the tour of a first start, and the row stays on screen") {
  auto session = picture_session();
  session->dispatch(Action::FirstStart);
  session->dispatch(Tick{5});
  session->dispatch(Action::StepForward);
  CHECK_FALSE(session->tour().runs());
  CHECK(session->shows_one_row());
  CHECK(session->tour().offers());
  session->dispatch(Action::OneRow);
  CHECK_FALSE(session->shows_one_row());
  CHECK_FALSE(session->walk().playback().playing);
}

TEST_CASE("a step by a key moves for a quarter of a second, and a key held down leaves the motion out") {
  auto session = picture_session();
  session->dispatch(Action::StepForward);
  session->dispatch(Tick{10});
  REQUIRE(session->walk().before());
  CHECK(session->walk().before()->cursor == 0);
  CHECK(session->walk().motion().t() == 0);
  CHECK(*session->seconds_to_change(10) <= kMotionFrame);
  session->dispatch(Tick{10 + kSecondsOfKeyStep / 2});
  CHECK(session->walk().motion().t() == Approx(0.5));
  session->dispatch(Action::StepForward);
  CHECK(session->walk().motion().t() == 1);
  CHECK(!session->walk().before());
  session->dispatch(Action::StepBack);
  CHECK(session->walk().motion().t() == 1);
}

TEST_CASE("while playing by phase the motion takes as long as the step is on screen") {
  auto session = picture_session();
  session->dispatch(SetUnit{StepUnit::Phase});
  session->dispatch(Action::PlayPause);
  double now = 5;
  session->dispatch(Tick{now});
  session->dispatch(Tick{now += 0.001});
  const std::int64_t at = session->cursor();
  REQUIRE(at > 0);
  double last = session->walk().motion().t();
  while (session->cursor() == at) {
    last = session->walk().motion().t();
    session->dispatch(Tick{now += 0.01});
  }
  CHECK(last > 0.9);
  CHECK(session->walk().motion().t() == 0);
}

TEST_CASE("hold-motion shows any step at any t, whatever led there") {
  auto session = picture_session();
  session->dispatch(GoToStep{41});
  session->dispatch(HoldMotion{0.25});
  CHECK(session->cursor() == 41);
  REQUIRE(session->walk().before());
  CHECK(session->walk().before()->cursor == 40);
  CHECK(session->walk().motion().t() == 0.25);
  session->dispatch(Tick{3});
  session->dispatch(Tick{30});
  CHECK(session->walk().motion().t() == 0.25);
  session->dispatch(HoldMotion{1});
  CHECK(!session->walk().before());
  session->dispatch(GoToStep{0});
  session->dispatch(HoldMotion{0.5});
  CHECK(!session->walk().before());
}
