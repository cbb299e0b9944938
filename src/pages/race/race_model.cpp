#include "pages/race/race_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "base/contains.h"
#include "base/units.h"
#include "base/words.h"
#include "core/problem/device_model.h"
#include "measured/recorded_race.h"
#include "pages/race/race_controller.h"
#include "pages/race/race_rows.h"
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

constexpr std::size_t kFewKernels = 4;

// The recorded time is shown so many times slower: a power of ten by which the longest bar takes 1 to 10 seconds.
double slowdown(double longest_ms) {
  return longest_ms > 0 ? std::pow(10.0, std::floor(std::log10(kSecondsOfRun * 1e3 / longest_ms) + 1e-9)) : 1;
}

// "its floor, by the ceilings of this run: 797 TFLOP/s, 4.27 TB/s"
std::string floor_words(const Race& race, const RaceRow& row) {
  std::string out = fmt::format("its floor, by the ceilings {}", race.name_of_ceilings());
  const auto product = race.product_tflops(row.dtype, row.d), copy = race.copy_gb_per_s();
  if (product) out += ": " + rate_text(*product);
  if (copy)
    out += (product ? ", " : ": ") +
           (*copy < 1000 ? fmt::format("{:.0f} GB/s", *copy) : fmt::format("{:.2f} TB/s", *copy / 1e3));
  return out;
}

class Builder {
 public:
  Builder(const Races& races, const Race& race, const CallOfWindow& of_window, RaceModel& model)
      : race_(race),
        of_window_(of_window),
        model_(model),
        metric_(races.choice.metric),
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
    rows_ = rows_for(races);
    model_.predicted = rows_->are_of_call();
    tags(passes);
    choose_kernels(races.choice.all);
  }

  void build() {
    bars();
    add_curves(race_, cell_, ns_, kernels_, *rows_, model_);
    for (const RaceBar& bar : model_.bars) {
      if (bar.ran >= 1) continue;
      for (RaceLine& line : model_.table) line.under_way |= line.title == bar.title;
      for (RaceCurve& curve : model_.curves) curve.under_way |= curve.title == bar.title;
    }
  }

 private:
  // Where the window's call was not raced and the model of time covers it, its own rows.
  std::unique_ptr<RaceRows> rows_for(const Races& races) const {
    Differences differs;
    for (const RaceRow& row : race_.rows)
      if (races.call && on_curve(row) && row.n == cell_.n) {
        differs = differences(*races.call, row, races.choice.source);
        break;
      }
    const bool other = !differs.words.empty() && races.choice.source == RaceSource::Recorded;
    if (other && cell_.pass == "forward" && of_window_.race)
      if (std::optional<RaceOfCall> of = of_window_.race())
        return predicted_rows(std::move(*of), race_, cell_, differs.raced, of_window_);
    return raced_rows(race_, cell_, std::move(differs), of_window_);
  }

  bool on_curve(const RaceRow& row) const {
    return row.pass == cell_.pass && row.d == cell_.d && row.causal == cell_.causal;
  }

  std::vector<const RaceRow*> rows_of_bars() const {
    std::vector<const RaceRow*> rows = rows_->rows();
    if (!kernels_.empty()) std::erase_if(rows, [&](const RaceRow* row) { return !contains(kernels_, row->rung); });
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
    for (const std::int64_t n : ns_)
      model_.lengths.tags.push_back({n_text(n), {.n = n}, n == cell_.n && !rows_->are_of_call()});
    metrics();
  }

  // The rate is always offered: a race in which no row counts has no other metric to show.
  void metrics() {
    std::set<RaceMetric> offered{RaceMetric::Rate};
    for (int m = 0; m <= int(RaceMetric::Memory); ++m)
      if (std::any_of(rows_->race().rows.begin(), rows_->race().rows.end(),
                      [&](const RaceRow& r) { return figure(rows_->race(), r, RaceMetric(m)).has_value(); }))
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
      most = std::max({most, figure(rows_->race(), *row, metric_).value_or(0), floor_of(*row).value_or(0)});
    const auto peak = rows.empty() ? std::nullopt : rows_->race().product_tflops(rows.front()->dtype, rows.front()->d);
    if (peak && (metric_ == RaceMetric::Rate || metric_ == RaceMetric::Share)) {
      const double at = metric_ == RaceMetric::Rate ? *peak : 1.0;
      model_.peak_text = fmt::format("measured ceiling {}, {}", rows_->race().name_of_ceilings(), rate_text(*peak));
      most = std::max(most, at);
      model_.peak_share = at / (most * 1.04);
      most *= 1.04;
    }
    const RaceRow* best = nullptr;
    for (const RaceRow* row : rows)
      if (row->counts() && (!best || row->median_ms() < best->median_ms())) best = row;
    for (const RaceRow* row : rows) {
      const auto value = figure(rows_->race(), *row, metric_);
      RaceBar bar;
      bar.title = rung_title(row->rung);
      bar.look = look_of(row->rung);
      bar.counts = value.has_value();
      bar.share = value && most > 0 ? *value / most : 0;
      bar.value = value ? figure_text(metric_, *value) : row->counts() ? "not known" : name_of(row->outcome());
      bar.no_memory = row->outcome() == RaceOutcome::OutOfMemory;
      if (bar.no_memory && !value) bar.value = rows_->no_memory(*row);
      bar.predicted = rows_->is_predicted(*row);
      bar.best = row == best;
      if (const auto floor = floor_of(*row); floor && value && most > 0) bar.floor = *floor / most;
      bar.detail = rows_->detail(*row);
      if (model_.runs && row->counts()) bar.ran = std::min(1.0, so_far / row->median_ms());
      bar.share *= bar.ran;
      model_.bars.push_back(std::move(bar));
    }
    if (std::any_of(model_.bars.begin(), model_.bars.end(), [](const RaceBar& bar) { return bar.floor.has_value(); }))
      model_.floor_text = floor_words(rows_->race(), *rows.front());
    rows_->add_table(rows, best, model_);
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const RaceRow* r) { return rows_->race().share_of_peak(*r).value_or(0) > 1; }))
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
    rows_->add_headline(rows, model_);
    for (const RaceRow* row : rows)
      if (!row->replaced_build.empty())
        model_.notes.push_back(fmt::format("{} was recorded on {}, by a build that was replaced since.",
                                           rung_title(row->rung), row->replaced_build));
  }

  // Memory is counted, not predicted.
  bool predicts() const { return rows_->all_predicted() && metric_ != RaceMetric::Memory; }

  // Where a row's bar would end if it took as long as its highest floor.
  std::optional<double> floor_of(const RaceRow& row) const {
    const auto value = figure(rows_->race(), row, metric_), times = rows_->race().times_the_floor(row);
    if (!value || !times || metric_ == RaceMetric::Memory) return std::nullopt;
    const bool shrinks = metric_ == RaceMetric::Time || metric_ == RaceMetric::OverFloor;
    return shrinks ? *value / *times : *value * *times;
  }

  const Race& race_;
  const CallOfWindow& of_window_;
  RaceModel& model_;
  RaceMetric metric_;
  std::optional<double> seconds_run_;
  RaceCell cell_;
  std::unique_ptr<RaceRows> rows_;  // of the bars and the table
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
  if (model.recorded && model.predicted) model.sources.front().label = "Predicted";
  return model;
}

}  // namespace tilewalk
