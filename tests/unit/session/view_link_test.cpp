// The content of a link to a view, as words of tilewalk replay and in the form of an address.
#include "session/view_link.h"

#include "session/command/command_table.h"
#include "session/command/command_text.h"
#include "session/command/page_address.h"
#include "session/document/session_file.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> session_of_a_preset(const std::string& name) {
  const auto presets = load_presets(TILEWALK_SOURCE_DIR);
  REQUIRE(presets.ok());
  for (const Preset& preset : *presets)
    if (preset.name == name) return std::move(*Session::open(preset.document, {}));
  return nullptr;
}

}  // namespace

TEST_CASE("a link has the problem and the step, then the page and whether it is presenting") {
  const auto session = session_of_a_preset("paper");
  session->dispatch(GoToStep{12});
  const std::string words = view_words(*session);
  CHECK(words.starts_with("--n 8 --d 2 --br 4 --bc 4"));
  CHECK(words.ends_with("--step 12"));
  session->dispatch(ShowPage{Page::Compare});
  CHECK(view_words(*session).ends_with("--step 12 --then 'show compare'"));
  session->dispatch(ShowPage{Page::Walk});
  session->dispatch(Action::Present);
  CHECK(view_words(*session).ends_with("--step 12 --then 'present'"));
}

TEST_CASE("a link to the comparison of the call restores the call, and what is compared") {
  const auto session = session_of_a_preset("paper"), opened = session_of_a_preset("paper");
  session->dispatch(EditCall{"n-q", "3000"});
  for (const Command& command : session->opening(Page::Compare)) session->dispatch(command);
  const std::string words = view_words(*session);
  INFO(words);
  CHECK(words.ends_with("pipes; choose-compared call'"));
  const std::size_t then = words.find("--then '") + 8;
  const auto commands = commands_from(words.substr(then, words.size() - then - 1));
  REQUIRE(commands.ok());
  for (const Command& command : *commands) opened->dispatch(command);
  CHECK(opened->compare().compared() == Compared::Call);
  CHECK(opened->compare().problems().now == session->compare().problems().now);
  CHECK(opened->compare().filling() == Filling::Pipes);
  CHECK(opened->document().view.pace == Pace::Byte);
}

TEST_CASE("a link to the comparison says what it shows; without a word it shows the lanes") {
  for (const auto& [shown, filling] :
       {std::pair{"pipes", Filling::Pipes}, {"warps", Filling::Warps}, {"show compare", Filling::Sms}}) {
    INFO(shown);
    const auto session = session_of_a_preset("paper");
    const auto commands = commands_from(shown);
    REQUIRE(commands.ok());
    for (const Command& command : *commands) session->dispatch(command);
    CHECK(session->compare().filling() == filling);
    CHECK(view_words(*session).ends_with(std::string("--then '") + shown + "'"));
  }
}

TEST_CASE("a link to a page of the window's call restores that call") {
  for (const std::vector<Command>& edits :
       {std::vector<Command>{},
        {EditCall{"n-q", "3000"}},
        {EditCall{"batch", "2"}, EditCall{"n-q", "3000"}},
        {ChooseRoofline{.device = "a100", .n = 777, .d = 80, .heads = 12, .kv_heads = 4, .batch = 3, .causal = true}},
        {EditCall{"n-kv", "64"}, EditCall{"dropout", "0.1"}}}) {
    const auto session = session_of_a_preset("paper"), opened = session_of_a_preset("paper");
    for (const Command& edit : edits) session->dispatch(edit);
    session->dispatch(ShowPage{Page::Roofline});
    const std::string words = view_words(*session);
    INFO(words);
    const std::size_t then = words.find("--then '") + 8;
    const auto commands = commands_from(words.substr(then, words.size() - then - 1));
    REQUIRE(commands.ok());
    for (const Command& command : *commands) opened->dispatch(command);
    CHECK(opened->page() == Page::Roofline);
    CHECK(opened->call() == session->call());
    CHECK(opened->roofline().call() == session->roofline().call());
  }
}

TEST_CASE("a link has the number of splits, even if it is one") {
  const auto session = session_of_a_preset("paper");
  CHECK(view_words(*session).find("--splits") == std::string::npos);
  session->dispatch(SetSchedule{ScheduleKind::SplitKv});
  Problem problem = session->problem();
  problem.tiling.splits = 1;
  Document document = session->document();
  document.problem = problem;
  CHECK(view_words(**Session::open(document, {})).find("--splits 1 ") != std::string::npos);
}

TEST_CASE("in an address spaces are plus signs, and reserved characters are percent-encoded") {
  CHECK(as_fragment("--n 16 --edit Q:0:0:1:2=-1.5") == "--n+16+--edit+Q:0:0:1:2=-1.5");
  CHECK(as_fragment("--then 'a+b%'") == "--then+%27a%2Bb%25%27");
  CHECK(as_fragment("\u03b1#") == "%CE%B1%23");
  const auto session = session_of_a_preset("paper");
  CHECK(view_fragment(*session) == as_fragment(view_words(*session)));
}

TEST_CASE("away from a browser no command offers a link") {
  CHECK(page_address().empty());
  for (const CommandRow& row : command_table()) CHECK(row.action != Action::CopyLink);
}
