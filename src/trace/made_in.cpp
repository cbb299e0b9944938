#include "trace/made_in.h"

#include <optional>

#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

// The last section that has the phase, and whether it has it in its visits.
MadeIn last_made_in(const Schedule& schedule, Phase phase, bool in_visits_alone = false) {
  for (int section = schedule.section_count() - 1; section >= 0; --section) {
    const SectionPlan& plan = schedule.section(section);
    if (plan.place_in_visit(phase) >= 0) return {section, true, phase};
    if (!in_visits_alone && plan.place_on_edge(phase) >= 0) return {section, false, phase};
  }
  return {};
}

std::optional<Phase> forward_phase(const MadeBy& made_by, Quantity quantity) {
  switch (quantity) {
    case Quantity::M: return made_by.max;
    case Quantity::L: return made_by.sum;
    case Quantity::Alpha: return Phase::Rescale;
    case Quantity::O:
    case Quantity::VisitHash: return made_by.visit;
    case Quantity::Output:
    case Quantity::OutputHash: return made_by.output;
    case Quantity::Lse: return made_by.lse;
    default: return std::nullopt;
  }
}

Phase backward_phase(const MadeBy& made_by, Quantity quantity) {
  switch (quantity) {
    case Quantity::DV: return Phase::GradV;
    case Quantity::DP: return Phase::GradP;
    case Quantity::DS: return Phase::GradS;
    case Quantity::DQ: return Phase::GradQ;
    case Quantity::FinalDV: return made_by.final_dv;
    case Quantity::FinalDK:
    case Quantity::KvGradientHash: return made_by.final_dk;
    case Quantity::FinalDQ:
    case Quantity::QGradientHash: return made_by.final_dq;
    default: return Phase::GradK;  // dK, the last product of a visit, and the visit as a whole
  }
}

}  // namespace

MadeIn made_in(const Schedule& schedule, Quantity quantity, bool masked) {
  const ScheduleRow& row = row_of(schedule.problem());
  const MadeBy& made_by = row.trace.made_by;
  if (quantity == Quantity::S && row.trace.scores) return last_made_in(schedule, masked ? Phase::Mask : Phase::Scores);
  if (quantity == Quantity::P) return last_made_in(schedule, made_by.weights);
  if (row.family.backward) return last_made_in(schedule, backward_phase(made_by, quantity));
  const std::optional<Phase> phase = forward_phase(made_by, quantity);
  if (!phase) return {};
  return last_made_in(schedule, *phase, quantity == Quantity::Lse && made_by.lse_in_visit);
}

}  // namespace tilewalk
