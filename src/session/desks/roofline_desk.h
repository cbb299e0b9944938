// The page of the roofline: which call on which card, what a person guesses before the answers are shown, and how far
// their last guesses were off. Heads and batch are the race's: 2,048 columns, 16,384 tokens in all. Recorded times are
// read when the page is first opened.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/predict/attention_call.h"
#include "measured/race_times.h"
#include "session/command.h"
#include "session/message_line.h"

namespace tilewalk {

inline constexpr std::int64_t kRooflineLengths[] = {512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
inline constexpr std::size_t kGuessesKept = 5;

class RooflineDesk {
 public:
  using LoadTimes = std::function<Result<RaceTimes>()>;

  RooflineDesk(MessageLine& messages, LoadTimes load) : messages_(messages), load_(std::move(load)) {}
  void read_times();  // once

  const std::string& device() const { return device_; }
  AttentionCall call() const { return call_of_length(n_); }
  AttentionCall call_of_length(std::int64_t n) const;
  const RaceTimes* times() const;  // recorded on the card that is chosen; null: none were
  const RaceTimes* recorded() const { return times_ ? &*times_ : nullptr; }  // whatever card is chosen
  bool revealed() const { return revealed_; }
  std::optional<double> guess() const { return guess_; }         // times as fast as naive
  const std::vector<double>& misses() const { return misses_; }  // shares, the last one last

  void carry_out(Action);  // RevealWin
  void carry_out(const ChooseRoofline&);
  void carry_out(const GuessWin&);

 private:
  MessageLine& messages_;
  LoadTimes load_;
  bool asked_ = false;
  std::optional<RaceTimes> times_;
  std::string device_ = "h200";
  std::int64_t n_ = 8192, d_ = 64;
  bool causal_ = false;
  bool revealed_ = false;
  std::optional<double> guess_;
  std::vector<double> misses_;
};

}  // namespace tilewalk
