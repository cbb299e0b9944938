// The page of the roofline: the window's call on its card or processor. The answers are shown, except to those who
// chose to guess first: they see them once they reveal them, for this call; the errors of the last guesses are kept.
// Heads and batch follow N and d as in the recorded races (on cards 2,048 columns, 16,384 tokens in all), until others
// are chosen. Where the model of time does not cover the window's call, the page keeps the last call that it covers. A
// card may have typed or measured rates; a refused rate stays in its field and does not change the card. A processor is
// a recorded one or the local one ("cpu", "cpu-16", "your-cpu"); the chosen card is kept meanwhile. Recorded times are
// read when the page is first opened; for the pages that show them in one line, between frames. A job measures this
// machine: serials request a measurement or its end, and the result, reported by Command, becomes "your-cpu" and
// "your-gpu".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/predict/attention_call.h"
#include "measured/known_processors.h"
#include "measured/race_times.h"
#include "session/command/command.h"
#include "session/document/document_owner.h"
#include "session/document/message_line.h"
#include "session/document/window_call.h"

namespace tilewalk {

inline constexpr std::int64_t kRooflineLengths[] = {512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
inline constexpr std::size_t kGuessesKept = 5;

struct TypedRate {  // of an own card
  std::string text, issue;
  std::optional<double> value;  // the last valid one
};

inline constexpr const char* kYourCard = "your-gpu";

class RooflineController {
 public:
  struct Setup {
    // Recorded ones; called when the page is first opened.
    std::function<Result<RaceTimes>(const std::string& device)> load_times = {};
    std::function<Result<std::vector<KnownProcessor>>()> load_processors = {};
    MeasuredMachine machine = {};   // as measured in an earlier start
    std::string no_measuring = {};  // why this machine cannot be measured; empty: it can
  };

  RooflineController(Document& document, MessageLine& messages, DocumentOwner& owner, WindowCall& window, Setup setup)
      : document_(document), messages_(messages), owner_(owner), window_(window), setup_(std::move(setup)) {}
  // Takes over what other pages changed of the window's call. In a lesson guesses come first.
  void follow(bool in_lesson);
  void read_times();     // of every raced card and processor, once
  void read_cards();     // of every card: for lessons and questions
  void turned_to(Page);  // reads the times that the page shows; for other pages work() reads them
  bool busy() const;
  bool work();  // true if times were read

  const KnownProcessor* processor() const { return processor_ ? &*processor_ : nullptr; }  // null: a card is chosen
  const std::vector<KnownProcessor>& processors() const { return processors_; }            // the recorded ones
  const MeasuredMachine& machine() const { return setup_.machine; }
  const std::string& no_measuring() const { return setup_.no_measuring; }
  const Measuring& measuring() const { return measuring_; }
  bool measured_card() const { return measured_card_; }  // the card has the rates that were measured here

  const std::string& device() const { return device_; }
  DeviceModel card() const;                                  // the device, with the own rates if there are any
  const TypedRate& bandwidth() const { return bandwidth_; }  // GB/s
  const TypedRate& peak() const { return peak_; }            // TFLOP/s
  bool own_card() const { return bandwidth_.value || peak_.value; }
  const AttentionCall& call() const { return call_; }
  bool as_raced() const { return window_.as_raced; }
  const std::string& not_followed() const { return not_followed_; }  // why the window's call is not shown; or empty
  AttentionCall call_of_length(std::int64_t n) const;
  void want_times() { wanted_ = true; }  // read as work() is called
  const RaceTimes* times() const;        // recorded on the chosen card; null: there are none
  const RaceTimes* recorded(const std::string& device = kRecordedOn) const;  // of any card
  std::vector<PredictionRow> rows() const;                                   // of the call on the chosen machine
  bool guesses_first() const { return guesses_first_ || in_lesson_; }
  bool chose_guesses() const { return guesses_first_; }  // the user's choice, kept between starts
  bool revealed() const { return revealed_ || !guesses_first(); }
  std::optional<double> guess() const { return guess_; }         // speed-up over naive
  const std::vector<double>& misses() const { return misses_; }  // shares, latest last

  void reveal();                                         // or hides again: from then on guesses come first
  void guess_first();                                    // hides the answers of this call and of those to come
  void show_answers() { guesses_first_ = false; }        // of this call and of those to come
  void start_guessing(bool on) { guesses_first_ = on; }  // as chosen in an earlier start
  void measure();
  void stop_measuring() { measuring_.stop(); }
  void carry_out(const ChooseRoofline&);
  bool step_presented(StepUnit, int direction);  // to the next length, while the page is presented
  void carry_out(const EditOwnCard&);
  void carry_out(const GuessWin&);
  void carry_out(const WalkMethod&);
  void carry_out(const ReportMeasure&);

 private:
  bool cards_left() const;
  void read_card();
  void ask_anew();
  Result<Done> put_on(const std::string& device);  // does not change anything where it fails
  void publish();                                  // this page's call becomes the window's
  void shape_as_raced(AttentionCall&) const;

  Document& document_;
  MessageLine& messages_;
  DocumentOwner& owner_;
  WindowCall& window_;
  Setup setup_;
  Measuring measuring_ = {};
  bool wanted_ = false, processors_read_ = false;
  std::size_t read_ = 0;  // number of cards read
  std::vector<RaceTimes> times_;
  std::vector<KnownProcessor> processors_;
  std::optional<KnownProcessor> processor_;
  bool measured_card_ = false;
  std::string device_ = kDefaultDevice;
  TypedRate bandwidth_, peak_;
  AttentionCall call_ = *modelled_call(start_call());
  WindowCall followed_ = {};
  std::string not_followed_ = {};
  bool revealed_ = false, guesses_first_ = false, in_lesson_ = false;
  std::optional<double> guess_;
  std::vector<double> misses_;
};

}  // namespace tilewalk
