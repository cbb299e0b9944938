#include "pages/race/race_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/contains.h"
#include "base/units.h"
#include "base/words.h"
#include "core/problem/device_model.h"
#include "measured/recorded_race.h"
#include "pages/race/race_controller.h"
#include "pages/race/race_parts.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// The wanted value if the race has it, else `otherwise`.
template <class T>
T settled(const std::set<T>& offered, T wanted, T otherwise) {
  return offered.contains(wanted) ? wanted : otherwise;
}

// The offered size nearest to the wanted one by ratio; `otherwise` where none is wanted.
std::int64_t nearest(const std::set<std::int64_t>& offered, std::int64_t wanted, std::int64_t otherwise) {
  if (wanted < 1) return otherwise;
  const auto away = [&](std::int64_t size) { return std::fabs(std::log(double(size) / double(wanted))); };
  return *std::min_element(offered.begin(), offered.end(),
                           [&](std::int64_t a, std::int64_t b) { return away(a) < away(b); });
}

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

constexpr std::size_t kFewKernels = 4;

// The recorded time is shown so many times slower: a power of ten by which the longest bar takes 1 to 10 seconds.
double slowdown(double longest_ms) {
  return longest_ms > 0 ? std::pow(10.0, std::floor(std::log10(kSecondsOfRun * 1e3 / longest_ms) + 1e-9)) : 1;
}

class Builder {
 public:
  Builder(const Races& races, const Race& race, const CallOfWindow& of_window, RaceModel& model)
      : race_(race),
        of_window_(of_window),
        model_(model),
        metric_(races.choice.metric),
        call_(races.call),
        source_(races.choice.source),
        seconds_run_(races.seconds_run) {
    std::set<std::string> passes;
    for (const RaceRow& row : race.rows) passes.insert(row.pass);
    cell_.pass = settled(passes, races.choice.pass, race.rows.front().pass);
    std::set<std::int64_t> ds, ns;
    std::set<bool> masks;
    for (const RaceRow& row : race.rows)
      if (row.pass == cell_.pass) ds.insert(row.d);
    cell_.d = nearest(ds, races.choice.d, *ds.begin());
    for (const RaceRow& row : race.rows)
      if (row.pass == cell_.pass && row.d == cell_.d) masks.insert(row.causal);
    cell_.causal = settled(masks, races.choice.causal, *masks.begin());
    std::map<std::int64_t, int> figures;
    for (const RaceRow& row : race.rows) {
      if (!on_curve(row)) continue;
      ns.insert(row.n);
      figures[row.n] += row.counts() ? 1 : 0;
    }
    std::int64_t fullest = *ns.begin();  // the longest N for which most rungs have a figure
    for (const auto& [n, count] : figures)
      if (count >= figures[fullest]) fullest = n;
    cell_.n = nearest(ns, races.choice.n, fullest);
    ns_.assign(ns.begin(), ns.end());
    if (const std::vector<const RaceRow*> rows = rows_at_n(); call_ && !rows.empty())
      other_ = differences(*call_, *rows.front(), source_);
    if (!other_.words.empty() && source_ == RaceSource::Recorded && cell_.pass == "forward" && of_window_.race)
      of_call_ = of_window_.race();
    if (of_call_ && of_call_->recorded_card) of_call_->race.provenance = race_.provenance;
    model_.predicted = of_call_.has_value();
    tags(passes);
    choose_kernels(races.choice.all);
  }

  void build() {
    bars();
    curves();
  }

 private:
  bool on_curve(const RaceRow& row) const {
    return row.pass == cell_.pass && row.d == cell_.d && row.causal == cell_.causal &&
           (kernels_.empty() || contains(kernels_, row.rung));
  }

  // The race of the bars: the window's call where it was not raced.
  const Race& shown() const { return of_call_ ? of_call_->race : race_; }

  std::vector<const RaceRow*> rows_of_bars() const {
    if (!of_call_) return rows_at_n();
    std::vector<const RaceRow*> rows;
    for (const RaceRow& row : of_call_->race.rows)
      if (kernels_.empty() || contains(kernels_, row.rung)) rows.push_back(&row);
    return rows;
  }

  // The raced rows at the chosen N, in the order of the bars.
  std::vector<const RaceRow*> rows_at_n() const {
    std::vector<const RaceRow*> rows;
    for (const RaceRow& row : race_.rows)
      if (on_curve(row) && row.n == cell_.n) rows.push_back(&row);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const RaceRow* a, const RaceRow* b) { return order_of(a->rung) < order_of(b->rung); });
    return rows;
  }

  // Of many kernels a few are shown: naive, FA-2, the fastest by Tilewalk and the fastest of PyTorch. One of these two
  // wins.
  void choose_kernels(bool all) {
    const std::vector<const RaceRow*> rows = rows_of_bars();
    if (rows.size() <= kFewKernels + 1) return;
    std::vector<std::string> few;
    for (const RaceRow* row : rows)
      if (!contains(few, row->rung) && (is_naive(row->rung) || row->rung == word_of(Contender::FlashV2)))
        few.push_back(row->rung);
    for (const bool pytorch : {false, true}) {
      const RaceRow* best = nullptr;
      for (const RaceRow* row : rows)
        if (row->counts() && !is_naive(row->rung) && is_pytorch(*row) == pytorch &&
            (!best || row->median_ms() < best->median_ms()))
          best = row;
      if (best && !contains(few, best->rung)) few.push_back(best->rung);
    }
    if (few.size() < 2 || few.size() + 1 >= rows.size()) return;
    model_.kernels = {all ? fmt::format("only {} kernels", few.size()) : fmt::format("all {} kernels", rows.size()),
                      {.all = !all}};
    if (!all) kernels_ = std::move(few);
  }

  void tags(const std::set<std::string>& passes) {
    model_.pass.title = "Pass";
    for (const std::string& p : {std::string("forward"), std::string("backward")})
      if (passes.contains(p)) model_.pass.tags.push_back({p, {.pass = p}, p == cell_.pass});
    model_.lengths.title = "N";
    for (const std::int64_t n : ns_) model_.lengths.tags.push_back({n_text(n), {.n = n}, n == cell_.n && !of_call_});
    metrics();
  }

  // The rate is always offered: a race in which no row counts has no other metric to show.
  void metrics() {
    std::set<RaceMetric> offered{RaceMetric::Rate};
    for (int m = 0; m <= int(RaceMetric::Memory); ++m)
      if (std::any_of(shown().rows.begin(), shown().rows.end(),
                      [&](const RaceRow& r) { return figure(shown(), r, RaceMetric(m)).has_value(); }))
        offered.insert(RaceMetric(m));
    metric_ = settled(offered, metric_, RaceMetric::Rate);
    model_.metrics.title = "Show";
    for (const RaceMetric m : offered) model_.metrics.tags.push_back({metric_title(m), {.metric = m}, m == metric_});
  }

  void bars() {
    const std::vector<const RaceRow*> rows = rows_of_bars();
    double longest = 0;
    for (const RaceRow* row : rows)
      if (row->counts()) longest = std::max(longest, row->median_ms());
    const double slower = slowdown(longest), so_far = seconds_run_.value_or(0) * 1e3 / slower;
    model_.runs = seconds_run_ && so_far < longest;
    if (model_.runs) metric_ = RaceMetric::Time;
    double most = 0;
    for (const RaceRow* row : rows)
      most = std::max({most, figure(shown(), *row, metric_).value_or(0), floor_of(*row).value_or(0)});
    const auto peak = rows.empty() ? std::nullopt : shown().product_tflops(rows.front()->dtype);
    if (peak && (metric_ == RaceMetric::Rate || metric_ == RaceMetric::Share)) {
      const double at = metric_ == RaceMetric::Rate ? *peak : 1.0;
      model_.peak_text = fmt::format("measured ceiling, {}", rate_text(*peak));
      most = std::max(most, at);
      model_.peak_share = at / (most * 1.04);
      most *= 1.04;
    }
    const RaceRow* best = nullptr;
    for (const RaceRow* row : rows)
      if (row->counts() && (!best || row->median_ms() < best->median_ms())) best = row;
    for (const RaceRow* row : rows) {
      const auto value = figure(shown(), *row, metric_);
      RaceBar bar;
      bar.title = rung_title(row->rung);
      bar.look = look_of(row->rung);
      bar.counts = value.has_value();
      bar.share = value && most > 0 ? *value / most : 0;
      bar.value = value ? figure_text(metric_, *value) : row->counts() ? "not known" : name_of(row->outcome());
      bar.no_memory = row->outcome() == RaceOutcome::OutOfMemory;
      if (bar.no_memory && !value) bar.value = of_call_ ? "out of memory: " + row->note() : no_memory_words(*row);
      bar.predicted = of_call_ && !of_call_->recorded.contains(row->rung);
      bar.best = row == best;
      if (const auto floor = floor_of(*row); floor && value && most > 0) bar.floor = *floor / most;
      bar.detail = of_call_ ? detail_of_call(*of_call_, *row) : detail_of(race_, *row);
      if (model_.runs && row->counts()) bar.ran = std::min(1.0, so_far / row->median_ms());
      bar.share *= bar.ran;
      model_.bars.push_back(std::move(bar));
    }
    if (std::any_of(model_.bars.begin(), model_.bars.end(), [](const RaceBar& bar) { return bar.floor.has_value(); }))
      model_.floor_text = "its floor, by the measured ceilings";
    of_call_ ? add_table_of_call(*of_call_, rows, best, model_) : add_table(race_, rows, best, model_);
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const RaceRow* r) { return shown().share_of_peak(*r).value_or(0) > 1; }))
      model_.reasons.push_back(
          "The ceiling is what one large product reaches, not the chip's own limit: a row may pass it.");
    const RaceRow& first = *rows.front();
    const std::string words = metric_words(metric_);
    model_.bars_title =
        fmt::format("N {}, d {}, {} heads × batch {}, {}: {}{}", format_count(first.n), first.d, first.heads,
                    first.batch, first.causal ? "causal" : "no mask", predicts() ? "predicted " : "",
                    predicts() ? words.substr(0, words.find(',')) : words);
    if (metric_ == RaceMetric::Time) model_.axis = time_axis(most);
    if (model_.runs) {
      model_.clock = format_fixed(so_far, 2) + " ms";
      model_.clock_words = fmt::format("so far, shown × {}. A bar stops when its kernel is done.",
                                       slower < 1 ? fmt::format("{:g}", slower) : format_count(std::int64_t(slower)));
      model_.clock_at = so_far / most;
    }
    if (of_call_) return add_headline_of_call(*of_call_, rows_at_n(), other_.raced, of_window_, model_);
    no_memory_later(rows);
    model_.differs = !other_.words.empty();
    add_headline(race_, rows, other_.words, of_window_, model_);
    if (model_.differs && model_.figure.empty()) model_.raced_with = "Raced with " + other_.words + ".";
  }

  // Memory is counted, not predicted.
  bool predicts() const { return of_call_ && of_call_->recorded.empty() && metric_ != RaceMetric::Memory; }

  // Of each contender with a bar here, the shortest N beyond this one for which memory was too small.
  void no_memory_later(const std::vector<const RaceRow*>& rows) {
    for (const RaceRow* here : rows) {
      const RaceRow* first = nullptr;
      for (const RaceRow& row : race_.rows)
        if (on_curve(row) && row.rung == here->rung && row.n > here->n && row.outcome() == RaceOutcome::OutOfMemory &&
            (!first || row.n < first->n))
          first = &row;
      if (here->outcome() == RaceOutcome::OutOfMemory || !first) continue;
      model_.no_memory_later.push_back({.title = rung_title(first->rung),
                                        .look = look_of(first->rung),
                                        .value = no_memory_words(*first, here),
                                        .counts = false,
                                        .no_memory = true,
                                        .detail = detail_of(race_, *first)});
    }
  }

  // Where a row's bar would end if it took as long as its highest floor.
  std::optional<double> floor_of(const RaceRow& row) const {
    const auto value = figure(shown(), row, metric_), times = shown().times_the_floor(row);
    if (!value || !times || metric_ == RaceMetric::Memory) return std::nullopt;
    const bool shrinks = metric_ == RaceMetric::Time || metric_ == RaceMetric::OverFloor;
    return shrinks ? *value / *times : *value * *times;
  }

  void curves() {
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
                     [](const std::string& a, const std::string& b) { return order_of(a) < order_of(b); });
    const auto peak = race_.rows.empty() ? std::nullopt : race_.product_tflops(race_.rows.front().dtype);
    if (!(high > 0)) low = 1, high = 10;
    if (peak) high = std::max(high, *peak);
    const std::vector<double> steps = log_steps(low, high);
    low = steps.front(), high = std::max(steps.back(), high);
    for (const double step : steps)
      if (step <= high) model_.y_ticks.push_back({log_place(step, low, high), rate_text(step)});
    const double first = double(ns_.front()), last = double(ns_.back());
    const auto place = [&](std::int64_t n) { return log_place(double(n), first, last); };
    for (const std::int64_t n : ns_) model_.x_ticks.push_back(place(n));
    if (peak) model_.peak_y = log_place(*peak, low, high);
    for (const std::string& rung : rungs) {
      RaceCurve curve{rung_title(rung), look_of(rung), {}, {}, {}, {}, ""};
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
      model_.marks_no_memory |= !curve.no_memory.empty();
      model_.marks_missing |= !curve.missing.empty();
      model_.curves.push_back(std::move(curve));
    }
    model_.curves_title =
        fmt::format("Rate over N: {}, d {}, {}", cell_.pass, cell_.d, cell_.causal ? "causal" : "no mask");
  }

  // The call's own rate, where it is of the curves' head size and mask, on their card and between their lengths.
  template <class Place>
  std::optional<RacePoint> point_of_call(const std::string& rung, const Place& place) const {
    if (!of_call_ || !of_call_->recorded_card) return std::nullopt;
    for (const RaceRow& row : of_call_->race.rows) {
      if (row.rung != rung || !row.counts() || row.d != cell_.d || row.causal != cell_.causal) continue;
      if (row.n < ns_.front() || row.n > ns_.back()) continue;
      RacePoint point = place(row.tflops(), row.n);
      point.detail = detail_of_call(*of_call_, row);
      if (point.y >= 0 && point.y <= 1) return point;
    }
    return std::nullopt;
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

  static int order_of(const std::string& rung) {
    const ContenderRow* const contender = contender_named(rung);
    return contender ? int(contender->who) : int(std::size(kContenders));
  }

  const Race& race_;
  const CallOfWindow& of_window_;
  RaceModel& model_;
  RaceMetric metric_;
  std::optional<Call> call_;
  RaceSource source_;
  std::optional<double> seconds_run_;
  RaceCell cell_;
  Differences other_;
  std::optional<RaceOfCall> of_call_;  // where that call was not raced and the model of time covers it
  std::vector<std::int64_t> ns_;
  std::vector<std::string> kernels_;  // the rungs that are shown; empty: all
};

}  // namespace

RaceLook look_of(const std::string& rung) {
  constexpr RaceShape shapes[] = {RaceShape::Square, RaceShape::Triangle, RaceShape::Circle, RaceShape::Diamond};
  const ContenderRow* const contender = contender_named(rung);
  if (!contender || contender->generation == 0) return {};
  return {contender->generation, shapes[contender->generation], contender->by == RunBy::PyTorch};
}

RaceModel build_race_model(const Races& races, bool gpu_present, const CallOfWindow& of_window) {
  RaceModel model;
  const RaceSource source = races.choice.source;
  for (const auto& [kind, label] : {std::pair{RaceSource::Recorded, "Recorded"}, std::pair{RaceSource::Cpu, "This CPU"},
                                    std::pair{RaceSource::Gpu, "This GPU"}})
    if (kind != RaceSource::Gpu || gpu_present || races.gpu)
      model.sources.push_back({label, {.source = kind}, kind == source});
  model.recorded = source == RaceSource::Recorded;
  model.gpu_present = gpu_present;
  model.running = races.running;
  model.stopping = races.stopping;
  model.fraction = races.fraction;
  if (races.running)
    model.progress =
        races.stopping ? "Stopping after this run" : fmt::format("{:.0f} % · {}", 100 * races.fraction, races.doing);
  model.failure = races.failure;
  const auto& race = races.of(source);
  model.any = race && !race->rows.empty();
  if (!model.any) {
    model.empty =
        model.recorded  ? races.recorded_missing
        : races.running ? "The first cell is being measured; rows appear as they are finished."
        : source == RaceSource::Cpu
            ? "No race has run here yet. Run it on this CPU: naive attention by OpenBLAS beside the tiled kernel, in "
              "less than half a minute."
            : "No race has run here yet. Run it on this GPU: naive, FA-2 and FA-3 at the recorded race's shapes.";
    return model;
  }
  add_description(*race, model);
  Builder(races, *race, of_window, model).build();
  return model;
}

}  // namespace tilewalk
