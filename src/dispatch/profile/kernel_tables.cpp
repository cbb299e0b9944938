#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parse.h"
#include "dispatch/profile/profile_readers.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostLinesBefore = 1000;  // lines that tools print before the table
constexpr double kLongestNs = 1e18;

struct TimeUnit {
  std::string_view word;
  double ns;
};
constexpr TimeUnit kTimeUnits[] = {{"ns", 1},         {"nsec", 1},         {"nsecond", 1}, {"us", 1e3},
                                   {"usec", 1e3},     {"usecond", 1e3},    {"ms", 1e6},    {"msec", 1e6},
                                   {"msecond", 1e6},  {"s", 1e9},          {"sec", 1e9},   {"second", 1e9},
                                   {"nanosecond", 1}, {"microsecond", 1e3}};

std::optional<double> unit_of(std::string_view word) {
  for (const TimeUnit& unit : kTimeUnits)
    if (unit.word == word) return unit.ns;
  return std::nullopt;
}

// "7,712" and "12.5": numbers in the tools' format.
std::optional<double> amount(std::string text) {
  std::erase(text, ',');
  const auto value = parse_real(text);
  return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

std::optional<KernelTime> time_of(std::optional<double> calls, std::optional<double> amount, double unit) {
  if (!calls || *calls > 1e15 || *calls != std::floor(*calls) || !amount || *amount * unit > kLongestNs)
    return std::nullopt;
  return KernelTime{.calls = std::int64_t(*calls), .ns = std::llround(*amount * unit)};
}

// The columns of a table, by their titles: "Total Time (ns)" is "Total Time" in nanoseconds.
class TableColumns {
 public:
  explicit TableColumns(const std::vector<std::string>& heads) : heads_(heads) {}

  std::optional<std::size_t> find(std::string_view word) const {
    for (std::size_t i = 0; i < heads_.size(); ++i)
      if (without_unit(heads_[i]) == word) return i;
    return std::nullopt;
  }
  std::optional<double> unit(std::size_t column) const {
    const std::string& head = heads_[column];
    const std::size_t open = head.rfind('('), close = head.rfind(')');
    return open == std::string::npos || close < open
               ? std::nullopt
               : unit_of(std::string_view(head).substr(open + 1, close - open - 1));
  }
  std::size_t size() const { return heads_.size(); }

 private:
  static std::string_view without_unit(std::string_view head) {
    head = head.substr(0, head.rfind('('));
    while (head.ends_with(' ')) head.remove_suffix(1);
    return head;
  }
  std::vector<std::string> heads_;
};

bool add(CsvRecords& records, KernelTally& tally, std::string_view name, bool is_copy, std::optional<KernelTime> time) {
  if (!time) return records.refuse("a kernel without a time");
  if (name.empty()) return records.refuse("a kernel without a name");
  if (is_copy ? tally.add_copy(*time) : tally.add_kernel(name, *time)) return true;
  return records.refuse("more time than can be");
}

// True if the record belongs to the table: false after the table's end, and after an issue.
bool next_row(CsvRecords& records, const TableColumns& columns) {
  if (!records.next()) return false;
  if (records.fields().size() == columns.size()) return true;
  if (records.fields().size() == 1 && records.ended_by_line()) return false;
  return records.refuse(
      fmt::format("{} fields in a line of a table of {} columns", records.fields().size(), columns.size()));
}

struct NsysTable {
  std::size_t name, time;
  std::optional<std::size_t> calls, category;  // no column of calls: one call a line
  double unit;
};

std::optional<NsysTable> nsys_table(const TableColumns& columns) {
  const auto total = columns.find("Total Time"), calls = columns.find("Instances"), duration = columns.find("Duration");
  const auto name = columns.find("Name"), operation = columns.find("Operation");
  const bool sums = total && calls && (name || operation);
  if (!sums && !(duration && name && columns.find("Start"))) return std::nullopt;
  const std::size_t time = sums ? *total : *duration;
  return NsysTable{.name = name ? *name : *operation,
                   .time = time,
                   .calls = sums ? calls : std::nullopt,
                   .category = columns.find("Category"),
                   .unit = columns.unit(time).value_or(1)};
}

void read_nsys(CsvRecords& records, const TableColumns& columns, const NsysTable& table, KernelTally& tally) {
  while (next_row(records, columns)) {
    const auto& fields = records.fields();
    const std::string& name = fields[table.name];
    const bool is_copy = name.starts_with("[CUDA mem") || (table.category && fields[*table.category] == "MEMORY_OPER");
    const auto calls = table.calls ? amount(fields[*table.calls]) : std::optional(1.0);
    if (!add(records, tally, name, is_copy, time_of(calls, amount(fields[table.time]), table.unit))) return;
  }
}

constexpr std::string_view kNcuTimes[] = {"gpu__time_duration.sum", "Duration", "gpu__time_duration.avg"};

std::optional<std::size_t> ncu_time_column(const TableColumns& columns) {
  for (const std::string_view word : kNcuTimes)
    if (const auto at = columns.find(word)) return at;
  return std::nullopt;
}

// A line for each metric of a launch; one of them may be its time.
void read_ncu_metrics(CsvRecords& records, const TableColumns& columns, KernelTally& tally) {
  const std::size_t id = *columns.find("ID"), name = *columns.find("Kernel Name"),
                    metric = *columns.find("Metric Name");
  const auto value = columns.find("Metric Value"), unit = columns.find("Metric Unit"),
             process = columns.find("Process ID");
  if (!value || !unit) return void(records.refuse("a table of Nsight Compute without values"));
  std::string launch, kernel;
  std::optional<KernelTime> time;
  bool any = false;
  const auto finish = [&] {
    if (!any) return true;
    if (!time) tally.no_times();
    return add(records, tally, kernel, false, time.value_or(KernelTime{.calls = 1, .ns = 0}));
  };
  while (next_row(records, columns)) {
    const auto& fields = records.fields();
    std::string this_launch = (process ? fields[*process] : "") + "/" + fields[id];
    if (!any || this_launch != launch) {
      if (!finish()) return;
      any = true, launch = std::move(this_launch), kernel = fields[name], time.reset();
    }
    const bool tells_time =
        std::find(std::begin(kNcuTimes), std::end(kNcuTimes), fields[metric]) != std::end(kNcuTimes);
    if (tells_time && !time)
      if (const auto ns = unit_of(fields[*unit])) time = time_of(1, amount(fields[*value]), *ns);
  }
  if (!records.failed()) finish();
}

// --page raw: a line for each launch, after a line of units.
void read_ncu_raw(CsvRecords& records, const TableColumns& columns, KernelTally& tally) {
  const std::size_t id = *columns.find("ID"), name = *columns.find("Kernel Name");
  const auto at = ncu_time_column(columns);
  double unit = 1;
  for (bool first = true; next_row(records, columns); first = false) {
    const auto& fields = records.fields();
    if (first && fields[id].empty()) {
      if (at) unit = unit_of(fields[*at]).value_or(1);
      continue;
    }
    const auto time = at ? time_of(1, amount(fields[*at]), unit) : std::nullopt;
    if (!time) tally.no_times();
    if (!add(records, tally, fields[name], false, time.value_or(KernelTime{.calls = 1, .ns = 0}))) return;
  }
}

}  // namespace

Result<std::optional<ProfileFormat>> read_tables(CsvRecords& records, KernelTally& tally) {
  std::optional<ProfileFormat> format;
  for (std::size_t line = 0; !format && line < kMostLinesBefore && records.next(); ++line) {
    const TableColumns columns(records.fields());
    if (const auto table = nsys_table(columns)) {
      format = ProfileFormat::NsightSystems;
      read_nsys(records, columns, *table, tally);
    } else if (columns.find("ID") && columns.find("Kernel Name")) {
      format = ProfileFormat::NsightCompute;
      columns.find("Metric Name") ? read_ncu_metrics(records, columns, tally) : read_ncu_raw(records, columns, tally);
    }
  }
  if (records.failed()) return records.issues();
  return format;
}

}  // namespace tilewalk
