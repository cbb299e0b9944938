// The pages of the window, a row each: what it is called, what turns to it, and how its view models are built. Models
// of a page are built only while it is on screen. Its id in files and commands is in session/words.h, its panels are
// rows of ui/panels. Invariant: every Page has one row, in the order of the enumerators.
#pragma once

#include <optional>
#include <vector>

#include "view/views.h"

namespace tilewalk {

struct PageSources {  // what a page is built from, and what it keeps from one time to the next
  const Session& session;
  const ViewRoom& room;
  const KernelTexts& kernels;
  PageCaches& caches;
};

struct PageRow {
  Page page;
  const char* title;
  const char* help;            // one sentence, without its full stop
  std::optional<Action> turn;  // turns to it or back to the walk, by its key in the command table
  void (*build)(const PageSources&, Views&);
};

const std::vector<PageRow>& pages();
const PageRow& row_of(Page);

}  // namespace tilewalk
