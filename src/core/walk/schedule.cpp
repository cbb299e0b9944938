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

std::int64_t first_step_in_section(const Schedule& s, int section, const HeadId& of) {
  if (section == s.section_count()) return s.step_count();
  const std::int64_t last_group = s.kv_outside(section) ? s.problem().kv_tiles() - 1 : 0;  // walked first in reverse
  const auto first_of = [&](std::int64_t group) {
    return s.first_step_of_group(section, {.batch = of.batch, .head = of.head, .group = group});
  };
  return std::min(first_of(0), first_of(last_group));
}

Cost section_cost(const Schedule& s, int section) {
  return s.totals_before(first_step_in_section(s, section + 1)).cost +
         s.totals_before(first_step_in_section(s, section)).cost.scaled(-1);
}

}  // namespace tilewalk
