// A Job that starts and stops when a JobWish of the session requests it.
#pragma once

#include <utility>

#include "app/jobs/job.h"
#include "session/command/job_wish.h"

namespace tilewalk {

class WishSerials {  // the serials of the last requests that were handled
 public:
  bool starts(const JobWish& wish) { return std::exchange(started_, wish.start_serial) != wish.start_serial; }
  bool stops(const JobWish& wish) { return std::exchange(stopped_, wish.stop_serial) != wish.stop_serial; }

 private:
  std::uint64_t started_ = 0, stopped_ = 0;
};

template <class Request, class Answer>
class FollowedJob : public Job<Request, Answer> {
 public:
  using Job<Request, Answer>::Job;

  // `request`: makes the job's request for a new wish. Without `mine`: another job handles this wish.
  template <class F>
  void follow(const JobWish& wish, F request, bool mine = true) {
    const bool starts = serials_.starts(wish), stops = serials_.stops(wish);
    if (starts && mine) this->start(request());
    if (stops) this->cancel();
  }

 private:
  WishSerials serials_;
};

}  // namespace tilewalk
