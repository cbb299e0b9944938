// The page of the roofline: which call on which card, what a person guesses before the answers are shown, and how far
// their last guesses were off. Heads and batch follow N and d as in the recorded races (2,048 columns, 16,384 tokens in
// all), until others are chosen. The card may have rates of one's own; a rate that is refused stays in its field and
// leaves the card as it was. Recorded times are read when the page is first opened; for the page of
// comparison, where they are one line of many, between its frames.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/predict/attention_call.h"
#include "measured/race_times.h"
#include "session/command.h"
#include "session/desks/desk.h"
#include "session/message_line.h"

namespace tilewalk {

inline constexpr std::int64_t kRooflineLengths[] = {512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
inline constexpr std::size_t kGuessesKept = 5;

struct TypedRate {  // of a card of one's own
  std::string text, issue;
  std::optional<double> value;  // the last that was taken
};

class RooflineDesk {
 public:
  using LoadTimes = std::function<Result<RaceTimes>(const std::string& device)>;

  RooflineDesk(Document& document, MessageLine& messages, DocumentOwner& owner, LoadTimes load)
      : document_(document), messages_(messages), owner_(owner), load_(std::move(load)) {}
  void read_times();                     // of every card that was raced, once
  void want_times() { wanted_ = true; }  // the same, but by work(), a card at a time
  bool busy() const;
  bool work();  // true: times have come

  const std::string& device() const { return device_; }
  DeviceModel card() const;                                  // the device, with your own rates where there are any
  const TypedRate& bandwidth() const { return bandwidth_; }  // GB/s
  const TypedRate& peak() const { return peak_; }            // TFLOP/s
  bool own_card() const { return bandwidth_.value || peak_.value; }
  const AttentionCall& call() const { return call_; }
  bool as_raced() const { return as_raced_; }
  AttentionCall call_of_length(std::int64_t n) const;
  const RaceTimes* times() const;  // recorded on the card that is chosen; null: none were
  const RaceTimes* recorded(const std::string& device = kRecordedOn) const;  // whatever card is chosen
  bool revealed() const { return revealed_; }
  std::optional<double> guess() const { return guess_; }         // times as fast as naive
  const std::vector<double>& misses() const { return misses_; }  // shares, the last one last

  void carry_out(Action);  // RevealWin
  void carry_out(const ChooseRoofline&);
  void carry_out(const EditOwnCard&);
  void carry_out(const GuessWin&);
  void carry_out(const WalkMethod&);

 private:
  void ask_anew();

  Document& document_;
  MessageLine& messages_;
  DocumentOwner& owner_;
  LoadTimes load_;
  bool wanted_ = false;
  std::size_t read_ = 0;  // cards
  std::vector<RaceTimes> times_;
  std::string device_ = "h200";
  TypedRate bandwidth_, peak_;
  AttentionCall call_{.n = 8192, .d = 64, .heads = 32, .batch = 2};
  bool as_raced_ = true;
  bool revealed_ = false;
  std::optional<double> guess_;
  std::vector<double> misses_;
};

}  // namespace tilewalk
