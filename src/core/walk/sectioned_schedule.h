// The shared machinery of schedules: sections of groups of prologue steps, tile visits and epilogue steps, counted in
// closed form. A concrete schedule supplies a SchedulePlan; everything else follows from the geometry.
// Invariant: each phase's cost is bilinear in (rows, cols), so a sum over visits needs only four coefficients.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/walk/schedule.h"
#include "core/walk/tile_walk.h"

namespace tilewalk {

struct SectionPlan {
  std::vector<Phase> prologue;  // once per Q tile, before its visits; cols is n_kv there
  std::vector<Phase> visit;     // once per tile visit; empty: the section has no visits
  std::vector<Phase> epilogue;  // once per Q tile, after its visits
  bool splits = false;          // groups are (Q tile, split): each visits its share of the KV tiles
  bool kv_outside = false;      // groups are KV tiles and visits run over Q tiles: "once per KV tile" above
  // With kv_outside: a group belongs to a KV head and visits the Q tiles of each query head that shares it, head after
  // head; a KV tile that no row sees has a group too (its gradients are zeros, and are stored).
  bool shares_heads = false;
};

struct SchedulePlan {
  std::vector<SectionPlan> sections;
  bool visits_masked_tiles = false;  // standard computes wholly masked tiles too
  std::function<Cost(int section, Phase, std::int64_t rows, std::int64_t cols)> cost;
  std::function<std::vector<Resident>(int section, Phase, std::int64_t rows, std::int64_t cols)> residents;
};

std::unique_ptr<const Schedule> make_sectioned_schedule(const Problem&, SchedulePlan);

// One per file in schedules/.
SchedulePlan standard_plan(const Problem&);
SchedulePlan flash_v1_plan(const Problem&);
SchedulePlan flash_v2_plan(const Problem&);
SchedulePlan flash_v3_plan(const Problem&);  // flash_v4 too: the same steps, on other values
SchedulePlan split_kv_plan(const Problem&);
SchedulePlan backward_plan(const Problem&);  // backward_v1 too
SchedulePlan backward_standard_plan(const Problem&);
SchedulePlan plan_for(const Problem&);

// Bytes of the largest residents of any step of a plan, by resident.
std::vector<Resident> largest_residents(const Problem&, const SchedulePlan&);

}  // namespace tilewalk
