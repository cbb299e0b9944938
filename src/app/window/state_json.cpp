#include "app/window/state_json.h"

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

Json shortest(double value) {  // 2, not 2.0
  return value == std::floor(value) ? Json(std::int64_t(value)) : Json(value);
}

}  // namespace

Json state_json(const Session& s, std::uint64_t frames) {
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
          {"first_minute", s.tour().offers()},
          {"tour", s.tour().watches()},
          {"one_row", s.shows_one_row()},
          {"message", one_line(s.message() ? s.message()->text : "")},
          {"page", int(s.page())},
          {"pinned", name_of(s.baseline().schedule)},
          {"racing", s.race().running},
          {"race_failure", s.race().failure},
          {"race_rows", s.race().cpu ? s.race().cpu->rows.size() : 0},
          {"exporting", s.exporting().running},
          {"lesson", s.lesson().lesson() ? s.lesson().lesson()->number : 0},
          {"screen", s.lesson().lesson() ? s.lesson().screen_place() + 1 : 0},
          {"answered", s.lesson().lesson() && s.lesson().task().right},
          {"lab_task", s.lab().task() ? s.lab().task()->number : 0},
          {"lab_right", s.lab().result() && s.lab().is_current() ? Json(s.lab().result()->report.passed) : Json()},
          {"lab_visit", s.lab().visits_before()},
          {"lab_runs", s.lab().of_task().runs},
          {"lab_watched", s.lab().watched()},
          {"frames", frames},
          {"check", int(s.check().verdict)},
          {"check_reason", one_line(s.check().reason)}};
}

}  // namespace tilewalk
