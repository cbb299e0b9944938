#include "app/export/export_task.h"

#include <chrono>

#include "app/export/counters_csv.h"
#include "app/export/lanes_trace.h"
#include "paper/pdf.h"
#include "view/paper/class_set.h"

namespace tilewalk {
namespace {

using GoOn = std::function<bool(double)>;

// True: the file is whole.
Result<bool> fill(const ExportRequest& request, const ByteSink& sink, const GoOn& go_on) {
  const Schedule& schedule = *request.opening.schedule;
  if (request.kind == ExportKind::Counters) {
    if (Issues issues = why_no_counters_csv(schedule); !issues.empty()) return issues;
    return write_counters_csv(schedule, sink, go_on);
  }
  if (request.kind == ExportKind::Lanes) {
    const Result<LanesTrace> trace = modelled_lanes_trace(schedule, request.cursor);
    if (!trace) return trace.issues();
    if (const Result<Done> written = write_lanes_trace(*trace, sink); !written) return written.issues();
    return true;
  }
  const auto documents = build_class_set(request.opening, {.count = 1, .key = true, .q_tile = request.q_tile}, go_on);
  if (!documents) return documents.issues();
  if (documents->empty()) return false;
  if (const Result<PdfSummary> written = write_pdf(*documents, PaperSize::A4, sink); !written) return written.issues();
  return true;
}

ExportNews exported(const ExportRequest& request, const JobWatch<ExportNews>& watch) {
  Result<OutputFile> file = OutputFile::open({.field = "", .path = request.path});
  if (!file) return export_failed(file.issues());
  auto next = std::chrono::steady_clock::now();
  const GoOn go_on = [&](double fraction) {
    if (const auto now = std::chrono::steady_clock::now(); now >= next) {
      next = now + std::chrono::milliseconds(100);
      watch.report({.running = true, .fraction = fraction, .stopped = false, .failure = ""});
    }
    return !watch.cancelled();
  };
  const Result<bool> whole = fill(request, sink_of(*file), go_on);
  if (!whole) return export_failed(whole.issues());
  if (!*whole || watch.cancelled()) return {.running = false, .fraction = 0, .stopped = true, .failure = ""};
  if (const Result<Done> kept = take_places(std::span(&*file, 1)); !kept) return export_failed(kept.issues());
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
