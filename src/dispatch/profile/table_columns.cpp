#include "dispatch/profile/table_columns.h"

#include <algorithm>
#include <cmath>

#include "base/parse.h"

namespace tilewalk {
namespace {

constexpr double kLongestNs = 1e18;

struct TimeUnit {
  std::string_view word;
  double ns;
};
constexpr TimeUnit kTimeUnits[] = {{"ns", 1},         {"nsec", 1},         {"nsecond", 1}, {"us", 1e3},
                                   {"usec", 1e3},     {"usecond", 1e3},    {"ms", 1e6},    {"msec", 1e6},
                                   {"msecond", 1e6},  {"s", 1e9},          {"sec", 1e9},   {"second", 1e9},
                                   {"nanosecond", 1}, {"microsecond", 1e3}};

std::string_view without_unit(std::string_view head) {
  head = head.substr(0, head.rfind('('));
  while (head.ends_with(' ')) head.remove_suffix(1);
  return head;
}

}  // namespace

std::optional<double> time_unit(std::string_view word) {
  for (const TimeUnit& unit : kTimeUnits)
    if (unit.word == word) return unit.ns;
  return std::nullopt;
}

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

std::optional<std::size_t> TableColumns::find(std::string_view word) const {
  for (std::size_t i = 0; i < heads_.size(); ++i)
    if (without_unit(heads_[i]) == word) return i;
  return std::nullopt;
}

std::optional<double> TableColumns::unit(std::size_t column) const {
  const std::string& head = heads_[column];
  const std::size_t open = head.rfind('('), close = head.rfind(')');
  return open == std::string::npos || close < open
             ? std::nullopt
             : time_unit(std::string_view(head).substr(open + 1, close - open - 1));
}

std::optional<TimesTable> nsys_table(const TableColumns& columns) {
  const auto total = columns.find("Total Time"), calls = columns.find("Instances"), duration = columns.find("Duration");
  const auto name = columns.find("Name"), operation = columns.find("Operation");
  const bool sums = total && calls && (name || operation);
  if (!sums && !(duration && name && columns.find("Start"))) return std::nullopt;
  const std::size_t time = sums ? *total : *duration;
  return TimesTable{.name = name ? *name : *operation,
                    .time = time,
                    .calls = sums ? calls : std::nullopt,
                    .category = columns.find("Category"),
                    .begin = {},
                    .unit = columns.unit(time).value_or(1)};
}

// kernel_stats and kernel_trace of rocprofv3, and the stats and results of the earlier rocprof.
std::optional<TimesTable> rocprof_table(const TableColumns& columns) {
  const auto total = columns.find("TotalDurationNs"), calls = columns.find("Calls"), name = columns.find("Name");
  if (total && calls && name)
    return TimesTable{.name = *name, .time = *total, .calls = calls, .category = {}, .begin = {}, .unit = 1};
  const auto kernel = columns.find("Kernel_Name"), begin = columns.find("Start_Timestamp"),
             end = columns.find("End_Timestamp");
  if (kernel && begin && end)
    return TimesTable{.name = *kernel, .time = *end, .calls = {}, .category = {}, .begin = begin, .unit = 1};
  const auto earlier = columns.find("KernelName"), lasted = columns.find("DurationNs");
  if (earlier && lasted)
    return TimesTable{.name = *earlier, .time = *lasted, .calls = {}, .category = {}, .begin = {}, .unit = 1};
  return std::nullopt;
}

bool is_copy_name(std::string_view name) {
  constexpr std::string_view starts[] = {"[CUDA mem", "Memcpy", "Memset"};
  return std::any_of(std::begin(starts), std::end(starts), [&](std::string_view one) { return name.starts_with(one); });
}

}  // namespace tilewalk
