#include "pages/roofline/processor_page.h"

#include <fmt/format.h>

#include "base/units.h"
#include "base/words.h"
#include "pages/roofline/roofline_choices.h"
#include "pages/roofline/roofline_scale.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

constexpr double kGiga = 1e9, kDecades = 1000;
constexpr double kRoofShare = 0.5;  // of a roof; a smaller share means that something else bounds the time
constexpr double kSame = 0.05;      // smaller differences, as shares, are not mentioned
constexpr Contender kNaive = Contender::CpuNaive, kTiled = Contender::CpuTiled;

// The next 1, 2 or 5 times a power of ten, at least `least`.
double round_above(double least) {
  const double decade = std::pow(10, std::floor(std::log10(least)));
  for (const double step : {1.0, 2.0, 5.0})
    if (decade * step >= least) return decade * step;
  return decade * 10;
}

std::string gflops_text(double rate) {
  return rate < 100 ? fmt::format("{:.1f}", rate) : format_count(std::int64_t(std::lround(rate)));
}

std::string rate_words(double flop_per_s) {
  return flop_per_s < 1e12 ? fmt::format("{:.0f} GFLOP/s", flop_per_s / 1e9)
                           : fmt::format("{:.2f} TFLOP/s", flop_per_s / 1e12);
}

std::string flop_words(double flop) {
  return flop < 1e12 ? format_digits(flop / 1e9, 3) + " GFLOP" : format_digits(flop / 1e12, 3) + " TFLOP";
}

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }

RooflineHue hue_of_processor(Contender who) { return who == kNaive ? RooflineHue::Naive : RooflineHue::Tiled2; }

RooflinePoint point_on_processor(const PredictionRow& row, const RooflineScale& scale) {
  const Prediction& p = row.predicted;
  RooflinePoint out;
  out.hue = hue_of_processor(p.method->who);
  out.predicted = scale.place(p.intensity(), p.flops, p.roofline_ms());
  if (row.recorded_ms) out.recorded = scale.place(p.intensity(), p.flops, *row.recorded_ms);
  out.label = std::string(p.method->title) + " " +
              gflops_text(p.flops / (row.recorded_ms.value_or(p.roofline_ms()) * 1e-3) / scale.unit) +
              (row.recorded_ms ? "" : " allowed");
  out.detail = fmt::format("{}: {} FLOP a byte; the roofline allows {}", p.method->title,
                           format_digits(p.intensity(), 3), ms_text(p.roofline_ms()));
  if (row.recorded_ms)
    out.detail += fmt::format(", recorded {}: {}", ms_text(*row.recorded_ms), percent(*row.reached()));
  return out;
}

// Two unrecorded methods with the same allowed rate share one point.
void add_beside(std::vector<RooflinePoint>& points, RooflinePoint next) {
  const bool same = !points.empty() && !points.back().recorded && !next.recorded &&
                    points.back().predicted->x == next.predicted->x && points.back().predicted->y == next.predicted->y;
  if (!same) return points.push_back(std::move(next));
  points.back().label = std::string(title_of(kNaive)) + " and " + next.label;
  points.back().detail += ".\n" + next.detail;
}

void add_processor_wins(RooflinePage& page, const RooflineController& controller) {
  WinCurve curve{std::string(title_of(kTiled)) + ", by the roofline", RooflineHue::Tiled2, {}, {}, {}};
  struct Win {
    std::int64_t n;
    std::optional<double> allowed, recorded;
  };
  std::vector<Win> wins;
  double most = 2;
  const std::vector<std::int64_t> lengths = roofline_lengths(controller);
  for (const std::int64_t n : lengths) {
    const AttentionCall call = controller.call_of_length(n);
    if (!why_no_call(call).empty()) continue;
    const std::vector<PredictionRow> rows = prediction_rows(call, *controller.processor());
    const PredictionRow &naive = *find_row(rows, kNaive), &tiled = *find_row(rows, kTiled);
    Win win{n, {}, win_of(rows)};
    if (naive.predicted.there) win.allowed = naive.predicted.roofline_ms() / tiled.predicted.roofline_ms();
    most = std::max({most, win.allowed.value_or(0), win.recorded.value_or(0)});
    wins.push_back(win);
  }
  const WinScale scale(page, lengths, most, controller.call().n);
  for (const Win& win : wins) {
    if (win.allowed) curve.modelled.push_back(scale.place(win.n, *win.allowed));
    if (win.recorded) curve.recorded.push_back(scale.place(win.n, *win.recorded));
  }
  if (!curve.modelled.empty()) page.wins.push_back(std::move(curve));
}

void add_processor_table(RooflinePage& page, const std::vector<PredictionRow>& rows) {
  page.heads = {"memory", "by bytes", "by products", "allowed", "recorded", "reached"};
  for (const Contender who : {kNaive, kTiled}) {
    const PredictionRow& row = *find_row(rows, who);
    const Prediction& p = row.predicted;
    if (!p.there) continue;
    page.rows.push_back(
        {p.method->title,
         {big_bytes(p.dram_bytes), ms_text(p.floor_bytes_ms), ms_text(p.floor_flops_ms), ms_text(p.roofline_ms()),
          row.recorded_ms ? ms_text(*row.recorded_ms) : "–", row.reached() ? percent(*row.reached()) : "–"},
         {},
         {}});
  }
}

}  // namespace

std::string short_name(const Processor& processor) {
  std::string name = processor.name.substr(0, processor.name.rfind(", "));  // without the vector extensions
  for (const char* part : {"(R)", "(TM)", "(tm)", " CPU", " Processor"})
    for (std::size_t at = name.find(part); at != std::string::npos; at = name.find(part))
      name.erase(at, std::string(part).size());
  return name.substr(0, name.find(" @ "));
}

std::string processor_roof_sentence(const PredictionRow& row, const Processor& on) {
  const Prediction& p = row.predicted;
  const std::string figures = p.binds() == Roof::Bytes
                                  ? fmt::format("{} of memory at {} GB/s take {}", big_bytes(p.dram_bytes),
                                                format_digits(on.read_gb_per_s, 3), ms_text(p.floor_bytes_ms))
                                  : fmt::format("{} at {} take {}", flop_words(p.flops),
                                                rate_words(on.flop_per_s(p.call.dtype)), ms_text(p.floor_flops_ms));
  const auto reached = row.reached();
  const bool holds = reached && *reached >= kRoofShare;
  const char* const roof = name_of(p.binds());
  std::string text = holds
                         ? fmt::format("The limit of {} is the {}: {}", p.method->title, roof, figures)
                         : fmt::format("The nearest roof of {} is that of the {}: {}", p.method->title, roof, figures);
  if (!reached)
    text += " at least.";
  else
    text += fmt::format("; it took {}, {} of what that roof allows{}.", ms_text(*row.recorded_ms), percent(*reached),
                        holds ? "" : ", so something else limits it");
  if (!p.method->extra_bytes) return text;
  const double head = p.method->extra_bytes(p.call);
  const bool cached = p.dram_bytes < p.hbm_bytes;
  return text + fmt::format(" Its scores, {} a head, {}.", big_bytes(head),
                            cached ? "fit in the last-level cache of " + big_bytes(double(on.cache_bytes)) +
                                         ", so memory need not see them"
                                   : "go to memory four times");
}

std::string processor_win_sentence(const std::vector<PredictionRow>& rows) {
  const PredictionRow *const naive = find_row(rows, kNaive), *const tiled = find_row(rows, kTiled);
  if (!naive || !tiled || !naive->recorded_ms || !tiled->recorded_ms) return {};
  const double times = *naive->recorded_ms / *tiled->recorded_ms;
  std::string text = fmt::format("Recorded: {} takes {} where {} takes {}", title_of(kTiled),
                                 ms_text(*tiled->recorded_ms), title_of(kNaive), ms_text(*naive->recorded_ms));
  text += times > 1 ? fmt::format(": {:.{}f} times as fast.", times, times < 10 ? 1 : 0) : ": nothing is won here.";
  const double allowed = naive->predicted.roofline_ms() / tiled->predicted.roofline_ms();
  if (times > allowed * (1 + kSame))
    text += allowed < 1 + kSame
                ? " The roofline allows both the same time: the win is no roof's, but of what naive does between its "
                  "products."
                : fmt::format(" The roofs explain {:.1f} of it; the rest is of what naive does between its products.",
                              allowed);
  return text;
}

std::vector<std::string> processor_notes(const std::vector<PredictionRow>& rows) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_note;
  for (const PredictionRow& row : rows) {
    const Prediction& p = row.predicted;
    if (p.there) continue;
    const auto same =
        std::find_if(by_note.begin(), by_note.end(), [&](const auto& each) { return each.first == p.note; });
    if (same == by_note.end())
      by_note.push_back({p.note, {p.method->title}});
    else
      same->second.push_back(p.method->title);
  }
  std::vector<std::string> out;
  for (const auto& [note, titles] : by_note) out.push_back(fmt::format("{}: {}.", fmt::join(titles, ", "), note));
  return out;
}

void add_processor_page(RooflinePage& page, const RooflineController& controller) {
  const Processor& processor = controller.processor()->processor;
  const AttentionCall& call = controller.call();
  const std::vector<PredictionRow> rows = controller.rows();
  const double peak = processor.flop_per_s(call.dtype) / kGiga;
  RooflineScale scale;
  scale.unit = kGiga;
  scale.most_y = round_above(2 * peak);
  scale.least_y = scale.most_y / kDecades;
  page.x_title = "FLOP per byte of memory";
  page.y_title = "GFLOP/s";
  page.hollow = "allowed";
  scale.add_ticks(page);
  const bool dots = call.dtype == DType::Bf16 && processor.bf16_tflops > 0;
  scale.add_roofs(page, processor.bytes_per_s(), peak,
                  fmt::format("memory {} GB/s", format_digits(processor.read_gb_per_s, 3)),
                  fmt::format("{} {}", dots ? "bf16 dot products" : "fp32 multiply-adds", rate_words(peak * kGiga)));
  const PredictionRow &naive = *find_row(rows, kNaive), &tiled = *find_row(rows, kTiled);
  const RaceRow* const raced = controller.processor()->row(kTiled, cell_of(call));
  if (const auto at_clock = raced ? raced->peak_at_clock() : std::nullopt;
      at_clock && *at_clock * 1e3 < peak * (1 - kSame / 2))
    scale.add_lower(page, processor.bytes_per_s(), *at_clock * 1e3,
                    fmt::format("at the clock under load: {}", gflops_text(*at_clock * 1e3)));

  page.revealed = controller.revealed();
  const std::optional<double> right = win_of(rows);
  const bool answers = page.revealed || !right;
  if (naive.predicted.there) page.points.push_back(point_on_processor(naive, scale));
  if (tiled.predicted.there && answers) add_beside(page.points, point_on_processor(tiled, scale));
  if (controller.guess() && naive.recorded_ms && tiled.predicted.there) {
    RooflinePoint guess;
    guess.hue = RooflineHue::Guess;
    guess.label = "your guess";
    guess.predicted =
        scale.place(tiled.predicted.intensity(), tiled.predicted.flops, *naive.recorded_ms / *controller.guess());
    guess.detail = fmt::format("{:g} times as fast as {} was here", *controller.guess(), title_of(kNaive));
    page.points.push_back(std::move(guess));
  }
  if (right)
    add_guesses(
        page, controller,
        fmt::format("Before you look: how many times as fast as {} is {} here?", title_of(kNaive), title_of(kTiled)),
        {.fast = title_of(kTiled),
         .naive = title_of(kNaive),
         .fast_ms = *tiled.recorded_ms,
         .naive_ms = *naive.recorded_ms});
  else if (tiled.predicted.there)
    page.question = controller.processor()->yours
                        ? "Attention was not raced on this machine here: the roofs alone say what is allowed. "
                          "tilewalk race --cpu measures what is reached."
                        : "This call was not recorded: the roofs alone say what is allowed.";
  else
    page.question = "There is nothing to guess here. " + tiled.predicted.note + ".";
  add_processor_table(page, rows);
  if (!answers) {
    hide_figures(page, {naive.predicted.method->title});
  } else {
    add_processor_wins(page, controller);
    page.absent = processor_notes(rows);
    page.sentence = processor_win_sentence(rows);
    for (const PredictionRow* row : {&naive, &tiled})
      if (row->predicted.there) add_to_list(page.sentence, processor_roof_sentence(*row, processor), " ");
  }
  add_arrow(page, naive.predicted.method->id, tiled.predicted.method->id);
  page.source = controller.processor()->source() +
                ". Bytes are those of memory: a head's scores that fit in the last-level cache do not reach it.";
}

}  // namespace tilewalk
