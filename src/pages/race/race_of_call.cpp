#include "pages/race/race_of_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "core/predict/attention_method.h"
#include "measured/recorded_race.h"
#include "measured/win_pair.h"
#include "pages/race/race_parts.h"
#include "view/words/paper_reason.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

RaceRow row_at(const AttentionCall& call, Contender who) {
  RaceRow row;
  static_cast<RaceCell&>(row) = cell_of(call);
  row.rung = row.contender = word_of(who);
  return row;
}

// The scores do not fit beside Q, K, V and O.
bool lacks_memory(const Prediction& p, const DeviceModel& device) {
  return !p.there && p.extra_bytes > 0 && !fits_in_memory(p.call, p.extra_bytes, device);
}

// "its scores take 512 GiB, more than the H200 has". In the unit of the recorded rows, and without the card's own
// figure: a data sheet's GB are not those that the recorded card reports.
std::string too_large(const Prediction& p, const DeviceModel& device) {
  return fmt::format("its scores take {}, more than the {} has", format_bytes(std::llround(p.extra_bytes)),
                     device.title);
}

std::optional<double> model_ms(const PredictionRow* row) { return row ? row->predicted.predicted_ms : std::nullopt; }

}  // namespace

std::optional<RaceOfCall> race_of_call(const std::vector<PredictionRow>& rows, const RaceTimes* races,
                                       const DeviceModel* device) {
  RaceOfCall out;
  if (rows.empty()) return std::nullopt;
  if (device) out.machine = device->title, out.recorded_card = races && races->device == kRecordedOn;
  if (races) out.near = recorded_neighbour(*races, cell_of(rows.front().predicted.call));
  const std::optional<WinPair> pair = win_pair(rows);
  const bool use_recorded = pair && pair->recorded;
  bool naive = false, tiled = false;
  for (const ContenderRow& contender : kContenders) {
    if (contender.backward) continue;
    const PredictionRow* const at = find_row(rows, contender.who);
    RaceRow row = row_at(rows.front().predicted.call, contender.who);
    std::optional<double> ms = model_ms(at);
    if (!ms && contender.by == RunBy::PyTorch) ms = ms_by_ratio(rows, contender.who, races);
    if (use_recorded && at && at->recorded_ms) ms = at->recorded_ms, out.recorded.insert(row.rung);
    if (ms) {
      row.ms = {*ms};
    } else if (at && device && lacks_memory(at->predicted, *device)) {
      row.stopped = RaceOutcome::OutOfMemory;
      row.why = too_large(at->predicted, *device);
    } else {
      continue;
    }
    if (at && at->predicted.extra_bytes > 0) row.extra_bytes = std::int64_t(at->predicted.extra_bytes);
    if (at) out.reasons[row.rung] = paper_reason(at->predicted);
    if (at && at->predicted.pencil_ms) out.on_paper[row.rung] = *at->predicted.pencil_ms;
    naive |= is_naive(row.rung);
    tiled |= ms && contender.generation > 0;
    out.race.rows.push_back(std::move(row));
  }
  if (!naive || !tiled) return std::nullopt;
  return out;
}

std::string detail_of_call(const RaceOfCall& of, const RaceRow& row) {
  if (!row.counts()) return rung_title(row.rung) + "\n" + row.note();
  const bool recorded = of.recorded.contains(row.rung);
  std::string out = fmt::format("{}\n{}, {}", rung_title(row.rung), milliseconds_text(row.median_ms()),
                                recorded          ? "recorded"
                                : is_pytorch(row) ? "predicted: the model's time of the kernel here with its schedule, "
                                                    "times the recorded ratio of the two"
                                                  : "predicted by the model of time");
  if (const auto times = of.race.times_as_fast_as_naive(row); times && !is_naive(row.rung))
    out += fmt::format("\n{} as fast as naive", times_text_of(*times));
  return out;
}

}  // namespace tilewalk
