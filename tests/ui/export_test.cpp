// The dialog of exports: the choice, the button's request, and the progress.
#include "tests/support/temporary_folder.h"
#include "tests/ui/headless.h"
#include "ui/panels/export_panel.h"

using namespace tilewalk;
using test::Headless;

TEST_CASE("the dialog offers each export with its own file name, and requests the chosen one") {
  Headless head(test::picture_document());
  head.session->dispatch(Action::ShowExport);
  head.frames(4);
  for (const ExportRow& row : kExports) {
    head.click(std::string("dialog/export ") + row.word);
    CHECK(head.ui.of<ExportUi>().kind == row.kind);
    CHECK(head.ui.of<ExportUi>().path == row.name);
    CHECK(test::holds(head.click("dialog/Export"), ExportFile{row.kind, row.name}));
  }
}

TEST_CASE("arrows select the export, and Enter starts it") {
  Headless head(test::picture_document());
  CHECK(test::holds(head.press(Key::E, true), Action::ShowExport));
  head.session->dispatch(Action::ShowExport);
  head.frames(4);
  head.press(Key::Down);
  head.press(Key::Down);
  CHECK(head.ui.of<ExportUi>().kind == ExportKind::Counters);
  CHECK(test::holds(head.press(Key::Enter), ExportFile{ExportKind::Counters, "counters.csv"}));
  head.press(Key::Up);
  CHECK(head.ui.of<ExportUi>().kind == ExportKind::Film);
}

TEST_CASE("an existing file disables the button, a running export shows Cancel, and Esc does not stop it") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("a.csv"), "old");
  Headless head(test::picture_document(), 1600, 900, true);
  head.ui.of<ExportUi>().kind = ExportKind::Counters;
  head.ui.of<ExportUi>().path = folder.file("a.csv");
  head.session->dispatch(Action::ShowExport);
  head.frames(4);
  head.click("dialog/Export");
  CHECK_FALSE(head.session->exporting().running);
  CHECK(test::holds(head.click("dialog/Replace"), ExportFile{ExportKind::Counters, folder.file("a.csv"), true}));
  CHECK(head.session->exporting().running);
  head.session->dispatch(ReportExport{{.running = true, .fraction = 0.5, .stopped = false, .failure = ""}});
  head.frames(3);
  CHECK(test::holds(head.click("dialog/Cancel"), Action::StopExport));
  CHECK(head.session->exporting().stopping);
  head.press(Key::Escape);
  CHECK(head.session->view().dialog() == Dialog::None);
  CHECK(head.session->exporting().running);
}

TEST_CASE("the export dialog opens with its first format in view and the file name below the list") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}}) {
    Headless head(test::picture_document(), w, h, true);
    head.session->dispatch(Action::ShowExport);
    head.frames(6);
    const draw::Rect first = head.rect(std::string("dialog/export ") + kExports[0].word);
    const draw::Rect close = head.rect("dialog/close"), go = head.rect("dialog/Export");
    CHECK(first.y0 >= close.y1);
    CHECK(first.y1 <= go.y0);
    CHECK(go.y1 <= float(h));
    for (std::size_t i = 1; i < std::size(kExports); ++i) head.press(Key::Down);
    head.frames(3);
    const draw::Rect last = head.rect(std::string("dialog/export ") + kExports[std::size(kExports) - 1].word);
    CHECK(last.y1 <= go.y0);
    CHECK(last.y0 >= close.y1);
  }
}

TEST_CASE("pictures and films can be square, for a post, and other exports have no size") {
  Headless head(test::picture_document());
  head.session->dispatch(Action::ShowExport);
  head.frames(4);
  head.click("dialog/export film");
  head.click("dialog/square");
  CHECK(head.ui.of<ExportUi>().path == "post.gif");
  CHECK(test::holds(head.click("dialog/Export"), ExportFile{ExportKind::Film, "post.gif", {}, true}));
  head.click("dialog/export counters");
  CHECK_FALSE(head.ui.rects.find("dialog/square"));
  CHECK(test::holds(head.click("dialog/Export"), ExportFile{ExportKind::Counters, "counters.csv"}));
  head.click("dialog/export picture");
  head.click("dialog/as the window");
  CHECK(test::holds(head.click("dialog/Export"), ExportFile{ExportKind::Picture, "view.png"}));
}
