// Replaces window/mirror.cpp in a browser: informs the page after every change. page/host.js puts the sentence into the
// live region, the link into the address bar, and stores the state for tests.
#include <emscripten.h>

#include "app/window/mirror.h"
#include "app/window/state_json.h"
#include "pages/walk/walk_page.h"
#include "session/view_link.h"

namespace tilewalk {
namespace {

// The sentence of the last step, as in text mode; empty while a question about it is open.
std::string sentence_of(const Screen& screen) {
  const Views& views = screen.views();
  if (screen.session().hides_answer() || !views.page<WalkPage>()) return {};
  if (views.page<WalkPage>()->one_row) return views.page<WalkPage>()->one_row->sentence;
  const std::string& by_hand = views.page<WalkPage>()->hand ? views.page<WalkPage>()->hand->text : std::string();
  return by_hand.empty() ? views.page<WalkPage>()->softmax.sentence : by_hand;
}

}  // namespace

Mirror::Mirror() = default;

void Mirror::follow(const Screen& screen, std::uint64_t frames_drawn) {
  const Session& session = screen.session();
  if (session.revision() == written_) return;
  written_ = session.revision();
  const std::string state = state_json(session, frames_drawn).dump(-1, ' ', false, Json::error_handler_t::replace);
  EM_ASM({ Module.host.tell(UTF8ToString($0), UTF8ToString($1), UTF8ToString($2)); }, view_fragment(session).c_str(),
         sentence_of(screen).c_str(), state.c_str());
}

}  // namespace tilewalk
