// The curves of the race's page: each kernel's rate over N, on logarithmic axes, with marks where it has none.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/contains.h"
#include "pages/race/race_rows.h"
#include "view/words/race_row_text.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostLonger = 8;  // of a call than the longest raced one; as much shorter than the shortest

double log_place(double value, double low, double high) {
  return high > low ? std::log(value / low) / std::log(high / low) : 0.5;
}

// 1, 2 and 5 times powers of ten that bracket the values.
std::vector<double> log_steps(double low, double high) {
  std::vector<double> out;
  for (int power = int(std::floor(std::log10(low))) - 1; power <= int(std::ceil(std::log10(high))); ++power)
    for (const double digit : {1.0, 2.0, 5.0}) out.push_back(digit * std::pow(10.0, power));
  while (out.size() > 2 && out[1] <= low) out.erase(out.begin());
  while (out.size() > 2 && out[out.size() - 2] >= high) out.pop_back();
  return out;
}

class CurvesBuilder {
 public:
  CurvesBuilder(const Race& race, const RaceCell& cell, const std::vector<std::int64_t>& ns,
                const std::vector<std::string>& kernels, const RaceRows& rows, RaceModel& model)
      : race_(race), cell_(cell), ns_(ns), kernels_(kernels), rows_(rows), model_(model) {}

  void build() {
    std::vector<std::string> rungs;
    double low = 0, high = 0;
    for (const RaceRow& row : race_.rows) {
      if (!on_curve(row)) continue;
      if (!contains(rungs, row.rung)) rungs.push_back(row.rung);
      if (!row.counts()) continue;
      low = low > 0 ? std::min(low, row.tflops()) : row.tflops();
      high = std::max(high, row.tflops());
    }
    std::stable_sort(rungs.begin(), rungs.end(),
                     [](const std::string& a, const std::string& b) { return order_of_rung(a) < order_of_rung(b); });
    double first = double(ns_.front()), last = double(ns_.back());
    for (const std::string& rung : rungs)
      if (const RaceRow* const mark = rows_.mark_of(rung); mark && mark->counts() && is_near(mark->n)) {
        first = std::min(first, double(mark->n)), last = std::max(last, double(mark->n));
        low = low > 0 ? std::min(low, mark->tflops()) : mark->tflops();
        high = std::max(high, mark->tflops());
      }
    const auto peak = race_.rows.empty() ? std::nullopt : race_.product_tflops(race_.rows.front().dtype, cell_.d);
    if (!(high > 0)) low = 1, high = 10;
    if (peak) high = std::max(high, *peak);
    const std::vector<double> steps = log_steps(low, high);
    low = steps.front(), high = std::max(steps.back(), high);
    for (const double step : steps)
      if (step <= high) model_.y_ticks.push_back({log_place(step, low, high), rate_text(step)});
    const auto place = [&](std::int64_t n) { return log_place(double(n), first, last); };
    for (const std::int64_t n : ns_) model_.x_ticks.push_back(place(n));
    if (peak) {
      model_.peak_y = log_place(*peak, low, high);
      model_.curves_peak_text = fmt::format("ceiling {}, {}", race_.name_of_ceilings(), rate_text(*peak));
    }
    for (const std::string& rung : rungs) {
      RaceCurve curve;
      curve.title = rung_title(rung), curve.look = look_of(rung);
      bool joined = false;
      for (const std::int64_t n : ns_) {
        const RaceRow* row = nullptr;
        for (const RaceRow& each : race_.rows)
          if (on_curve(each) && each.rung == rung && each.n == n) row = &each;
        const bool counts = row && row->counts();
        if (counts)
          curve.points.push_back({place(n), log_place(row->tflops(), low, high), detail_of(race_, *row), joined});
        else if (row)
          (row->outcome() == RaceOutcome::OutOfMemory ? curve.no_memory : curve.missing)
              .push_back({place(n), 0, detail_of(race_, *row), false});
        joined = counts;
      }
      if (const std::optional<std::int64_t> end = last_raced(rung); end && *end < ns_.back())
        curve.end = end_words(rung, *end);
      curve.predicted = point_of_call(rung, [&](double tflops, std::int64_t n) {
        return RacePoint{place(n), log_place(tflops, low, high), "", false};
      });
      if (curve.predicted) {
        const RaceRow& row = *rows_.mark_of(rung);
        model_.marked_n = n_text(row.n);
        curve.recorded_at_call = !rows_.is_predicted(row);
      }
      model_.marks_no_memory |= !curve.no_memory.empty();
      model_.marks_missing |= !curve.missing.empty();
      model_.curves.push_back(std::move(curve));
    }
    model_.curves_title =
        fmt::format("Rate over N: {}, d {}, {}", cell_.pass, cell_.d, cell_.causal ? "causal" : "no mask");
  }

 private:
  bool on_curve(const RaceRow& row) const {
    return row.pass == cell_.pass && row.d == cell_.d && row.causal == cell_.causal &&
           (kernels_.empty() || contains(kernels_, row.rung));
  }

  // Another N would leave the curves too little of the axis.
  bool is_near(std::int64_t n) const { return n * kMostLonger >= ns_.front() && n <= ns_.back() * kMostLonger; }

  // The call's own rate, between the lengths of the curves or beside them.
  template <class Place>
  std::optional<RacePoint> point_of_call(const std::string& rung, const Place& place) const {
    const RaceRow* const row = rows_.mark_of(rung);
    if (!row || !is_near(row->n)) return std::nullopt;
    RacePoint point = place(row->tflops(), row->n);
    point.detail = rows_.detail(*row);
    return point.y >= 0 && point.y <= 1 ? std::optional(point) : std::nullopt;
  }

  // The longest N at which that rung was raced, with a figure or not.
  std::optional<std::int64_t> last_raced(const std::string& rung) const {
    std::optional<std::int64_t> out;
    for (const RaceRow& row : race_.rows)
      if (on_curve(row) && row.rung == rung) out = std::max(out.value_or(row.n), row.n);
    return out;
  }

  // FA-1 was left out of longer rows: one thread block walks a whole head, so that most of the GPU waits.
  static std::string end_words(const std::string& rung, std::int64_t last) {
    const std::string beyond = fmt::format("not raced beyond {}", n_text(last));
    return rung == word_of(Contender::FlashV1) ? beyond + ": one thread block a head" : beyond;
  }

  const Race& race_;
  const RaceCell& cell_;
  const std::vector<std::int64_t>& ns_;
  const std::vector<std::string>& kernels_;
  const RaceRows& rows_;
  RaceModel& model_;
};

}  // namespace

void add_curves(const Race& race, const RaceCell& cell, const std::vector<std::int64_t>& ns,
                const std::vector<std::string>& kernels, const RaceRows& rows, RaceModel& model) {
  CurvesBuilder(race, cell, ns, kernels, rows, model).build();
}

}  // namespace tilewalk
