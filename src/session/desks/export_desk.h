// Exports: one at a time, written elsewhere. The serials ask for one or for its end, and how far it is is reported by
// Command. A file that stands there is replaced only if that was asked for.
#pragma once

#include "session/command.h"
#include "session/desks/view_desk.h"
#include "session/message_line.h"

namespace tilewalk {

class ExportDesk {
 public:
  ExportDesk(MessageLine& messages, ViewDesk& view) : messages_(messages), view_(view) {}
  const Exports& exports() const { return exports_; }

  void stop();
  void carry_out(const ExportFile&);
  void carry_out(const ReportExport&);

 private:
  MessageLine& messages_;
  ViewDesk& view_;
  Exports exports_;
};

}  // namespace tilewalk
