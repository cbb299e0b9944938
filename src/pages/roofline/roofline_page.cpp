#include "pages/roofline/roofline_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/contains.h"
#include "base/units.h"
#include "base/words.h"
#include "core/chip/visit_pace.h"
#include "core/schedules/registry.h"
#include "measured/win_pair.h"
#include "pages/roofline/processor_page.h"
#include "pages/roofline/roof_words.h"
#include "pages/roofline/roofline_choices.h"
#include "pages/roofline/roofline_scale.h"
#include "view/words/paper_reason.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

constexpr RooflineScale kCards{.least_x = 1, .most_x = 32768, .least_y = 0.5, .most_y = 5000, .unit = 1e12};
constexpr double kGuesses[] = {1.5, 2, 3, 4, 5, 6, 8, 10, 15};
constexpr double kSoftmaxOps = kOtherOpsPerScore + 1;  // a score, without products

constexpr std::int64_t kLeastRaced = 1024;  // N of the races that check the model

bool is_shown(const PredictionRow& row) {
  return contender_row(row.predicted.method->who).in_roofline && row.predicted.there;
}

// The bandwidth that a copy reaches; the data sheet's beside it, which the walk's memories give.
std::string hbm_label(const DeviceModel& device) {
  const double reached = device.reached_bytes_per_s() / 1e12, sheet = device.hbm_gb_per_s / 1e3;
  if (device.copy_from == RateFrom::Typed || !(sheet > reached * 1.001)) return fmt::format("HBM {:.2f} TB/s", reached);
  return fmt::format("HBM {:.2f} TB/s reached, {} by the data sheet", reached, format_digits(sheet, 3));
}

void add_roofs(RooflinePage& page, const DeviceModel& device, const std::vector<PredictionRow>& rows) {
  const Ceilings roof = ceilings_of(device, rows.front().predicted.call.d);
  const double peak = roof.flop_per_s / 1e12;
  kCards.add_roofs(page, roof.bytes_per_s, peak, hbm_label(device),
                   "tensor cores " + format_count(std::llround(peak)) + " TFLOP/s");
  const auto lower = [&](const std::string& label, double tflops) {
    kCards.add_lower(page, roof.bytes_per_s, tflops, label);
  };
  // The limit of a method at this d for any length, in FLOP/s: the pencil method.
  const auto at_most = [&](Contender who) -> std::optional<double> {
    const PredictionRow* const row = find_row(rows, who);
    if (!row || !row->predicted.pencil_ms) return std::nullopt;
    return row->predicted.flops / *row->predicted.pencil_ms / 1e9;
  };
  if (const auto two = at_most(Contender::FlashV2))
    lower(fmt::format("mma.sync, then exponentials: {:.0f}", *two), *two);
  const auto three = at_most(Contender::FlashV3);
  if (three && *three < peak * 0.98) lower(fmt::format("softmax beside the products: {:.0f}", *three), *three);
}

// The recorded time, where it is the card's: of a call that its launches may limit it is the processor's.
std::optional<double> recorded_of_card(const PredictionRow& row) {
  return row.by_processor() ? std::nullopt : row.recorded_ms;
}

RooflinePoint point_of(const PredictionRow& row) {
  const Prediction& p = row.predicted;
  RooflinePoint out;
  out.hue = hue_of(p.method->who);
  const auto place = [&](double ms) { return kCards.place(p.intensity(), p.flops, ms); };
  out.predicted = place(*p.predicted_ms);
  const std::optional<double> recorded = recorded_of_card(row);
  if (recorded) out.recorded = place(*recorded);
  out.label = fmt::format("{} {:.0f}", p.method->title, p.flops / recorded.value_or(*p.predicted_ms) / 1e9);
  out.detail = fmt::format("{}: {} FLOP a byte; predicted {}{}", p.method->title, format_digits(p.intensity(), 3),
                           ms_text(*p.predicted_ms), row.recorded_ms ? ", recorded " + ms_text(*row.recorded_ms) : "");
  if (!p.method->schedule) return out;
  out.detail += ". A click walks it";
  out.walk = WalkMethod{p.method->id};
  return out;
}

// Each of naive's three kernels: its FLOPs, bytes and predicted time. A softmax has no product; its other operations
// are counted instead.
void add_parts(RooflinePage& page, const Prediction& naive) {
  static const char* const labels[] = {"QKᵀ", "softmax", "PV"};
  const double visible = naive.call.exponentials() / naive.call.scores();
  for (std::size_t i = 0; i < naive.operations.size() && i < std::size(labels); ++i) {
    const Operation& op = naive.operations[i];
    const bool product = op.flops > 0;
    const double flops = visible * (product ? op.flops : kSoftmaxOps * naive.call.scores());
    RooflinePoint point;
    point.label = labels[i];
    point.hue = RooflineHue::Naive;
    point.part = true, point.left = i == 0;
    point.predicted = kCards.place(flops / op.dram_bytes, flops, op.seconds * 1e3);
    point.detail = fmt::format("{}, one of naive's three kernels: {} predicted, {} through DRAM, {} {} a byte", op.line,
                               ms_text(op.seconds * 1e3), big_bytes(op.dram_bytes),
                               format_digits(flops / op.dram_bytes, 3), product ? "FLOP" : "operations");
    point.walk = WalkMethod{naive.method->id};
    page.points.push_back(std::move(point));
  }
}

RooflinePoint guess_of(double guess, const PredictionRow& naive, const PredictionRow& fast) {
  const double ms = recorded_of_card(naive).value_or(*naive.predicted.predicted_ms) / guess;
  RooflinePoint out;
  out.hue = RooflineHue::Guess;
  out.label = "your guess";
  out.predicted = kCards.place(fast.predicted.intensity(), fast.predicted.flops, ms);
  out.detail = fmt::format("{:g} times as fast as naive would be here", guess);
  return out;
}

std::string walk_tip(const Prediction& p) {
  const std::string title = schedule_row(*p.method->schedule).identity.title;
  if (!p.method->tiled()) return fmt::format("Walk it: opens {} at this call.", title);
  return fmt::format("Walk it: opens {} at this call, with that kernel's tiles, {}×{}.", title, p.tile.rows,
                     p.tile.keys);
}

// Leaves out the decades below every mark and roof, and the space above the highest: the chart has no empty half. The
// guess is drawn on the axis and keeps the place that its value has.
void fill_height(RooflinePage& page) {
  constexpr double kRoof = 0.93;  // its label is above it
  double low = 1, high = 0;
  const auto reach = [&](double y) { low = std::min(low, y), high = std::max(high, y); };
  for (const RooflinePoint& point : page.points)
    for (const auto& at : {point.predicted, point.recorded})
      if (at) reach(at->y);
  for (const RooflineTrail& trail : page.trails)
    for (const PlotPoint& at : trail.line) reach(at.y);
  for (const RoofLine& roof : page.roofs) reach(roof.from_y), reach(roof.to_y);
  double bottom = 0;
  for (const PlotTick& tick : page.y_ticks)
    if (tick.at < low) bottom = std::max(bottom, tick.at);
  const double top = std::min(1.0, bottom + (high - bottom) / kRoof);
  if (top - bottom < 0.2) return;
  const auto moved = [&](double y) { return (y - bottom) / (top - bottom); };
  std::erase_if(page.y_ticks, [&](const PlotTick& tick) { return tick.at < bottom || tick.at > top; });
  for (PlotTick& tick : page.y_ticks) tick.at = moved(tick.at);
  for (RooflinePoint& point : page.points)
    for (auto* at : {&point.predicted, &point.recorded})
      if (*at) (*at)->y = moved((*at)->y);
  for (RooflineTrail& trail : page.trails) {
    for (PlotPoint& at : trail.line) at.y = moved(at.y);
    for (auto& [at, n] : trail.lengths) at.y = moved(at.y);
  }
  for (RoofLine& roof : page.roofs) roof.from_y = moved(roof.from_y), roof.to_y = moved(roof.to_y);
}

void add_eager(RooflinePage& page, const std::vector<PredictionRow>& rows, bool hides_two) {
  const PredictionRow* const eager = find_row(rows, Contender::Eager);
  if (!eager || !eager->predicted.there) return;
  page.eager = lines_of(eager->predicted);
  page.trips = trips_sentence(eager->predicted, hides_two ? nullptr : find_row(rows, Contender::FlashV2));
}

std::string eager_jump(const std::vector<PredictionRow>& rows) {
  const PredictionRow* const eager = find_row(rows, Contender::Eager);
  return eager && eager->predicted.there ? eager_jump_sentence(eager->predicted.call.n) : std::string();
}

void add_table(RooflinePage& page, const std::vector<PredictionRow>& rows) {
  page.heads = {"DRAM", "by bytes", "by products", "by exps", "on paper", "predicted", "recorded", "error"};
  for (const PredictionRow& row : rows) {
    const Prediction& p = row.predicted;
    if (!p.method->modelled() || p.method->backward) continue;
    const auto or_dash = [](const std::optional<double>& ms) { return ms ? ms_text(*ms) : std::string("–"); };
    if (!p.there) continue;
    page.rows.push_back(
        {p.method->title,
         {big_bytes(p.dram_bytes), ms_text(p.floor_bytes_ms), ms_text(p.floor_flops_ms), ms_text(p.floor_exp_ms),
          or_dash(p.pencil_ms), or_dash(p.predicted_ms), or_dash(row.recorded_ms), error_cell(row)},
         p.method->schedule ? std::optional(WalkMethod{p.method->id}) : std::nullopt,
         p.method->schedule ? walk_tip(p) : ""});
  }
}

void add_notes(RooflinePage& page, const std::vector<PredictionRow>& rows, const DeviceModel& device, bool short_rule) {
  for (std::string note : {launches_sentence(rows), padding_sentence(rows, device), eager_jump(rows)})
    if (!note.empty()) page.notes.push_back(std::move(note));
  for (std::string& why : paper_sentences(rows, short_rule)) page.notes.push_back(std::move(why));
  std::vector<PredictionRow> forward;  // as the table, without the method whose note the question has
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(forward), [&](const PredictionRow& row) {
    const Prediction& p = row.predicted;
    return !p.method->backward && (p.there || page.question.find(p.note) == std::string::npos);
  });
  for (std::string& note : notes_of(forward, device)) page.notes.push_back(std::move(note));
}

// FA-3 where it runs, else FA-2.
Contender fastest_of(const std::vector<PredictionRow>& rows) {
  const PredictionRow* const row = fastest_here(rows);
  return row ? row->predicted.method->who : Contender::FlashV2;
}

// " FA-3 against eager: 13×."; of times of one kind. Empty where eager has no time.
std::string than_eager(const std::vector<PredictionRow>& rows, const NaiveWin& win) {
  const PredictionRow* const eager = find_row(rows, Contender::Eager);
  const PredictionRow* const fast = find_row(rows, fastest_of(rows));
  if (!eager || !fast) return "";
  if (std::string_view(win.kind) == "recorded" && eager->recorded_ms)
    return fmt::format(" {} against eager: {}.", title_of(fastest_of(rows)),
                       times_text_of(*eager->recorded_ms / win.fast_ms));
  const std::optional<double> times = times_as_fast(rows, *fast, Contender::Eager);
  return times ? fmt::format(" {} against eager: {}{}.", title_of(fastest_of(rows)), times_text_of(*times),
                             std::string_view(win.kind) == "predicted" ? "" : ", predicted")
               : "";
}

// "FA-3 is faster: naive moves 4.38 GiB through DRAM, FA-3 94.5 MiB."; empty where bytes do not bind naive, by the
// model.
std::string because_of(const std::vector<PredictionRow>& rows) {
  const PredictionRow *const naive = find_row(rows, Contender::Naive), *const fast = find_row(rows, fastest_of(rows));
  if (!naive || !fast || !naive->predicted.there || !fast->predicted.there) return "";
  const Prediction &slow = naive->predicted, &quick = fast->predicted;
  const bool bytes_bind = slow.floor_bytes_ms > std::max(slow.floor_flops_ms, slow.floor_exp_ms);
  if (!bytes_bind || slow.dram_bytes < 1.5 * quick.dram_bytes) return "";
  const char* const title = title_of(fastest_of(rows));
  return fmt::format("{} is faster: naive moves {} through DRAM, {} {}.", title, big_bytes(slow.dram_bytes), title,
                     big_bytes(quick.dram_bytes));
}

void add_trails(RooflinePage& page, const std::vector<PredictionRow>& rows,
                const std::vector<RooflineCache::Mark>& marks) {
  for (const Contender who : {Contender::Naive, fastest_of(rows)}) {
    RooflineTrail trail{.hue = hue_of(who), .line = {}, .lengths = {}};
    for (const RooflineCache::Mark& mark : marks) {
      if (mark.who != who) continue;
      trail.line.push_back(kCards.place(mark.intensity, mark.flops, mark.ms));
      trail.lengths.push_back({trail.line.back(), "N " + n_text(mark.n)});
    }
    if (trail.line.size() > 1) page.trails.push_back(std::move(trail));
  }
}

void add_question(RooflinePage& page, const RooflineController& controller, const std::vector<PredictionRow>& rows,
                  std::optional<Contender> torch_default) {
  const std::optional<NaiveWin> right = call_win(rows, torch_default, controller.times());
  page.revealed = controller.revealed();
  if (!right) {
    page.question = page.revealed ? "There is no speed-up here." : "There is no speed-up to guess here.";
    for (const Contender who : {Contender::Naive, Contender::FlashV2})
      if (const PredictionRow* const row = find_row(rows, who); row && !row->predicted.there)
        return void(page.question += fmt::format(" {} has no time. {}.", capitalized(row->predicted.method->title),
                                                 row->predicted.note));
    return;
  }
  add_guesses(page, controller,
              fmt::format("Before you look: how many times as fast as naive is {} here?", title_of(fastest_of(rows))),
              *right);
  if (page.revealed) page.because = because_of(rows), page.answer += than_eager(rows, *right);
}

// " At 56 recorded calls the model's speed-up is 4 % off in the median."; empty where the call was recorded, and where
// its N is below those of the races.
std::string error_sentence(RooflineCache& cache, const RooflineController& controller,
                           const std::vector<PredictionRow>& rows) {
  const std::optional<WinPair> pair = win_pair(rows);
  if (!pair || pair->recorded || controller.call().n < kLeastRaced) return "";
  const Spread& error = model_error(cache, controller, pair->fast->predicted.method->who);
  return error.points == 0 ? ""
                           : fmt::format(" At {} recorded calls the model's speed-up is {:.0f} % off in the median.",
                                         error.points, 100 * error.median);
}

void add_card_page(RooflinePage& page, const RooflineController& controller, RooflineCache& cache,
                   std::optional<Contender> torch_default, bool short_rule) {
  const DeviceModel device = controller.card();
  const std::vector<PredictionRow> rows = controller.rows();
  page.x_title = "FLOP per byte of DRAM";
  page.y_title = "TFLOP/s";
  page.hollow = "predicted";
  kCards.add_ticks(page);
  add_roofs(page, device, rows);
  const PredictionRow* const naive = find_row(rows, Contender::Naive);
  for (const PredictionRow& row : rows) {
    const bool hidden = !controller.revealed() && row.predicted.method->who != Contender::Naive;
    if (is_shown(row) && !hidden) page.points.push_back(point_of(row));
  }
  // The legend explains what the plot has: a call that was not raced has no recorded point and no error.
  if (std::any_of(page.points.begin(), page.points.end(), [](const RooflinePoint& each) { return !!each.recorded; }))
    page.filled = "recorded", page.off = "error of the prediction";
  if (naive && !naive->predicted.there && !naive->predicted.note.empty())
    page.unplotted.push_back(capitalized(naive->predicted.method->title) + " has no mark here.");  // the question: why
  if (naive && naive->predicted.there) add_parts(page, naive->predicted);
  if (controller.guess() && naive && naive->predicted.there) {
    const PredictionRow* const fast = find_row(rows, fastest_of(rows));
    if (fast && fast->predicted.there) page.points.push_back(guess_of(*controller.guess(), *naive, *fast));
  }
  add_question(page, controller, rows, torch_default);
  const bool guessing = !controller.revealed() && !page.guesses.empty();
  add_eager(page, rows, guessing);
  add_table(page, rows);
  if (guessing) {
    std::erase_if(page.roofs, [](const RoofLine& roof) { return roof.lower; });  // they bound the answer
    hide_figures(page, {method_of(Contender::Eager).title, method_of(Contender::Naive).title});
  } else {
    keep_wins(cache, controller, device);
    add_wins(page, controller, cache.wins);
    add_trails(page, rows, cache.marks);
    add_notes(page, rows, device, short_rule);
    if (!page.figure.empty()) page.answer += error_sentence(cache, controller, rows);
    if (page.figure.empty())
      page.sentence = win_sentence(rows);  // else a second speed-up would be beside the page's own
    for (const PredictionRow& row : rows)
      for (RooflineRow& line : page.rows)
        if (is_shown(row) && line.title == row.predicted.method->title) line.reason = roof_sentence(row, device);
  }
  page.source =
      ceilings_of(device, rows.front().predicted.call.d).source + ". Bytes are what DRAM sees by the L2 model.";
  if (naive && naive->predicted.there) page.source += naive_basis_sentence(naive->predicted, device);
  fill_height(page);
  if (const std::optional<WinPair> pair = win_pair(rows))
    add_arrow(page, pair->naive->predicted.method->id, pair->fast->predicted.method->id);
}

}  // namespace

void add_arrow(RooflinePage& page, const char* naive, const char* fast) {
  if (!page.revealed || page.figure.empty()) return;
  const auto mark = [&](const std::string& method) -> std::optional<PlotPoint> {
    for (const RooflinePoint& point : page.points)
      if (!point.part && point.walk && point.walk->method == method)
        return point.recorded ? point.recorded : point.predicted;
    return std::nullopt;
  };
  const std::optional<PlotPoint> from = mark(naive), to = mark(fast);
  if (from && to) page.arrow = WinArrow{*from, *to, page.figure};
}

void add_guesses(RooflinePage& page, const RooflineController& controller, std::string question, const NaiveWin& win) {
  const double right = win.naive_ms / win.fast_ms;
  page.question = std::move(question);
  for (const double times : kGuesses)
    page.guesses.push_back({fmt::format("{:g}×", times), controller.guess() == times, GuessWin{times}});
  if (!page.revealed) {
    const WinScale scale(page, roofline_lengths(controller), std::end(kGuesses)[-1], controller.call().n);
    page.even_at = scale.place(controller.call().n, 1).y;
    if (controller.guess())
      page.guess_at = scale.place(controller.call().n, std::min(*controller.guess(), std::end(kGuesses)[-1]));
    return;
  }
  page.question.clear();
  page.figure = win.figure(), page.caption = win.caption();
  page.answer = capitalized(win.times());
  if (controller.guess()) {
    const double off = *controller.guess() / right - 1;
    page.answer += fmt::format(" Your {:g}× is {} {}.", *controller.guess(),
                               error_text(std::fabs(off)).substr(off == 0 ? 0 : 1), off < 0 ? "low" : "high");
  }
  if (controller.misses().size() < 2) return;
  for (const double miss : controller.misses())
    page.misses += (page.misses.empty() ? "Your last guesses: " : ", ") + fmt::format("{:.0f}", std::fabs(miss) * 100);
  page.misses += " % off. The goal of the path is 25 %.";
}

void hide_figures(RooflinePage& page, const std::vector<std::string>& known) {
  for (RooflineRow& row : page.rows)
    if (!contains(known, row.title)) row.cells.assign(row.cells.size(), "?");
}

RooflinePage build_roofline_page(const RooflineController& controller, RooflineCache& cache,
                                 std::optional<Contender> torch_default, bool short_rule) {
  RooflinePage page;
  page.choices = roofline_choices(controller);
  page.machine = machine_title(controller);
  page.over_n = over_n_words(controller);
  page.guesses_first = controller.chose_guesses();
  page.own = own_card_fields(controller);
  page.measure = measure_choice(controller);
  page.title = call_title(controller.call());
  if (controller.processor())
    add_processor_page(page, controller);
  else
    add_card_page(page, controller, cache, torch_default, short_rule);
  return page;
}

}  // namespace tilewalk
