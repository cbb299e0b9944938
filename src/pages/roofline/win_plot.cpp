#include "pages/roofline/win_plot.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "pages/compare/blocks/axis_ticks.h"
#include "pages/roofline/roof_words.h"
#include "pages/roofline/roofline_choices.h"
#include "pages/roofline/roofline_page.h"
#include "pages/roofline/roofline_scale.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

// Of the curves: each usual length, and three on the way to the next.
const std::vector<std::int64_t>& curve_lengths() {
  static const std::vector<std::int64_t> all = [] {
    std::vector<std::int64_t> out;
    for (const std::int64_t n : kRooflineLengths)
      for (std::int64_t quarter = 4; quarter < 8; ++quarter)
        if (n * quarter / 4 <= std::end(kRooflineLengths)[-1]) out.push_back(n * quarter / 4);
    return out;
  }();
  return all;
}

constexpr int kMostWinTicks = 8;

bool is_on_curve(std::int64_t n) { return contains(curve_lengths(), n); }

}  // namespace

RooflineHue hue_of(Contender who) { return RooflineHue(contender_row(who).generation); }

WinScale::WinScale(RooflinePage& page, const std::vector<std::int64_t>& lengths, double most, std::int64_t chosen)
    : first_(double(lengths.front())), last_(double(lengths.back())), top_(std::ceil(most + 0.2)) {
  for (const std::int64_t n : lengths) page.lengths.push_back({place(n, 0).x, n});
  for (const std::int64_t n : lengths)
    if (is_raced_length(n) || n == lengths.front() || n == lengths.back())
      page.n_ticks.push_back({place(n, 0).x, n_text(n)});
  for (const AxisTick& tick : ticked_axis(0, top_, "×", kMostWinTicks).ticks)
    page.win_ticks.push_back({tick.at, tick.text + "×"});
  page.n_at = place(chosen, 0).x;
}

PlotPoint WinScale::place(std::int64_t n, double win) const { return {on_log(double(n), first_, last_), win / top_}; }

void keep_wins(RooflineCache& cache, const RooflineController& controller, const DeviceModel& device) {
  std::vector<AttentionCall> calls;
  for (const std::int64_t n : curve_lengths()) calls.push_back(controller.call_of_length(n));
  if (!is_on_curve(controller.call().n)) calls.push_back(controller.call_of_length(controller.call().n));
  const std::optional<double> bandwidth = controller.bandwidth().value, peak = controller.peak().value;
  if (cache.device == controller.device() && cache.bandwidth == bandwidth && cache.peak == peak && cache.calls == calls)
    return;
  cache = {controller.device(), bandwidth, peak, calls, {}, {}, std::move(cache.error)};
  const RaceTimes* const times = controller.times();
  for (const AttentionCall& call : calls) {
    if (!why_no_call(call).empty()) continue;
    const std::vector<PredictionRow> rows = prediction_rows(call, device, times);
    const PredictionRow* const naive = find_row(rows, Contender::Naive);
    for (const Contender who : {Contender::Naive, Contender::FlashV2, Contender::FlashV3})
      if (const Prediction& p = find_row(rows, who)->predicted;
          p.there && p.predicted_ms && contains(kRooflineLengths, call.n))
        cache.marks.push_back({call.n, who, p.intensity(), p.flops, *p.predicted_ms});
    for (const Contender who : {Contender::FlashV2, Contender::FlashV3}) {
      RooflineCache::Win win{call.n, who, {}, {}};
      const PredictionRow* const fast = find_row(rows, who);
      if (naive->predicted.predicted_ms && fast->predicted.predicted_ms)
        win.modelled = *naive->predicted.predicted_ms / *fast->predicted.predicted_ms;
      if (naive->recorded_ms && fast->recorded_ms) win.recorded = *naive->recorded_ms / *fast->recorded_ms;
      cache.wins.push_back(win);
    }
  }
}

const Spread& model_error(RooflineCache& cache, const RooflineController& controller, Contender who) {
  const RaceTimes* const times = controller.times();
  if (!times || controller.own_card()) return (cache.error = {}).spread;
  if (cache.error.device != times->device || cache.error.who != who)
    cache.error = {
        times->device, who,
        prediction_errors(*times, device_of(times->device)).of_sample("").of_speed_up(who, Contender::Naive)};
  return cache.error.spread;
}

void add_wins(RooflinePage& page, const RooflineController& controller, const std::vector<RooflineCache::Win>& wins) {
  double most = 2;
  for (const auto& win : wins) most = std::max({most, win.modelled.value_or(0), win.recorded.value_or(0)});
  const WinScale scale(page, roofline_lengths(controller), most, controller.call().n);
  for (const Contender who : {Contender::FlashV2, Contender::FlashV3}) {
    WinCurve curve{std::string(title_of(who)) + " predicted", hue_of(who), {}, {}, {}};
    for (const auto& win : wins) {
      if (win.who != who) continue;
      if (win.modelled) curve.modelled.push_back(scale.place(win.n, *win.modelled));
      if (win.modelled && !is_on_curve(win.n)) curve.chosen = curve.modelled.back();
      if (win.recorded) curve.recorded.push_back(scale.place(win.n, *win.recorded));
    }
    // The call's own length is the last one; the curve runs through its ring.
    std::sort(curve.modelled.begin(), curve.modelled.end(),
              [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
    if (!curve.modelled.empty()) page.wins.push_back(std::move(curve));
  }
  std::int64_t longest = 0;  // the largest N with a win
  for (const auto& win : wins)
    if (win.modelled) longest = std::max(longest, win.n);
  page.jumps = naive_jump_sentence(longest);
  const auto next = std::upper_bound(curve_lengths().begin(), curve_lengths().end(), longest);
  if (longest == 0 || next == curve_lengths().end()) return;
  const std::string end =
      curve_end_sentence(longest, controller.call_of_length(*next), controller.call(), controller.card());
  if (!end.empty()) add_to_list(page.jumps, end, " ");
}

}  // namespace tilewalk
