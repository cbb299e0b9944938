#include "pages/compare/compare_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/contains.h"
#include "base/units.h"
#include "core/predict/predict.h"
#include "core/schedules/registry.h"
#include "measured/prediction_error.h"
#include "view/words/call_times.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::string value_text(const CompareRow& row, double value, int sms) {
  const std::int64_t whole = std::int64_t(std::llround(value));
  switch (row.unit) {
    case CompareUnit::Bytes: return format_bytes(whole);
    case CompareUnit::YesNo: return value > 0 ? "yes" : "no";
    case CompareUnit::OfSms: return fmt::format("{} of {}", whole, sms);
    case CompareUnit::Count: return value < 1e9 ? format_count(whole) : fmt::format("{:.2e}", value);
    case CompareUnit::Operations: return format_flops(whole);
    case CompareUnit::Milliseconds: return ms_text(value);
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
    case CompareUnit::Milliseconds: break;
  }
  if (row.unit == CompareUnit::OfSms && row.left > 0 && row.right > 0)
    return fmt::format("{:.{}f}×", row.right / row.left, row.right < row.left ? 2 : 1);
  return change_text(row.left, row.right);
}

double difference_of(double left, double right) {
  if (left == right || left < 0 || right < 0) return 0;
  return left == 0 || right == 0 ? std::numeric_limits<double>::infinity() : std::fabs(std::log(right / left));
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

std::string ms_or_dash(const std::optional<double>& ms) { return ms ? ms_text(*ms) : std::string("–"); }

std::string error_or_tiles(const WalkPrediction& run) {
  return run.error ? error_text(*run.error) : run.ran.empty() ? "–" : "ran " + run.ran;
}

void set_shares(double left, double right, CompareLine& line) {
  line.change = std::fabs(right - left);
  const double larger = std::max(left, right);
  if (left < 0 || right < 0 || !(larger > 0) || !std::isfinite(larger)) return;
  line.left_share = left / larger, line.right_share = right / larger;
}

int verdict_of(double left, double right) { return left == right ? 0 : right < left ? 1 : -1; }

// The bytes of the naive attention that was timed: with the time they make one variant; the rows above count the
// walk's.
void add_timed_bytes(const Comparison& c, const CallTimes& times, std::vector<CompareLine>& lines) {
  const std::optional<AttentionCall> call = call_of(c.left);
  const Prediction naive = call ? predict(method_of(Contender::Naive), *call, device_of(c.left.machine)) : Prediction{};
  if (!naive.there || naive.hbm_bytes <= 0) return;
  const bool on_left = !times.variants[0].empty();
  const double other = double(on_left ? c.right_run.hbm_bytes : c.left_run.hbm_bytes),
               left = on_left ? naive.hbm_bytes : other, right = on_left ? other : naive.hbm_bytes;
  const auto text = [](double bytes) { return format_bytes(std::llround(bytes)); };
  lines.push_back({.id = "timed-bytes",
                   .title = "all, naive as timed, " + times.variant(),
                   .left = text(left),
                   .right = text(right),
                   .difference = (right < left ? "−" : "+") + text(std::fabs(right - left)),
                   .verdict = verdict_of(left, right),
                   .modelled = true,
                   .tip = "What the timed naive attention asks of global memory: its products read Q, K and V in "
                          "cuBLAS's tiles, and S and P cross with 2 bytes a score. The rows with S in fp32 count the "
                          "walk's.",
                   .differs = difference_of(left, right)});
  set_shares(left, right, lines.back());
}

// The one pair of times that bars, sentence and table compare. Where it is not that of the two walks as modelled, their
// own times are in a second line, which names its variant of naive attention and compares nothing.
void set_times(const Comparison& c, std::vector<CompareLine>& lines, const CallTimes& times) {
  CompareLine& line = lines.back();
  const CompareLine walks = line;
  const std::string variant = times.variant().empty() ? "" : ", " + times.variant();
  line.title = times.kind() + std::string(" time");
  const auto of_side = [&](int side) {
    return times.variants[side].empty() ? times.libraries[side] : times.variants[side];
  };
  line.left_variant = of_side(0), line.right_variant = of_side(1);
  line.left = ms_text(times.ms[0]), line.right = ms_text(times.ms[1]);
  line.difference = change_text(times.ms[0], times.ms[1]);
  line.verdict = verdict_of(times.ms[0], times.ms[1]);
  line.differs = difference_of(times.ms[0], times.ms[1]);
  set_shares(times.ms[0], times.ms[1], line);
  line.modelled = !times.recorded;
  line.tip = times.recorded
                 ? "Medians of the races recorded on this GPU, of this very call: N, d, heads, batch, mask and type."
                 : "As predict and the roofline give them, with the tiles of each fast kernel.";
  const bool narrow = c.left.numerics.narrow_scores || c.right.numerics.narrow_scores;
  if (narrow || !times.variant().empty())
    line.tip += fmt::format(" Naive is that of the races: cuBLAS's products and one softmax in place, with {}.",
                            narrow ? std::string("S in ") + name_of(c.left.numerics.dtype) : times.variant());
  if (narrow && !times.recorded) return;  // this is the modelled pair
  CompareLine own{.id = "modelled-time",
                  .title = variant.empty() ? "modelled time" : "modelled, this walk's S in fp32",
                  .left = walks.left,
                  .right = walks.right,
                  .difference = "",
                  .modelled = true,
                  .tip = "Modelled for the two walks, with their tiles."};
  if (narrow && times.modelled_ms[0] > 0) {
    own.left = ms_text(times.modelled_ms[0]), own.right = ms_text(times.modelled_ms[1]);
    own.tip = "The same two kernels by the model of time, as predict and the roofline give them.";
  }
  if (!variant.empty())
    own.tip += " The naive walk has S in fp32, and reads a row of it twice where it does not fit in SRAM.";
  lines.push_back(std::move(own));
  if (!variant.empty()) add_timed_bytes(c, times, lines);
}

// Below the modelled times: the model's error, or the tiles of a kernel that ran with others. A time that was recorded
// of one side alone has a line of its own.
void add_recorded(std::vector<CompareLine>& lines, const WalkPrediction& left, const WalkPrediction& right, bool pair) {
  if (!left.recorded_ms && !right.recorded_ms) return;
  if (!pair)
    lines.push_back({.id = "recorded",
                     .title = "recorded time",
                     .left = ms_or_dash(left.recorded_ms),
                     .right = ms_or_dash(right.recorded_ms),
                     .difference = "",
                     .tip = "The median of a race recorded on this GPU, of this very call. The other side has none."});
  lines.push_back({.id = "recorded-error",
                   .title = "the model's error",
                   .left = error_or_tiles(left),
                   .right = error_or_tiles(right),
                   .difference = "",
                   .tip = "Modelled time over recorded time, less one. Where the recorded kernel ran with other tiles "
                          "than these, its tiles stand here."});
}

}  // namespace

CompareModel build_compare_model(const Comparison& c, const ComparisonWords& words, const RaceTimes* times) {
  CompareModel model;
  const DeviceModel& device = device_of(c.left.machine);
  model.heading = fmt::format("whole run, {}, {}", name_of(c.left.numerics.dtype), device.title);
  model.left_title = run_title(c.left);
  model.right_title = run_title(c.right);
  if (model.left_title == model.right_title) {
    model.left_title += " pinned";
    model.right_title += " now";
  }
  if (c.left.tiling.br != c.right.tiling.br || c.left.tiling.bc != c.right.tiling.bc) {
    model.left_title += fmt::format(" {}×{}", c.left.tiling.br, c.left.tiling.bc);
    model.right_title += fmt::format(" {}×{}", c.right.tiling.br, c.right.tiling.bc);
  } else {
    model.heading += fmt::format(", tiles {}×{}", c.left.tiling.br, c.left.tiling.bc);
  }
  model.verdict = words.verdict;
  model.headline = words.headline.empty() ? words.verdict : words.headline;
  model.detail = words.detail;
  model.figure = words.figure;
  model.too_small = c.too_small();
  model.footnote = "* modelled; the rest is counted";
  const bool no_time = !why_no_time(c).empty();
  const std::string no_difference = no_time ? "does not fit" : c.too_small() ? "too small to tell" : "";
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    const CompareRow& row = c.rows[i];
    CompareLine line{.id = row.id,
                     .title = words.titles.at(i),
                     .left = value_text(row, row.left, c.left_run.time.waves.sms),
                     .right = value_text(row, row.right, c.right_run.time.waves.sms),
                     .difference = difference_text(row),
                     .modelled = row.modelled,
                     .left_transfers = transfer_lines(row.left_transfers),
                     .right_transfers = transfer_lines(row.right_transfers)};
    const bool no_pair = row.unit == CompareUnit::Milliseconds && !no_difference.empty();
    if (no_pair)
      line.difference = no_difference;
    else if (row.left != row.right)
      line.verdict = (row.right > row.left) == row.more_is_better ? 1 : -1;
    const bool compares = row.unit != CompareUnit::YesNo && !no_pair;
    if (compares) line.differs = difference_of(row.left, row.right), set_shares(row.left, row.right, line);
    model.lines.push_back(std::move(line));
    if (row.unit != CompareUnit::Milliseconds) continue;
    if (no_time) (row_of(c.left).memory.scores_in_hbm ? model.lines.back().left : model.lines.back().right) = "–";
    const WalkPrediction left = timed_walk(c.left, c.left_run.ms(), times),
                         right = timed_walk(c.right, c.right_run.ms(), times);
    const std::optional<CallTimes> pair = c.too_small() ? std::nullopt : call_times(c, times);
    if (pair && !pair->of_walks) set_times(c, model.lines, *pair);
    if (pair && pair->recorded) model.footnote = "* modelled; the time is recorded, the rest is counted";
    add_recorded(model.lines, left, right, pair && pair->recorded);
  }
  return model;
}

std::size_t least_rows(const CompareModel& m) { return std::min(m.lines.size(), kRowsThatDifferMost + 1); }

void order_rows(CompareModel& m) {
  m.order.resize(m.lines.size());
  std::iota(m.order.begin(), m.order.end(), std::size_t(0));
  const auto is_time = [&](std::size_t i) { return m.lines[i].id == "time"; };
  const auto rest = std::stable_partition(m.order.begin(), m.order.end(), is_time);
  std::vector<std::size_t> most(rest, m.order.end());
  std::stable_sort(most.begin(), most.end(), [&](std::size_t a, std::size_t b) {
    const CompareLine &x = m.lines[a], &y = m.lines[b];
    return x.differs != y.differs ? x.differs > y.differs : x.change > y.change;
  });
  most.resize(std::min(most.size(), kRowsThatDifferMost));
  std::stable_partition(rest, m.order.end(), [&](std::size_t i) { return contains(most, i); });
  std::copy(most.begin(), most.end(), rest);
  std::stable_partition(rest + std::ptrdiff_t(most.size()), m.order.end(),
                        [&](std::size_t i) { return m.lines[i].differs > 0; });
}

std::size_t most_rows(const CompareModel& m, std::size_t with_bars) {
  const std::size_t most = std::min(m.order.size(), std::max(kMostRows, with_bars));
  std::size_t count = 0;
  while (count < most && (count == 0 || m.lines[m.order[count]].differs > 0)) ++count;
  return count;
}

std::string fold_text(const CompareModel& m, std::size_t shown, bool all) {
  if (all) return "only those that differ most";
  const std::size_t more = m.lines.size() - std::min(shown, m.lines.size());
  return more == 0 ? "" : fmt::format("{} more {}", more, more == 1 ? "row" : "rows");
}

}  // namespace tilewalk
