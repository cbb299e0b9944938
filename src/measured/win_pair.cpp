#include "measured/win_pair.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>

namespace tilewalk {

WinPair win_pair(const PredictionRow& fast, const PredictionRow& naive) {
  const bool recorded = naive.recorded_ms && fast.recorded_ms,
             predicted = naive.predicted.predicted_ms && fast.predicted.predicted_ms;
  const auto ms_of = [&](const PredictionRow& row) {
    return row.recorded_ms && (recorded || !predicted) ? *row.recorded_ms : *row.predicted.predicted_ms;
  };
  return {.fast = &fast, .naive = &naive, .fast_ms = ms_of(fast), .naive_ms = ms_of(naive), .recorded = recorded};
}

std::optional<WinPair> win_pair(const std::vector<PredictionRow>& rows) {
  const auto first_of = [&](std::initializer_list<Contender> contenders) -> const PredictionRow* {
    for (const Contender who : contenders)
      if (const PredictionRow* const row = find_row(rows, who);
          row && (row->recorded_ms || row->predicted.predicted_ms))
        return row;
    return nullptr;
  };
  const PredictionRow* const naive = first_of({Contender::Naive, Contender::CpuNaive});
  const PredictionRow* const fast = first_of({Contender::FlashV3, Contender::FlashV2, Contender::CpuTiled});
  if (!naive || !fast) return std::nullopt;
  return win_pair(*fast, *naive);
}

const PredictionRow* fastest_here(const std::vector<PredictionRow>& rows) {
  for (const Contender who : {Contender::FlashV3, Contender::FlashV2})
    if (const PredictionRow* const row = find_row(rows, who); row && row->predicted.there) return row;
  return nullptr;
}

namespace {

constexpr std::int64_t kRowsThatFill = 1 << 17;  // of Q, all heads: 1,024 tiles of 128 rows, eight for each SM
constexpr std::size_t kFewestLengths = 3;        // of a head size

double log_distance(std::int64_t a, std::int64_t b) { return std::fabs(std::log(double(a) / double(b))); }

// Both run the schedule of one generation of FlashAttention.
bool have_one_schedule(Contender a, Contender b) {
  const int generation = contender_row(a).generation;
  return generation > 0 && generation == contender_row(b).generation;
}

}  // namespace

std::optional<double> recorded_ratio(const RaceTimes& races, Contender other, Contender own,
                                     const AttentionCall& call) {
  if (!have_one_schedule(own, other)) return std::nullopt;
  const auto counts = [&](const RaceTime& time, Contender who) {
    return time.rung == word_of(who) && time.pass == "forward" && time.causal == call.causal &&
           time.heads * time.batch * time.n >= kRowsThatFill;
  };
  std::vector<const RaceTime*> owns;
  for (const RaceTime& time : races.times)
    if (counts(time, own)) owns.push_back(&time);
  struct Pair {
    double ratio = 1;
    std::int64_t rows = 0;
  };
  std::map<std::int64_t, std::map<std::int64_t, Pair>> by_size;  // by d, by N; of more rows, or later
  for (const RaceTime& time : races.times) {
    if (!counts(time, other) || !time.sample.empty()) continue;
    const auto beside = std::find_if(owns.begin(), owns.end(), [&](const RaceTime* each) {
      return static_cast<const RaceCell&>(*each) == static_cast<const RaceCell&>(time);
    });
    if (beside == owns.end()) continue;
    const std::int64_t rows = time.heads * time.batch * time.n;
    Pair& pair = by_size[time.d][time.n];
    if (rows >= pair.rows) pair = {time.ms / (*beside)->ms, rows};
  }
  const std::map<std::int64_t, Pair>* nearest = nullptr;
  std::int64_t d = 0;
  for (const auto& [size, lengths] : by_size) {
    if (lengths.size() < kFewestLengths) continue;
    if (nearest && log_distance(d, call.d) <= log_distance(size, call.d)) continue;
    nearest = &lengths, d = size;
  }
  if (!nearest) return std::nullopt;
  const auto above = nearest->lower_bound(call.n);
  if (above == nearest->begin()) return above->second.ratio;
  const auto below = std::prev(above);
  if (above == nearest->end()) return below->second.ratio;
  const double share = log_distance(call.n, below->first) / log_distance(above->first, below->first);
  return below->second.ratio + share * (above->second.ratio - below->second.ratio);
}

std::optional<double> ms_by_ratio(const std::vector<PredictionRow>& rows, Contender other, const RaceTimes* races) {
  if (!races) return std::nullopt;
  for (const PredictionRow& row : rows) {
    const AttentionMethod& own = *row.predicted.method;
    const bool is_own = contender_row(own.who).by == RunBy::Tilewalk && !own.backward;
    if (!is_own || !row.predicted.predicted_ms || row.by_processor()) continue;
    if (const auto ratio = recorded_ratio(*races, other, own.who, row.predicted.call))
      return *ratio * *row.predicted.predicted_ms;
  }
  return std::nullopt;
}

}  // namespace tilewalk
