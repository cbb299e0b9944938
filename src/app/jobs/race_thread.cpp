#include "app/jobs/race_thread.h"

#include <chrono>
#include <exception>

namespace tilewalk {

RaceThread::~RaceThread() { join(); }

void RaceThread::join() {
  cancel_ = true;
  if (thread_.joinable()) thread_.join();
  cancel_ = false;
}

void RaceThread::tell(RaceNews news) {
  {
    const std::lock_guard lock(mutex_);
    news_ = std::move(news);
  }
  if (wake_) wake_();
}

void RaceThread::start(const RacePlan& plan) {
  join();
  {
    const std::lock_guard lock(mutex_);
    news_.reset();
  }
  thread_ = std::thread([this, plan] {
    RaceNews news;
    news.source = plan.on == RaceOn::Gpu ? RaceSource::Gpu : RaceSource::Cpu;
    news.running = true;
    auto next = std::chrono::steady_clock::now();
    const auto watch = [&](const RaceProgress& at, const Race& so_far) {
      const auto now = std::chrono::steady_clock::now();
      if (now >= next) {
        next = now + std::chrono::milliseconds(100);
        if (!news.race || news.race->rows.size() != so_far.rows.size()) news.race = std::make_shared<const Race>(so_far);
        news.fraction = at.fraction;
        news.doing = at.doing;
        tell(news);
      }
      return !cancel_.load();
    };
    try {
      RaceEnd end = run_race(plan, watch);
      if (end.failure)
        news.failure = text_of(end.failure->issues);
      else
        news.race = std::make_shared<const Race>(std::move(end.race));
    } catch (const std::exception& error) {
      news.failure = std::string("The race could not be run: ") + error.what();
    }
    news.running = false;
    news.fraction = 1;
    tell(news);
  });
}

std::optional<RaceNews> RaceThread::poll() {
  const std::lock_guard lock(mutex_);
  std::optional<RaceNews> news;
  news.swap(news_);
  return news;
}

}  // namespace tilewalk
