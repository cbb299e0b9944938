#include "view/predict/roofline_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/predict/roofline_choices.h"
#include "view/race/race_row_text.h"

namespace tilewalk {
namespace {

constexpr double kLeastX = 1, kMostX = 32768, kLeastY = 2, kMostY = 2000;  // FLOP a byte, TFLOP/s
constexpr double kGuesses[] = {1.5, 2, 3, 4, 5, 6, 8, 10, 15};
constexpr const char* kShown[] = {"naive", "flash_v2", "flash_v3"};

double on_log(double value, double least, double most) {
  return std::clamp(std::log(value / least) / std::log(most / least), 0.0, 1.0);
}
double x_of(double intensity) { return on_log(intensity, kLeastX, kMostX); }
double y_of(double tflops) { return on_log(tflops, kLeastY, kMostY); }

RooflineHue hue_of(const std::string& method) {
  if (method == "naive") return RooflineHue::Naive;
  return method == "flash_v2" ? RooflineHue::Tiled2 : RooflineHue::Tiled3;
}

void add_roofs(RooflinePage& page, const DeviceModel& device, const std::vector<HeldRow>& rows) {
  const Ceilings roof = ceilings_of(device);
  const double peak = roof.flop_per_s / 1e12, ridge = roof.flop_per_s / roof.bytes_per_s;
  const double first = kLeastY * 1e12 / roof.bytes_per_s;  // where the slope meets the lower edge
  page.roofs.push_back({fmt::format("HBM {:.2f} TB/s", roof.bytes_per_s / 1e12), x_of(std::max(first, kLeastX)),
                        y_of(std::max(kLeastY, kLeastX * roof.bytes_per_s / 1e12)), x_of(ridge), y_of(peak), false});
  page.roofs.push_back(
      {fmt::format("tensor cores {:.0f} TFLOP/s", peak), x_of(ridge), y_of(peak), 1, y_of(peak), false});
  const auto lower = [&](const std::string& label, double tflops) {
    const double meets = tflops * 1e12 / roof.bytes_per_s;
    page.roofs.push_back({label, x_of(meets), y_of(tflops), 1, y_of(tflops), true});
  };
  // What a method can reach at this d however long its rows are: the method on paper, as FLOP/s.
  const auto at_most = [&](const char* method) -> std::optional<double> {
    const HeldRow* const row = row_of(rows, method);
    if (!row || !row->predicted.paper_ms) return std::nullopt;
    return row->predicted.flops / *row->predicted.paper_ms / 1e9;
  };
  if (const auto two = at_most("flash_v2")) lower(fmt::format("mma.sync, then exponentials: {:.0f}", *two), *two);
  const auto three = at_most("flash_v3");
  if (three && *three < peak * 0.98) lower(fmt::format("softmax beside the products: {:.0f}", *three), *three);
}

RooflinePoint point_of(const HeldRow& row) {
  const Prediction& p = row.predicted;
  RooflinePoint out;
  out.hue = hue_of(p.method->id);
  const auto place = [&](double ms) { return PlotPoint{x_of(p.intensity()), y_of(p.flops / ms / 1e9)}; };
  out.predicted = place(*p.predicted_ms);
  if (row.recorded_ms) out.recorded = place(*row.recorded_ms);
  out.label = fmt::format("{} {:.0f}", p.method->title, p.flops / row.recorded_ms.value_or(*p.predicted_ms) / 1e9);
  out.detail = fmt::format("{}: {:.3g} FLOP a byte; predicted {}{}", p.method->title, p.intensity(),
                           ms_text(*p.predicted_ms), row.recorded_ms ? ", recorded " + ms_text(*row.recorded_ms) : "");
  out.detail += ". A click walks it";
  out.walk = WalkMethod{p.method->id};
  return out;
}

RooflinePoint ring_of(double guess, const HeldRow& naive, const HeldRow& fast) {
  const double ms = naive.recorded_ms.value_or(*naive.predicted.predicted_ms) / guess;
  RooflinePoint ring;
  ring.hue = RooflineHue::Guess;
  ring.label = "your guess";
  ring.predicted = PlotPoint{x_of(fast.predicted.intensity()), y_of(fast.predicted.flops / ms / 1e9)};
  ring.detail = fmt::format("{:g} times as fast as naive would be here", guess);
  return ring;
}

void keep_wins(RooflineCache& cache, const RooflineDesk& desk, const DeviceModel& device) {
  std::vector<AttentionCall> calls;
  for (const std::int64_t n : roofline_lengths(desk)) calls.push_back(desk.call_of_length(n));
  const std::optional<double> bandwidth = desk.bandwidth().value, peak = desk.peak().value;
  if (cache.device == desk.device() && cache.bandwidth == bandwidth && cache.peak == peak && cache.calls == calls)
    return;
  cache = {desk.device(), bandwidth, peak, calls, {}};
  const RaceTimes* const times = desk.times();
  for (const AttentionCall& call : calls) {
    if (!why_no_call(call).empty()) continue;
    const std::vector<HeldRow> rows = held_rows(call, device, times);
    const HeldRow* const naive = row_of(rows, "naive");
    for (const char* method : {"flash_v2", "flash_v3"}) {
      RooflineCache::Win win{call.n, method, {}, {}};
      const HeldRow* const fast = row_of(rows, method);
      if (naive->predicted.predicted_ms && fast->predicted.predicted_ms)
        win.modelled = *naive->predicted.predicted_ms / *fast->predicted.predicted_ms;
      if (naive->recorded_ms && fast->recorded_ms) win.recorded = *naive->recorded_ms / *fast->recorded_ms;
      cache.wins.push_back(win);
    }
  }
}

void add_wins(RooflinePage& page, const RooflineDesk& desk, const std::vector<RooflineCache::Win>& wins) {
  double most = 2;
  for (const auto& win : wins) most = std::max({most, win.modelled.value_or(0), win.recorded.value_or(0)});
  const double top = std::ceil(most + 0.2), step = top <= 8 ? 1 : top <= 16 ? 2 : 5;
  const std::vector<std::int64_t> lengths = roofline_lengths(desk);
  const auto place = [&](std::int64_t n, double win) {
    return PlotPoint{on_log(double(n), double(lengths.front()), double(lengths.back())), win / top};
  };
  for (const char* method : {"flash_v2", "flash_v3"}) {
    WinCurve curve{method_named(method)->title, hue_of(method), {}, {}};
    for (const auto& win : wins) {
      if (win.method != std::string(method)) continue;
      if (win.modelled) curve.modelled.push_back(place(win.n, *win.modelled));
      if (win.recorded) curve.recorded.push_back(place(win.n, *win.recorded));
    }
    if (!curve.modelled.empty()) page.wins.push_back(std::move(curve));
  }
  const auto usual = [](std::int64_t n) { return (n & (n - 1)) == 0; };
  for (const std::int64_t n : lengths)
    if (usual(n) || n == lengths.front() || n == lengths.back()) page.n_ticks.push_back({place(n, 0).x, n_text(n)});
  for (double win = 0; win <= top; win += step) page.win_ticks.push_back({win / top, fmt::format("{:.0f}×", win)});
  page.n_at = place(desk.call().n, 0).x;
}

std::string walk_tip(const Prediction& p, const DeviceModel& device) {
  const std::string title = schedule_row(*p.method->schedule).identity.title;
  if (!p.method->tile) return fmt::format("Walk it: opens {} at this call.", title);
  const MethodTile tile = tile_of(*p.method, p.call, device);
  return fmt::format("Walk it: opens {} at this call, with that kernel's tiles, {}×{}.", title, tile.br, tile.bc);
}

void add_eager(RooflinePage& page, const std::vector<HeldRow>& rows) {
  const HeldRow* const eager = row_of(rows, "eager");
  if (!eager || !eager->predicted.there) return;
  page.eager = lines_of(eager->predicted);
  page.trips = trips_sentence(eager->predicted, rows);
}

void add_table(RooflinePage& page, const std::vector<HeldRow>& rows, const DeviceModel& device) {
  page.heads = {"DRAM", "by bytes", "by products", "by exps", "on paper", "predicted", "recorded", "error"};
  for (const char* method : {"eager", "naive", "flash_v1", "flash_v2", "flash_v3"}) {
    const HeldRow* const row = row_of(rows, method);
    if (!row) continue;
    const Prediction& p = row->predicted;
    const auto or_dash = [](const std::optional<double>& ms) { return ms ? ms_text(*ms) : std::string("–"); };
    if (!p.there) {
      page.notes.push_back(std::string(p.method->title) + ": " + p.note + ".");
      continue;
    }
    page.rows.push_back({p.method->title,
                         {big_bytes(p.dram_bytes), ms_text(p.floor_bytes_ms), ms_text(p.floor_flops_ms),
                          ms_text(p.floor_exp_ms), or_dash(p.paper_ms), or_dash(p.predicted_ms),
                          or_dash(row->recorded_ms), row->error() ? error_text(*row->error()) : "–"},
                         WalkMethod{p.method->id},
                         walk_tip(p, device)});
  }
}

void add_question(RooflinePage& page, const RooflineDesk& desk, const std::vector<HeldRow>& rows) {
  const auto right = win_of(rows);
  page.revealed = desk.revealed();
  const char* const fast = row_of(rows, "flash_v3") && row_of(rows, "flash_v3")->predicted.there ? "FA-3" : "FA-2";
  if (!right) {
    page.question = "There is no win to guess here.";
    for (const char* method : {"naive", "flash_v2"})
      if (const HeldRow* const row = row_of(rows, method); row && !row->predicted.there)
        return void(page.question += fmt::format(" {}: {}.", row->predicted.method->title, row->predicted.note));
    return;
  }
  page.question = fmt::format("Before you look: how many times as fast as naive is {} here?", fast);
  for (const double times : kGuesses)
    page.guesses.push_back({fmt::format("{:g}×", times), desk.guess() == times, GuessWin{times}});
  if (!page.revealed) return;
  const auto was_recorded = [&](const char* method) {
    const HeldRow* const row = row_of(rows, method);
    return row && row->recorded_ms;
  };
  const bool recorded = was_recorded("naive") && was_recorded(std::string(fast) == "FA-3" ? "flash_v3" : "flash_v2");
  page.answer = fmt::format("{}: {} is {} as fast as naive.", recorded ? "Recorded" : "By the model", fast,
                            times_text_of(*right));
  if (desk.guess()) {
    const double off = *desk.guess() / *right - 1;
    page.answer += fmt::format(" Your {:g}× is {} {}.", *desk.guess(),
                               error_text(std::fabs(off)).substr(off == 0 ? 0 : 1), off < 0 ? "low" : "high");
  }
  if (desk.misses().size() > 1) {
    for (const double miss : desk.misses())
      page.misses +=
          (page.misses.empty() ? "Your last guesses: " : ", ") + fmt::format("{:.0f}", std::fabs(miss) * 100);
    page.misses += " % off. The goal of the path is 25 %.";
  }
}

}  // namespace

RooflinePage build_roofline_page(const RooflineDesk& desk, RooflineCache& cache) {
  RooflinePage page;
  const DeviceModel device = desk.card();
  const AttentionCall& call = desk.call();
  const std::vector<HeldRow> rows = held_rows(call, device, desk.times());
  page.choices = roofline_choices(desk);
  page.own = own_card_fields(desk);
  page.title = call_title(call);
  page.win_title = "Times as fast as naive";
  for (const double x : {1.0, 10.0, 100.0, 1000.0, 10000.0})
    page.x_ticks.push_back({x_of(x), x >= 1000 ? format_count(std::int64_t(x)) : fmt::format("{:g}", x)});
  for (const double y : {5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0})
    page.y_ticks.push_back({y_of(y), fmt::format("{:g}", y)});
  add_roofs(page, device, rows);
  const HeldRow* const naive = row_of(rows, "naive");
  for (const char* method : kShown) {
    const HeldRow* const row = row_of(rows, method);
    const bool hidden = !desk.revealed() && std::string(method) != "naive";
    if (row && row->predicted.there && !hidden) page.points.push_back(point_of(*row));
  }
  if (desk.guess() && naive && naive->predicted.there) {
    const HeldRow* fast = row_of(rows, "flash_v3");
    if (!fast || !fast->predicted.there) fast = row_of(rows, "flash_v2");
    if (fast && fast->predicted.there) page.points.push_back(ring_of(*desk.guess(), *naive, *fast));
  }
  add_question(page, desk, rows);
  add_eager(page, rows);
  if (desk.revealed() || page.guesses.empty()) {
    keep_wins(cache, desk, device);
    add_wins(page, desk, cache.wins);
    add_table(page, rows, device);
    if (const std::string win = win_sentence(rows); !win.empty()) page.sentence = win;
    for (const char* method : kShown)
      if (const HeldRow* const row = row_of(rows, method); row && row->predicted.there)
        page.sentence += (page.sentence.empty() ? "" : " ") + roof_sentence(*row, device);
  }
  page.source = ceilings_of(device).source + ". Bytes are what DRAM sees by the L2 model.";
  return page;
}

}  // namespace tilewalk
