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

bool standard_row_fits(const Problem& p) { return p.shape.n_kv * 4 + 8 <= p.machine.sram_bytes; }

bool backward_row_fits(const Problem& p) {
  return p.shape.n_kv * (p.numerics.element_bytes() + 4) + 4 <= p.machine.sram_bytes;
}

Cost section_cost(const Schedule& s, int section) {
  const auto begin = [&](int at) {
    if (at == s.section_count()) return s.step_count();
    // the group walked first, in reverse order
    const std::int64_t last_group = s.kv_outside(at) ? s.problem().kv_tiles() - 1 : 0;
    return std::min(s.first_step_of_group(at, 0, 0, 0), s.first_step_of_group(at, 0, 0, last_group));
  };
  return s.totals_before(begin(section + 1)).cost + s.totals_before(begin(section)).cost.scaled(-1);
}

}  // namespace tilewalk
