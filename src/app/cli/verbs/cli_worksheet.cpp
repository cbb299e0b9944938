// tilewalk worksheet: a Q tile to compute by hand, or a roofline to draw, with its key; a class set, a seed each; the
// teacher's page of a lesson, and all sheets for a class of 45 or 90 minutes.

#include <algorithm>
#include <functional>

#include "app/cli/learn/class_prints.h"
#include "app/cli/lessons.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/jobs/long_work.h"
#include "base/parse.h"
#include "base/shown.h"
#include "base/words.h"
#include "files/output_file.h"
#include "print/pdf.h"
#include "session/resources.h"
#include "view/print/class_set.h"
#include "view/print/roofline_sheet.h"
#include "view/print/teacher_page.h"

namespace tilewalk {
namespace {

Result<PaperSize> paper_size(const CommandLine& line) {
  const std::string name = line.option("paper").value_or("a4");
  if (name == "a4") return PaperSize::A4;
  if (name == "letter") return PaperSize::Letter;
  return Issue{"paper", name, "is not a size of paper", "a4 or letter"};
}

Result<ClassSetRequest> class_set_request(const CommandLine& line, const Problem& p) {
  ClassSetRequest request{.count = 1, .key = line.has("key"), .q_tile = -1};
  Issues issues;
  read_whole(line, "count", 1, kMostSheets, request.count, issues);
  read_whole(line, "q-tile", 0, p.q_tiles() - 1, request.q_tile, issues);
  if (!issues.empty()) return issues;
  return request;
}

std::string text_of_all(const std::vector<PrintDocument>& documents) {
  std::string text;
  for (const PrintDocument& document : documents) add_to_list(text, document_text(document), "\n\f");
  return text;
}

int print_summary(const CommandLine& line, const std::string& path, std::size_t pages) {
  if (line.has("json"))
    print_json({{"file", path}, {"pages", pages}});
  else
    say("{} ({} page{})\n", shown(path), pages, pages == 1 ? "" : "s");
  return kExitOk;
}

int text_twin(const CommandLine& line, const std::vector<PrintDocument>& documents) {
  const std::string text = text_of_all(documents), path = line.option("out").value_or("");
  if (path.empty()) {
    if (line.has("json"))
      print_json({{"file", nullptr}, {"pages", documents.size()}, {"text", text}});
    else
      say("{}", text);
    return kExitOk;
  }
  const OutputRequest request{.field = "out", .path = path, .endings = {".txt"}, .may_stream = false};
  if (const Result<Done> kept = write_file(request, std::as_bytes(std::span(text))); !kept)
    return refuse(kept.issues());
  return print_summary(line, path, documents.size());
}

// The teacher's page of a lesson, instead of a problem's sheet.
Result<std::vector<PrintDocument>> teacher_page(const std::string& number) {
  const Result<std::vector<Lesson>> lessons = open_lessons({});
  if (!lessons) return lessons.issues();
  const Result<NewSession> new_session = sessions_with(*lessons);
  if (!new_session) return new_session.issues();
  std::string numbers;
  for (const Lesson& lesson : *lessons) {
    add_to_list(numbers, std::to_string(lesson.number));
    if (std::to_string(lesson.number) != number) continue;
    return std::vector{build_teacher_page(lesson, *new_session)};
  }
  return Issue{"lesson", number, "is not there", "There are " + numbers};
}

Result<std::vector<PrintDocument>> rooflines(const RooflineSheetRequest& request) {
  const Result<std::string> root = find_resource_root();
  if (!root) return root.issues();
  const Result<RaceTimes> times = load_race_times(*root);
  if (!times) return times.issues();
  return build_roofline_set(request, *times);
}

Result<RooflineSheetRequest> roofline_request(const CommandLine& line) {
  RooflineSheetRequest request{.seed = 1, .count = 1, .key = line.has("key")};
  const auto& texts = line.problem.texts;
  Issues issues;
  if (const auto device = texts.find("device"); device != texts.end()) request.device = device->second;
  if (const auto seed = texts.find("seed"); seed != texts.end()) {
    if (const auto value = parse_integer<std::uint64_t>(seed->second))
      request.seed = *value;
    else
      issues.push_back({"seed", seed->second, "must be a whole number, at least 0", "Try 1"});
  }
  read_whole(line, "count", 1, kMostSheets, request.count, issues);
  if (!issues.empty()) return issues;
  return request;
}

int put_out(const CommandLine& line, PaperSize size, const std::function<Result<std::vector<PrintDocument>>()>& make) {
  const std::string path = line.option("out").value_or("");
  if (path.empty() && !line.has("text"))
    return refuse({{"out", "", "is needed: where the sheet goes", "Try --out sheet.pdf, or --text to read it here"}});
  if (line.has("text")) {
    const Result<std::vector<PrintDocument>> documents = make();
    return documents ? text_twin(line, *documents) : refuse(documents.issues());
  }
  Result<OutputFile> out = OutputFile::open({.field = "out", .path = path, .endings = {".pdf"}});
  if (!out) return refuse(out.issues());
  const Result<std::vector<PrintDocument>> documents = make();
  if (!documents) return refuse(documents.issues());
  Progress progress("Drawing the pages");
  const Result<PdfSummary> written =
      write_pdf(*documents, size, sink_of(*out), [&](double fraction) { progress.update(fraction); });
  if (!written) return refuse(written.issues());
  if (const Result<Done> kept = rename_into_place(std::span(&*out, 1)); !kept) return refuse(kept.issues());
  return print_summary(line, path, written->pages);
}

}  // namespace

int worksheet_verb(const CommandLine& line) {
  const Result<PaperSize> size = paper_size(line);
  if (!size) return refuse(size.issues());
  if (const auto minutes = line.option("class")) {
    const Issues issues = not_beside("--class", line, {"class", "out", "paper", "text"});
    if (!issues.empty()) return refuse(issues);
    return put_out(line, *size, [&] { return class_prints(*minutes); });
  }
  if (line.has("roofline")) {
    const Issues issues =
        not_beside("--roofline", line, {"roofline", "device", "seed", "count", "key", "out", "paper", "text"});
    if (!issues.empty()) return refuse(issues);
    const Result<RooflineSheetRequest> request = roofline_request(line);
    return request ? put_out(line, *size, [&] { return rooflines(*request); }) : refuse(request.issues());
  }
  if (const auto number = line.option("lesson")) {
    const Issues issues = not_beside("--lesson", line, {"lesson", "out", "paper", "text"});
    if (!issues.empty()) return refuse(issues);
    return put_out(line, *size, [&] { return teacher_page(*number); });
  }
  const Result<Opening> opened = open_problem(line.problem);
  if (!opened) return refuse(opened.issues());
  const Result<ClassSetRequest> request = class_set_request(line, opened->document.problem);
  if (!request) return refuse(request.issues());
  return put_out(line, *size, [&] {
    Progress progress("Making the sheets");
    return build_class_set(*opened, *request, [&](double fraction) { return progress.update(fraction); });
  });
}

}  // namespace tilewalk
