#include "measured/queued_calls.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "base/parse.h"
#include "core/problem/fast_kernels.h"
#include "core/problem/shares_plan.h"
#include "files/csv.h"
#include "files/file_io.h"
#include "measured/race_times.h"
#include "measured/replaced_builds.h"

namespace tilewalk {
namespace {

constexpr const char* kCallColumns = "kind,contender,d,heads,kv_heads,batch,n,causal,sample,ms";
constexpr const char* kBackwardColumns = "pass,contender,dtype,d,heads,kv_heads,batch,n_q,n_kv,causal,sample,ms";
// The files that timed the order of thread blocks that the kernels have today (core/problem/shares_plan.h), by the ends
// of their names, and what the kernels had by then.
enum class BackwardChange {
  Order,
  ShortRows,
  SharesOfLastWave,
  CausalShares,
  CausalSharesOf32,
  UnequalShares,
  AllKeys,
  WideAllKeys
};
struct BackwardFile {
  std::string_view end;
  BackwardChange until{};
};
constexpr BackwardFile kBackwardFiles[] = {{"_seed75013_2026-11-27.csv", BackwardChange::Order},
                                           {"_seed76013_2026-11-27.csv", BackwardChange::Order},
                                           {"_seed77013_2026-11-27.csv", BackwardChange::Order},
                                           {"_seed78013_2026-11-27.csv", BackwardChange::ShortRows},
                                           {"_seed79013_2026-11-28.csv", BackwardChange::ShortRows},
                                           {"_seed80013_2026-11-28.csv", BackwardChange::SharesOfLastWave},
                                           {"_seed80015_2026-11-28.csv", BackwardChange::CausalShares},
                                           {"_seed80017_2026-11-28.csv", BackwardChange::CausalSharesOf32},
                                           {"_seed80024_2026-11-28.csv", BackwardChange::CausalSharesOf32},
                                           {"_seed80027_2026-11-28.csv", BackwardChange::UnequalShares},
                                           {"_all_keys_2026-11-29.csv", BackwardChange::AllKeys},
                                           {"_wide_all_keys_2026-11-30.csv", BackwardChange::WideAllKeys}};
constexpr std::string_view kBefore = " before";  // of a contender that the library before a change ran
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
  DType dtype = DType::Bf16;
  auto all() const { return std::tie(who, kind, d, heads, kv_heads, batch, n, causal, dtype); }
  bool operator<(const CallCell& other) const { return all() < other.all(); }
};

// numbers: d, heads, heads of K and V, batch, N and the mask.
std::optional<CallCell> call_cell(const std::string& kind, std::span<const std::string> numbers, Contender who) {
  CallCell out{.who = who, .kind = kind};
  std::int64_t* const to[] = {&out.d, &out.heads, &out.kv_heads, &out.batch, &out.n, &out.causal};
  for (std::size_t i = 0; i < std::size(to); ++i) {
    const auto number = parse_integer(numbers[i]);
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
          .causal = c.causal != 0,
          .dtype = c.dtype};
}

// The last change that this call's time depends on.
BackwardChange last_change(Contender who, const AttentionCall& call, const DeviceModel& device) {
  const std::int64_t built = built_d(who, call.d), group = call.all_heads() / call.all_kv_heads();
  const fast::SharesShape shape{call.all_kv_heads(), group, call.n, call.n, (call.d + 7) / 8 * 8, call.causal};
  if (fast::backward_build(who, shape, device.sms).all_keys)
    return built == 128 ? BackwardChange::WideAllKeys : BackwardChange::AllKeys;
  if (call.causal && group > 1) {
    if (who == Contender::FlashV3Backward) return BackwardChange::UnequalShares;
    return built == 32 ? BackwardChange::CausalSharesOf32 : BackwardChange::CausalShares;
  }
  if (who != Contender::FlashV3Backward)
    return !call.causal && fast::shares_of(who, shape, device.sms) > 1 ? BackwardChange::SharesOfLastWave
                                                                       : BackwardChange::Order;
  const bool in_short_build = call.n <= fast::kShortBackwardRows || fast::shares_of(who, shape, device.sms) > 1;
  return built == 128 && !call.causal && in_short_build ? BackwardChange::ShortRows : BackwardChange::Order;
}

std::optional<DType> element_of(const std::string& word) {
  return word == "bf16" ? std::optional(DType::Bf16) : word == "fp16" ? std::optional(DType::Fp16) : std::nullopt;
}

// A file's calls. backward: of kBackwardColumns, with Q and K of equal length alone; else null.
Result<std::vector<QueuedCall>> load_calls_file(const std::string& path, const DeviceModel& device,
                                                const BackwardFile* backward) {
  const Result<std::string> text = read_text_file(path, kMaxCsvBytes);
  if (!text) return text.issues();
  std::map<CallCell, std::vector<double>> samples;
  std::string remark;
  bool queued = false;
  const auto take_remark = [&](std::string_view key, std::string_view value) -> std::string {
    if (key == "sampled") remark = value;
    if (key == "queued") queued = true;
    return "";
  };
  const auto take_row = [&](std::vector<std::string> fields) -> std::string {
    const ContenderRow* const contender = contender_raced_as(fields[1].substr(0, fields[1].find(' ')), backward);
    if (!contender || fields[1].ends_with(kBefore)) return "";
    DType dtype = DType::Bf16;
    if (backward) {
      const std::optional<DType> element = element_of(fields[2]);
      if (!element) return "has an element type that no call has: " + fields[2];
      dtype = *element;
      if (fields[7] != fields[8]) return "";
      fields.erase(fields.begin() + 8);
    }
    const std::string kind = backward ? kSampledKind : fields[0];
    std::optional<CallCell> cell = call_cell(kind, std::span(fields).subspan(backward ? 3 : 2, 6), contender->who);
    if (cell) cell->dtype = dtype;
    const auto ms = parse_real(fields.back());
    if (!cell || !ms || !(*ms > 0) || !why_no_call(call_in(*cell)).empty()) return "has a number that no call has";
    if (backward && last_change(cell->who, call_in(*cell), device) > backward->until) return "";
    if (!was_replaced(cell->who, call_in(*cell), path, device)) samples[*cell].push_back(*ms);
    return "";
  };
  const Result<Done> read =
      read_csv_table(*text, path, {{backward ? kBackwardColumns : kCallColumns}, take_remark, take_row});
  if (!read) return read.issues();
  std::vector<QueuedCall> out;
  for (auto& [cell, ms] : samples)
    out.push_back({cell.who, call_in(cell), middle_of(std::move(ms)), cell.kind == kSampledKind ? remark : "", queued});
  return out;
}

}  // namespace

Result<std::vector<QueuedCall>> load_queued_calls(const std::string& root, const std::string& device) {
  std::vector<QueuedCall> out;
  const auto load = [&](const BackwardFile* backward, const auto& is_one) -> Result<Done> {
    for (const std::string& path : race_files(root + "/assets/measurements", is_one)) {
      Result<std::vector<QueuedCall>> calls = load_calls_file(path, device_of(device), backward);
      if (!calls) return calls.issues();
      out.insert(out.end(), calls->begin(), calls->end());
    }
    return Done();
  };
  for (const BackwardFile& file : kBackwardFiles) {
    const std::string timed = "backward_shapes_" + device + std::string(file.end);
    const Result<Done> loaded = load(&file, [&](const std::string& name) { return name == timed; });
    if (!loaded) return loaded.issues();
  }
  const Result<Done> loaded =
      load(nullptr, [&](const std::string& name) { return name.starts_with("calls_" + device + "_"); });
  if (!loaded) return loaded.issues();
  return out;
}

}  // namespace tilewalk
