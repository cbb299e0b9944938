// The places where one thread stops on its way through a run: each time it comes to another line, and each start of a
// thread block. With it a run can be walked by line, by phase (the tags of the text) and by barrier, forward and back.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/run/machine.h"

namespace tilewalk::lab {

struct PathStop {
  std::int64_t step = 0;  // of the run; the thread's next instruction is on `line`
  int line = 0;
  std::int64_t block = 0;     // counted over all launches
  std::size_t kernel = 0;     // of the program
  std::int64_t barriers = 0;  // of the run so far
  std::int64_t visits = 0;    // marks that were complete before
  bool operator==(const PathStop&) const = default;
};

class ThreadPath {
 public:
  static constexpr std::size_t kMostStops = 200'000;
  static constexpr std::int64_t kMostSteps = 20'000'000;  // of the run

  // A thread that a block does not have stops at that block's last thread.
  ThreadPath(Machine start, int thread);

  bool work(std::int64_t most_steps);                            // true once the run is at its end, or cut
  const std::vector<PathStop>& stops() const { return stops_; }  // the last one is the end of the run
  bool cut() const { return cut_; }                              // too many stops, or too long a run

 private:
  Machine now_;
  int thread_;
  std::int64_t blocks_ = -1, block_ = -1, visits_ = 0;
  std::size_t kernel_ = 0;
  int line_ = 0;
  bool cut_ = false, ended_ = false;
  std::vector<PathStop> stops_;
};

}  // namespace tilewalk::lab
