// A schedule is arithmetic, not a recording: step_count, step(k) and totals_before(k) are pure functions of the
// problem, O(log tiles) in time and O(tiles per side) in memory, so N = 16 and N = 16 million open equally fast.
//
// Structure shared by all schedules: sections (kernel launches) run one after the other; in a section every (batch,
// head) in turn walks its groups (one per outer tile: a Q tile, or a KV tile where those are outside); a group is
// prologue steps, then tile visits of a fixed list of phases, then epilogue steps. In the forward passes a KV tile that
// no row sees has no group. In the backward passes a KV tile's group belongs to a KV head and visits the Q tiles of
// every query head that shares it, head after head, because dK and dV sum over all of them. A concrete schedule
// (schedules/*.cpp) only says what its sections are made of.
#pragma once

#include <memory>
#include <vector>

#include "core/walk/schedule_plan.h"

namespace tilewalk {

struct VisitCounts {
  std::int64_t full = 0;
  std::int64_t partial = 0;
  std::int64_t skipped = 0;
  std::int64_t visited() const { return full + partial; }
  bool operator==(const VisitCounts&) const = default;
};

struct Totals {
  Cost cost;
  std::int64_t visits_done = 0;  // tile visits of section 0 begun before the cursor (each tile once)
  bool operator==(const Totals&) const = default;
};

class Schedule {
 public:
  virtual ~Schedule() = default;
  virtual const Problem& problem() const = 0;
  virtual const SchedulePlan& plan() const = 0;
  virtual std::int64_t step_count() const = 0;
  virtual Step step(std::int64_t k) const = 0;             // 0 <= k < step_count()
  virtual Totals totals_before(std::int64_t k) const = 0;  // 0 <= k <= step_count()
  virtual Cost cost_of(const Step&) const = 0;
  virtual std::vector<Resident> residents(const Step&) const = 0;  // SRAM contents while that step runs
  virtual std::int64_t sram_peak_bytes() const = 0;
  virtual VisitCounts visit_counts() const = 0;  // over batch and heads
  int section_count() const { return int(plan().sections.size()); }
  const SectionPlan& section(int place) const { return plan().sections[std::size_t(place)]; }
  bool kv_outside(int section_place) const { return section(section_place).kv_outside; }  // groups are KV tiles
  SectionName section_name(int place) const { return section(place).name; }
  virtual int visit_section() const = 0;  // the first section with tile visits: the one that a trace records
  virtual TileRange visited(std::int64_t q_tile) const = 0;  // KV tiles this Q tile visits

  // Where things are. `group` is the outer tile, as in Step.
  virtual std::int64_t first_step_of_group(int section, const GroupId&) const = 0;
  virtual std::int64_t end_step_of_group(int section, const GroupId&) const = 0;
  // First step of a tile visit, and one past its last; -1 if that section never visits the tile.
  virtual std::int64_t first_step_of_visit(int section, const TileId&) const = 0;
  virtual std::int64_t end_step_of_visit(int section, const TileId&) const = 0;
  // Index of a visit among all visits of visit_section() over all (batch, head): the row of a trace. -1 if never
  // visited.
  virtual std::int64_t visit_index(const TileId&) const = 0;
  virtual TileClass tile_class(std::int64_t q_tile, std::int64_t kv_tile) const = 0;  // Full, Partial or Skipped
};

// The schedule of a problem, made by its row of core/schedules/registry. Precondition: validate(problem) is empty.
std::unique_ptr<const Schedule> make_schedule(const Problem&);

// True if the step, or an earlier one, did this phase: in its visit or, outside visits, in its group's prologue or
// epilogue.
bool has_reached(const Schedule&, const Step&, Phase);

// The first step of a head in a section, in either order of its KV tiles; section_count(): one past the last step.
std::int64_t first_step_in_section(const Schedule&, int section, const HeadId& = {});

// What one section (a kernel launch) costs over all batches and heads.
Cost section_cost(const Schedule&, int section);
// The first section that writes a tensor to HBM; -1 for tensors present from the start or never written.
int writing_section(const Schedule&, TensorId);

}  // namespace tilewalk
