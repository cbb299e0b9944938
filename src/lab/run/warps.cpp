// Barriers that do not fit, and what the threads of a warp do together: __syncwarp and shuffles.
#include <algorithm>

#include "lab/language/arithmetic.h"
#include "lab/run/machine.h"

namespace tilewalk::lab {

bool Machine::release_warps() {
  bool released = false;
  const int threads = int(status_.size());
  for (int first = 0; first < threads; first += 32) released |= release_warp(first, std::min(first + 32, threads));
  return released;
}

// Releases the lanes of the first mask whose lanes all wait at one place.
bool Machine::release_warp(int first, int end) {
  for (int leader = first; leader < end; ++leader) {
    const ThreadStatus status = status_[std::size_t(leader)];
    if (status != ThreadStatus::AtShuffle && status != ThreadStatus::AtWarpBarrier) continue;
    const std::int32_t at = at_[std::size_t(leader)];
    const Instruction& i = code().code[std::size_t(at)];
    const bool shuffle = status == ThreadStatus::AtShuffle;
    const auto mask_of = [&](int lane) { return std::uint32_t(register_of(lane, shuffle ? i.imm / 4 : i.a)); };
    const std::uint32_t mask = mask_of(leader);
    bool all = (mask >> (leader - first) & 1u) != 0;
    for (int lane = first; lane < end && all; ++lane) {
      const ThreadStatus of = status_[std::size_t(lane)];
      if ((mask >> (lane - first) & 1u) && of != ThreadStatus::Done)
        all = of == status && at_[std::size_t(lane)] == at && mask_of(lane) == mask;
    }
    if (!all) continue;
    RunCounters& count = by_visit_[std::size_t(ordinal_[std::size_t(leader)] - first_ordinal_)];
    if (shuffle) {
      exchange(first, end, mask);
      ++count.shuffles;
    } else {
      ++warp_epochs_[std::size_t(first) / 32];
      ++count.warp_barriers;
    }
    for (int lane = first; lane < end; ++lane)
      if ((mask >> (lane - first) & 1u) && status_[std::size_t(lane)] == status) {
        status_[std::size_t(lane)] = ThreadStatus::Ready;
        ++at_[std::size_t(lane)];
      }
    return true;
  }
  return false;
}

void Machine::exchange(int first, int end, std::uint32_t mask) {
  const auto takes_part = [&](int lane) {
    return lane >= first && lane < end && (mask >> (lane - first) & 1u) &&
           status_[std::size_t(lane)] == ThreadStatus::AtShuffle;
  };
  std::uint64_t got[32] = {};
  for (int lane = first; lane < end; ++lane) {
    if (!takes_part(lane)) continue;
    const std::int32_t at = at_[std::size_t(lane)];
    const Instruction& i = code().code[std::size_t(at)];
    const auto by = std::int32_t(register_of(lane, i.c));
    const int own = lane - first, kind = i.imm % 4;
    int from = kind == kShuffleLane ? by & 31 : kind == kShuffleXor ? own ^ by : own + (by & 31);
    if (kind == kShuffleDown && from > 31) from = own;
    if (from < 0 || from > 31 || !takes_part(first + from)) {
      report_unfilled("the value of lane " + std::to_string(from), lane, at);
      from = own;
    }
    got[own] = register_of(first + from, i.b);
  }
  for (int lane = first; lane < end; ++lane)
    if (takes_part(lane)) {
      const Instruction& i = code().code[std::size_t(at_[std::size_t(lane)])];
      registers_[std::size_t(lane) * code().registers.size() + i.a] = got[lane - first];
    }
}

// Nobody can go on: names one thread that waits and one that does not come.
void Machine::refuse_barrier() {
  const auto waits_at = [&](ThreadStatus status) {
    return int(std::find(status_.begin(), status_.end(), status) - status_.begin());
  };
  const int threads = int(status_.size());
  int waiting = std::min(waits_at(ThreadStatus::AtShuffle), waits_at(ThreadStatus::AtWarpBarrier));
  const bool warp = waiting < threads;
  if (!warp) waiting = waits_at(ThreadStatus::AtBarrier);
  int missing = -1;
  for (int thread = warp ? waiting / 32 * 32 : 0; thread < threads && missing < 0; ++thread)
    if (status_[std::size_t(thread)] != status_[std::size_t(waiting)] ||
        at_[std::size_t(thread)] != at_[std::size_t(waiting)])
      missing = thread;
  if (missing < 0) missing = waiting;
  const bool returned = status_[std::size_t(missing)] == ThreadStatus::Done;
  const char* place = status_[std::size_t(waiting)] == ThreadStatus::AtShuffle       ? "this shuffle"
                      : status_[std::size_t(waiting)] == ThreadStatus::AtWarpBarrier ? "this __syncwarp"
                                                                                     : "this __syncthreads";
  report({.kind = warp ? FindingKind::DivergentShuffle : FindingKind::DivergentBarrier,
          .at = party(waiting, at_[std::size_t(waiting)]),
          .other = party(missing, at_[std::size_t(missing)]),
          .what = std::string("not all threads reach ") + place + ": thread " + std::to_string(missing) +
                  (returned ? " has returned." : " waits in line " + std::to_string(place_of(missing).line) + "."),
          .instead = warp ? "Let all lanes of the mask come here."
                          : "All threads of a block must reach it: no if, loop or return that depends on the thread "
                            "may be around it."});
  state_ = RunState::Stopped;
}

}  // namespace tilewalk::lab
