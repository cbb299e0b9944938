#include "app/jobs/export_task.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

ExportRequest request_for(ExportKind kind, const std::string& path) {
  Document document;
  document.problem.tiling.br = document.problem.tiling.bc = 4;
  return {.kind = kind,
          .path = path,
          .opening = *open_document({document, nullptr}, {}),
          .cursor = 10,
          .q_tile = 0,
          .kernel = "// mine\n"};
}

}  // namespace

TEST_CASE("exports without a picture are written whole") {
  test::TemporaryFolder folder;
  const std::pair<ExportKind, const char*> starts[] = {{ExportKind::Counters, "step,pass,phase"},
                                                       {ExportKind::Lanes, "{\"displayTimeUnit\""},
                                                       {ExportKind::Worksheet, "%PDF-"},
                                                       {ExportKind::Kernel, "// mine"}};
  for (const auto& [kind, start] : starts) {
    const std::string path = folder.file(export_row(kind).name);
    CHECK_FALSE(needs_a_picture(kind));
    const ExportNews news = export_task().answer(request_for(kind, path));
    CHECK(news == ExportNews{.running = false, .fraction = 1, .stopped = false, .failure = ""});
    CHECK(test::read_text(path).starts_with(start));
  }
}

TEST_CASE("an export that is stopped or fails leaves no file, and says which") {
  test::TemporaryFolder folder;
  const JobWatch<ExportNews> stopped{[] { return true; }, [](ExportNews) {}};
  CHECK(export_task().answer(request_for(ExportKind::Counters, folder.file("a.csv")), stopped).stopped);
  CHECK(export_task().answer(request_for(ExportKind::Worksheet, folder.file("a.pdf")), stopped).stopped);
  ExportRequest none = request_for(ExportKind::Kernel, folder.file("my.cu"));
  none.kernel.clear();
  CHECK(export_task().answer(none).failure.find("Open the lab first") != std::string::npos);
  ExportRequest large = request_for(ExportKind::Worksheet, folder.file("b.pdf"));
  large.opening.document.problem.tiling.br = 16;
  CHECK(export_task().answer(large).failure.find("pencil") != std::string::npos);
  CHECK(export_task().answer(request_for(ExportKind::Lanes, folder.file("no/b.json"))).failure.find("folder") !=
        std::string::npos);
  CHECK(std::filesystem::is_empty(folder.path()));
}
