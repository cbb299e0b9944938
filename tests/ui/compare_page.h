// Set-up shared by tests of the page of comparison.
#pragma once

#include "core/fields/validate.h"
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
  head.session->dispatch(Action::ShowCompare);
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

}  // namespace tilewalk::test
