// Buffers text and writes it in large pieces, so that a long file needs little memory. After the first issue all
// further text is dropped.
#pragma once

#include <string>
#include <string_view>

#include "files/output_file.h"

namespace tilewalk {

class TextOut {
 public:
  explicit TextOut(const ByteSink& sink) : sink_(sink) {}
  bool put(std::string_view text) {  // false: this and all later text is lost
    waiting_ += text;
    return waiting_.size() < kPiece || hand_on();
  }
  Result<Done> finish() {
    hand_on();
    if (!issues_.empty()) return issues_;
    return Done{};
  }

 private:
  static constexpr std::size_t kPiece = 64 << 10;

  bool hand_on() {
    if (!issues_.empty()) return false;
    const Result<Done> taken = sink_(std::as_bytes(std::span(waiting_)));
    waiting_.clear();
    if (!taken) issues_ = taken.issues();
    return issues_.empty();
  }

  const ByteSink& sink_;
  std::string waiting_;
  Issues issues_;
};

}  // namespace tilewalk
