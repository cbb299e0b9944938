// The controller of the lab: texts that are never lost, runs in slices, and the walk through them, forward and back.
#include "pages/lab/lab_controller.h"

#include "session/view_link.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/pages/lab/lab_session.h"

using namespace tilewalk;
using test::LabSession;

TEST_CASE("a task opens with its start; what is typed is its progress, and each task has its own") {
  LabSession s;
  CHECK(s.lab().task()->number == 1);
  s.send(ChooseTask{5});
  CHECK(s.lab().text() == s.lab().task()->start);
  CHECK(s.lab().progress().tasks.empty());
  s.send(EditKernel{"my text"});
  s.send(ChooseTask{6});
  CHECK(s.lab().text() == s.lab().task()->start);
  s.send(ChooseTask{5});
  CHECK(s.lab().text() == "my text");
  CHECK(s.lab().progress().tasks.at("fa2-loop").text == "my text");
  s.send(ChooseTask{77});
  CHECK(s.message() == "The lab has the tasks 1 to 12");
  CHECK(s.lab().task()->number == 5);
  s.send(EditKernel{std::string(kMostKernelText + 1, 'x')});
  CHECK(s.lab().text() == "my text");
}

TEST_CASE("a reset can be taken back, and a second text from elsewhere does not replace the first one kept") {
  LabSession s;
  s.send(Action::ResetKernel);
  CHECK(s.message() == "The text is the start");
  s.send(EditKernel{"mine"});
  s.send(Action::ResetKernel);
  CHECK(s.lab().text() == s.lab().task()->start);
  s.send(Action::ResetKernel);
  CHECK(s.lab().text() == "mine");
  s.send(OpenSharedKernel{1, text_in_link("int a = 'x';\nint b;\n")});
  CHECK(s.lab().text() == "int a = 'x';\nint b;\n");
  s.send(OpenSharedKernel{1, "another"});
  s.send(Action::ResetKernel);
  s.send(Action::ResetKernel);
  CHECK(s.lab().text() == "mine");
}

TEST_CASE("a link carries the learner's text, without line ends, and opens it again") {
  LabSession s, other;
  s.send(ChooseTask{4});
  s.send(EditKernel{"// it's mine\nint x = 1;\n"});
  const std::string words = view_words(*s.session);
  CHECK(words.find('\n') == std::string::npos);
  const std::size_t at = words.find("lab-shared");
  REQUIRE(at != std::string::npos);
  CHECK(words.find('\'', at) == words.size() - 1);
  other.send(OpenSharedKernel{4, text_in_link("// it's mine\nint x = 1;\n")});
  CHECK(other.lab().text() == s.lab().text());
  CHECK(other.lab().task()->number == 4);
}

TEST_CASE("hints come one by one; each hole can be shown, and the progress says so") {
  LabSession s;
  s.send(ChooseTask{5});
  for (int i = 0; i < 4; ++i) s.send(Action::LabHint);
  CHECK(s.lab().of_task().hints == 3);
  CHECK(s.message() == "There are no more hints");
  const std::size_t holes = s.lab().holes().size();
  CHECK(holes == 3);
  for (std::size_t i = 0; i < holes; ++i) s.send(Action::ShowHole);
  CHECK(s.lab().text() == s.lab().task()->solution);
  CHECK(s.lab().of_task().shown == 3);
  s.send(Action::ShowHole);
  CHECK(s.message() == "All holes are filled");
  CHECK_FALSE(s.lab().of_task().solved);
  s.send(Action::RunKernel);
  CHECK(s.lab().of_task().solved);
  CHECK(s.result().report.sentence.find("And right for 3 other problems.") != std::string::npos);
}

TEST_CASE("a wrong run stands at the first wrong visit; steps lead on and back over the same places") {
  LabSession s;
  s.send(ChooseTask{5});
  s.send(EditKernel{s.wrong("no-rescale-o")});
  s.send(Action::RunKernel);
  REQUIRE(s.result().report.judged->first_wrong);
  CHECK(s.result().report.judged->first_wrong->visit == 1);
  CHECK(s.lab().visits_before() == 2);
  CHECK_FALSE(s.lab().of_task().solved);
  CHECK(s.lab().of_task().runs == 1);
  for (const LabUnit unit : {LabUnit::Phase, LabUnit::Barrier, LabUnit::Line}) {
    s.send(SetLabUnit{unit});
    s.send(Action::First);
    CHECK(s.lab().at_start());
    std::vector<std::size_t> stops{0};
    for (int i = 0; i < 60; ++i) {
      s.send(Action::StepForward);
      REQUIRE(s.lab().machine());
      CHECK(s.lab().machine()->steps() == s.result().stops[s.lab().stop()].step);
      CHECK(s.lab().stop() > stops.back());
      stops.push_back(s.lab().stop());
    }
    for (std::size_t i = stops.size() - 1; i-- > 0;) {
      s.send(Action::StepBack);
      CHECK(s.lab().stop() == stops[i]);
      CHECK(s.lab().machine()->steps() == s.result().stops[stops[i]].step);
    }
  }
  s.send(Action::StepBack);
  CHECK(s.message() == "This is the start of the run");
  s.send(Action::TileForward);
  CHECK(s.lab().visits_before() == 1);
  s.send(GoToLabVisit{7});
  CHECK(s.lab().visits_before() == 7);
  s.send(GoToLabVisit{17});
  CHECK(s.message() == "The run has 16 visits");
  s.send(Action::Last);
  CHECK(s.lab().at_end());
  CHECK(s.lab().visits_before() == 16);
}

TEST_CASE("the walk's own place does not move while the lab is stepped") {
  LabSession s;
  s.send(ChooseTask{5});
  s.send(Action::StepForward);
  CHECK(s.message() == "Run the text first (Ctrl+Enter)");
  s.send(Action::RunKernel);
  const std::int64_t cursor = s.session->cursor();
  s.send(Action::First);
  s.send(Action::StepForward);
  CHECK(s.session->cursor() == cursor);
  s.send(ShowPage{Page::Walk});
  const std::size_t stop = s.lab().stop();
  s.send(Action::StepForward);
  CHECK(s.session->cursor() == cursor + 1);
  CHECK(s.lab().stop() == stop);
}

TEST_CASE("another thread's run keeps the place; threads that the block does not have are refused") {
  LabSession s;
  s.send(ChooseTask{5});
  s.send(Action::RunKernel);
  s.send(GoToLabVisit{5});
  s.send(SetLabThread{15});
  CHECK(s.lab().thread() == 15);
  CHECK(s.result().thread == 15);
  CHECK(s.lab().visits_before() == 5);
  s.send(SetLabThread{16});
  CHECK(s.message() == "The block has the threads 0 to 15");
}

TEST_CASE("playing moves step by step, at the speed of the walk, and ends at the end") {
  LabSession s;
  s.send(ChooseTask{1});
  s.send(EditKernel{s.lab().task()->solution});
  s.send(Action::ToggleMotion);  // no tile turns green meanwhile
  s.send(Action::RunKernel);
  s.send(Action::PlayPause);  // from the end it begins anew
  REQUIRE(s.lab().is_playing());
  CHECK(s.lab().at_start());
  s.send(Tick{10});
  REQUIRE(s.session->seconds_to_change(10));
  CHECK(*s.session->seconds_to_change(10) == Approx(0.5));
  const std::size_t before = s.lab().stop();
  s.send(Tick{10.6});
  CHECK(s.lab().stop() > before);
  for (double now = 11; now < 200 && s.lab().is_playing(); now += 0.6) s.send(Tick{now});
  CHECK(s.lab().at_end());
  CHECK_FALSE(s.lab().is_playing());
}

TEST_CASE("a run that is stopped leaves the last result; an endless loop ends with its sentence") {
  LabSession s;
  s.send(ChooseTask{1});
  s.send(EditKernel{s.lab().task()->solution});
  s.send(Action::RunKernel);
  const lab::LabRunResult* const kept = s.lab().result();
  s.send(EditKernel{"// launch: grid(1) block(1)\n__global__ void f(float* S) { while (true) {} }\n"});
  CHECK_FALSE(s.lab().is_current());
  s.session->dispatch(Action::RunKernel);
  CHECK(s.session->busy());
  s.session->dispatch(Work{64});
  s.send(Action::StopKernel);
  CHECK(s.lab().result() == kept);
  CHECK(s.lab().of_task().runs == 1);
}

TEST_CASE("a watched file runs at each change, keeps the place, and never costs the learner their text") {
  std::string file = "first";
  std::int64_t version = 1;
  LabSession s({}, [&](const std::string& path, FileIdentity& known) -> std::optional<Result<std::string>> {
    if (path != "my.cu") return Result<std::string>(Issue{"file", path, "cannot be read", ""});
    if (known.modified == version) return std::nullopt;
    known = {1, version};
    return Result<std::string>(file);
  });
  s.send(ChooseTask{5});
  s.send(EditKernel{"mine"});
  file = s.lab().task()->solution;
  s.send(WatchKernel{"my.cu"});
  s.send(Tick{1});
  CHECK(s.lab().text() == file);
  CHECK(s.result().report.passed);
  s.send(GoToLabVisit{3});
  s.send(Tick{1.1});
  CHECK(s.lab().of_task().runs == 1);
  file = s.wrong("no-rescale-o"), ++version;
  s.send(Tick{2});
  CHECK(s.lab().of_task().runs == 2);
  CHECK(s.lab().visits_before() == 3);
  CHECK_FALSE(s.result().report.passed);
  s.send(WatchKernel{""});
  s.send(Tick{3});
  CHECK(s.lab().watched().empty());
  s.send(Action::ResetKernel);
  s.send(Action::ResetKernel);
  CHECK(s.lab().text() == "mine");
  s.send(WatchKernel{"none.cu"});
  s.send(Tick{4});
  CHECK(s.lab().watched().empty());
  CHECK(s.message().find("none.cu") != std::string::npos);
}

TEST_CASE("a dropped .cu file opens the lab and is watched") {
  LabSession s({}, [](const std::string&, FileIdentity& known) -> std::optional<Result<std::string>> {
    if (known.modified == 1) return std::nullopt;
    known = {1, 1};
    return Result<std::string>("// mine\n");
  });
  s.send(ShowPage{Page::Walk});
  s.send(OpenFile{"a/my.cu"});
  CHECK(s.session->page() == Page::Lab);
  s.send(Tick{1});
  CHECK(s.lab().watched() == "a/my.cu");
  CHECK(s.lab().text() == "// mine\n");
}

TEST_CASE("texts and progress are kept in a file, each task by itself, whatever they contain") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("lab.toml");
  LabProgress start;
  start.task = 5;
  start.tasks["fa2-loop"] = {.text = "line \"one\"\n\tline '''two'''\\\n\x01 ö",
                             .before = "b\n",
                             .runs = 3,
                             .hints = 2,
                             .shown = 1,
                             .solved = true};
  REQUIRE(save_lab_progress({}, start, path).ok());
  REQUIRE(load_lab_progress(path).ok());
  CHECK(*load_lab_progress(path) == start);
  LabProgress one = start, two = start;
  one.tasks["scores"].text = "of one window";
  two.tasks["causal"].text = "of another";
  REQUIRE(save_lab_progress(start, one, path).ok());
  REQUIRE(save_lab_progress(start, two, path).ok());
  const LabProgress both = *load_lab_progress(path);
  CHECK(both.tasks.at("scores").text == "of one window");
  CHECK(both.tasks.at("causal").text == "of another");
  CHECK_FALSE(parse_lab_progress("task = 0\n", "f").ok());
  CHECK_FALSE(parse_lab_progress("[a]\nlines = 3\n", "f").ok());
  // Too long a text is named and stays where it is.
  const std::string long_text = "[scores]\ntext = \"" + std::string(kMostKernelText + 1, 'x') + "\"\n";
  test::write_text(path, long_text);
  const Result<LabProgress> refused = load_lab_progress(path);
  REQUIRE_FALSE(refused.ok());
  CHECK(text_of(refused.issues()).find("has more than 64 KiB") != std::string::npos);
  const Result<KeptFile> kept = save_lab_progress(start, one, path);
  REQUIRE(kept.ok());
  CHECK(test::read_text(kept->aside) == long_text);
}
