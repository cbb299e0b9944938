#include "lab/gpu/records.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace tilewalk::lab {
namespace {

std::int64_t visit_floats(const MarkShape& shape) { return 2 * shape.br + shape.br * shape.d; }
std::int64_t row_floats(const MarkShape& shape) { return 2 + shape.d; }

template <class T>
T read_at(std::span<const std::byte> bytes, std::int64_t offset) {
  T out;
  std::memcpy(&out, bytes.data() + offset, sizeof out);
  return out;
}

std::vector<float> floats_at(std::span<const std::byte> bytes, std::int64_t offset, std::int64_t count) {
  std::vector<float> out(std::size_t(count), 0.0f);
  std::memcpy(out.data(), bytes.data() + offset, out.size() * sizeof(float));
  return out;
}

// The order of records, from the visit at `first` on. Stable.
void sort_records(std::vector<RunVisit>& visits, std::size_t first) {
  const auto key = [](const RunVisit& each) {
    return std::tuple(each.thread_block, each.of_row, each.of_row ? each.first_row : 0, each.of_row ? each.kv_tile : 0);
  };
  std::stable_sort(visits.begin() + std::ptrdiff_t(first), visits.end(),
                   [&](const RunVisit& a, const RunVisit& b) { return key(a) < key(b); });
}

}  // namespace

RecordLayout layout_of(const GpuLaunch& launch, const MarkShape& shape) {
  RecordLayout out;
  const auto next = [&](std::int64_t& offset, std::int64_t count, std::int64_t bytes) {
    offset = out.bytes;
    out.bytes += (std::max<std::int64_t>(count, 1) * bytes + 255) / 256 * 256;
  };
  const std::int64_t blocks = launch.blocks(), visits = blocks * launch.most_visits, rows = blocks * launch.most_rows;
  next(out.visits, visits, sizeof(DeviceVisit));
  next(out.states, visits, visit_floats(shape) * 4);
  next(out.rows, rows, sizeof(DeviceRow));
  next(out.row_states, rows, row_floats(shape) * 4);
  next(out.row_count, blocks, 4);
  next(out.passed, blocks * launch.threads(), 4);
  next(out.closed, blocks, 4);
  return out;
}

DeviceRecorder recorder_at(std::uint64_t base, const RecordLayout& at, const GpuLaunch& launch) {
  const auto place = [&](std::int64_t offset) { return base + std::uint64_t(offset); };
  return {place(at.visits),
          place(at.states),
          place(at.rows),
          place(at.row_states),
          place(at.row_count),
          place(at.passed),
          place(at.closed),
          std::uint32_t(launch.most_visits),
          std::uint32_t(launch.most_rows)};
}

std::int64_t read_records(std::span<const std::byte> bytes, const RecordLayout& at, const GpuLaunch& launch,
                          const MarkShape& shape, std::int64_t blocks_before, std::vector<RunVisit>& out) {
  std::int64_t dropped = 0;
  const std::size_t first = out.size();
  for (std::int64_t block = 0; block < launch.blocks(); ++block) {
    RunVisit start;
    start.thread_block = blocks_before + block;
    start.head = block / launch.grid[0] % launch.grid[1] % std::max<std::int64_t>(shape.heads, 1);
    start.batch = block / launch.grid[0] / launch.grid[1] % std::max<std::int64_t>(shape.batch, 1);
    for (std::int64_t number = 0; number < launch.most_visits; ++number) {
      const std::int64_t slot = block * launch.most_visits + number;
      const auto mark = read_at<DeviceVisit>(bytes, at.visits + slot * std::int64_t(sizeof(DeviceVisit)));
      if (mark.closed != 1) {
        dropped += mark.passed > 0;
        continue;
      }
      RunVisit visit = start;
      visit.q_tile = mark.q_tile, visit.kv_tile = mark.kv_tile;
      visit.first_row = visit.q_tile * shape.br;
      visit.rows = std::min(shape.br, shape.n_q - visit.first_row);
      visit.place.line = mark.line;
      const std::int64_t state = at.states + slot * visit_floats(shape) * 4;
      if (mark.kept & 1) visit.m = floats_at(bytes, state, visit.rows);
      if (mark.kept & 2) visit.l = floats_at(bytes, state + shape.br * 4, visit.rows);
      if (mark.kept & 4) visit.o = floats_at(bytes, state + shape.br * 8, visit.rows * shape.d);
      out.push_back(std::move(visit));
    }
    const std::int64_t passed = read_at<std::uint32_t>(bytes, at.row_count + block * 4);
    dropped += std::max<std::int64_t>(passed - launch.most_rows, 0);
    for (std::int64_t number = 0; number < std::min(passed, launch.most_rows); ++number) {
      const std::int64_t slot = block * launch.most_rows + number;
      const auto mark = read_at<DeviceRow>(bytes, at.rows + slot * std::int64_t(sizeof(DeviceRow)));
      if (mark.row < 0 || mark.row >= shape.n_q || mark.kv_tile < 0 || mark.kv_tile * shape.bc >= shape.n_kv) {
        ++dropped;
        continue;
      }
      RunVisit visit = start;
      visit.of_row = true;
      visit.first_row = mark.row, visit.rows = 1, visit.kv_tile = mark.kv_tile, visit.q_tile = mark.row / shape.br;
      visit.place.line = mark.line;
      const std::int64_t state = at.row_states + slot * row_floats(shape) * 4;
      if (mark.kept & 1) visit.m = floats_at(bytes, state, 1);
      if (mark.kept & 2) visit.l = floats_at(bytes, state + 4, 1);
      if (mark.kept & 4) visit.o = floats_at(bytes, state + 8, shape.d);
      out.push_back(std::move(visit));
    }
  }
  sort_records(out, first);
  return dropped;
}

std::vector<RunVisit> in_record_order(std::vector<RunVisit> visits) {
  sort_records(visits, 0);
  return visits;
}

}  // namespace tilewalk::lab
