// A Job that starts and stops when a JobState of the session requests it.
#pragma once

#include <utility>

#include "app/jobs/job.h"
#include "session/command/job_state.h"

namespace tilewalk {

class JobSerials {  // the serials of the last requests that were handled
 public:
  bool starts(const JobState& state) { return std::exchange(started_, state.start_serial) != state.start_serial; }
  bool stops(const JobState& state) { return std::exchange(stopped_, state.stop_serial) != state.stop_serial; }

 private:
  std::uint64_t started_ = 0, stopped_ = 0;
};

template <class Request, class Answer>
class FollowedJob : public Job<Request, Answer> {
 public:
  using Job<Request, Answer>::Job;

  // `request`: makes the job's request for a new state. Without `mine`: another job handles this state.
  template <class F>
  void follow(const JobState& state, F request, bool mine = true) {
    const bool starts = serials_.starts(state), stops = serials_.stops(state);
    if (starts && mine) this->start(request());
    if (stops) this->cancel();
  }

 private:
  JobSerials serials_;
};

}  // namespace tilewalk
