#include "lab/run/thread_path.h"

#include <algorithm>

namespace tilewalk::lab {

ThreadPath::ThreadPath(Machine start, int thread) : now_(std::move(start)), thread_(std::max(thread, 0)) {}

bool ThreadPath::work(std::int64_t most_steps) {
  for (; !ended_ && most_steps > 0; --most_steps) {
    now_.run(1);
    visits_ += std::int64_t(now_.take_visits().size());
    ended_ = now_.state() != RunState::More;
    if (now_.steps() >= kMostSteps && !ended_) cut_ = ended_ = true;
    if (now_.threads() == 0) continue;
    const int thread = std::min(thread_, now_.threads() - 1), line = now_.place_of(thread).line;
    const bool begins = !ended_ && (now_.block() != block_ || now_.kernel() != kernel_ || blocks_ < 0);
    if (!begins && !ended_ && (line == line_ || line == 0)) continue;
    if (begins) ++blocks_, block_ = now_.block(), kernel_ = now_.kernel();
    if (line > 0) line_ = line;
    stops_.push_back({.step = now_.steps(),
                      .line = line_,
                      .block = blocks_,
                      .kernel = now_.kernel(),
                      .barriers = now_.totals().barriers,
                      .visits = visits_});
    if (stops_.size() == kMostStops && !ended_) cut_ = ended_ = true;
  }
  return ended_;
}

}  // namespace tilewalk::lab
