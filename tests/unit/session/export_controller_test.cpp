#include "session/command/command_text.h"
#include "session/document/words.h"
#include "session/lesson/lesson_file.h"
#include "session/session.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> exporting_session() { return std::move(*Session::open({}, {})); }

ExportNews ended(const std::string& failure = "", bool stopped = false) {
  return {.running = false, .fraction = 1, .stopped = stopped, .failure = failure};
}

}  // namespace

TEST_CASE("each export has a row in the order of its enumerator, and its word is a command's argument") {
  for (int i = 0; i < int(std::size(kExports)); ++i) {
    CHECK(int(kExports[i].kind) == i);
    CHECK(std::string(kExports[i].name).ends_with(kExports[i].ending));
    CHECK(std::string(kExports[i].verb).starts_with("tilewalk "));
    const auto command = command_from(std::string("export-file ") + kExports[i].word + " " + kExports[i].name);
    REQUIRE(command.ok());
    CHECK(command->as<ExportFile>()->kind == kExports[i].kind);
  }
}

TEST_CASE("an export is requested once, reports its progress, and ends with the path of its file") {
  test::TemporaryFolder folder;
  const auto session = exporting_session();
  session->dispatch(OpenDialog{Dialog::Export});
  session->dispatch(*command_from("export-file counters " + folder.file("a.csv")));
  const Exports& exports = session->exporting();
  CHECK(exports.running);
  CHECK(exports.start_serial == 1);
  session->dispatch(ExportFile{ExportKind::Lanes, folder.file("b.json")});  // one at a time
  CHECK(exports.start_serial == 1);
  REQUIRE(session->message());
  CHECK(session->message()->error);
  session->dispatch(ReportExport{{.running = true, .fraction = 0.25, .stopped = false, .failure = ""}});
  CHECK(exports.fraction == 0.25);
  CHECK(exports.path == folder.file("a.csv"));
  session->dispatch(ReportExport{ended()});
  CHECK_FALSE(exports.running);
  CHECK(session->message()->text == "Written: " + folder.file("a.csv"));
  CHECK(session->view().dialog() == Dialog::None);
}

TEST_CASE("an existing file is replaced only on request") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("a.png"), "old");
  const auto session = exporting_session();
  session->dispatch(OpenDialog{Dialog::Export});
  session->dispatch(ExportFile{ExportKind::Picture, folder.file("a.png")});
  CHECK_FALSE(session->exporting().running);
  CHECK(session->exporting().asks_to_replace == folder.file("a.png"));
  CHECK(session->view().dialog() == Dialog::Export);
  session->dispatch(ExportFile{ExportKind::Picture, folder.file("a.png"), true});
  CHECK(session->exporting().running);
  CHECK(session->exporting().asks_to_replace.empty());
  CHECK(session->view().dialog() == Dialog::None);  // it does not belong to the view
}

TEST_CASE("an ending that is not the export's is refused; a GIF may be an APNG") {
  const auto session = exporting_session();
  session->dispatch(ExportFile{ExportKind::Film, "walk.png"});
  CHECK_FALSE(session->exporting().running);
  CHECK(session->message()->text.find("must end in .gif or .apng") != std::string::npos);
  session->dispatch(ExportFile{ExportKind::Film, "walk.apng"});
  CHECK(session->exporting().running);
}

TEST_CASE("a stopped export says that nothing was written, a failed one why") {
  const auto session = exporting_session();
  session->dispatch(Action::StopExport);
  CHECK(session->exporting().stop_serial == 0);
  session->dispatch(OpenDialog{Dialog::Export});
  session->dispatch(ExportFile{ExportKind::Counters, "a.csv"});
  session->dispatch(Action::StopExport);
  session->dispatch(Action::StopExport);
  CHECK(session->exporting().stop_serial == 1);
  CHECK(session->exporting().stopping);
  session->dispatch(ReportExport{ended("", true)});
  CHECK_FALSE(session->exporting().running);
  CHECK(session->message()->text == "Stopped; nothing was written");
  CHECK(session->view().dialog() == Dialog::Export);
  session->dispatch(ExportFile{ExportKind::Counters, "a.csv"});
  session->dispatch(ReportExport{ended("no space left")});
  CHECK(session->message()->error);
  CHECK(session->message()->text == "no space left");
}

TEST_CASE("an export that would reveal a lesson's answer is not written before the answer, and the message says so") {
  test::TemporaryFolder folder;
  SessionSetup setup;
  setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
  setup.presets = *load_presets(TILEWALK_SOURCE_DIR);
  const Document picture = setup.presets.front().document;
  const std::unique_ptr<Session> session = std::move(*Session::open(picture, std::move(setup)));
  const auto starts = [&](ExportKind kind) {
    session->dispatch(ExportFile{kind, folder.file(export_row(kind).name)});
    const bool running = session->exporting().running;
    if (!running) CHECK(session->message()->text.find("The lesson asks for a number") == 0);
    if (running) session->dispatch(ReportExport{ended()});
    return running;
  };
  struct Asked {
    int lesson;
    std::int64_t screen;
  };
  for (const Asked& asked : {Asked{5, 1}, Asked{7, 1}, Asked{14, 4}}) {  // a number, by hand, a guess
    CAPTURE(asked.lesson, asked.screen);
    session->dispatch(OpenLesson{asked.lesson, asked.screen});
    while (session->busy()) session->dispatch(Work{64});
    REQUIRE(session->lesson().asks_for_a_number());
    CHECK_FALSE(starts(ExportKind::Counters));
    CHECK_FALSE(starts(ExportKind::Lanes));
    CHECK_FALSE(starts(ExportKind::Film));
    CHECK(starts(ExportKind::Picture));  // it shows the same as the window
    CHECK(starts(ExportKind::Worksheet));
  }
  session->dispatch(OpenLesson{5, 1});
  session->dispatch(Action::LessonAnswer);
  CHECK(starts(ExportKind::Counters));
  CHECK(starts(ExportKind::Film));
  session->dispatch(OpenLesson{1, 1});  // the next lesson asks for the ratio of the memories: hidden throughout
  session->dispatch(Action::LessonAnswer);
  REQUIRE(session->lesson().done());
  CHECK(starts(ExportKind::Counters));
  CHECK_FALSE(starts(ExportKind::Film));
  session->dispatch(Action::LeaveLesson);
  for (const ExportRow& row : kExports) CHECK(starts(row.kind));
}
