// The plan of a concrete schedule: the phases of its sections, what each costs, and what is in SRAM meanwhile.
// Everything else follows from the geometry (walk/sectioned_schedule). Invariant: each phase's cost is bilinear in
// (rows, cols), so a sum over visits needs only four coefficients.
#pragma once

#include <functional>
#include <vector>

#include "core/problem/problem.h"
#include "core/walk/step.h"

namespace tilewalk {

// One tensor or array in SRAM while a step runs.
struct Resident {
  TensorId tensor;
  std::int64_t bytes;               // of shared memory
  std::int64_t register_bytes = 0;  // flash_v3, flash_v4: bytes in registers (or tensor memory) instead
};

struct SectionPlan {
  SectionName name = SectionName::Walk;
  std::vector<Phase> prologue{};  // once per Q tile, before its visits; cols is n_kv there
  std::vector<Phase> visit{};     // once per tile visit; empty: the section has no visits
  std::vector<Phase> epilogue{};  // once per Q tile, after its visits
  bool splits = false;            // groups are (Q tile, split): each visits its part of the KV tiles
  bool kv_outside = false;        // groups are KV tiles and visits run over Q tiles: "once per KV tile" above
  // With kv_outside: a group belongs to a KV head and visits the Q tiles of each query head that shares it, head after
  // head; a KV tile that no row sees has a group too (which stores its zero gradients).
  bool shares_heads = false;

  // A phase's index among the phases of a visit, or among those before and after the visits of a group; -1 if absent.
  int place_in_visit(Phase) const;
  int place_on_edge(Phase) const;
};

struct SchedulePlan {
  std::vector<SectionPlan> sections;
  bool visits_masked_tiles = false;  // standard computes wholly masked tiles too
  std::function<Cost(SectionName, Phase, std::int64_t rows, std::int64_t cols)> cost;
  std::function<std::vector<Resident>(SectionName, Phase, std::int64_t rows, std::int64_t cols)> residents;
};

// Bytes of the largest residents of any step of a plan, by resident.
std::vector<Resident> largest_residents(const Problem&, const SchedulePlan&);

}  // namespace tilewalk
