// What controllers ask of the session that they serve: to put another document on screen. Everything else that a
// controller changes is its own, or stands in the document.
#pragma once

#include "base/result.h"
#include "session/document/session_file.h"

namespace tilewalk {

class DocumentOwner {
 public:
  // An edit of what is open: empty if it is the document now; else nothing has changed. keep_view: zoom and pan stay.
  virtual Issues adopt(Document next, bool keep_view) = 0;
  virtual Issues open_anew(WalkedDocument) = 0;  // likewise, with its files read again

 protected:
  ~DocumentOwner() = default;
};

// With another problem in place of all that was open: from its first step, on the page of the walk.
Document walking(Document, const Problem&);

}  // namespace tilewalk
