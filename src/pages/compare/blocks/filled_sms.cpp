#include "pages/compare/blocks/filled_sms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "core/schedules/registry.h"
#include "pages/compare/blocks/waves_model.h"
#include "view/pipes/pipes_time.h"
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

// Cycles at which the first SM begins each wave of a launch.
std::vector<double> wave_starts(const Waves& w) {
  const std::size_t waves = std::size_t(std::max<std::int64_t>(1, w.waves)),
                    each = std::size_t(w.occupancy.blocks_per_sm);
  std::vector<double> out(waves);
  for (std::size_t i = 0; i < waves; ++i) out[i] = w.cycles * double(i) / double(waves);
  if (!lists_all_blocks(w) || w.bundle > 1 || each == 0) return out;
  std::vector<std::vector<double>> starts(w.loads.size());
  for (const BlockSpan& span : w.spans) starts[std::size_t(span.sm)].push_back(span.start);
  for (std::vector<double>& of_sm : starts) std::sort(of_sm.begin(), of_sm.end());
  for (std::size_t i = 1; i < waves; ++i) {
    double first = w.cycles;
    for (const std::vector<double>& of_sm : starts)
      if (i * each < of_sm.size()) first = std::min(first, of_sm[i * each]);
    out[i] = std::max(out[i - 1], first);
  }
  return out;
}

// A launch's part of the call's time.
struct LaunchPart {
  double begin = 0, end = 1;
  double at(double share) const { return begin + share * (end - begin); }
};

LaunchPart part_of(const FilledClock& clock, std::size_t launch) {
  return {clock.launches[launch], launch + 1 < clock.launches.size() ? clock.launches[launch + 1] : 1};
}

// Each launch of a schedule that writes S to HBM has its part of the time; any other schedule counts as one launch.
FilledClock clock_of(const Schedule& schedule, double ms) {
  FilledClock out{.ms = ms};
  if (!row_of(schedule.problem()).memory.scores_in_hbm) return out;
  for (int section = 1; section < schedule.section_count(); ++section)
    out.launches.push_back(share_of_time(schedule, first_step_in_section(schedule, section)));
  return out;
}

}  // namespace

double cycle_of_work(const Waves& w, double done) {
  if (done <= 0) return 0;
  if (done >= 1) return w.cycles;
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

double share_of_run(const Schedule& schedule, const Waves& w, std::int64_t cursor) {
  if (row_of(schedule.problem()).memory.scores_in_hbm) return share_of_time(schedule, cursor);
  const double done = double(cursor) / double(std::max<std::int64_t>(1, schedule.step_count()));
  return std::min(1.0, cycle_of_work(w, done) / w.cycles);
}

FilledSms build_filled_sms(const Problem& p, const RunTime& run, const FilledClock& clock, double now) {
  const Waves& w = run.waves;
  FilledSms out;
  out.title = title_of_waves(p);
  out.ms = clock.ms;
  out.now = std::clamp(now, 0.0, 1.0);
  out.end_text = ms_text(out.ms);
  std::size_t launch = 0;
  while (launch + 1 < clock.launches.size() && clock.launches[launch + 1] <= out.now) ++launch;
  const LaunchPart part = part_of(clock, launch);
  const double done = part.end > part.begin ? (out.now - part.begin) / (part.end - part.begin) : 1;
  const double cycle = w.cycles * std::min(1.0, done);
  out.sms.resize(w.loads.size());
  lists_all_blocks(w) ? fill_from_spans(w, cycle, out.sms) : fill_evenly(w, cycle, out.sms);
  int working = 0;
  std::vector<double> ends;
  for (std::size_t sm = 0; sm < out.sms.size(); ++sm) {
    if (w.loads[sm].blocks > 0) ends.push_back(w.loads[sm].end / w.cycles);
    out.sms[sm].works = w.loads[sm].blocks > 0 && w.loads[sm].end > cycle;
    working += out.sms[sm].works;
  }
  std::sort(ends.begin(), ends.end());
  const int used = int(ends.size()), launches = int(clock.launches.size());
  const std::vector<double> starts = wave_starts(w);
  for (std::size_t each = 0; each < clock.launches.size(); ++each) {
    const LaunchPart of = part_of(clock, each);
    out.busy.push_back({of.begin, used});
    for (int ended = 0; ended < used; ++ended) out.busy.push_back({of.at(ends[std::size_t(ended)]), used - ended - 1});
    for (std::size_t i = 0; i < starts.size(); ++i)
      out.waves.push_back({of.at(starts[i] / w.cycles), of.at(i + 1 < starts.size() ? starts[i + 1] / w.cycles : 1),
                           int(i) + 1, i == 0});
  }
  const LaunchPart last = part_of(clock, clock.launches.size() - 1);
  out.tail_from = ends.empty() ? 0 : last.at(ends.front());

  out.figure = fmt::format("{} of {}", used, w.sms);
  const std::string a_launch = launches > 1 ? " a launch" : "";
  const int at_once = w.occupancy.blocks_per_sm;
  const std::string have =
      at_once > 1 ? fmt::format("SMs have {} thread blocks each", at_once) : "SMs have thread blocks";
  out.figure_words = used < w.sms ? "SMs ever have a thread block"
                                  : have + ", in " + (w.waves > 1 ? counted(w.waves, "wave") : "one wave") + a_launch;
  out.some_idle = used < w.sms;
  if (const int idle = int(w.sms) - used; idle > 0)
    out.idle = fmt::format("{} {} idle for all {}", idle, idle == 1 ? "SM is" : "SMs are", out.end_text);
  int round = 0;
  for (const FilledSm& sm : out.sms) round = std::max(round, sm.round);
  std::string wave = launches > 1 ? fmt::format("launch {} of {}, ", launch + 1, launches) : "";
  if (w.waves > 1) wave += fmt::format("wave {} of {}, ", std::min<std::int64_t>(round, w.waves), w.waves);
  out.clock = out.now >= 1
                  ? fmt::format("Finished at {}.", out.end_text)
                  : fmt::format("{}: {}{} of {} SMs work.",
                                out.now > 0 ? "At " + ms_text(out.now * out.ms) : "At the start", wave, working, w.sms);
  if (1 - out.tail_from >= kLeastTail)
    out.tail = fmt::format("In the last {} SMs run out of work.", ms_text((1 - out.tail_from) * out.ms));
  return out;
}

FilledPair filled_pair(const FilledSide& pinned, const FilledSide& now, std::int64_t cursor, const CallTimes* times) {
  for (const FilledSide* each : {&pinned, &now})
    if (each->run.waves.occupancy.blocks_per_sm < 1 || each->run.waves.cycles <= 0) return {};
  const FilledClock clocks[] = {clock_of(pinned.schedule, times ? times->ms[0] : pinned.run.seconds * 1e3),
                                clock_of(now.schedule, times ? times->ms[1] : now.run.seconds * 1e3)};
  const double share = share_of_run(now.schedule, now.run.waves, cursor), ms = share * clocks[1].ms;
  FilledPair out{{build_filled_sms(pinned.schedule.problem(), pinned.run, clocks[0], ms / clocks[0].ms),
                  build_filled_sms(now.schedule.problem(), now.run, clocks[1], share)},
                 std::max(clocks[0].ms, clocks[1].ms),
                 time_axis(std::max(clocks[0].ms, clocks[1].ms)),
                 ""};
  for (std::size_t i = 0; i < 2; ++i) {
    FilledSms &side = out.sides[i], &other = out.sides[1 - i];
    const auto name_of = [](const FilledSms& m) { return m.title.substr(0, m.title.find(" · ")); };
    if (side.ms < other.ms)
      side.after = fmt::format("{} ends at {}; {} works {} longer", name_of(side), side.end_text, name_of(other),
                               ms_text(other.ms - side.ms));
  }
  out.axis_words = times && times->recorded ? "SMs at work over the recorded time; the waves within it are modelled."
                                            : "SMs at work over the modelled time.";
  return out;
}

std::int64_t cursor_at_moment(const FilledSms& m, const Schedule& schedule, double share) {
  share = std::clamp(share, 0.0, 1.0);
  if (row_of(schedule.problem()).memory.scores_in_hbm) return cursor_at_time(schedule, share);
  double before = 0, all = 0;  // work: SMs times the time that they work
  for (std::size_t i = 0; i + 1 < m.busy.size(); ++i) {
    const double from = m.busy[i].at, to = m.busy[i + 1].at;
    all += (to - from) * m.busy[i].sms;
    before += std::max(0.0, std::min(to, share) - from) * m.busy[i].sms;
  }
  if (all <= 0) return 0;
  return std::llround(before / all * double(schedule.step_count()));
}

}  // namespace tilewalk
