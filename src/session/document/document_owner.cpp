#include "session/document/document_owner.h"

namespace tilewalk {

Document walking(Document document, const Problem& problem) {
  document.problem = problem;
  document.title.clear(), document.about.clear();
  document.paths = {};
  document.edits.clear();
  document.cursor = 0;
  document.view.page = Page::Walk;
  document.view.batch = document.view.head = 0;
  return document;
}

}  // namespace tilewalk
