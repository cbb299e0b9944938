#include "pages/which/time_chart.h"

#include <algorithm>

#include "measured/win_pair.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

struct Timed {
  TimeBar bar;
  double ms = 0, published_least_ms = 0, published_most_ms = 0;  // 0: none
};

Timed timed_of(const WhichModel& m, std::size_t number) {
  const WhichCard& card = m.cards[number];
  return {.bar = {.card = number,
                  .name = card.title,
                  .hollow = m.without_mask || !card.bar_tag.empty(),
                  .tag = card.time_ms > 0            ? card.bar_tag
                         : card.not_recorded.empty() ? card.verdict_words
                                                     : card.not_recorded},
          .ms = card.time_ms,
          .published_least_ms = card.published_least_ms,
          .published_most_ms = card.published_most_ms};
}

// naive and the pair's fast kernel, where their times are of the backends' kind. A backend may be predicted as that
// kernel.
void add_compared(const WhichModel& m, const std::vector<PredictionRow>& rows, bool recorded, std::vector<Timed>& out) {
  const std::optional<WinPair> pair = win_pair(rows);
  if (!pair || pair->recorded != recorded) return;
  const auto add = [&](const PredictionRow& row, double ms) {
    out.push_back({{.name = rung_title(row.predicted.method->id), .hollow = !recorded || m.without_mask}, ms});
    if (!recorded) out.back().bar.tag = "predicted";
  };
  const bool as_fast =
      std::any_of(m.cards.begin(), m.cards.end(), [&](const WhichCard& card) { return card.time_ms == pair->fast_ms; });
  if (recorded || !as_fast) add(*pair->fast, pair->fast_ms);
  add(*pair->naive, pair->naive_ms);
}

}  // namespace

TimeChart build_time_chart(const WhichModel& m, const std::vector<PredictionRow>& rows) {
  std::vector<Timed> timed;
  for (std::size_t i = 0; i < m.cards.size(); ++i) timed.push_back(timed_of(m, i));
  const auto has_time = [](const Timed& one) { return one.ms > 0; };
  if (std::none_of(timed.begin(), timed.end(), has_time)) return {};
  const bool recorded = !m.recorded_ms.empty();
  add_compared(m, rows, recorded, timed);
  double longest = 0, naive = 0;
  for (const Timed& one : timed) longest = std::max({longest, one.ms, one.published_most_ms});
  if (timed.size() > m.cards.size()) naive = timed.back().ms;
  TimeChart out{.title = m.times_title, .bars = {}, .axis = time_axis(longest)};
  if (naive > 0) out.title += "; × is times as fast as naive";
  const auto eager = std::find_if(timed.begin(), timed.end(), [&](const Timed& one) {
    return one.bar.card && m.cards[*one.bar.card].backend == SdpaBackend::Math && has_time(one);
  });
  if (const std::size_t fast = m.cards.size(); eager != timed.end() && timed.size() == fast + 2)
    out.title += "; " + timed[fast].bar.name + ": " + times_text_of(eager->ms / timed[fast].ms) + " as fast as eager";
  for (Timed& one : timed) {
    if (has_time(one)) one.bar.time = ms_text(one.ms), one.bar.share = one.ms / longest;
    if (has_time(one) && naive > 0) one.bar.speed = times_text_of(naive / one.ms);
    one.bar.published_from = one.published_least_ms / longest, one.bar.published_to = one.published_most_ms / longest;
    out.bars.push_back(std::move(one.bar));
  }
  return out;
}

void hide_times(TimeChart& chart) {
  std::erase_if(chart.bars, [](const TimeBar& bar) { return !bar.card; });
  for (TimeBar& bar : chart.bars) bar = {.card = bar.card, .name = bar.name};
  chart.title.clear(), chart.axis = {};
}

}  // namespace tilewalk
