// Set-up shared by tests of the page of comparison.
#pragma once

#include "core/fields/validate.h"
#include "pages/compare/compare_layout.h"
#include "tests/ui/headless.h"

namespace tilewalk::test {

inline Document with_schedule(ScheduleKind kind) {
  Document d = picture_document();
  d.problem.shape.mask = {};
  d.problem.schedule = kind;
  d.problem.machine.sram_bytes = 1 << 20;
  choose_default_splits(d.problem);
  d.cursor = 12;
  return d;
}

inline Headless& open_page(Headless& head) {
  head.session->dispatch(ShowPage{Page::Compare});
  head.frames(2);
  return head;
}

// The commands from clicks along a line of the window, each once, in order.
inline Commands sweep(Headless& head, float x0, float x1, float y, float step) {
  Commands all;
  for (float x = x0; x < x1; x += step)
    for (Command& c : head.click(x, y))
      if (all.empty() || !(all.back() == c)) all.push_back(std::move(c));
  return all;
}

// A click into the list of a row's transfers, which opens at the mouse; afterwards closes the list.
inline Commands click_in_list(Headless& head, const std::string& row, float x, float y) {
  const draw::Rect r = compare_layout(head.layout).table;
  inject_mouse(r.x0 + 60 * head.theme.s, r.y0 + 66 * head.theme.s, false);
  head.session->dispatch(ShowTransfers{row});
  head.frames(2);
  const Commands made = head.click(x, y);
  head.session->dispatch(ShowTransfers{});
  head.frames(2);
  return made;
}

}  // namespace tilewalk::test
