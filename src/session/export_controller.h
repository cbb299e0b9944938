// Exports, one at a time, written by a job. Serials request an export or its end; the job reports its progress by
// Command. An existing file is replaced only if that was requested. Until a lesson's task is answered, exports that
// would show its answer are refused: counters, lanes, and films, which go on to later steps. A picture is allowed: it
// hides what the window hides.
#pragma once

#include "session/command/command.h"
#include "session/controllers/view_controller.h"
#include "session/document/message_line.h"
#include "session/lesson/lesson_controller.h"

namespace tilewalk {

class ExportController {
 public:
  ExportController(MessageLine& messages, ViewController& view, const LessonController& lesson)
      : messages_(messages), view_(view), lesson_(lesson) {}
  const Exports& exports() const { return exports_; }

  void stop() { exports_.stop(); }
  void carry_out(const ExportFile&);
  void carry_out(const ReportExport&);

 private:
  bool would_tell(ExportKind) const;  // the open lesson's answer

  MessageLine& messages_;
  ViewController& view_;
  const LessonController& lesson_;
  Exports exports_;
};

}  // namespace tilewalk
