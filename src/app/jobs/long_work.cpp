#include "app/jobs/long_work.h"

#include <fmt/format.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "app/streams.h"

namespace tilewalk {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kSilence = std::chrono::milliseconds(500);  // before the first line

struct CurrentWork {
  std::string what;
  std::optional<double> fraction;
};

std::mutex work_mutex;
std::optional<CurrentWork> at_hand;  // of the newest Progress; empty: there is none

std::string line_of(const CurrentWork& work, const std::string& more) {
  const std::string part = work.fraction ? fmt::format(" {:.0f} %", 100.0 * *work.fraction) : "";
  return fmt::format("{}{}{}  (Ctrl-C stops)", work.what, part, more);
}

}  // namespace

Progress::Progress(std::string what) : next_(Clock::now() + kSilence) {
  const std::lock_guard lock(work_mutex);
  at_hand = CurrentWork{std::move(what), {}};
}

Progress::~Progress() {
  {
    const std::lock_guard lock(work_mutex);
    at_hand.reset();
  }
  hide_status();
}

void Progress::say(std::string what) {
  const std::lock_guard lock(work_mutex);
  at_hand = CurrentWork{std::move(what), {}};
}

bool Progress::update(double fraction) {
  std::string line;
  const auto now = Clock::now();
  {
    const std::lock_guard lock(work_mutex);
    at_hand->fraction = fraction;
    if (now >= next_) line = line_of(*at_hand, "");
  }
  if (!line.empty()) {
    show_status(line);
    next_ = now + std::chrono::milliseconds(100);
  }
  return !interrupted();
}

struct Heartbeat::Own {
  std::mutex mutex;
  std::condition_variable ended;
  bool ending = false;
  std::thread thread = {};

  void beat() {
    const auto begun = Clock::now();
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, kSilence / 2, [this] { return ending; })) {
      if (seconds_silent() < std::chrono::duration<double>(kSilence).count()) continue;
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begun).count();
      CurrentWork work{"Working", {}};
      {
        const std::lock_guard work_lock(work_mutex);
        if (at_hand) work = *at_hand;
      }
      show_status(line_of(work, fmt::format(", {} s", seconds)));
    }
  }
};

Heartbeat::Heartbeat() : own_(std::make_unique<Own>()) {
  if (!has_status_line()) return;
  try {
    own_->thread = std::thread([own = own_.get()] { own->beat(); });
  } catch (const std::exception&) {  // without a thread, only a Progress shows a line
  }
}

Heartbeat::~Heartbeat() {
  {
    const std::lock_guard lock(own_->mutex);
    own_->ending = true;
  }
  own_->ended.notify_one();
  if (own_->thread.joinable()) own_->thread.join();
  hide_status();
}

}  // namespace tilewalk
