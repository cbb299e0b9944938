// What a trace keeps of a walk: one row for each array of a recording and each hash. A row says which quantity it is
// of, where a Trace and a VisitState hold it, and its number in hashes. A schedule's recording has the arrays of what
// its visits make, or read as a tile, and of its results (core/schedules/ledger).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/values/quantity.h"
#include "trace/trace.h"

namespace tilewalk {

struct ScheduleRow;

// In the order of the arrays of a recording; hashes last. Final*: gradients as they leave the walk.
enum class TracedQuantity {
  M,
  L,
  S,
  P,
  O,
  Output,
  Alpha,
  Lse,
  DP,
  DS,
  DQ,
  DK,
  DV,
  FinalDQ,
  FinalDK,
  FinalDV,
  VisitHash,
  OutputHash,
  GradientHash,
  QGradientHash,
  KvGradientHash
};

struct TracedRow {
  TracedQuantity id{};
  const char* name;                   // "alpha", "state hash"
  Quantity quantity{};                // of a hash: the one of its quantities that is made last
  bool result = false;                // as it leaves the walk; else as it stands after a visit
  const char* array = nullptr;        // its name in a recording; null: a hash
  std::optional<unsigned> hash = {};  // its number in state_hash_word
  std::vector<float> Trace::*recorded = nullptr;
  std::vector<float> VisitState::*visit = nullptr;
};
const std::vector<TracedRow>& traced_rows();
const TracedRow& traced_row(TracedQuantity);
inline const char* name_of(TracedQuantity quantity) { return traced_row(quantity).name; }

// The arrays of a schedule's recording in full state, in their order in the file.
std::vector<const TracedRow*> recorded_arrays(const ScheduleRow&);
// Those that the hash of a visit covers. In a forward pass it covers no cells: O is made of them.
std::vector<const TracedRow*> hashed_arrays(const ScheduleRow&);
// The hash of a visit of the schedule: of m, l, alpha and O, or of gradients.
const TracedRow& visit_hash(const ScheduleRow&);

// One visit's part of an array, row-major: rows and columns of the largest tile.
struct TracedTile {
  std::int64_t rows = 0, cols = 0;
};
TracedTile traced_tile(const Problem&, QuantityShape);
// The shape of a whole array in a recording of so many visits; a result is shaped as O, L, Q or K.
std::vector<std::int64_t> recorded_shape(const Problem&, std::int64_t visits, const TracedRow&);
// True if a recording has results of KV tiles: dK and dV.
bool has_kv_results(const std::vector<const TracedRow*>&);

}  // namespace tilewalk
