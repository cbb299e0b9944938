// The pages of the window, one row each: title, help, the command that opens it, the builder of its view models, the
// texts that a lesson may hide, all its texts, its badge, and the words for a class to which it is presented. A page's
// row is in src/pages/<page>, as a PageOf the page's own type. The models of a page are built only while the page is on
// screen. Its id in files and commands is in session/document/pages.inc, its panels are rows of
// ui/panels/panel_table.h. Invariant: every Page has one row, in the order of the enumerators.
#pragma once

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

// The foot of a page while a class sees it, and its letters. Session::not_presented says of which pages it does not.
struct RoomWords {
  std::string question;  // for the class: "Ask: …"
  std::string keys;      // what they do here, before those that every presented page has
  float text = 2;        // size of its letters, at least
};

struct PageRow {
  Page page{};
  const char* title;
  const char* help;            // one sentence, without its full stop
  std::optional<Action> turn;  // opens the page or goes back to the walk; has its key in the command table
  std::function<PageModels(const PageSources&)> build;
  std::function<void(const PageModels&, const LessonController&)> hide;  // removes the answer of the open lesson
  std::function<void(ShownTexts&, const PageModels&)> add_texts;
  std::function<VerifyModel(const PageModels&)> badge;  // in the header; null: the walk's check, or none
  std::function<RoomWords(const Session&)> for_room;
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
  VerifyModel (*badge)(const P&) = nullptr;
  RoomWords (*for_room)(const Session&) = [](const Session&) { return RoomWords{}; };

  operator PageRow() const {
    PageRow row{
        .title = title,
        .help = help,
        .turn = turn,
        .build = [build = build](const PageSources& sources) { return PageModels::of(build(sources)); },
        .hide = [to = hide](const PageModels& page, const LessonController& lesson) { to(*page.as<P>(), lesson); },
        .add_texts = [add = add_texts](ShownTexts& texts, const PageModels& page) { add(texts, *page.as<P>()); },
        .badge = {},
        .for_room = for_room};
    if (badge) row.badge = [of = badge](const PageModels& page) { return of(*page.as<P>()); };
    return row;
  }
};

const std::vector<PageRow>& pages();
const PageRow& page_row(Page);

// The factor of the letters on screen: a person's choice, or what a picture that covers the window asks for.
double text_scale_of(const Session&);

}  // namespace tilewalk
