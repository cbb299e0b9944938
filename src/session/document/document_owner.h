// What controllers request of their session: to put another document on screen. All other state that a controller
// changes is its own or in the document.
#pragma once

#include "base/result.h"
#include "session/document/session_file.h"

namespace tilewalk {

class DocumentOwner {
 public:
  // An edit of the open document. Returns no issues if the document was adopted; otherwise nothing has changed.
  // keep_view: zoom and pan do not change.
  virtual Issues adopt(Document next, bool keep_view) = 0;
  virtual Issues open_anew(WalkedDocument) = 0;  // likewise; reads its files again

 protected:
  ~DocumentOwner() = default;
};

// The document with another problem instead of the open one: after its first scores, on the page of the walk.
Document walking(Document, const Problem&);

}  // namespace tilewalk
