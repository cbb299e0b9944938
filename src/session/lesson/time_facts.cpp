// Facts of times: predicted by the model, by the pencil method and by the roofs; recorded on an H200; and the sampled
// call of a screen.
#include <fmt/format.h>

#include "base/words.h"
#include "core/chip/timeline.h"
#include "core/predict/pencil_method.h"
#include "core/problem/device_model.h"
#include "measured/prediction_error.h"
#include "session/lesson/fact_family.h"
#include "session/wins/sampled_win.h"

namespace tilewalk {

namespace {

Figure ms_figure(double ms) { return Figure::of(ms, Counts::Milliseconds); }

// The problem as a call of attention in 16 bits: what races run.
AttentionCall call_in_16_bits(const Problem& p) {
  return {.n = p.shape.n_q,
          .d = p.shape.d,
          .heads = p.shape.heads,
          .kv_heads = p.shape.kv_heads == p.shape.heads ? 0 : p.shape.kv_heads,
          .batch = p.shape.batch,
          .causal = p.shape.mask.kind != MaskKind::None};
}

FactWords methods_where(bool (*holds)(const AttentionMethod&)) {
  FactWords out;
  for (const AttentionMethod& method : attention_methods())
    if (holds(method)) out.push_back(method.id);
  return out;
}

Prediction prediction_of(const AskedFact& asked) {
  return predict(*method_named(asked.word(1)), call_in_16_bits(asked.problem), device_of(asked.problem.machine));
}

Issue not_there(const AskedFact& asked) {
  return asked.issue("has no time: the method does not run there, or does not fit", "Use another GPU or length");
}

template <auto time>
Result<Figure> time_of(const AskedFact& asked) {
  const Prediction p = prediction_of(asked);
  return p.there && p.*time ? Result<Figure>(ms_figure(*(p.*time))) : not_there(asked);
}

Result<Figure> floor_of(const AskedFact& asked) {
  const Prediction p = prediction_of(asked);
  if (!p.there) return not_there(asked);
  const std::string& what = asked.word(2);
  return ms_figure(what == "bytes" ? p.floor_bytes_ms : what == "products" ? p.floor_flops_ms : p.floor_exp_ms);
}

Result<Figure> of_call(const AskedFact& asked) {
  const Prediction p = prediction_of(asked);
  if (!p.there) return not_there(asked);
  if (asked.word(0) == "intensity") return Figure::of(p.intensity());
  return bytes_figure(std::int64_t(p.dram_bytes));
}

Result<Figure> recorded(const AskedFact& asked) {
  const RaceTimes* const times = asked.of.roofline.recorded(asked.problem.machine.device);
  const auto ms =
      times ? times->ms_of(method_named(asked.word(1))->who, cell_of(call_in_16_bits(asked.problem))) : std::nullopt;
  if (!ms) return asked.issue("was not recorded", "Use a call that a race ran: tilewalk race lists them");
  return ms_figure(*ms);
}

Result<Figure> on_a_cpu(const AskedFact& asked) {
  const RaceTimes* const times = asked.of.roofline.recorded();
  const Shape& shape = asked.problem.shape;
  const auto ms =
      times ? times->cpu.ms_of(asked.word(1), shape.n_q, shape.d, shape.mask.kind != MaskKind::None) : std::nullopt;
  if (!ms) return asked.issue("was not recorded", "Use n=2048 or n=8192 with d=64");
  return ms_figure(*ms);
}

Result<Figure> ceiling(const AskedFact& asked) {
  const Ceilings roof = ceilings_of(device_of(asked.problem.machine));
  const std::string& what = asked.word(1);
  if (what == "bytes") return Figure::of(roof.bytes_per_s);
  if (what == "products") return Figure::of(roof.flop_per_s);
  if (what == "mma_sync") return Figure::of(roof.mma_sync_flop_per_s);
  if (what == "exponentials") return Figure::of(roof.exp_per_s);
  if (what == "softmax") return Figure::of(softmax_per_s(roof));
  return Figure::of(roof.flop_per_s / roof.bytes_per_s);
}

LaneOption option_of(const std::string& word) {
  return word == "specialised" ? LaneOption::WarpSpecialisation
         : word == "ping_pong" ? LaneOption::PingPong
                               : LaneOption::Overlap;
}

Result<Figure> is_on(const AskedFact& asked) {
  const LaneSettings& lanes = asked.problem.lanes;
  switch (option_of(asked.word(1))) {
    case LaneOption::WarpSpecialisation: return Figure::truth(lanes.warp_specialised);
    case LaneOption::PingPong: return Figure::truth(lanes.ping_pong);
    default: return Figure::truth(lanes.overlap);
  }
}

// Time without an optimisation over time with it, by the modelled lanes.
Result<Figure> without_modelled(const AskedFact& asked) {
  for (const Removal& each : what_it_removes(asked.problem))
    if (each.option == option_of(asked.word(1)) && !each.refused && each.cycles_on > 0)
      return Figure::of(each.cycles_off / each.cycles_on);
  return asked.issue("is not an option of this schedule", "Walk flash_v3");
}

// The same ratio, by builds that ran on an H200 in one run.
Result<Figure> without_recorded(const AskedFact& asked) {
  const ChipTimelines* const chip = asked.of.compare.chip();
  Problem with = asked.problem;
  for (const LaneOption option : {LaneOption::WarpSpecialisation, LaneOption::PingPong, LaneOption::Overlap})
    set_lane_option(with, option, 1);
  Problem without = with;
  set_lane_option(without, option_of(asked.word(1)), 0);
  const ChipRun* const on = chip ? chip->nearest(with) : nullptr;
  const ChipRun* const off = chip ? chip->nearest(without) : nullptr;
  if (!on || !off || on->n != off->n || on->ms_beside <= 0 || off->ms_beside <= 0)
    return asked.issue("is not known: the chip's lanes are not on screen", "The scene pins them: pin-chip");
  return Figure::of(off->ms_beside / on->ms_beside);
}

Result<Figure> sampled(const AskedFact& asked) {
  const std::optional<SampledWin>& win = asked.of.sampled;
  if (!win) return asked.issue("has no value: this screen samples no call", "Give its task draw = 1");
  const std::string& what = asked.word(1);
  const AttentionCall& call = win->shape.call;
  const WinAnswer& answer = win->answer;
  if (what == "n") return whole_figure(call.n);
  if (what == "d") return whole_figure(call.d);
  if (what == "heads") return whole_figure(call.all_heads());
  if (what == "mask") return Figure::word(call.causal ? "a causal mask" : "no mask");
  if (what == "kernel") return Figure::word(win->shape.method->title);
  if (what == "naive") return ms_figure(answer.naive_ms);
  if (what == "fast") return ms_figure(answer.ms);
  if (what == "visible") return Figure::of(call.causal ? 0.5 : 1);
  const AttentionMethod& other =
      method_of(win->shape.method->who == Contender::FlashV2 ? Contender::FlashV3 : Contender::FlashV2);
  if (what == "other") return Figure::word(other.title);
  const DeviceModel& card = device_of(kRecordedOn);
  if (what == "other_on_paper") return Figure::of(answer.naive_pencil_ms * 1e-3 / other.pencil_s(call, card));
  if (what == "products_on_paper") {
    const Ceilings roof = ceilings_of(card);
    const bool two = win->shape.method->who == Contender::FlashV2;
    return Figure::of(answer.naive_pencil_ms * 1e-3 * (two ? roof.mma_sync_flop_per_s : roof.flop_per_s) /
                      call.flops());
  }
  if (what == "naive_on_paper") return ms_figure(answer.naive_pencil_ms);
  if (what == "fast_on_paper") return ms_figure(answer.pencil_ms);
  return Figure::of(what == "on_paper" ? answer.pencil_win() : answer.win());
}

Result<Figure> guesses(const AskedFact& asked) {
  const Guesses& of = asked.of.guesses;
  if (asked.word(1) == "seed") return Figure::of(double(seed_of_round(of.round)), Counts::Whole);
  if (asked.word(1) == "count") return whole_figure(std::int64_t(of.misses.size()));
  if (asked.word(1) == "median") return Figure::of(of.median());
  if (asked.word(1) == "passed") return Figure::truth(int(of.misses.size()) == kDraws && of.median() <= kGoodGuess);
  std::string text;
  for (const double miss : of.misses)
    add_to_list(text, fmt::format("{:.0f} % {}", std::abs(miss) * 100, miss < 0 ? "low" : "high"));
  return Figure::word(text.empty() ? "none yet" : text);
}

}  // namespace

std::vector<FactFamily> time_facts() {
  const FactWords modelled = methods_where([](const AttentionMethod& m) { return m.modelled(); });
  const FactWords recorded_ones = methods_where([](const AttentionMethod& m) { return !m.backward; });
  const FactWords worked_out = methods_where([](const AttentionMethod& m) { return m.pencil_s != nullptr; });
  const FactWords options = {"specialised", "ping_pong", "overlap"};
  return {
      {.names = {"predicted"}, .second = modelled, .of_problem = true, .figure = time_of<&Prediction::predicted_ms>},
      {.names = {"paper"}, .second = worked_out, .of_problem = true, .figure = time_of<&Prediction::pencil_ms>},
      {.names = {"paper_short"},
       .second = worked_out,
       .of_problem = true,
       .figure = time_of<&Prediction::paper_short_ms>},
      {.names = {"recorded"}, .second = recorded_ones, .of_problem = true, .figure = recorded},
      {.names = {"cpu"}, .second = {"naive", "tiled", "untiled"}, .of_problem = true, .figure = on_a_cpu},
      {.names = {"floor"},
       .second = modelled,
       .third = {"bytes", "products", "exponentials"},
       .of_problem = true,
       .figure = floor_of},
      {.names = {"intensity", "dram"}, .second = modelled, .of_problem = true, .figure = of_call},
      {.names = {"ceiling"},
       .second = {"bytes", "products", "mma_sync", "exponentials", "softmax", "ridge"},
       .of_problem = true,
       .figure = ceiling},
      {.names = {"switch"}, .second = options, .figure = is_on},
      {.names = {"lanes_without"}, .second = options, .of_problem = true, .figure = without_modelled},
      {.names = {"chip_without"}, .second = options, .of_problem = true, .figure = without_recorded},
      {.names = {"drawn"},
       .second = {"n", "d", "heads", "mask", "kernel", "naive", "fast", "win", "naive_on_paper", "fast_on_paper",
                  "on_paper", "visible", "other", "other_on_paper", "products_on_paper"},
       .figure = sampled},
      {.names = {"guesses"}, .second = {"count", "median", "passed", "all", "seed"}, .figure = guesses},
  };
}

}  // namespace tilewalk
