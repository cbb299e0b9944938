#include "view/compare/compare_model.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "measured/held_against.h"
#include "view/predict/predict_words.h"
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

struct RecordedSide {
  std::optional<double> ms;
  std::string error;  // of the modelled time; or the tiles that the recorded kernel had instead
};

RecordedSide recorded_side(const Problem& p, double modelled_s, const RaceTimes& times) {
  RecordedSide out;
  const bool causal = p.shape.mask.kind == MaskKind::Causal, plain = p.shape.mask.kind == MaskKind::None;
  if (p.machine.device != times.device || p.shape.n_q != p.shape.n_kv || p.shape.kv_heads != p.shape.heads) return out;
  if (!causal && !plain) return out;
  const AttentionCall call{.n = p.shape.n_q,
                           .d = p.shape.d,
                           .heads = p.shape.heads,
                           .batch = p.shape.batch,
                           .causal = causal,
                           .dtype = p.numerics.dtype};
  const AttentionMethod* const method = kernel_of(p.schedule);
  if (!method || method->backward) return out;
  out.ms = times.ms_of(method->id, cell_of(call));
  if (!out.ms) return out;
  out.error = error_text(modelled_s * 1e3 / *out.ms - 1);
  if (!method->tile) return out;
  const MethodTile tile = tile_of(*method, call, device_of(p.machine));
  if (tile.br != p.tiling.br || tile.bc != p.tiling.bc) out.error = fmt::format("ran {}×{}", tile.br, tile.bc);
  return out;
}

// Beside the modelled time: what was recorded of that very call, and how far off the model is. A kernel that ran with
// other tiles than these says which in place of an error.
std::vector<CompareLine> recorded_lines(const Comparison& c, std::pair<double, double> modelled_s,
                                        const RaceTimes& times) {
  const RecordedSide left = recorded_side(c.left, modelled_s.first, times),
                     right = recorded_side(c.right, modelled_s.second, times);
  if (!left.ms && !right.ms) return {};
  const auto told = [](const RecordedSide& side) { return side.ms ? seconds_text(*side.ms / 1e3) : std::string("–"); };
  CompareLine recorded, error;
  recorded.id = "recorded";
  recorded.title = "recorded time";
  recorded.left = told(left), recorded.right = told(right);
  recorded.tip = "Medians of the races recorded on this GPU, of this very call: N, d, heads, batch, mask and type.";
  if (left.ms && right.ms) {
    recorded.difference = change_text(*left.ms, *right.ms);
    recorded.verdict = *right.ms < *left.ms ? 1 : *right.ms > *left.ms ? -1 : 0;
  }
  error.id = "recorded-error";
  error.title = "the model's error";
  error.left = left.ms ? left.error : "–", error.right = right.ms ? right.error : "–";
  error.tip =
      "Modelled time over recorded time, less one. Where the recorded kernel ran with other tiles than these, its "
      "tiles "
      "stand here. Naive ran as cuBLAS's products and one softmax in place: S and P cross HBM four times, not six as "
      "where a row of S does not fit in SRAM here.";
  return {recorded, error};
}

}  // namespace

CompareModel build_compare_model(const Problem& left, const Problem& right, const RaceTimes* times) {
  CompareModel model;
  for (const Issue& issue : why_not_comparable(left, right)) model.problems.push_back(issue.text());
  return model.problems.empty() ? build_compare_model(build_comparison(left, right), times) : model;
}

CompareModel build_compare_model(const Comparison& c, const RaceTimes* times) {
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
                     value_text(row, row.left, c.left_sms, device.reached_clock_hz() / 1e9),
                     value_text(row, row.right, c.right_sms, device.reached_clock_hz() / 1e9),
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
    if (row.unit == CompareUnit::Cycles && times)
      for (CompareLine& recorded :
           recorded_lines(c, {row.left / device.reached_clock_hz(), row.right / device.reached_clock_hz()}, *times))
        model.lines.push_back(std::move(recorded));
  }
  return model;
}

}  // namespace tilewalk
