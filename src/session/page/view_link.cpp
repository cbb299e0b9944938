#include "session/view_link.h"

#include "session/command_text.h"
#include "session/session_file.h"

namespace tilewalk {

std::string view_link(const Session& session) {
  Document document = session.document();
  document.cursor = session.cursor();
  constexpr std::string_view kBefore = "tilewalk replay ";
  std::string link = command_line_for(document, "replay").substr(kBefore.size());
  std::string then;
  const auto add = [&then](const Command& command) { then += (then.empty() ? "" : "; ") + text_of(command); };
  if (const Lesson* lesson = session.lesson().lesson()) {
    add(OpenLesson{lesson->number, session.lesson().screen_place() + 1});
    add(GoToStep{document.cursor});  // the screen has begun at a step of its own
  }
  if (session.page() != Page::Walk) add(ShowPage{session.page()});
  if (session.view().presenting()) add(Action::Present);
  if (!then.empty()) link += " --then '" + then + "'";
  return link;
}

}  // namespace tilewalk
