#include "app/window/state_file.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "app/cli/output.h"
#include "core/schedules/registry.h"
#include "files/output_file.h"

namespace tilewalk {
namespace {

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Json shortest(double value) {  // 2, not 2.0
  return value == std::floor(value) ? Json(std::int64_t(value)) : Json(value);
}

Json json_of(const Session& s, std::uint64_t frames) {
  const Document& document = s.document();
  const Problem& p = s.problem();
  return {{"cursor", s.state().cursor},
          {"steps", s.schedule().step_count()},
          {"playing", s.walk().playback().playing},
          {"busy", s.busy()},
          {"dialog", int(s.view().dialog())},
          {"presenting", s.view().presenting()},
          {"n_q", p.shape.n_q},
          {"br", p.tiling.br},
          {"seed", p.numerics.seed},
          {"schedule", name_of(p.schedule)},
          {"dark", document.view.dark},
          {"edits", document.edits.size()},
          {"speed", shortest(document.view.speed)},
          {"unit", int(document.view.unit)},
          {"message", one_line(s.message() ? s.message()->text : "")},
          {"page", int(s.page())},
          {"pinned", name_of(s.baseline().schedule)},
          {"racing", s.race().running},
          {"race_rows", s.race().cpu ? s.race().cpu->rows.size() : 0},
          {"exporting", s.exporting().running},
          {"lesson", s.lesson().lesson() ? s.lesson().lesson()->number : 0},
          {"screen", s.lesson().lesson() ? s.lesson().screen_place() + 1 : 0},
          {"answered", s.lesson().lesson() && s.lesson().task().right},
          {"frames", frames},
          {"check", int(s.check().verdict)}};
}

}  // namespace

StateFile::StateFile() {
  if (const char* path = std::getenv("TILEWALK_STATE_FILE")) path_ = path;
}

void StateFile::follow(const Session& session, std::uint64_t frames_drawn) {
  if (path_.empty() || session.revision() == written_) return;
  written_ = session.revision();
  const std::string line = json_of(session, frames_drawn).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  [[maybe_unused]] const auto written =
      write_file({.field = "", .path = path_, .to_disk = false}, std::as_bytes(std::span(line)));
}

}  // namespace tilewalk
