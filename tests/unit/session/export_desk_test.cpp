#include "session/command_text.h"
#include "session/session.h"
#include "session/words.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> exporting_session() { return std::move(*Session::open({}, {})); }

ExportNews ended(const std::string& failure = "", bool stopped = false) {
  return {.running = false, .fraction = 1, .stopped = stopped, .failure = failure};
}

}  // namespace

TEST_CASE("each export has a row in the order of its enumerator, and its command's word") {
  for (int i = 0; i < int(std::size(kExports)); ++i) {
    CHECK(int(kExports[i].kind) == i);
    CHECK(std::string(kExports[i].word) == kExportWords[i]);
    CHECK(std::string(kExports[i].name).ends_with(kExports[i].ending));
  }
}

TEST_CASE("an export is asked for once, told of as it goes on, and ends with where it was written") {
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

TEST_CASE("a file that stands there is replaced only when that was asked for") {
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
  CHECK(session->view().dialog() == Dialog::None);  // it is not of the view
}

TEST_CASE("an ending that is not the export's is refused, a GIF may be an APNG") {
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
