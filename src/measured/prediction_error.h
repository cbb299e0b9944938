// Predictions beside what was recorded: one row a contender, with the error; and the whole table of what a card's races
// hold, the model's second witness. An error is predicted over recorded, less one. Of speed-ups: the predicted one over
// the recorded one, less one, of a tiled contender over naive, and over eager, at the same point.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/predict/predict.h"
#include "measured/race_times.h"

namespace tilewalk {

struct PredictionRow {
  Prediction predicted;
  std::optional<double> recorded_ms = {};
  std::string drawn = {};  // of a point drawn after the model was fixed: what its file says of the draw
  std::optional<double> error() const;
  std::optional<double> paper_error() const;
  std::optional<double> reached() const;  // of what the roofline allows: its time over the recorded one
};

RaceCell cell_of(const AttentionCall&, bool backward = false);
AttentionCall call_of(const RaceCell&);

// What the model and the method on paper say of a race's row, on the card that it ran on; none where nobody models it,
// or the row has no time.
std::optional<Prediction> prediction_of(const RaceRow&, const DeviceModel&);
// Predicted over recorded, less one.
std::optional<double> error_of(const Prediction&, const RaceRow&);

// A walked problem beside the race of its schedule's fast kernel on the same card, at the same call. Nothing where no
// race ran it; and standard attention has none: the naive that races keeps S in 16 bits.
struct WalkPrediction {
  std::optional<double> recorded_ms;
  std::optional<double> error;  // of the modelled time; none where the kernel ran other tiles or lanes than these
  std::string ran;              // then: "128×64"
};
WalkPrediction walk_prediction(const Problem&, double modelled_ms, const RaceTimes&);

// Every contender of a call: modelled ones always, those only recorded where there is a recording. Times may be null:
// another card than the recorded one.
std::vector<PredictionRow> prediction_rows(const AttentionCall&, const DeviceModel&, const RaceTimes*);

const PredictionRow* row_of(const std::vector<PredictionRow>&, Contender);  // null: it is not among them

// Predicted times of a row over those of another contender of the same call; none where either has no time.
std::optional<double> times_as_fast(const std::vector<PredictionRow>&, const PredictionRow&, Contender than);

// How many times as fast as naive the fastest kernel of the card is (FA-3, else FA-2; on a processor the tiled
// one over its naive one): by the recording of each where there is one, else by the model; none where either does not
// run.
std::optional<double> win_of(const std::vector<PredictionRow>&);

struct Spread {  // of errors, as shares
  std::size_t points = 0;
  double median = 0, worst = 0;  // of their sizes
};
Spread spread_of(std::vector<double> errors);

struct HeldSpeedUp {
  Contender who{}, over{};
  AttentionCall call;
  std::string drawn;
  double predicted = 0, recorded = 0;
  bool by_processor = false;  // of either of the two
  double error() const { return predicted / recorded - 1; }
};

// What the table holds, and of which pairs it tells the speed-up.
inline constexpr Contender kHeldMethods[] = {Contender::Eager, Contender::Naive, Contender::FlashV2, Contender::FlashV3,
                                             Contender::FlashV2Backward};
inline constexpr std::pair<Contender, Contender> kHeldPairs[] = {{Contender::FlashV2, Contender::Naive},
                                                                 {Contender::FlashV3, Contender::Naive},
                                                                 {Contender::FlashV2, Contender::Eager},
                                                                 {Contender::FlashV3, Contender::Eager}};

struct HeldTable {
  // Recorded points of those contenders, 16 bits, from N = 1024; by contender, head size, mask, length and heads.
  std::vector<PredictionRow> rows;
  std::vector<HeldSpeedUp> speed_ups;
  // Where the card's work sets the time. Where launches may, a processor is timed, another one from run to run.
  Spread of(Contender) const;
  Spread on_paper(Contender) const;
  Spread of_speed_up(Contender, Contender over) const;
  Spread by_processor() const;            // times of all contenders
  Spread speed_ups_by_processor() const;  // of all pairs

  std::vector<std::string> draws() const;  // what files of points drawn after the model was fixed say of them
  HeldTable of_draw(const std::string& drawn) const;  // its points alone; "": those of no draw
};
HeldTable hold_against(const RaceTimes&, const DeviceModel&);

}  // namespace tilewalk
