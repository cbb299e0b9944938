// Exports: one at a time, written elsewhere. The serials ask for one or for its end, and how far it is is reported by
// Command. A file that stands there is replaced only if that was asked for. What would tell what a lesson asks is
// refused until it is answered: counters, lanes, and films, which go on to later steps. A picture shows what the window
// shows, which hides it.
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
  bool would_tell(ExportKind) const;  // what the lesson that is open asks

  MessageLine& messages_;
  ViewController& view_;
  const LessonController& lesson_;
  Exports exports_;
};

}  // namespace tilewalk
