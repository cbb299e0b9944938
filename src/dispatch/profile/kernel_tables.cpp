#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "dispatch/profile/profile_readers.h"
#include "dispatch/profile/table_columns.h"

namespace tilewalk {
namespace {

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

// rocprof's tables of a program's calls have the same columns as its table of kernels.
bool is_host_call(std::string_view name) {
  const bool api = (name.starts_with("hip") || name.starts_with("hsa_")) && name.find_first_of(" :<(") == name.npos;
  return api || name.ends_with("_API") || name == "KERNEL_DISPATCH" || name == "MEMORY_COPY";
}

// A line for each kernel, or for each launch.
void read_times(CsvRecords& records, const TableColumns& columns, const TimesTable& table, KernelTally& tally) {
  while (next_row(records, columns)) {
    const auto& fields = records.fields();
    const std::string& name = fields[table.name];
    const bool is_copy = name.starts_with("[CUDA mem") || (table.category && fields[*table.category] == "MEMORY_OPER");
    const auto calls = table.calls ? amount(fields[*table.calls]) : std::optional(1.0);
    auto time = amount(fields[table.time]);
    if (const auto begin = table.begin ? amount(fields[*table.begin]) : std::nullopt; time && begin)
      time = *time >= *begin ? std::optional(*time - *begin) : std::nullopt;
    if (is_host_call(name)) continue;
    if (!add(records, tally, name, is_copy, time_of(calls, time, table.unit))) return;
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
    const bool tells_time = contains(kNcuTimes, fields[metric]);
    if (tells_time && !time)
      if (const auto ns = time_unit(fields[*unit])) time = time_of(1, amount(fields[*value]), *ns);
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
      if (at) unit = time_unit(fields[*at]).value_or(1);
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
    if (const auto nsys = nsys_table(columns)) {
      format = ProfileFormat::NsightSystems;
      read_times(records, columns, *nsys, tally);
    } else if (const auto rocprof = rocprof_table(columns)) {
      format = ProfileFormat::Rocprof;
      read_times(records, columns, *rocprof, tally);
    } else if (columns.find("ID") && columns.find("Kernel Name")) {
      format = ProfileFormat::NsightCompute;
      columns.find("Metric Name") ? read_ncu_metrics(records, columns, tally) : read_ncu_raw(records, columns, tally);
    }
  }
  if (records.failed()) return records.issues();
  return format;
}

}  // namespace tilewalk
