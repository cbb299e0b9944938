// Thread blocks on SMs as squares: one for each SM, in its place. Plain values.
#pragma once

#include <string>
#include <vector>

#include "core/predict/run_time.h"

namespace tilewalk {

struct SmSquare {
  int sm = 0;
  double x = 0, y = 0;  // in squares: column and row
  bool busy = false;    // has a thread block in the first wave; at the cursor: works then
  double share = 0;     // fraction of the time with work; at the cursor: with work so far
  std::string tip;      // "SM 3: 2 thread blocks, busy 81 % of the time"
};

struct WavesModel {
  std::string title;          // "FA-2 · thread block = Q tile"
  int columns = 1, rows = 1;  // of squares
  std::vector<SmSquare> squares;
  std::string at_cursor = {};  // "At the cursor 24 % of its time is over: all 132 SMs work."; empty after the run
  // What leads below the squares: "11 waves", "4,096 thread blocks, 3 at once on an SM", and why SMs wait: "The last
  // is 34 % full: SMs wait 2 % of the time."
  std::string figure = {}, figure_words = {}, waits = {};
  std::string plain;     // "4,096 thread blocks, 3 at once on each of 132 SMs: 11 waves."; the rest on demand
  std::string sentence;  // "2 × 16 × 10 Q tiles = 320 thread blocks: …"
  std::string limit;     // "1 thread block an SM at once: registers"
  std::string time;      // "68,289 cycles, 43.5 µs with its launch · the last 12 % with SMs idle"
  // "Modelled with tiles 64×64; the call's bar has 8.98 ms, recorded"; empty where the two are one time.
  std::string other_time = {};
};

std::string title_of_waves(const Problem&);  // "FA-2 · thread block = Q tile"
WavesModel build_waves_model(const Problem&, const RunTime&, double width_px, double height_px);

// Turns the squares into the state after that share of the run's time, 0 to 1; at 1 they stay those of the whole run.
// Not modelled: waits of an SM between its thread blocks.
void show_at_cursor(WavesModel&, const Waves&, double share);

}  // namespace tilewalk
