#include "measured/held_against.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::int64_t kFromLength = 1024;
bool is_held(const std::string& method) {
  return std::find(std::begin(kHeldMethods), std::end(kHeldMethods), method) != std::end(kHeldMethods);
}
std::string method_of(const std::string& rung, const std::string& pass) {
  return pass == "backward" ? rung + "_backward" : rung;
}

}  // namespace

std::optional<double> HeldRow::error() const {
  if (!recorded_ms || !predicted.predicted_ms) return std::nullopt;
  return *predicted.predicted_ms / *recorded_ms - 1;
}

std::optional<double> HeldRow::paper_error() const {
  if (!recorded_ms || !predicted.paper_ms) return std::nullopt;
  return *predicted.paper_ms / *recorded_ms - 1;
}

std::optional<double> HeldRow::reached() const {
  if (!recorded_ms || !predicted.there || !(predicted.roofline_ms() > 0)) return std::nullopt;
  return predicted.roofline_ms() / *recorded_ms;
}

RaceCell cell_of(const AttentionCall& call, bool backward) {
  RaceCell cell;
  cell.pass = backward ? "backward" : "forward";
  cell.dtype = name_of(call.dtype);
  cell.n = call.n;
  cell.d = call.d;
  cell.heads = call.heads;
  cell.batch = call.batch;
  cell.causal = call.causal;
  return cell;
}

AttentionCall call_of(const RaceCell& cell) {
  return {.n = cell.n,
          .d = cell.d,
          .heads = cell.heads,
          .batch = cell.batch,
          .causal = cell.causal,
          .dtype = cell.dtype == "fp16" ? DType::Fp16 : DType::Bf16};
}

std::optional<Prediction> prediction_of(const RaceRow& row, const DeviceModel& device) {
  const AttentionMethod* const method = method_named(method_of(row.rung, row.pass));
  if (!method || !method->modelled() || !row.counts()) return std::nullopt;
  return predict(*method, call_of(row), device);
}

std::optional<double> error_of(const Prediction& p, const RaceRow& row) {
  return p.predicted_ms ? std::optional(*p.predicted_ms / row.median_ms() - 1) : std::nullopt;
}

const HeldRow* row_of(const std::vector<HeldRow>& rows, const std::string& method) {
  const auto at =
      std::find_if(rows.begin(), rows.end(), [&](const HeldRow& row) { return row.predicted.method->id == method; });
  return at == rows.end() ? nullptr : &*at;
}

std::optional<double> win_of(const std::vector<HeldRow>& rows) {
  const auto ms_of = [&](const char* method) -> std::optional<double> {
    const HeldRow* const row = row_of(rows, method);
    if (!row) return std::nullopt;
    return row->recorded_ms ? row->recorded_ms : row->predicted.predicted_ms;
  };
  const auto first_of = [&](std::initializer_list<const char*> methods) -> std::optional<double> {
    for (const char* method : methods)
      if (const auto ms = ms_of(method)) return ms;
    return std::nullopt;
  };
  const auto naive = first_of({"naive", "cpu_naive"}), fast = first_of({"flash_v3", "flash_v2", "cpu_tiled"});
  if (!naive || !fast) return std::nullopt;
  return *naive / *fast;
}

std::vector<HeldRow> held_rows(const AttentionCall& call, const DeviceModel& device, const RaceTimes* times) {
  std::vector<HeldRow> rows;
  const bool grouped = call.kv_heads > 0 && call.kv_heads != call.heads;  // no race shares K and V
  for (const AttentionMethod& c : attention_methods()) {
    HeldRow row{predict(c, call, device), std::nullopt};
    const std::string rung = c.backward ? "flash_v2" : c.id;
    if (times && !grouped) row.recorded_ms = times->ms_of(rung, cell_of(call, c.backward));
    if (!c.modelled() && !row.recorded_ms) continue;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::optional<double> times_as_fast(const std::vector<HeldRow>& rows, const HeldRow& row, const std::string& than) {
  const HeldRow* const other = row_of(rows, than);
  if (!other || row.predicted.method->backward) return std::nullopt;
  if (row.predicted.predicted_ms && other->predicted.predicted_ms)
    return *other->predicted.predicted_ms / *row.predicted.predicted_ms;
  if (row.recorded_ms && other->recorded_ms) return *other->recorded_ms / *row.recorded_ms;
  return std::nullopt;
}

Spread spread_of(std::vector<double> errors) {
  if (errors.empty()) return {};
  for (double& error : errors) error = std::fabs(error);
  std::sort(errors.begin(), errors.end());
  const std::size_t half = errors.size() / 2;
  const double median = errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2;
  return {errors.size(), median, errors.back()};
}

HeldTable hold_against(const RaceTimes& times, const DeviceModel& device) {
  HeldTable out;
  for (const RaceTime& time : times.times) {
    const std::string method = method_of(time.rung, time.pass);
    if (!is_held(method) || time.n < kFromLength) continue;
    if (time.dtype != "bf16" && time.dtype != "fp16") continue;
    HeldRow row{predict(*method_named(method), call_of(time), device), time.ms};
    if (row.predicted.predicted_ms) out.rows.push_back(std::move(row));
  }
  for (const auto& [rung, over] : kHeldPairs)
    for (const HeldRow& fast : out.rows) {
      if (fast.predicted.method->id != std::string(rung)) continue;
      for (const HeldRow& slow : out.rows) {
        if (slow.predicted.method->id != std::string(over)) continue;
        if (!(cell_of(slow.predicted.call) == cell_of(fast.predicted.call))) continue;
        out.speed_ups.push_back(
            {rung, over, fast.predicted.call, *slow.predicted.predicted_ms / *fast.predicted.predicted_ms,
             *slow.recorded_ms / *fast.recorded_ms, slow.predicted.by_processor || fast.predicted.by_processor});
      }
    }
  return out;
}

namespace {

template <typename Row, typename Of>
Spread spread_over(const std::vector<Row>& rows, const Of& error) {
  std::vector<double> errors;
  for (const Row& row : rows)
    if (const std::optional<double> e = error(row)) errors.push_back(*e);
  return spread_of(std::move(errors));
}

}  // namespace

Spread HeldTable::of(const std::string& contender) const {
  return spread_over(rows, [&](const HeldRow& row) {
    return row.predicted.method->id == contender && !row.predicted.by_processor ? row.error() : std::nullopt;
  });
}

Spread HeldTable::on_paper(const std::string& contender) const {
  return spread_over(rows, [&](const HeldRow& row) {
    return row.predicted.method->id == contender && !row.predicted.by_processor ? row.paper_error() : std::nullopt;
  });
}

Spread HeldTable::of_speed_up(const std::string& rung, const std::string& over) const {
  return spread_over(speed_ups, [&](const HeldSpeedUp& s) {
    return s.rung == rung && s.over == over && !s.by_processor ? std::optional(s.error()) : std::nullopt;
  });
}

Spread HeldTable::by_processor() const {
  return spread_over(rows, [](const HeldRow& row) { return row.predicted.by_processor ? row.error() : std::nullopt; });
}

}  // namespace tilewalk
