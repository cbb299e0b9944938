#include "measured/prediction_error.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "base/contains.h"
#include "measured/win_pair.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kFromLength = 1024, kQueuedFromLength = 128;
constexpr double kShortMs = 0.03;
bool is_checked(Contender who) { return contains(kCheckedMethods, who); }
auto place_of(const PredictionRow& row) {
  const AttentionCall& call = row.predicted.call;
  const auto method = std::find(std::begin(kCheckedMethods), std::end(kCheckedMethods), row.predicted.method->who);
  return std::tuple(method, call.d, call.causal, call.n, call.heads, call.batch);
}
const ContenderRow* contender_of(const std::string& rung, const std::string& pass) {
  return contender_raced_as(rung, pass == "backward");
}

}  // namespace

std::optional<double> PredictionRow::compared_ms() const {
  if (!predicted.predicted_ms) return std::nullopt;
  return queued ? *predicted.predicted_ms : std::max(*predicted.predicted_ms, predicted.processor_ms);
}

std::optional<double> PredictionRow::error() const {
  if (!recorded_ms || !predicted.predicted_ms) return std::nullopt;
  return *compared_ms() / *recorded_ms - 1;
}

std::optional<double> PredictionRow::pencil_error() const {
  if (!recorded_ms || !predicted.pencil_ms) return std::nullopt;
  return *predicted.pencil_ms / *recorded_ms - 1;
}

std::optional<double> PredictionRow::reached() const {
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
  const ContenderRow* const contender = contender_of(row.rung, row.pass);
  const AttentionMethod* const method = contender ? method_named(contender->word) : nullptr;
  if (!method || !method->modelled() || !row.counts()) return std::nullopt;
  return predict(*method, call_of(row), device);
}

std::optional<double> error_of(const Prediction& p, const RaceRow& row) {
  return p.predicted_ms ? std::optional(*p.predicted_ms / row.median_ms() - 1) : std::nullopt;
}

WalkPrediction walk_prediction(const Problem& p, double modelled_ms, const RaceTimes& times) {
  WalkPrediction out;
  const std::optional<AttentionCall> call = call_of(p);
  if (!call || call->kv_heads > 0 || p.machine.device != times.device) return out;
  const auto& methods = attention_methods();
  const auto method = std::find_if(methods.begin(), methods.end(), [&](const AttentionMethod& m) {
    return m.tiled() && !m.backward && m.schedule == p.schedule;
  });
  if (method == methods.end()) return out;
  out.recorded_ms = times.ms_of(method->who, cell_of(*call));
  if (!out.recorded_ms) return out;
  const DeviceModel& device = device_of(p.machine);
  if (contender_of(p, device) == &*method) {
    out.error = modelled_ms / *out.recorded_ms - 1;
    return out;
  }
  const FastTile tile = tile_of(*method, *call, device);
  const bool same = tile == FastTile{p.tiling.br, p.tiling.bc};
  out.ran = same ? "all options on" : std::to_string(tile.rows) + "×" + std::to_string(tile.keys);
  return out;
}

const PredictionRow* find_row(const std::vector<PredictionRow>& rows, Contender who) {
  const auto at = std::find_if(rows.begin(), rows.end(),
                               [&](const PredictionRow& row) { return row.predicted.method->who == who; });
  return at == rows.end() ? nullptr : &*at;
}

std::optional<double> win_of(const std::vector<PredictionRow>& rows) {
  const std::optional<WinPair> pair = win_pair(rows);
  return pair ? std::optional(pair->win()) : std::nullopt;
}

std::vector<PredictionRow> prediction_rows(const AttentionCall& call, const DeviceModel& device,
                                           const RaceTimes* times) {
  std::vector<PredictionRow> rows;
  const bool grouped = call.kv_heads > 0 && call.kv_heads != call.heads;  // no race has grouped K and V heads
  for (const AttentionMethod& c : attention_methods()) {
    PredictionRow row{.predicted = predict(c, call, device)};
    if (times && !grouped && call.square())
      row.recorded_ms = times->ms_of(contender_row(c.who).recorded_as, cell_of(call, c.backward));
    if (!c.modelled() && !row.recorded_ms) continue;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::optional<double> times_as_fast(const std::vector<PredictionRow>& rows, const PredictionRow& row, Contender than) {
  const PredictionRow* const other = find_row(rows, than);
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

ErrorTable prediction_errors(const RaceTimes& times, const DeviceModel& device, const std::vector<QueuedCall>& calls) {
  ErrorTable out;
  for (const QueuedCall& call : calls) {
    if (!is_checked(call.who) || call.call.n < kQueuedFromLength) continue;
    PredictionRow row{predict(method_of(call.who), call.call, device), call.ms, call.sample, call.queued};
    if (row.predicted.predicted_ms) out.rows.push_back(std::move(row));
  }
  for (const RaceTime& time : times.times) {
    const ContenderRow* const contender = contender_of(time.rung, time.pass);
    if (!contender || !is_checked(contender->who) || time.n < kFromLength) continue;
    if (time.dtype != "bf16" && time.dtype != "fp16") continue;
    PredictionRow row{predict(method_of(contender->who), call_of(time), device), time.ms, time.sample};
    if (row.predicted.predicted_ms) out.rows.push_back(std::move(row));
  }
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [](const PredictionRow& a, const PredictionRow& b) { return place_of(a) < place_of(b); });
  for (const auto& [who, over] : kCheckedPairs)
    for (const PredictionRow& fast : out.rows) {
      if (fast.predicted.method->who != who) continue;
      for (const PredictionRow& slow : out.rows) {
        if (slow.predicted.method->who != over) continue;
        if (!(slow.predicted.call == fast.predicted.call) || slow.queued != fast.queued) continue;
        out.speed_ups.push_back({who, over, fast.predicted.call, fast.sample, *slow.compared_ms() / *fast.compared_ms(),
                                 *slow.recorded_ms / *fast.recorded_ms, slow.by_processor() || fast.by_processor(),
                                 fast.queued, *fast.recorded_ms});
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

Spread ErrorTable::of(Contender who) const {
  return spread_over(rows, [&](const PredictionRow& row) {
    return row.predicted.method->who == who && !row.by_processor() ? row.error() : std::nullopt;
  });
}

Spread ErrorTable::by_pencil(Contender who) const {
  return spread_over(rows, [&](const PredictionRow& row) {
    return row.predicted.method->who == who && !row.by_processor() ? row.pencil_error() : std::nullopt;
  });
}

Spread ErrorTable::of_speed_up(Contender who, Contender over) const {
  return spread_over(speed_ups, [&](const SpeedUpError& s) {
    return s.who == who && s.over == over && !s.by_processor ? std::optional(s.error()) : std::nullopt;
  });
}

Spread ErrorTable::by_processor() const {
  return spread_over(rows, [](const PredictionRow& row) { return row.by_processor() ? row.error() : std::nullopt; });
}

Spread ErrorTable::speed_ups_by_processor() const {
  return spread_over(speed_ups,
                     [](const SpeedUpError& s) { return s.by_processor ? std::optional(s.error()) : std::nullopt; });
}

std::vector<std::string> ErrorTable::samples() const {
  std::vector<std::string> out;
  for (const PredictionRow& row : rows)
    if (!row.sample.empty() && !contains(out, row.sample)) out.push_back(row.sample);
  return out;
}

namespace {

template <typename Row, typename SpeedUp>
ErrorTable part_of(const ErrorTable& table, const Row& has_row, const SpeedUp& has_speed_up) {
  ErrorTable out;
  std::copy_if(table.rows.begin(), table.rows.end(), std::back_inserter(out.rows), has_row);
  std::copy_if(table.speed_ups.begin(), table.speed_ups.end(), std::back_inserter(out.speed_ups), has_speed_up);
  return out;
}

}  // namespace

ErrorTable ErrorTable::of_sample(const std::string& sample) const {
  const auto is_of = [&](const auto& each) { return each.sample == sample; };
  return part_of(*this, is_of, is_of);
}

ErrorTable ErrorTable::queued(bool were) const {
  const auto is_one = [&](const auto& each) { return each.queued == were; };
  return part_of(*this, is_one, is_one);
}

ErrorTable ErrorTable::long_calls(bool are) const {
  const auto is_long = [](const AttentionCall& call, double ms) { return call.n >= kFromLength && ms >= kShortMs; };
  return part_of(
      *this, [&](const PredictionRow& row) { return is_long(row.predicted.call, *row.recorded_ms) == are; },
      [&](const SpeedUpError& s) { return is_long(s.call, s.fast_ms) == are; });
}

}  // namespace tilewalk
