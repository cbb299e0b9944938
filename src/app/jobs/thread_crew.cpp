#include "app/jobs/thread_crew.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

constexpr int kMostHands = 4;

class ThreadCrew final : public Crew {
 public:
  explicit ThreadCrew(int hands) {
    try {
      for (int hand = 1; hand < hands; ++hand) others_.emplace_back([this, hand] { serve(hand); });
    } catch (const std::exception&) {  // neither a thread nor the memory that it takes
    }
  }

  ~ThreadCrew() override {
    part_ = nullptr;
    call();
    for (std::thread& other : others_) other.join();
  }

  int hands() const override { return int(others_.size()) + 1; }

  void run(const std::function<void(int)>& part) override {
    part_ = &part;
    busy_.store(int(others_.size()));
    call();
    attempt(0);
    for (int left = busy_.load(); left > 0; left = busy_.load()) busy_.wait(left);
    failed_.clear();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void call() {
    calls_.fetch_add(1);
    calls_.notify_all();
  }

  // Keeps the first exception for the caller of run. std::current_exception allocates nothing.
  void attempt(int hand) {
    try {
      (*part_)(hand);
    } catch (...) {
      if (!failed_.test_and_set()) failure_ = std::current_exception();
    }
  }

  void serve(int hand) {
    for (unsigned heard = 0;;) {
      calls_.wait(heard);
      heard = calls_.load();
      if (part_ == nullptr) return;
      attempt(hand);
      if (busy_.fetch_sub(1) == 1) busy_.notify_one();
    }
  }

  const std::function<void(int)>* part_ = nullptr;  // null: go home
  std::atomic<unsigned> calls_{0};
  std::atomic<int> busy_{0};
  std::atomic_flag failed_;
  std::exception_ptr failure_;  // read by run once nobody is busy
  std::vector<std::thread> others_;
};

}  // namespace

std::shared_ptr<Crew> make_thread_crew() {
  const int hands = std::min(kMostHands, int(std::thread::hardware_concurrency()));
  if (hands < 2) return nullptr;
  auto crew = std::make_shared<ThreadCrew>(hands);
  return crew->hands() < 2 ? nullptr : crew;
}

}  // namespace tilewalk
