// The choices of the dialog of exports.
#pragma once

#include <string>

#include "session/command/export_report.h"

namespace tilewalk {

struct ExportUi {
  ExportKind kind = ExportKind::Picture;
  std::string path = export_row(ExportKind::Picture).name;
  bool chosen = false;  // another format: its name gets the focus
  float foot = 0;       // height of what is below the formats, in the frame before
};

}  // namespace tilewalk
