#include "view/compare/compare_model.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/units.h"

namespace tilewalk {
namespace {

// Three figures, so that two times and the percentage between them agree.
std::string seconds_text(double seconds) {
  const bool milli = seconds >= 1e-3;
  const double value = seconds * (milli ? 1e3 : 1e6);
  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, milli ? "ms" : "µs");
}

std::string value_text(const CompareRow& row, double value, int sms, double clock_ghz) {
  const std::int64_t whole = std::int64_t(std::llround(value));
  switch (row.unit) {
    case CompareUnit::Bytes: return format_bytes(whole);
    case CompareUnit::YesNo: return value > 0 ? "yes" : "no";
    case CompareUnit::OfSms: return fmt::format("{} of {}", whole, sms);
    case CompareUnit::Count: return value < 1e9 ? format_count(whole) : fmt::format("{:.2e}", value);
    case CompareUnit::Operations: return format_flops(whole);
    case CompareUnit::Cycles: return seconds_text(value / clock_ghz / 1e9);
  }
  return "";
}

std::string difference_text(const CompareRow& row) {
  if (row.left == row.right) return row.unit == CompareUnit::YesNo ? "" : "same";
  const double change = row.right - row.left;
  const char* sign = change < 0 ? "−" : "+";
  switch (row.unit) {
    case CompareUnit::Bytes: return sign + format_bytes(std::int64_t(std::llround(std::fabs(change))));
    case CompareUnit::YesNo: return "";
    case CompareUnit::OfSms:
    case CompareUnit::Count:
    case CompareUnit::Operations:
    case CompareUnit::Cycles: break;
  }
  if (row.unit == CompareUnit::OfSms && row.left > 0 && row.right > 0)
    return fmt::format("{:.{}f}×", row.right / row.left, row.right < row.left ? 2 : 1);
  return change_text(row.left, row.right);
}

std::vector<CompareTransfer> transfer_lines(const std::vector<Transfer>& transfers) {
  std::vector<CompareTransfer> out;
  bool launches = false;
  for (const Transfer& t : transfers) launches |= t.section != transfers.front().section;
  for (const Transfer& t : transfers)
    out.push_back({fmt::format("{}{}: {} {}, {}, {}", launches ? fmt::format("pass {}, ", t.section + 1) : "",
                               name_of(t.phase), tensor_title(t.tensor), t.write ? "written" : "read",
                               counted(t.times, "time"), format_bytes(t.bytes)),
                   t.first_step + 1});
  return out;
}

}  // namespace

CompareModel build_compare_model(const Problem& left, const Problem& right) {
  CompareModel model;
  for (const Issue& issue : why_not_comparable(left, right)) model.problems.push_back(issue.text());
  return model.problems.empty() ? build_compare_model(build_comparison(left, right)) : model;
}

CompareModel build_compare_model(const Comparison& c) {
  CompareModel model;
  const DeviceModel& device = device_of(c.left.machine);
  model.heading = fmt::format("whole run, {}, {}", name_of(c.left.numerics.dtype), device.title);
  model.left_title = title_of(c.left.schedule);
  model.right_title = title_of(c.right.schedule);
  if (model.left_title == model.right_title) {
    model.left_title += " pinned";
    model.right_title += " now";
  }
  if (c.left.tiling.br != c.right.tiling.br || c.left.tiling.bc != c.right.tiling.bc) {
    model.left_title += fmt::format(" {}×{}", c.left.tiling.br, c.left.tiling.bc);
    model.right_title += fmt::format(" {}×{}", c.right.tiling.br, c.right.tiling.bc);
  }
  model.verdict = c.verdict;
  model.too_small = c.too_small;
  model.footnote = "* modelled; the rest is counted";
  for (const CompareRow& row : c.rows) {
    CompareLine line{row.id,
                     row.title,
                     value_text(row, row.left, c.left_sms, device.clock_ghz),
                     value_text(row, row.right, c.right_sms, device.clock_ghz),
                     difference_text(row),
                     0,
                     row.modelled,
                     "",
                     transfer_lines(row.left_transfers),
                     transfer_lines(row.right_transfers)};
    if (row.unit == CompareUnit::Cycles && c.too_small)
      line.difference = "too small to tell";
    else if (row.left != row.right)
      line.verdict = (row.right > row.left) == row.more_is_better ? 1 : -1;
    model.lines.push_back(std::move(line));
  }
  return model;
}

}  // namespace tilewalk
