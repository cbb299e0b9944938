// What a race runs on: one machine with its contenders. Internal to kernels/race; tests have tracks of their own.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "measured/race.h"

namespace tilewalk {

struct TrackEntry {
  std::string rung, name;  // a contender's word, and the word with a tile: "… 192x128"
};

struct Readiness {  // Measured: ready to run
  RaceOutcome outcome = RaceOutcome::Measured;
  std::string why;
  std::int64_t extra_bytes = 0;
  std::optional<double> flops_done = std::nullopt;  // RaceRow's
};

class RaceTrack {
 public:
  virtual ~RaceTrack() = default;
  // Machine, date and ceilings, under the keys that Race reads; takes about a second.
  virtual std::map<std::string, std::string> provenance() = 0;
  virtual std::vector<TrackEntry> contenders(const RaceCell&) const = 0;  // in the order they run
  // Makes the cell's inputs and drops those before it. OutOfMemory holds for every contender.
  virtual Readiness open(const RaceCell&) = 0;
  virtual Readiness prepare(std::size_t contender) = 0;  // takes its memory beyond inputs and outputs
  virtual Result<std::vector<double>> time(std::size_t contender, int runs) = 0;  // milliseconds of each
  // Keeps the machine busy for a moment and says which share of the processor time asked for was got; none on a GPU.
  virtual std::optional<double> own_share() { return std::nullopt; }
  // Runs it once more, untimed, and says what multiply-adds reach straight after it, TFLOP/s; none where nobody can
  // ask.
  virtual std::optional<double> peak_at_clock(std::size_t /*contender*/) { return std::nullopt; }
  virtual std::vector<float> sample() = 0;  // some values of what the last run computed, the same places each time
};

std::string why_no_cpu_race();  // one sentence without its full stop; empty if one can run here
std::unique_ptr<RaceTrack> make_cpu_track(int threads, const std::string& dtype);  // precondition: one can run here
// An issue where there is no GPU; in a build without CUDA always.
Result<std::unique_ptr<RaceTrack>> make_gpu_track(const std::string& dtype);
Issue no_gpu_issue(const std::string& why);

// What is wrong with OpenBLAS's choice of kernels ("Prescott") on a processor with these instructions, and what to do;
// empty if nothing is.
std::string slow_blas(const std::string& core, bool avx2, bool avx512);

std::int64_t free_memory_bytes();  // what this process may still take, of the machine and its container; 0: unknown

}  // namespace tilewalk
