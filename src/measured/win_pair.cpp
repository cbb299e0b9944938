#include "measured/win_pair.h"

#include <initializer_list>

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

}  // namespace tilewalk
