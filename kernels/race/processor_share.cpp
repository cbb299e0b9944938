#include "kernels/race/processor_share.h"

#include <time.h>

#include <atomic>
#include <chrono>
#include <vector>

#include "kernels/cpu/workers.h"

namespace tilewalk {
namespace {

using Clock = std::chrono::steady_clock;

double clock_ms(clockid_t clock) {
  timespec at{};
  clock_gettime(clock, &at);
  return double(at.tv_sec) * 1e3 + double(at.tv_nsec) * 1e-6;
}

}  // namespace

double process_clock_ms() { return clock_ms(CLOCK_PROCESS_CPUTIME_ID); }

double share_for(int threads, double ms) {
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  std::vector<double> got(std::size_t(threads), 0.0), asked(got);
  std::atomic<int> ready{0};
  cpu::on_threads(threads, [&](int t) {
    ready.fetch_add(1);
    const auto waiting = Clock::now();  // until all threads run, with a limit: there may be fewer processors
    while (ready.load() < threads && since(waiting) < ms) {
    }
    const auto start = Clock::now();
    const double before = clock_ms(CLOCK_THREAD_CPUTIME_ID);
    while (since(start) < ms) {
    }
    got[std::size_t(t)] = clock_ms(CLOCK_THREAD_CPUTIME_ID) - before;
    asked[std::size_t(t)] = since(start);
  });
  double all_got = 0, all_asked = 0;
  for (std::size_t t = 0; t < got.size(); ++t) all_got += got[t], all_asked += asked[t];
  return all_got / all_asked;
}

}  // namespace tilewalk
