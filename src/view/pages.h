// The pages of the window, one row each: title, help, the command that opens it, the builder of its view models, the
// texts that a lesson may hide, and all its texts. A page's row is in src/pages/<page>, as a PageOf the page's own
// type. The models of a page are built only while the page is on screen. Its id in files and commands is in
// session/document/pages.inc, its panels are rows of ui/panels/panel_table.h. Invariant: every Page has one row, in the
// order of the enumerators.
#pragma once

#include <any>
#include <functional>
#include <optional>
#include <vector>

#include "view/views.h"
#include "view/words/shown_texts.h"

namespace tilewalk {

struct PageSources {  // the inputs of a page's builder, and its caches
  const Session& session;
  const ViewRoom& room;
  const KernelTexts& kernels;
  ByType& caches;
};

struct PageRow {
  Page page{};
  const char* title;
  const char* help;            // one sentence, without its full stop
  std::optional<Action> turn;  // opens the page or goes back to the walk; has its key in the command table
  std::function<std::any(const PageSources&)> build;
  std::function<void(std::any&, const LessonController&)> hide;  // removes the answer of the open lesson
  std::function<void(ShownTexts&, const std::any&)> add_texts;
};

// A row as its page writes it. P contains all models of the page.
template <class P>
struct PageOf {
  const char* title;
  const char* help;
  std::optional<Action> turn = std::nullopt;
  P (*build)(const PageSources&);
  void (*hide)(P&, const LessonController&) = [](P&, const LessonController&) {};
  void (*add_texts)(ShownTexts&, const P&);

  operator PageRow() const {
    return {
        .title = title,
        .help = help,
        .turn = turn,
        .build = build,
        .hide = [to = hide](std::any& page, const LessonController& lesson) { to(*std::any_cast<P>(&page), lesson); },
        .add_texts = [add = add_texts](ShownTexts& texts,
                                       const std::any& page) { add(texts, *std::any_cast<P>(&page)); }};
  }
};

const std::vector<PageRow>& pages();
const PageRow& page_row(Page);

}  // namespace tilewalk
