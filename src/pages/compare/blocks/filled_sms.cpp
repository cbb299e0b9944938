#include "pages/compare/blocks/filled_sms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "pages/compare/blocks/waves_model.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr double kLeastTail = 0.005;  // of the whole time; a shorter tail is not drawn

bool lists_all_blocks(const Waves& w) {
  return !w.spans.empty() && std::int64_t(w.spans.size()) * w.bundle >= w.blocks;
}

// From the times of the thread blocks: the latest round that has begun, and how much of its latest block is done.
void fill_from_spans(const Waves& w, double cycle, std::vector<FilledSm>& sms) {
  const int each = std::max(1, w.occupancy.blocks_per_sm);
  std::vector<int> begun(sms.size(), 0);
  std::vector<double> latest(sms.size(), -1);
  for (const BlockSpan& span : w.spans) {
    if (span.start > cycle) continue;
    const std::size_t sm = std::size_t(span.sm);
    ++begun[sm];
    if (span.start < latest[sm]) continue;
    latest[sm] = span.start;
    sms[sm].share = span.end > span.start ? std::min(1.0, (cycle - span.start) / (span.end - span.start)) : 1;
  }
  for (std::size_t sm = 0; sm < sms.size(); ++sm) sms[sm].round = (begun[sm] + each - 1) / each;
}

void fill_evenly(const Waves& w, double cycle, std::vector<FilledSm>& sms) {
  const int each = std::max(1, w.occupancy.blocks_per_sm);
  for (std::size_t sm = 0; sm < sms.size(); ++sm) {
    const SmLoad& load = w.loads[sm];
    if (load.blocks == 0 || load.busy <= 0) continue;
    const double rounds = double((load.blocks + each - 1) / each), at = rounds * std::min(1.0, cycle / load.busy);
    sms[sm].round = std::min(int(rounds), int(at) + 1);
    sms[sm].share = at - (sms[sm].round - 1);
  }
}

}  // namespace

double cycle_of_work(const Waves& w, double done) {
  double all = 0;
  for (const SmLoad& load : w.loads) all += load.busy;
  double low = 0, high = w.cycles;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (const SmLoad& load : w.loads) sum += std::min(load.busy, middle);
    (sum < done * all ? low : high) = middle;
  }
  return high;
}

FilledSms build_filled_sms(const Problem& p, const RunTime& run, double cycle) {
  const Waves& w = run.waves;
  FilledSms out;
  out.title = title_of_waves(p);
  out.cycles = w.cycles;
  out.now = std::clamp(cycle, 0.0, w.cycles);
  out.sms.resize(w.loads.size());
  lists_all_blocks(w) ? fill_from_spans(w, out.now, out.sms) : fill_evenly(w, out.now, out.sms);
  int working = 0;
  std::vector<double> ends;
  for (std::size_t sm = 0; sm < out.sms.size(); ++sm) {
    if (w.loads[sm].blocks > 0) ends.push_back(w.loads[sm].end);
    out.sms[sm].works = w.loads[sm].blocks > 0 && w.loads[sm].end > out.now;
    working += out.sms[sm].works;
  }
  std::sort(ends.begin(), ends.end());
  const int used = int(ends.size());
  out.busy.push_back({0, used});
  for (int ended = 0; ended < used; ++ended) out.busy.push_back({ends[std::size_t(ended)], used - ended - 1});
  out.tail_from = ends.empty() ? 0 : ends.front();

  out.figure = fmt::format("{} of {}", used, w.sms);
  out.figure_words = used < w.sms  ? "SMs ever have a thread block; hollow squares have none"
                     : w.waves > 1 ? "SMs have thread blocks, in " + counted(w.waves, "wave") + ": a new shade each"
                                   : "SMs have thread blocks, in one wave";
  int round = 0;
  for (const FilledSm& sm : out.sms) round = std::max(round, sm.round);
  const std::string wave = w.waves > 1 ? fmt::format("wave {} of {}, ", round, w.waves) : "";
  out.clock = out.now >= w.cycles
                  ? fmt::format("Finished at {} cycles.", short_cycles(w.cycles))
                  : fmt::format("At {} cycles: {}{} of {} SMs work.", short_cycles(out.now), wave, working, w.sms);
  if (w.cycles > 0 && (w.cycles - out.tail_from) / w.cycles >= kLeastTail)
    out.tail = fmt::format("In the last {} cycles SMs run out of work.", short_cycles(w.cycles - out.tail_from));
  return out;
}

FilledPair filled_pair(const Problem& pinned, const RunTime& pinned_run, const Problem& now, const RunTime& run,
                       double done) {
  for (const RunTime* each : {&pinned_run, &run})
    if (each->waves.occupancy.blocks_per_sm < 1 || each->waves.cycles <= 0) return {};
  const double cycle = cycle_of_work(run.waves, done);
  return {{build_filled_sms(pinned, pinned_run, cycle), build_filled_sms(now, run, cycle)},
          std::max(pinned_run.waves.cycles, run.waves.cycles)};
}

}  // namespace tilewalk
