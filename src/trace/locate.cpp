#include "trace/locate.h"

#include <optional>

#include "core/schedules/registry.h"
#include "trace/infinities.h"

namespace tilewalk {
namespace {

// One of these phases, in the visit or in the prologue or epilogue of the group.
struct MadeIn {
  int section = 0;
  bool in_visit = true;
  Phase phase{};
};

// The last section that has the phase, and whether the phase is in its visits.
MadeIn last_made_in(const Schedule& schedule, Phase phase, bool in_visits_alone = false) {
  for (int section = schedule.section_count() - 1; section >= 0; --section) {
    const SectionPlan& plan = schedule.section(section);
    if (plan.place_in_visit(phase) >= 0) return {section, true, phase};
    if (!in_visits_alone && plan.place_on_edge(phase) >= 0) return {section, false, phase};
  }
  return {};
}

std::optional<Phase> forward_phase(const MadeBy& made_by, TracedQuantity quantity) {
  switch (quantity) {
    case TracedQuantity::M: return made_by.max;
    case TracedQuantity::L: return made_by.sum;
    case TracedQuantity::Alpha: return Phase::Rescale;
    case TracedQuantity::O:
    case TracedQuantity::VisitHash: return made_by.visit;
    case TracedQuantity::Output:
    case TracedQuantity::OutputHash: return made_by.output;
    case TracedQuantity::Lse: return made_by.lse;
    default: return std::nullopt;
  }
}

Phase backward_phase(const MadeBy& made_by, TracedQuantity quantity) {
  switch (quantity) {
    case TracedQuantity::DV: return Phase::GradV;
    case TracedQuantity::DP: return Phase::GradP;
    case TracedQuantity::DS: return Phase::GradS;
    case TracedQuantity::DQ: return Phase::GradQ;
    case TracedQuantity::FinalDV: return made_by.final_dv;
    case TracedQuantity::FinalDK:
    case TracedQuantity::KvGradientHash: return made_by.final_dk;
    case TracedQuantity::FinalDQ:
    case TracedQuantity::QGradientHash: return made_by.final_dq;
    default: return Phase::GradK;  // dK, the last product of a visit, and the visit as a whole
  }
}

// `masked`: one of the two scores that differ is masked.
MadeIn made_in(const Schedule& schedule, TracedQuantity quantity, bool masked) {
  const ScheduleRow& row = row_of(schedule.problem());
  const MadeBy& made_by = row.trace.made_by;
  if (quantity == TracedQuantity::S && row.trace.scores)
    return last_made_in(schedule, masked ? Phase::Mask : Phase::Scores);
  if (quantity == TracedQuantity::P) return last_made_in(schedule, made_by.weights);
  if (row.family.backward) return last_made_in(schedule, backward_phase(made_by, quantity));
  const std::optional<Phase> phase = forward_phase(made_by, quantity);
  if (!phase) return {};
  return last_made_in(schedule, *phase, quantity == TracedQuantity::Lse && made_by.lse_in_visit);
}

// The step of a phase in the prologue or epilogue of a group.
std::int64_t edge_step(const Schedule& schedule, const MadeIn& made, const Divergence& at) {
  const std::int64_t outer = at.q_tile < 0 ? at.kv_tile : at.q_tile;
  const std::int64_t first = schedule.first_step_of_group(made.section, at.batch, at.head, outer);
  const std::int64_t end = schedule.end_step_of_group(made.section, at.batch, at.head, outer);
  for (std::int64_t k = first; k < end && !schedule.step(k).in_visit(); ++k) {
    if (schedule.step(k).phase == made.phase) return k;
  }
  for (std::int64_t k = end - 1; k > first && !schedule.step(k).in_visit(); --k) {
    if (schedule.step(k).phase == made.phase) return k;
  }
  return first;
}

}  // namespace

void locate(const Schedule& schedule, Divergence& at) {
  const bool masked = at.expected && at.got && is_masked(*at.expected) != is_masked(*at.got);
  const MadeIn made = made_in(schedule, at.quantity, masked);
  const TileRange range = at.q_tile < 0 ? TileRange{} : schedule.visited(at.q_tile);
  const bool reverse = schedule.problem().tiling.order == KvOrder::Reverse;
  const std::int64_t last_visit = range.count() == 0 ? -1 : reverse ? range.begin : range.end - 1;
  const std::int64_t kv_tile = made.in_visit && at.kv_tile < 0 ? last_visit : at.kv_tile;
  std::int64_t k = 0;
  if (made.in_visit && kv_tile >= 0) {
    k = schedule.first_step_of_visit(made.section, at.batch, at.head, at.q_tile, kv_tile);
    const std::int64_t end = schedule.end_step_of_visit(made.section, at.batch, at.head, at.q_tile, kv_tile);
    while (k + 1 < end && schedule.step(k).phase != made.phase) ++k;
  } else if (made.in_visit) {
    k = schedule.first_step_of_group(0, at.batch, at.head, at.q_tile);  // never visited: the first launch wrote it
  } else {
    k = edge_step(schedule, made, at);
  }
  at.step = k;
  at.phase = schedule.step(k).phase;
}

}  // namespace tilewalk
