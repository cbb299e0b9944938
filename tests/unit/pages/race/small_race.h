// A race of two kernels on a processor, shared by the tests of the race's page.
#pragma once

#include <string>
#include <vector>

#include "core/predict/ceilings.h"
#include "pages/race/race_controller.h"

namespace tilewalk::test {

inline RaceRow race_row(const std::string& rung, std::int64_t n, std::vector<double> ms, bool causal = false) {
  RaceRow row;
  row.rung = row.contender = rung;
  row.dtype = "fp32";
  row.n = n, row.d = 64, row.heads = 4, row.batch = 1;
  row.causal = causal;
  row.ms = std::move(ms);
  return row;
}

// cpu_naive is twice as slow at 1024, out of memory at 2048 and noisy at 4096.
inline Race small_race() {
  Race race;
  race.provenance = {{"processor, threads", "A processor, 2 threads"},
                     {"date", "2026-01-02"},
                     {"fp32 multiply-adds, TFLOP/s", "0.5"},
                     {kCopyKey, "20"}};
  race.rows = {race_row("cpu_naive", 1024, {10, 10, 10}),
               race_row("cpu_tiled", 1024, {5, 5, 5}),
               race_row("cpu_naive", 2048, {}),
               race_row("cpu_tiled", 2048, {20, 20, 20}),
               race_row("cpu_naive", 4096, {10, 99, 50}),
               race_row("cpu_tiled", 4096, {80, 80, 80}),
               race_row("cpu_tiled", 1024, {3, 3, 3}, true)};
  race.rows[2].stopped = RaceOutcome::OutOfMemory;
  race.rows[2].why = "out of memory: its scores want 9 GiB of the 1 GiB that are free";
  race.rows[2].extra_bytes = 9ll << 30;
  race.rows[3].extra_bytes = 4096;
  return race;
}

inline Races races_with(Race race) {
  Races races;
  races.cpu = std::make_shared<const Race>(std::move(race));
  races.choice.source = RaceSource::Cpu;
  return races;
}

}  // namespace tilewalk::test
