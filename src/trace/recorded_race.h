// The recorded race: raw samples of the kernels in kernels/fast beside PyTorch's backends, taken in one process on an
// H200 (assets/measurements/fast_*.csv, made by kernels/fast/bench_*.py). Times are milliseconds by CUDA events. A
// damaged or foreign file gives Issues with file and line. A rung runs as its first contender in a cell; other tiles
// and variants that leave an optimisation out are in the file and not rows of the race.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tilewalk {

struct RaceRow {
  std::string rung;       // "naive", "flash_v2", "flash_v3", "torch_flash", "torch_cudnn", "torch_efficient"
  std::string contender;  // as the file names it, with its tile: "flash_v3 192x128"
  std::string pass;       // "forward" or "backward"
  std::string dtype;
  std::int64_t n = 0, d = 0, heads = 0, batch = 0;
  bool causal = false;
  std::vector<double> ms;  // raw samples, in the order they were taken

  double median_ms() const;
  double smallest_ms() const;
  double largest_ms() const;
  double tflops() const;  // 4 n^2 d heads batch, halved for causal, 2.5 times that backward; by the median
};

struct RecordedRace {
  std::map<std::string, std::string> provenance;  // the file's own words: "card, driver", "date", …
  std::vector<RaceRow> rows;

  // The same pass and shape run by another rung; null if it did not take part.
  const RaceRow* beside(const RaceRow&, const std::string& rung) const;
};

Result<RecordedRace> parse_recorded_race(std::string_view text, const std::string& name);
Result<RecordedRace> load_recorded_race(const std::string& path);

}  // namespace tilewalk
