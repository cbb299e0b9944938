#include "pages/compare/chip_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "base/words.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// "27 % short" of a recorded figure.
std::string distance_text(double model, double chip) {
  const double off = chip > 0 ? 100 * (model / chip - 1) : 0;
  return fmt::format("{:.0f} % {}", std::fabs(off), off < 0 ? "short" : "in excess");
}

std::string conclusion_of(const ChipLanes& chip, const Timeline& modelled, const LaneMeans& there,
                          const LaneMeans& here, double model_ms) {
  const std::string call =
      fmt::format("For the whole call the model is {}, {} where the chip takes {}",
                  distance_text(model_ms, chip.run->ms_plain), ms_text(model_ms), ms_text(chip.run->ms_plain));
  const auto lanes = [&](const char* of, double model, double recorded) {
    return fmt::format("{}; for {} its lanes are {}, {} cycles for {}.", call, of, distance_text(model, recorded),
                       cycles_text(model), cycles_text(recorded));
  };
  if (!chip.whole) return lanes("a tile visit", here.visit, there.visit);
  return lanes("this Q tile", modelled.simulated_cycles, chip.timeline.simulated_cycles);
}

// Where the cycles are that the model lacks, in parts that add up, the largest first; empty where it lacks none.
std::vector<LackingCycles> lacking_parts(const ChipLanes& chip, const Timeline& modelled, const LaneMeans& there,
                                         const LaneMeans& here) {
  const auto whole = [](double cycles) { return std::int64_t(std::llround(cycles)); };
  const std::int64_t lacks = whole(chip.timeline.simulated_cycles) - whole(modelled.simulated_cycles);
  const std::int64_t start = whole(there.first) - whole(here.first),
                     visits = whole((there.visit - here.visit) * double(modelled.visits - 1)),
                     rest = lacks - start - visits;
  if (!chip.whole || lacks <= 0 || start <= 0 || visits <= 0) return {};
  std::vector<LackingCycles> parts = {{visits, "from visit to visit"}, {start, "before the first QKᵀ"}};
  // The last visit has no next one, consumers begin one after the other, and O is stored at the end.
  if (rest != 0) parts.push_back({rest, "last visit, store of O, between consumers"});
  std::stable_sort(parts.begin(), parts.end(),
                   [](const LackingCycles& x, const LackingCycles& y) { return x.cycles > y.cycles; });
  return parts;
}

std::string lacking_words(const std::vector<LackingCycles>& parts) {
  if (parts.empty()) return "";
  std::int64_t lacks = 0;
  std::vector<std::string> words;
  std::string excess;
  for (const LackingCycles& part : parts) {
    lacks += part.cycles;
    if (part.cycles > 0)
      words.push_back(fmt::format("{} are {}", format_count(part.cycles), part.where));
    else
      excess = fmt::format("; the model has {} more than the chip {}", format_count(-part.cycles), part.where);
  }
  return fmt::format("Of the {} cycles that the model lacks, {}{}.", format_count(lacks), listed(words, " and "),
                     excess);
}

}  // namespace

LaneMeans lane_means(const Timeline& t) {
  LaneMeans out;
  double visits = 0, lanes = 0;
  bool any = false;
  for (int lane = 1; lane < int(t.lanes.size()); ++lane) {  // the first one loads
    double begin = -1, end = 0, last = 0, count = 0, first_end = -1;
    for (const Segment& s : t.segments) {
      if (s.lane != lane || s.doing != Doing::Scores) continue;
      if (begin < 0 || s.start < begin) begin = s.start;
      if (first_end < 0 || s.end < first_end) first_end = s.end;
      last = std::max(last, s.end);
      ++count;
    }
    if (count == 0) continue;
    for (const Segment& s : t.segments)
      if (s.lane == lane && s.doing == Doing::Accumulate) end = std::max(end, s.end);
    for (const Segment& s : t.segments) {
      if (s.lane != lane) continue;
      const double cycles = s.end - s.start;
      switch (s.doing) {
        case Doing::Scores: out.scores += cycles; break;
        case Doing::RowMax:
        case Doing::Exponentiate:
        case Doing::RowSum: out.softmax += cycles; break;
        case Doing::Rescale: out.rescale += cycles; break;
        case Doing::Accumulate: out.accumulate += cycles; break;
        case Doing::Waiting: out.waiting += std::max(0.0, std::min(s.end, end) - std::max(s.start, begin)); break;
        default: break;
      }
    }
    out.first = any ? std::min(out.first, begin) : begin;
    any = true;
    visits += count;
    if (count > 1) out.visit += (last - first_end) / (count - 1), ++lanes;
  }
  if (visits > 0)
    for (double* each : {&out.scores, &out.softmax, &out.accumulate, &out.rescale, &out.waiting}) *each /= visits;
  if (lanes > 0) out.visit /= lanes;
  return out;
}

std::string unlike_the_call(const ChipRun& run, const Call& call) {
  std::string out;
  const auto add = [&](bool differs, const std::string& what) {
    if (differs) add_to_list(out, what);
  };
  add(call.n_q != run.n, "N " + format_count(call.n_q));
  add(call.keys() != call.n_q, format_count(call.keys()) + " keys");
  add(call.is_causal != run.causal, call.is_causal ? "the causal mask" : "no mask");
  add(call.batch != run.batch || call.heads != run.heads, fmt::format("{} × {} heads", call.batch, call.heads));
  add(call.heads_of_kv() != call.heads, fmt::format("{} KV heads", call.heads_of_kv()));
  add(call.d != run.d, fmt::format("d {}", call.d));
  add(call.type != CallType::Bf16, name_of(call.type));
  return out;
}

ChipComparison compare_with_chip(const ChipLanes& chip, const Timeline& modelled, double model_ms, const Problem& walk,
                                 const std::string& unlike) {
  const ChipRun& run = *chip.run;
  const LaneMeans there = lane_means(chip.timeline), here = lane_means(modelled);
  ChipComparison out;
  out.call = fmt::format("The recorded call: N {}, {}, batch {} × {} heads, d {}, bf16{}", format_count(run.n),
                         run.causal ? "causal" : "no mask", run.batch, run.heads, run.d,
                         unlike.empty() ? "" : " · your call has " + unlike);
  out.figure = error_text(run.ms_plain > 0 ? model_ms / run.ms_plain - 1 : 0);
  out.conclusion = conclusion_of(chip, modelled, there, here, model_ms);
  out.kinds = {
      {LaneBoxKind::Scores, "QKᵀ", "A consumer's product of its rows of Q with one KV tile", there.scores, here.scores},
      {LaneBoxKind::Softmax, "softmax", "Row max, exponentials and row sum, without the rescale of O", there.softmax,
       here.softmax},
      {LaneBoxKind::Accumulate, "P·V", "A consumer's product of P with one KV tile of V", there.accumulate,
       here.accumulate},
      {LaneBoxKind::Rescale, "rescale O", "The correction of O; on the chip with the rounding of P to 16 bits",
       there.rescale, here.rescale},
      {LaneBoxKind::Waiting, "waiting",
       "For a turn, a tile or the other consumers, between the first and the last product", there.waiting,
       here.waiting},
      {LaneBoxKind::Mixed, "visit to visit", "From one QKᵀ of a consumer to its next: kinds of work overlap in it",
       there.visit, here.visit},
      {LaneBoxKind::Load, "once: until the first QKᵀ",
       "Once, at the start: from the Q tile's number until the first product begins. The chip's first tiles come from "
       "a cold memory.",
       there.first, here.first, true}};
  for (const KindCycles& each : out.kinds) out.most = std::max({out.most, each.chip, each.model});
  out.reconciled = fmt::format(
      "The chip's P·V of {} cycles lasts until its warpgroup looks at it, so it contains the softmax beside it; the "
      "model's of {} does not. A modelled softmax box contains the rescale of O.",
      cycles_text(there.accumulate), cycles_text(here.accumulate));
  out.parts = lacking_parts(chip, modelled, there, here);
  out.lacks = lacking_words(out.parts);
  if (!out.parts.empty()) {  // the question whose answer the parts are; the call's time is a note
    const std::int64_t recorded = std::llround(chip.timeline.simulated_cycles),
                       said = std::llround(modelled.simulated_cycles);
    out.notes.push_back(out.conclusion);
    out.figure = format_count(recorded - said);
    out.conclusion = fmt::format("The chip takes {} cycles, the model says {}: where are the {}?",
                                 format_count(recorded), format_count(said), out.figure);
  }
  out.notes.push_back(fmt::format(
      "The modelled lanes use the rates of the units. The model's time of a call uses the measured pace of its kernel. "
      "With its lanes recorded, the call took {}.",
      ms_text(run.ms_traced)));
  out.notes.push_back(
      fmt::format("Products at full rate would need {:.0f} % of the chip's cycles, {:.0f} % of the lanes'.",
                  chip.timeline.product_utilisation * 100, modelled.product_utilisation * 100));
  if (!chip.skipped.empty()) out.notes.push_back("On the chip " + chip.skipped + "; the model does not.");
  const std::string other = differences_from(run, walk);
  out.walk = other.empty() ? "It is the problem of this walk." : "Not this walk's problem: " + other + ".";
  return out;
}

void show_kind(int step, ChipComparison& chip, LanesModel& lanes) {
  if (step < 1 || std::size_t(step) > chip.kinds.size()) return;
  const KindCycles& kind = chip.kinds[std::size_t(step) - 1];
  chip.figure = error_text(kind.chip > 0 ? kind.model / kind.chip - 1 : 0);
  chip.conclusion = fmt::format("{}: {} cycles on the chip, {} in the model. {}{}", kind.name, cycles_text(kind.chip),
                                cycles_text(kind.model), kind.tip, kind.tip.ends_with(".") ? "" : ".");
  if (kind.kind != LaneBoxKind::Mixed && !kind.once) lanes.only = kind.kind;  // others have no box of their own
}

}  // namespace tilewalk
