// Predictions beside recorded times: one row a contender, with the error; and the whole table of the recorded races of
// a card, which checks the model. An error is predicted over recorded, less one. For speed-ups: the predicted one over
// the recorded one, less one, of a tiled contender over naive, and over eager, at the same point.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/predict/predict.h"
#include "measured/queued_calls.h"
#include "measured/race_times.h"

namespace tilewalk {

struct PredictionRow {
  Prediction predicted;
  std::optional<double> recorded_ms = {};
  std::string sample = {};  // for a point sampled at random: the file's remark on the sample
  bool queued = false;      // the recorded time is the card's alone: the processor had launched before
  // The time to compare: the card's; of a call that was not queued the processor's for launching where that is longer.
  std::optional<double> compared_ms() const;
  bool by_processor() const { return !queued && predicted.by_processor; }
  std::optional<double> error() const;
  std::optional<double> pencil_error() const;
  std::optional<double> reached() const;  // the share of the roofline's rate: the roofline's time over the recorded one
};

RaceCell cell_of(const AttentionCall&, bool backward = false);
AttentionCall call_of(const RaceCell&);

// The model's and the pencil method's prediction for a race's row, on the card that it ran on; none where there is no
// model, or the row has no time.
std::optional<Prediction> prediction_of(const RaceRow&, const DeviceModel&);
// Predicted over recorded, less one.
std::optional<double> error_of(const Prediction&, const RaceRow&);

// A walked problem beside the race of its schedule's fast kernel on the same card, at the same call. Empty where no
// race ran it. Standard attention has none: its tiles are no kernel's (view/words/call_times.h has the naive of races).
struct WalkPrediction {
  std::optional<double> recorded_ms;
  std::optional<double> error;  // of the modelled time; none where the kernel used other tiles or lanes than these
  std::string ran;              // the kernel's tile in that case: "128×64"
};
WalkPrediction walk_prediction(const Problem&, double modelled_ms, const RaceTimes&);

// Every contender of a call: modelled ones always, recorded-only ones where there is a recording. Times may be null: a
// card without recordings.
std::vector<PredictionRow> prediction_rows(const AttentionCall&, const DeviceModel&, const RaceTimes*);

const PredictionRow* find_row(const std::vector<PredictionRow>&, Contender);  // null: no such row

// The speed-up of a row over another contender of the same call, by predicted times; none where either has no time.
std::optional<double> times_as_fast(const std::vector<PredictionRow>&, const PredictionRow&, Contender than);

// The speed-up over naive of the card's fastest kernel (FA-3, else FA-2; on a processor the tiled one over its naive
// one): by recorded times where both are recorded, else by the model's for both; none where either does not run.
std::optional<double> win_of(const std::vector<PredictionRow>&);

struct Spread {  // of errors, as fractions
  std::size_t points = 0;
  double median = 0, worst = 0;  // of their absolute values
};
Spread spread_of(std::vector<double> errors);

struct SpeedUpError {
  Contender who{}, over{};
  AttentionCall call;
  std::string sample;
  double predicted = 0, recorded = 0;
  bool by_processor = false;  // the processor's launches set one of the two times
  bool queued = false;
  double fast_ms = 0;  // the recorded time of `who`
  double error() const { return predicted / recorded - 1; }
};

// The contenders of the table, and the pairs whose speed-up it has.
inline constexpr Contender kCheckedMethods[] = {
    Contender::Eager,   Contender::Naive,           Contender::FlashV1,        Contender::FlashV2,
    Contender::FlashV3, Contender::FlashV2Backward, Contender::FlashV3Backward};
inline constexpr std::pair<Contender, Contender> kCheckedPairs[] = {{Contender::FlashV2, Contender::Naive},
                                                                    {Contender::FlashV3, Contender::Naive},
                                                                    {Contender::FlashV2, Contender::Eager},
                                                                    {Contender::FlashV3, Contender::Eager}};

struct ErrorTable {
  // Recorded points of these contenders, 16 bits, from N = 1024 (queued: from 128); by contender, head size, mask,
  // length and heads.
  std::vector<PredictionRow> rows;
  std::vector<SpeedUpError> speed_ups;
  // Points where the card's work sets the time. Where launches may set it, the time is the processor's, which differs
  // from run to run.
  Spread of(Contender) const;
  Spread by_pencil(Contender) const;
  Spread of_speed_up(Contender, Contender over) const;
  Spread by_processor() const;            // times of all contenders
  Spread speed_ups_by_processor() const;  // of all pairs

  std::vector<std::string> samples() const;  // remarks of the files with points sampled after the model was fixed
  ErrorTable of_sample(const std::string& sample) const;  // only the points of that sample; "": those of none
  ErrorTable queued(bool) const;                          // only queued calls, or only the others
  // Only calls of N from 1,024 that take 30 µs or longer, or only the shorter ones.
  ErrorTable long_calls(bool) const;
};
// calls: queued ones, from N = 128. Race times of builds that have been replaced since are left out.
ErrorTable prediction_errors(const RaceTimes&, const DeviceModel&, const std::vector<QueuedCall>& calls = {});

}  // namespace tilewalk
