// Exports without a picture, written on another thread: counters, lanes, worksheet. A cancelled export leaves no file.
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
  std::string kernel = {};  // the text of the lab's task
};

Task<ExportRequest, ExportNews> export_task();

ExportNews export_failed(const Issues&);

}  // namespace tilewalk
