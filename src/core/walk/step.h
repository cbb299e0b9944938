// One schedule operation: the unit of the cursor. A Step says what is done, where, and at what cost; it contains no
// values.
#pragma once

#include <array>
#include <cstdint>

#include "core/problem/mask.h"
#include "core/problem/tensor.h"
#include "core/problem/tile_id.h"

namespace tilewalk {

// What a step does inside a tile visit (or before the first and after the last visit of a tile's row).
enum class Phase {
#define PHASE(id, word, doing) id,
#include "core/walk/phases.inc"
#undef PHASE
};
inline constexpr int kPhaseCount = 0
#define PHASE(id, word, doing) +1
#include "core/walk/phases.inc"
#undef PHASE
    ;
const char* name_of(Phase);  // "load", "scores", … as in the glossary
const char* tag_of(Phase);   // "LoadQ": its enumerator, as kernels mark their lines

// The purpose of a section, one kernel launch of a schedule.
enum class SectionName {
  Walk,        // every tile visit of a flash pass
  Initialise,  // flash_v1, backward_v1: writes the initial values of the sums that visits add to
  Scores,      // standard: S = Q K^T
  Softmax,     // standard: P, row by row
  Output,      // standard: O = P V; flash_v1: reads O again to round it
  Merge,       // split_kv: merges the splits of each Q tile
  Dots,        // backward: D = rowsum(dO o O)
  Scale,       // backward, backward_v1: dQ times g
  GradV,       // backward_standard: dV = P^T dO
  GradP,       // dP = dO V^T
  GradS,       // dS, row by row
  GradQ,       // dQ = dS K
  GradK,       // dK = dS^T Q
};
const char* name_of(SectionName);  // "walk", "softmax", …

struct Traffic {
  std::int64_t read_bytes = 0;
  std::int64_t write_bytes = 0;
  Traffic& operator+=(const Traffic& t) {
    read_bytes += t.read_bytes;
    write_bytes += t.write_bytes;
    return *this;
  }
  std::int64_t bytes() const { return read_bytes + write_bytes; }
  bool operator==(const Traffic&) const = default;
};

// The cost of an operation or of many. HBM per tensor and direction in bytes of the tensor's dtype, exactly as the
// kernel asks for it. SRAM: each on-chip operand read and each result written once per operation; registers are not
// modelled. FLOPs: matmul (2 per multiply-add), exponentials, other (every floating add, multiply, compare, divide and
// logarithm outside the products is 1; an fma outside the products is 2; index arithmetic is not counted).
struct Cost {
  std::array<Traffic, kTensorCount> hbm{};
  Traffic sram{};
  std::int64_t matmul = 0;
  std::int64_t exp = 0;
  std::int64_t other = 0;

  bool operator==(const Cost&) const = default;
  Traffic& of(TensorId id) { return hbm[std::size_t(id)]; }
  const Traffic& of(TensorId id) const { return hbm[std::size_t(id)]; }
  Traffic hbm_total() const;
  Cost& operator+=(const Cost&);
  friend Cost operator+(Cost a, const Cost& b) { return a += b; }
  Cost scaled(std::int64_t factor) const;
};

struct Step {
  std::int64_t index = 0;  // position in the schedule: this step moves the cursor from index to index + 1
  int section = 0;         // a section is one kernel launch: its index among the schedule's sections
  SectionName section_name = SectionName::Walk;  // the purpose of that section
  Phase phase{};
  std::int64_t batch = 0;
  std::int64_t head = 0;    // a query head; outside visits of a group that serves several heads, the first or the last
  std::int64_t group = 0;   // q_tile; kv_tile where KV tiles are outside; q_tile * splits + split in split_kv's walk
  std::int64_t split = 0;   // split_kv: index of the split of the KV range; 0 elsewhere
  std::int64_t q_tile = 0;  // -1 where a KV tile is outside and the step has no Q tile
  std::int64_t kv_tile = -1;                  // -1 outside tile visits
  TileClass tile_class = TileClass::Pending;  // Full or Partial inside a visit, Pending outside
  std::int64_t row_begin = 0, row_end = 0;    // rows of the Q tile
  std::int64_t col_begin = 0, col_end = 0;    // columns of the KV tile; all columns in standard pass 2
  std::int64_t visit = -1;                    // which visit of this group, from 0; -1 outside visits
  std::int64_t visits_in_group = 0;
  int phase_in_visit = 0;         // from 0
  int phases_in_visit = 0;        // or the count of prologue/epilogue steps outside visits
  std::int64_t visit_index = -1;  // visits of the whole section before this one; -1 outside visits

  std::int64_t rows() const { return row_end - row_begin; }
  std::int64_t cols() const { return col_end - col_begin; }
  bool in_visit() const { return visit >= 0; }
  TileId tile() const { return {batch, head, q_tile, kv_tile}; }
  HeadId head_id() const { return {batch, head}; }
  QTileId q_tile_id() const { return {batch, head, q_tile}; }
  GroupId group_id() const { return {batch, head, group}; }
  bool operator==(const Step&) const = default;
};

}  // namespace tilewalk
