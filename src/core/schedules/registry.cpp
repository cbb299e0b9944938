#include "core/schedules/registry.h"

#include "base/contains.h"
#include "base/nearest.h"
#include "core/problem/device_model.h"
#include "core/schedules/rows.h"
#include "core/walk/sectioned_schedule.h"

namespace tilewalk {
namespace {

constexpr const ScheduleRow* kRows[] = {
#define SCHEDULE(id) &k##id,
#include "core/problem/schedules.inc"
#undef SCHEDULE
};

}  // namespace

const ScheduleRow& schedule_row(ScheduleKind kind) {
  for (const ScheduleRow* row : kRows)
    if (row->identity.kind == kind) return *row;
  return kFlashV2;  // not reached: every kind has a row
}

const std::vector<ScheduleKind>& all_schedules() {
  static const std::vector<ScheduleKind> all = [] {
    std::vector<ScheduleKind> kinds;
    for (const ScheduleRow* row : kRows) kinds.push_back(row->identity.kind);
    return kinds;
  }();
  return all;
}

const char* name_of(ScheduleKind kind) { return schedule_row(kind).identity.id; }
const char* title_of(ScheduleKind kind) { return schedule_row(kind).identity.title; }
bool is_backward(ScheduleKind kind) { return schedule_row(kind).family.backward; }
std::vector<ScheduleKind> same_pass(ScheduleKind kind) {
  std::vector<ScheduleKind> kinds;
  for (const ScheduleRow* row : kRows)
    if (row->family.backward == is_backward(kind)) kinds.push_back(row->identity.kind);
  return kinds;
}

bool has_lanes(ScheduleKind kind) { return schedule_row(kind).lanes.write != nullptr; }

std::optional<ScheduleKind> schedule_from(const std::string& name) {
  for (const ScheduleRow* row : kRows)
    if (name == row->identity.id) return row->identity.kind;
  for (const ScheduleRow* row : kRows)
    if (spelled_alike(name, row->identity.id) || spelled_alike(name, row->identity.title)) return row->identity.kind;
  return std::nullopt;
}

bool fault_applies(Fault fault, ScheduleKind kind) {
  const std::span<const Fault> faults = schedule_row(kind).settings.faults;
  return fault == Fault::None || contains(faults, fault);
}

bool may_have_narrow_scores(const Problem& p) {
  return row_of(p).settings.narrow_scores && p.numerics.dtype != DType::Fp32;
}

const char* no_fault_reason(ScheduleKind kind) {
  return schedule_row(kind).family.backward ? "takes the forward pass's results as they are"
                                            : "never rescales or skips";
}

std::unique_ptr<const Schedule> make_schedule(const Problem& p) {
  return make_sectioned_schedule(p, row_of(p).walk.plan(p));
}

std::vector<Resident> peak_residents(const Problem& p) { return largest_residents(p, row_of(p).walk.plan(p)); }

std::int64_t peak_bytes(const Problem& p) {
  std::int64_t bytes = 0;
  for (const Resident& resident : peak_residents(p)) bytes += resident.bytes;
  return bytes;
}

Textbook textbook(const Problem& p) { return row_of(p).formulas.textbook(p); }
Cost whole_run_cost(const Problem& p) { return row_of(p).formulas.whole_run(p); }

Problem forward_of(Problem p) {
  p.schedule = row_of(p).family.forward;
  p.fault = Fault::None;
  p.machine.sram_bytes = std::int64_t(1) << 40;  // values do not depend on it
  return p;
}

const char* why_stages_deadlock(const Problem& p) {
  const auto why = row_of(p).lanes.why_deadlock;
  return why ? why(p) : nullptr;
}

int capability_of(const Problem& p) {
  const std::optional<DeviceModel> device = device_named(p.machine.device);
  return device ? device->compute_capability : 0;
}

std::int64_t splits_of(const Problem& p) { return row_of(p).walk.block == BlockKind::Split ? p.tiling.splits : 1; }

std::int64_t thread_blocks(const Problem& p) {
  const std::int64_t heads = p.shape.batch * p.shape.heads;
  return row_of(p).walk.block == BlockKind::Head ? heads : heads * p.q_tiles() * splits_of(p);
}

std::int64_t bytes_a_row(const Problem& p, Width width) {
  const std::int64_t e = p.numerics.element_bytes();
  switch (width) {
    case Width::Stored: return p.shape.d * e;
    case Width::Summed: return p.shape.d * 4;
    case Width::Scores: return p.shape.n_kv * p.numerics.score_bytes();
    case Width::Weights: return p.shape.n_kv * e;
    case Width::Number: return 4;
    case Width::Pair: return 8;
    case Width::Partials: return p.tiling.splits * (p.shape.d + 1) * 4;
  }
  return 0;
}

}  // namespace tilewalk
