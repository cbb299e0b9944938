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

namespace {

constexpr double kMostOfRow = 2;  // from there on its bars have no height at 1280×720

}  // namespace

double text_scale_of(const Session& session) {
  const double own = session.document().view.text_scale;
  if (!session.covers_window()) return own;
  const double room = page_row(session.page()).for_room(session).text;
  // The explanation of a row has its larger letters before a person chooses a size, which adds to them.
  if (session.shows_one_row()) return std::clamp(room * own, room, kMostOfRow);
  return std::max(room, own);
}

}  // namespace tilewalk
