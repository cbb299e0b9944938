// What the dialog of exports has chosen.
#pragma once

#include <string>

#include "session/command/export_report.h"

namespace tilewalk {

struct ExportUi {
  ExportKind kind = ExportKind::Picture;
  std::string path = export_row(ExportKind::Picture).name;
  bool chosen = false;  // another kind: its name takes the focus
};

}  // namespace tilewalk
