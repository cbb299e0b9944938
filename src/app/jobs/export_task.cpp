#include "app/jobs/export_task.h"

#include "app/export/counters_csv.h"
#include "app/export/lanes_trace.h"
#include "app/jobs/throttle.h"
#include "print/pdf.h"
#include "view/print/class_set.h"

namespace tilewalk {
namespace {

using GoOn = std::function<bool(double)>;

// Each writes a file; true: the file is complete.
Result<bool> write_counters(const ExportRequest& request, const ByteSink& sink, const GoOn& go_on) {
  const Schedule& schedule = *request.opening.schedule;
  if (Issues issues = why_no_counters_csv(schedule); !issues.empty()) return issues;
  return write_counters_csv(schedule, sink, go_on);
}

Result<bool> write_lanes(const ExportRequest& request, const ByteSink& sink, const GoOn&) {
  const Result<LanesTrace> trace = modelled_lanes_trace(*request.opening.schedule, request.cursor);
  if (!trace) return trace.issues();
  if (const Result<Done> written = write_lanes_trace(*trace, sink); !written) return written.issues();
  return true;
}

Result<bool> write_worksheet(const ExportRequest& request, const ByteSink& sink, const GoOn& go_on) {
  const auto documents = build_class_set(request.opening, {.count = 1, .key = true, .q_tile = request.q_tile}, go_on);
  if (!documents) return documents.issues();
  if (documents->empty()) return false;
  if (const Result<PdfSummary> written = write_pdf(*documents, PaperSize::A4, sink); !written) return written.issues();
  return true;
}

Result<bool> write_kernel(const ExportRequest& request, const ByteSink& sink, const GoOn&) {
  if (request.kernel.empty()) return Issue{"kernel", "", "is not there yet", "Open the lab first (Shift+L)"};
  if (const Result<Done> written = sink(std::as_bytes(std::span(request.kernel))); !written) return written.issues();
  return true;
}

struct Writer {
  ExportKind kind;
  Result<bool> (*write)(const ExportRequest&, const ByteSink&, const GoOn&);
};
constexpr Writer kWriters[] = {{ExportKind::Counters, write_counters},
                               {ExportKind::Lanes, write_lanes},
                               {ExportKind::Worksheet, write_worksheet},
                               {ExportKind::Kernel, write_kernel}};

constexpr const Writer* writer_of(ExportKind kind) {
  for (const Writer& writer : kWriters)
    if (writer.kind == kind) return &writer;
  return nullptr;
}

constexpr bool each_has_its_writer() {
  for (const ExportRow& row : kExports)
    if (needs_a_picture(row.kind) != (writer_of(row.kind) == nullptr)) return false;
  return true;
}
static_assert(each_has_its_writer(), "an export that needs no picture has a writer here");

ExportNews exported(const ExportRequest& request, const JobWatch<ExportNews>& watch) {
  Result<OutputFile> file = OutputFile::open({.field = "", .path = request.path});
  if (!file) return export_failed(file.issues());
  Throttle throttle;
  const GoOn go_on = [&](double fraction) {
    if (throttle.ready()) watch.report({.running = true, .fraction = fraction, .stopped = false, .failure = ""});
    return !watch.cancelled();
  };
  const Result<bool> whole = writer_of(request.kind)->write(request, sink_of(*file), go_on);
  if (!whole) return export_failed(whole.issues());
  if (!*whole || watch.cancelled()) return {.running = false, .fraction = 0, .stopped = true, .failure = ""};
  if (const Result<Done> kept = rename_into_place(std::span(&*file, 1)); !kept) return export_failed(kept.issues());
  return {.running = false, .fraction = 1, .stopped = false, .failure = ""};
}

}  // namespace

ExportNews export_failed(const Issues& issues) {
  return {.running = false, .fraction = 0, .stopped = false, .failure = in_one_line(issues)};
}

Task<ExportRequest, ExportNews> export_task() {
  return {exported, [](const ExportRequest&, const std::string& why) {
            return export_failed({{"export", "", "could not be made: " + why, ""}});
          }};
}

}  // namespace tilewalk
