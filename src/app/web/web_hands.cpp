// Stands in for jobs/thread_hands.cpp in a browser.
#include <chrono>
#include <utility>

#include "app/jobs/hands.h"

namespace tilewalk {

struct Hands::Own {
  std::function<bool()> work;
  std::function<void()> wake;
  bool called = false;
};

Hands::Hands(std::function<bool()> work, std::function<void()> wake)
    : own_(new Own{.work = std::move(work), .wake = std::move(wake)}) {}
Hands::~Hands() = default;

void Hands::call() {
  own_->called = true;
  own_->wake();
}

void Hands::rethrow() {}

bool Hands::lend() {
  if (!own_->called) return false;
  constexpr auto kAtOnce = std::chrono::milliseconds(6);
  for (const auto end = std::chrono::steady_clock::now() + kAtOnce;
       own_->called && std::chrono::steady_clock::now() < end;) {
    own_->called = false;  // work that throws, to the caller, is not asked again
    own_->called = own_->work();
  }
  if (own_->called) own_->wake();
  return true;
}

}  // namespace tilewalk
