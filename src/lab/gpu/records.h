// Where marks are recorded in the GPU's memory, and how the visits are read from it. The structs are those of
// prelude.cuh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lab/gpu/gpu_job.h"

namespace tilewalk::lab {

struct DeviceVisit {
  std::uint32_t passed;
  std::int32_t closed, q_tile, kv_tile, kept, line, stride, unused;
  std::uint64_t m, l, o;
};
struct DeviceRow {
  std::int32_t row, kv_tile, kept, line;
};
struct DeviceRecorder {
  std::uint64_t visits, states, rows, row_states, row_count, passed, closed;
  std::uint32_t most_visits, most_rows;
};
static_assert(sizeof(DeviceVisit) == 56 && sizeof(DeviceRow) == 16 && sizeof(DeviceRecorder) == 64);

// Offsets in bytes, each a multiple of 256.
struct RecordLayout {
  std::int64_t visits = 0, states = 0, rows = 0, row_states = 0, row_count = 0, passed = 0, closed = 0, bytes = 0;
};
RecordLayout layout_of(const GpuLaunch&, const MarkShape&);
DeviceRecorder recorder_at(std::uint64_t base, const RecordLayout&, const GpuLaunch&);

// Appends a launch's visits in the order of blocks, of a block first marks of all rows in their order, then marks of
// one row by row and KV tile. Returns the number of marks that are not among them.
std::int64_t read_records(std::span<const std::byte>, const RecordLayout&, const GpuLaunch&, const MarkShape&,
                          std::int64_t blocks_before, std::vector<RunVisit>& out);

// The order of read_records, for the visits of an interpreter's run. Stable.
std::vector<RunVisit> in_record_order(std::vector<RunVisit>);

}  // namespace tilewalk::lab
