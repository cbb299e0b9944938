#include "session/view_link.h"

#include <fmt/format.h>

#include "base/words.h"
#include "session/command/command_text.h"
#include "session/document/session_file.h"

namespace tilewalk {

std::string view_words(const Session& session) {
  Document document = session.document();
  document.cursor = session.cursor();
  constexpr std::string_view kBefore = "tilewalk replay ";
  std::string link = command_line_for(document, "replay").substr(kBefore.size());
  std::string then;
  const auto add = [&then](const Command& command) { add_to_list(then, text_of(command), "; "); };
  if (const Lesson* lesson = session.lesson().lesson()) {
    add(OpenLesson{lesson->number, session.lesson().screen_place() + 1});
    add(GoToStep{document.cursor});  // opening the screen has moved the cursor
  }
  if (session.shows_call())
    for (const CallField& field : call_fields()) {
      const std::string text = field.text(session.call().call);
      const bool keeps_heads = !session.call().as_raced && field.name == std::string_view("batch");
      if (keeps_heads || text != field.text(start_call())) add(EditCall{field.name, text});
    }
  const bool compares = session.page() == Page::Compare;
  if (const std::optional<Action> toggle = toggle_of(session.compare().filling()); compares && toggle)
    add(*toggle);
  else if (session.page() != Page::Walk)
    add(ShowPage{session.page()});
  if (compares && session.shows_call()) add(ChooseCompared{Compared::Call});
  if (session.page() == Page::Lab && session.lab().task()) {
    const LabController& lab = session.lab();
    if (lab.of_task().text.empty())
      add(ChooseTask{lab.task()->number});
    else
      add(OpenSharedKernel{lab.task()->number, text_in_link(lab.text())});
  }
  if (session.view().presenting()) add(Action::Present);
  if (!then.empty()) link += " --then '" + then + "'";
  return link;
}

std::string as_fragment(std::string_view text) {
  constexpr std::string_view kPlain = "-_.,:;=/";
  std::string out;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (c == ' ')
      out += '+';
    else if (letter || kPlain.find(c) != std::string_view::npos)
      out += c;
    else
      out += fmt::format("%{:02X}", (unsigned char)c);
  }
  return out;
}

std::string view_fragment(const Session& session) { return as_fragment(view_words(session)); }

}  // namespace tilewalk
