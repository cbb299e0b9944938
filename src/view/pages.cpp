#include "view/pages.h"

#include <algorithm>

namespace tilewalk {

// Defined in the folder of each page.
#define PAGE(enumerator, word, not_presented, steps) PageRow word##_row();
#include "session/document/pages.inc"
#undef PAGE

namespace {

PageRow with_page(PageRow row, Page page) {
  row.page = page;
  return row;
}

}  // namespace

const std::vector<PageRow>& pages() {
  static const std::vector<PageRow> rows = {
#define PAGE(enumerator, word, not_presented, steps) with_page(word##_row(), Page::enumerator),
#include "session/document/pages.inc"
#undef PAGE
  };
  return rows;
}

const PageRow& page_row(Page page) { return pages().at(std::size_t(page)); }

double text_scale_of(const Session& session) {
  const double own = session.document().view.text_scale;
  return session.covers_window() ? std::max(double(page_row(session.page()).for_room(session).text), own) : own;
}

}  // namespace tilewalk
