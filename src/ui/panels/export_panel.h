// The choices of the dialog of exports.
#pragma once

#include <string>

#include "session/command/export_report.h"

namespace tilewalk {

struct ExportUi {
  ExportKind kind = ExportKind::Picture;
  std::string path = export_row(ExportKind::Picture).name;
  bool square = false;  // pictures and films for a post
  bool chosen = false;  // another format: its name gets the focus
  float foot = 0;       // height of what is below the formats, in the frame before
};

// The name that the dialog offers.
std::string name_of_export(ExportKind, bool square);

}  // namespace tilewalk
