// Exports that need no picture, written off the thread that draws: counters, lanes, worksheet. Cancelled, nothing of
// them is left.
#pragma once

#include "app/jobs/job.h"
#include "session/command/export_report.h"
#include "session/document/opening.h"

namespace tilewalk {

struct ExportRequest {
  ExportKind kind = ExportKind::Counters;
  std::string path;
  Opening opening;
  std::int64_t cursor = 0, q_tile = 0;
};

Task<ExportRequest, ExportNews> export_task();

ExportNews export_failed(const Issues&);

}  // namespace tilewalk
