#include "measured/hardware_traffic.h"

#include <map>

#include "base/parse.h"
#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "files/csv.h"
#include "files/file_io.h"

namespace tilewalk {
namespace {

bool same_traffic(const Problem& a, const Problem& b) {
  return a.schedule == b.schedule && a.shape.batch == b.shape.batch && a.shape.heads == b.shape.heads &&
         a.shape.kv_heads == b.shape.kv_heads && a.shape.n_q == b.shape.n_q && a.shape.n_kv == b.shape.n_kv &&
         a.shape.d == b.shape.d && a.shape.mask == b.shape.mask && a.tiling.br == b.tiling.br &&
         a.tiling.bc == b.tiling.bc && a.numerics.dtype == b.numerics.dtype && a.tiling.splits == b.tiling.splits;
}

struct Row {
  const std::map<std::string, std::size_t>& columns;
  const std::vector<std::string>& fields;
  std::string bad;  // the first column that could not be read

  const std::string& text(const std::string& column) {
    static const std::string none;
    const auto at = columns.find(column);
    if (at != columns.end() && at->second < fields.size()) return fields[at->second];
    if (bad.empty()) bad = column;
    return none;
  }
  std::int64_t number(const std::string& column) {
    constexpr std::int64_t kMost = std::int64_t(1) << 56;  // sums of many stay far below 2^63
    const std::optional<std::int64_t> found = within<std::int64_t>(parse_integer(text(column)), 0, kMost);
    if (!found && bad.empty()) bad = column;
    return found.value_or(0);
  }
  template <class T>
  T named(const std::string& column, std::optional<T> (*from)(const std::string&)) {
    const std::optional<T> found = from(text(column));
    if (!found && bad.empty()) bad = column;
    return found.value_or(T{});
  }
};

Problem problem_of(Row& row) {
  Problem p;
  p.schedule = row.named("schedule", schedule_from);
  p.shape.batch = row.number("batch");
  p.shape.heads = row.number("heads");
  p.shape.kv_heads = row.number("kv_heads");
  p.shape.n_q = row.number("n_q");
  p.shape.n_kv = row.number("n_kv");
  p.shape.d = row.number("d");
  p.shape.mask = row.named("mask", mask_from);
  p.tiling.br = row.number("br");
  p.tiling.bc = row.number("bc");
  p.numerics.dtype = row.named("dtype", dtype_from);
  p.tiling.splits = row.number("splits");
  p.machine.sram_bytes = 232448;
  return p;
}

}  // namespace

std::int64_t most_own_writes(const HardwareLaunch& l) { return 750000 + std::int64_t(40e6 * double(l.time_ns) / 1e9); }

HardwareLaunch HardwareMeasurement::total() const {
  HardwareLaunch sum;
  for (const HardwareLaunch& l : launches) {
    sum.read_bytes += l.read_bytes;
    sum.write_bytes += l.write_bytes;
    sum.l2_bytes += l.l2_bytes;
    sum.dram_read_bytes += l.dram_read_bytes;
    sum.end_write_bytes += l.end_write_bytes;
    sum.flushed_write_bytes += l.flushed_write_bytes;
    sum.shared_bytes += l.shared_bytes;
  }
  return sum;
}

const HardwareMeasurement* HardwareTraffic::find(const Problem& p) const {
  for (const HardwareMeasurement& m : measurements)
    if (same_traffic(m.problem, p)) return &m;
  return nullptr;
}

Result<HardwareTraffic> parse_hardware_traffic(std::string_view text, const std::string& name) {
  HardwareTraffic out;
  std::map<std::string, std::size_t> columns;
  for (CsvLines lines(text); lines.next();) {
    const std::string line(lines.line());
    const std::string where = name + ", line " + std::to_string(lines.number());
    if (!lines.shows())
      return Issue{where, "", "contains characters that are not printable", "Measure again, or restore the file"};
    if (line[0] == '#') {
      std::string_view rest = line;
      const std::string_view key = take_until(rest, ',');
      for (const auto& [word, to] : {std::pair{"# gpu", &out.gpu}, std::pair{"# driver", &out.driver},
                                     std::pair{"# tool", &out.tool}, std::pair{"# date", &out.date}})
        if (key == word) *to = rest;
      continue;
    }
    const std::vector<std::string> fields = csv_fields(line);
    if (columns.empty()) {
      for (std::size_t i = 0; i < fields.size(); ++i) columns[fields[i]] = i;
      continue;
    }
    Row row{columns, fields, {}};
    const Problem p = problem_of(row);
    HardwareLaunch launch;
    launch.launch = int(std::min<std::int64_t>(row.number("launch"), 1 << 20));
    launch.read_bytes = row.number("read_bytes");
    launch.write_bytes = row.number("write_bytes");
    launch.l2_bytes = row.number("l2_bytes");
    launch.dram_read_bytes = row.number("dram_read_bytes");
    launch.end_write_bytes = row.number("end_write_bytes");
    launch.flushed_write_bytes = launch.end_write_bytes + row.number("flush_write_bytes");
    launch.shared_bytes = row.number("shared_bytes");
    launch.time_ns = row.number("time_ns");
    if (!row.bad.empty())
      return Issue{where + ", " + row.bad, "", "is missing or cannot be read", "Measure again, or restore the file"};
    if (Issues issues = validate(p); !issues.empty())
      return Issue{where, "", "is not a problem that can be walked: " + in_one_line(issues),
                   "Measure again, or restore the file"};
    if (out.measurements.empty() || !same_traffic(out.measurements.back().problem, p))
      out.measurements.push_back({p, {}});
    out.measurements.back().launches.push_back(launch);
  }
  if (out.gpu.empty() || out.date.empty())
    return Issue{name, "", "does not say on which GPU and day it was measured", "Keep its first lines"};
  return out;
}

Result<HardwareTraffic> load_hardware_traffic(const std::string& path) {
  const Result<std::string> text = read_text_file(path, kMaxCsvBytes);
  if (!text) return text.issues();
  return parse_hardware_traffic(*text, path);
}

}  // namespace tilewalk
