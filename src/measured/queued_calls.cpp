#include "measured/queued_calls.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "base/parse.h"
#include "files/csv.h"
#include "files/file_io.h"
#include "measured/race_times.h"

namespace tilewalk {
namespace {

constexpr const char* kCallColumns = "kind,contender,d,heads,kv_heads,batch,n,causal,sample,ms";
constexpr const char* kSampledKind = "sampled";  // the kind of a shape by a seed

double middle_of(std::vector<double> ms) {
  const auto middle = ms.begin() + std::ptrdiff_t(ms.size() / 2);
  std::nth_element(ms.begin(), middle, ms.end());
  return *middle;
}

struct CallCell {
  Contender who{};
  std::string kind;
  std::int64_t d = 0, heads = 0, kv_heads = 0, batch = 0, n = 0, causal = 0;
  auto all() const { return std::tie(who, kind, d, heads, kv_heads, batch, n, causal); }
  bool operator<(const CallCell& other) const { return all() < other.all(); }
};

std::optional<CallCell> call_cell(const std::vector<std::string>& fields, Contender who) {
  CallCell out{.who = who, .kind = fields[0]};
  std::int64_t* const to[] = {&out.d, &out.heads, &out.kv_heads, &out.batch, &out.n, &out.causal};
  for (std::size_t i = 0; i < std::size(to); ++i) {
    const auto number = parse_integer(fields[i + 2]);
    if (!number) return std::nullopt;
    *to[i] = *number;
  }
  return out;
}

AttentionCall call_in(const CallCell& c) {
  return {.n = c.n,
          .d = c.d,
          .heads = c.heads,
          .kv_heads = c.kv_heads == c.heads ? 0 : c.kv_heads,
          .batch = c.batch,
          .causal = c.causal != 0};
}

Result<std::vector<QueuedCall>> load_calls_file(const std::string& path, const DeviceModel& device) {
  const Result<std::string> text = read_text_file(path, kMaxCsvBytes);
  if (!text) return text.issues();
  std::map<CallCell, std::vector<double>> samples;
  std::string remark;
  const auto take_remark = [&](std::string_view key, std::string_view value) -> std::string {
    if (key == "sampled") remark = value;
    return "";
  };
  const auto take_row = [&](const std::vector<std::string>& fields) -> std::string {
    const ContenderRow* const contender = contender_raced_as(fields[1].substr(0, fields[1].find(' ')), false);
    if (!contender) return "";
    const std::optional<CallCell> cell = call_cell(fields, contender->who);
    const auto ms = parse_real(fields[9]);
    if (!cell || !ms || !(*ms > 0) || !why_no_call(call_in(*cell)).empty()) return "has a number that no call has";
    if (!was_replaced(cell->who, call_in(*cell), path, device)) samples[*cell].push_back(*ms);
    return "";
  };
  const Result<Done> read = read_csv_table(*text, path, {{kCallColumns}, take_remark, take_row});
  if (!read) return read.issues();
  std::vector<QueuedCall> out;
  for (auto& [cell, ms] : samples)
    out.push_back({cell.who, call_in(cell), middle_of(std::move(ms)), cell.kind == kSampledKind ? remark : ""});
  return out;
}

}  // namespace

Result<std::vector<QueuedCall>> load_queued_calls(const std::string& root, const std::string& device) {
  std::vector<QueuedCall> out;
  const auto is_one = [&](const std::string& name) { return name.starts_with("calls_" + device + "_"); };
  for (const std::string& path : race_files(root + "/assets/measurements", is_one)) {
    Result<std::vector<QueuedCall>> calls = load_calls_file(path, device_of(device));
    if (!calls) return calls.issues();
    out.insert(out.end(), calls->begin(), calls->end());
  }
  return out;
}

}  // namespace tilewalk
