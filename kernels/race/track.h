// The interface between a race and a machine with its contenders. Internal to kernels/race; tests have tracks of their
// own.
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
  // Machine, date and ceilings, under the keys that Race reads; needs about a second.
  virtual std::map<std::string, std::string> provenance() = 0;
  virtual std::vector<TrackEntry> contenders(const RaceCell&) const = 0;  // in the order they run
  // Creates the cell's inputs and drops those of the previous cell. OutOfMemory applies to every contender.
  virtual Readiness open(const RaceCell&) = 0;
  virtual Readiness prepare(std::size_t contender) = 0;  // allocates its memory beyond inputs and outputs
  virtual Result<std::vector<double>> time(std::size_t contender, int runs) = 0;  // milliseconds of each
  // Keeps the machine busy for a moment and returns the share of processor time that it got; none on a GPU.
  virtual std::optional<double> own_share() { return std::nullopt; }
  // Runs it once more, untimed, and returns the rate of multiply-adds straight after it, TFLOP/s; none where that
  // cannot be measured.
  virtual std::optional<double> peak_at_clock(std::size_t /*contender*/) { return std::nullopt; }
  virtual std::vector<float> sample() = 0;  // some values of the last run's result, at the same places each time
};

std::string why_no_cpu_race();  // one sentence without its full stop; empty if one can run here
std::unique_ptr<RaceTrack> make_cpu_track(int threads, const std::string& dtype);  // precondition: one can run here
// An issue where there is no GPU; always in a build without CUDA.
Result<std::unique_ptr<RaceTrack>> make_gpu_track(const std::string& dtype);
Issue no_gpu_issue(const std::string& why);

// memory still available to this process, from the machine and its container; 0: unknown
std::int64_t free_memory_bytes();

}  // namespace tilewalk
