#include "core/walk/schedule.h"

#include <algorithm>

namespace tilewalk {

bool has_reached(const Schedule& schedule, const Step& step, Phase phase) {
  const SectionPlan& section = schedule.section(step.section);
  const int place = step.in_visit() ? section.place_in_visit(phase) : section.place_on_edge(phase);
  return place >= 0 && step.phase_in_visit >= place;
}

int writing_section(const Schedule& schedule, TensorId id) {
  for (int section = 0; section < schedule.section_count(); ++section)
    if (section_cost(schedule, section).of(id).write_bytes > 0) return section;
  return -1;
}

Cost section_cost(const Schedule& s, int section) {
  const auto begin = [&](int at) {
    if (at == s.section_count()) return s.step_count();
    const std::int64_t last_group = s.kv_outside(at) ? s.problem().kv_tiles() - 1 : 0;  // the first walked, in reverse
    return std::min(s.first_step_of_group(at, {.group = 0}), s.first_step_of_group(at, {.group = last_group}));
  };
  return s.totals_before(begin(section + 1)).cost + s.totals_before(begin(section)).cost.scaled(-1);
}

}  // namespace tilewalk
