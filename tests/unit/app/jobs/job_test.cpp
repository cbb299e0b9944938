// The one way of working off the drawing thread. Threads synchronise at latches, never by time. Run under tsan too.
#include "app/jobs/job.h"

#include <atomic>
#include <latch>
#include <semaphore>
#include <stdexcept>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/no_threads.h"

using namespace tilewalk;

namespace {

using Watch = JobWatch<std::string>;
using Runs = std::function<std::string(const int&, const Watch&)>;

// A job that counts its wake-ups, so that a test can wait for an answer.
struct Waiting {
  explicit Waiting(Runs run)
      : job({std::move(run),
             [](const int& request, const std::string& why) {
               return "request " + std::to_string(request) + " failed: " + why;
             }},
            [this] { woken.release(); }) {}
  std::string next() {
    woken.acquire();
    return job.poll().value_or("nothing");
  }
  std::counting_semaphore<> woken{0};
  Job<int, std::string> job;
};

void until_cancelled(const Watch& watch) {
  while (!watch.cancelled()) std::this_thread::yield();
}

}  // namespace

TEST_CASE("a job answers its request once, on another thread", "[job]") {
  std::thread::id worker;
  Waiting waiting([&](const int& request, const Watch&) {
    worker = std::this_thread::get_id();
    return std::to_string(2 * request);
  });
  CHECK_FALSE(waiting.job.poll());
  waiting.job.start(21);
  CHECK(waiting.next() == "42");
  CHECK(worker != std::this_thread::get_id());
  CHECK_FALSE(waiting.job.poll());
  waiting.job.start(4);
  CHECK(waiting.next() == "8");
}

TEST_CASE("reports come before the answer, and the latest replaces unread ones", "[job]") {
  std::latch polled(1);
  Waiting waiting([&](const int&, const Watch& watch) {
    watch.report("half");
    polled.wait();
    watch.report("most");
    return "all";
  });
  waiting.job.start(1);
  CHECK(waiting.next() == "half");
  polled.count_down();
  waiting.woken.acquire(), waiting.woken.acquire();  // of "most" and of the answer
  CHECK(waiting.job.poll() == "all");
  CHECK_FALSE(waiting.job.poll());
}

TEST_CASE("a cancelled task ends early, and its partial result is its answer", "[job]") {
  std::latch begun(1);
  Waiting waiting([&](const int&, const Watch& watch) {
    begun.count_down();
    until_cancelled(watch);
    return "two rows of four";
  });
  waiting.job.start(1);
  begun.wait();
  waiting.job.cancel();
  CHECK(waiting.next() == "two rows of four");
}

TEST_CASE("a request cancelled before its turn is still answered, and the next one is not cancelled") {
  std::latch begun(1), end(1);
  Waiting waiting([&](const int& request, const Watch& watch) {
    if (request == 1) begun.count_down(), end.wait();
    return std::to_string(request) + (watch.cancelled() ? " cancelled" : " whole");
  });
  waiting.job.start(1);
  begun.wait();
  waiting.job.start(2);
  waiting.job.cancel();
  end.count_down();
  CHECK(waiting.next() == "2 cancelled");
  waiting.job.start(3);
  CHECK(waiting.next() == "3 whole");
}

TEST_CASE("a newer request cancels the running one and drops its result", "[job]") {
  std::latch begun(1), superseded(1);
  Waiting waiting([&](const int& request, const Watch& watch) {
    if (request == 1) {
      watch.report("1 so far");
      begun.count_down();
      superseded.wait();
      until_cancelled(watch);  // hangs unless cancelled
      watch.report("1 late");
    }
    return std::to_string(request);
  });
  waiting.job.start(1);
  begun.wait();
  waiting.woken.acquire();  // of "1 so far", which is never polled
  waiting.job.start(2);     // returns while 1 still runs: it waits for what the test does next
  CHECK_FALSE(waiting.job.poll());
  superseded.count_down();
  CHECK(waiting.next() == "2");
  CHECK_FALSE(waiting.woken.try_acquire());
}

TEST_CASE("a newer request drops an answer that was not polled", "[job]") {
  std::latch begun(1), end(1);
  Waiting waiting([&](const int& request, const Watch&) {
    if (request == 2) begun.count_down(), end.wait();
    return std::to_string(request);
  });
  waiting.job.start(1);
  waiting.woken.acquire();
  waiting.job.start(2);
  begun.wait();
  CHECK_FALSE(waiting.job.poll());
  end.count_down();
  CHECK(waiting.next() == "2");
}

TEST_CASE("an exception becomes an answer with its reason, and the job continues", "[job]") {
  Waiting waiting([](const int& request, const Watch&) -> std::string {
    if (request == 1) throw std::runtime_error("no room");
    if (request == 2) throw 2;
    return "fine";
  });
  waiting.job.start(1);
  CHECK(waiting.next() == "request 1 failed: no room");
  waiting.job.start(2);
  CHECK(waiting.next() == "request 2 failed: unknown error");
  waiting.job.start(3);
  CHECK(waiting.next() == "fine");
}

TEST_CASE("an exception while building that answer reaches the poller, and the job continues", "[job]") {
  std::counting_semaphore<> woken{0};
  Job<int, std::string> job({[](const int& request, const Watch&) -> std::string {
                               if (request == 1) throw std::bad_alloc();
                               return "fine";
                             },
                             [](const int&, const std::string&) -> std::string { throw std::bad_alloc(); }},
                            [&] { woken.release(); });
  job.start(1);
  woken.acquire();
  CHECK_THROWS_AS(job.poll(), std::bad_alloc);
  CHECK_FALSE(job.poll());
  job.start(2);
  woken.acquire();
  CHECK(job.poll() == "fine");
}

TEST_CASE("a job that shuts down while a task runs cancels it, waits for it and drops its result", "[job]") {
  std::latch begun(1);
  std::atomic<bool> ended = false;
  std::atomic<int> wakes = 0;
  {
    Job<int, std::string> job({[&](const int&, const Watch& watch) {
                                 begun.count_down();
                                 until_cancelled(watch);
                                 watch.report("too late");
                                 ended = true;
                                 return std::string("too late");
                               },
                               [](const int&, const std::string& why) { return why; }},
                              [&] { ++wakes; });
    job.start(1);
    begun.wait();
  }
  CHECK(ended);
  CHECK(wakes == 0);
}

TEST_CASE("a job without requests shuts down", "[job]") {
  bool ran = false;
  {
    Waiting idle([&](const int&, const Watch&) { return ran = true, ""; });
  }
  CHECK_FALSE(ran);
}

TEST_CASE("of many requests in a row the last is answered, and each started task was cancelled", "[job]") {
  constexpr int kStarts = 1000;
  std::atomic<int> begun = 0, told = 0;
  Waiting waiting([&](const int& request, const Watch& watch) {
    if (request == kStarts) return std::to_string(request);
    ++begun;
    until_cancelled(watch);
    ++told;
    return std::string("old");
  });
  for (int request = 1; request <= kStarts; ++request) waiting.job.start(request);
  CHECK(waiting.next() == std::to_string(kStarts));
  CHECK(begun == told);
  CHECK_FALSE(waiting.woken.try_acquire());
}

TEST_CASE("a task can run on the calling thread", "[job]") {
  const Task<int, std::string> task{[](const int& request, const Watch& watch) -> std::string {
                                      watch.report("to nobody");
                                      if (request == 0 || watch.cancelled()) throw std::runtime_error("nothing to do");
                                      return std::to_string(request);
                                    },
                                    [](const int&, const std::string& why) { return why; }};
  CHECK(task.answer(5) == "5");
  CHECK(task.answer(0) == "nothing to do");
}

TEST_CASE("a task in slices runs until it answers, and a newer request ends it between two slices", "[job]") {
  std::latch superseded(1);
  std::atomic<int> first = 0, second = 0;
  using Wanted = std::function<Slices<std::string>(const int&)>;
  std::counting_semaphore<> woken{0};
  Job<int, std::string> job({Wanted([&](const int& request) -> Slices<std::string> {
                               if (request == 1)
                                 return [&](const Watch&) -> std::optional<std::string> {
                                   if (++first == 1) superseded.wait();
                                   return std::nullopt;  // runs for ever unless cancelled
                                 };
                               return [&, left = 3](const Watch&) mutable -> std::optional<std::string> {
                                 ++second;
                                 if (--left > 0) return std::nullopt;
                                 return std::to_string(request);
                               };
                             }),
                             [](const int&, const std::string& why) { return why; }},
                            [&] { woken.release(); });
  job.start(1);
  while (first == 0) std::this_thread::yield();
  job.start(2);
  superseded.count_down();
  woken.acquire();
  CHECK(job.poll() == "2");
  CHECK(first == 1);
  CHECK(second == 3);
}

TEST_CASE("a job that gets no thread answers with the reason, and never ends the program", "[job]") {
  const test::NoThreads here;
  Waiting waiting([](const int&, const Watch&) { return "never"; });
  for (const int request : {1, 2}) {
    waiting.job.start(request);
    const std::string answer = waiting.next();
    CHECK(answer.starts_with("request " + std::to_string(request) + " failed: the system grants no thread"));
  }
  waiting.job.cancel();
  CHECK_FALSE(waiting.job.poll());
}
