#include "app/window/mirror.h"

#include <cstdlib>
#include <span>

#include "app/window/state_json.h"
#include "files/output_file.h"

namespace tilewalk {

Mirror::Mirror() {
  if (const char* path = std::getenv("TILEWALK_STATE_FILE")) path_ = path;
}

void Mirror::follow(const Screen& screen, std::uint64_t frames_drawn) {
  const Session& session = screen.session();
  if (path_.empty() || session.revision() == written_) return;
  written_ = session.revision();
  const std::string line =
      state_json(session, frames_drawn).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  [[maybe_unused]] const auto written =
      write_file({.field = "", .path = path_, .to_disk = false}, std::as_bytes(std::span(line)));
}

}  // namespace tilewalk
