#include "kernels/race/runner.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tilewalk {
namespace {

// The allowed difference of results, as a share of the largest value: far above rounding, far below an unwritten tile.
constexpr double kSameResult = 0.05;

struct Entry {
  RaceRow row;
  int per_turn = 1;
  bool runs = false;
};

std::string cell_text(const RaceCell& cell) {
  return cell.pass + " · N " + std::to_string(cell.n) + " · d " + std::to_string(cell.d) +
         (cell.causal ? " · causal" : " · no mask");
}

void forget_samples(RaceRow& row) { row.ms.clear(), row.own_share.clear(), row.peaks_at_clock.clear(); }

void stop(Entry& entry, RaceOutcome outcome, const std::string& why) {
  entry.runs = false;
  forget_samples(entry.row);
  entry.row.stopped = outcome;
  entry.row.why = why;
}

// Empty if two samples of one cell's output agree.
std::string disagreement(const std::vector<float>& a, const std::vector<float>& b, const std::string& other) {
  double largest = 0, apart = 0;
  if (a.size() != b.size()) return "its result has another size than that of " + other;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i])) return "its result is not finite";
    largest = std::max(largest, std::fabs(double(b[i])));
    apart = std::max(apart, std::fabs(double(a[i]) - double(b[i])));
  }
  if (apart <= kSameResult * largest) return "";
  return "its result differs from that of " + other + " by " + std::to_string(apart) + ", where values reach " +
         std::to_string(largest);
}

class CellRunner {
 public:
  CellRunner(RaceTrack& track, const RacePlan& plan, const RaceCell& cell, const std::function<bool(Entry&)>& go_on,
             double& patience)
      : track_(track), plan_(plan), go_on_(go_on), patience_(patience) {
    for (const TrackEntry& contender : track.contenders(cell)) {
      Entry& entry = entries.emplace_back();
      static_cast<RaceCell&>(entry.row) = cell;
      entry.row.rung = contender.rung;
      entry.row.contender = contender.name;
    }
    const Readiness opened = track.open(cell);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Readiness ready = opened.outcome == RaceOutcome::Measured ? track.prepare(i) : opened;
      entries[i].runs = ready.outcome == RaceOutcome::Measured;
      if (!entries[i].runs) stop(entries[i], ready.outcome, ready.why);
      if (opened.outcome == RaceOutcome::Measured) entries[i].row.extra_bytes = ready.extra_bytes;
      entries[i].row.flops_done = ready.flops_done;
    }
  }

  bool run() { return warm_up() && race(); }  // false: stopped by the watch
  std::vector<Entry> entries;

 private:
  bool warm_up() {
    const Entry* first = nullptr;
    std::vector<float> reference;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      Entry& entry = entries[i];
      if (!entry.runs) continue;
      if (!go_on_(entry)) return false;
      const auto warm = track_.time(i, 1);
      const auto again = warm ? track_.time(i, 1) : warm;
      if (!again) {
        stop(entry, RaceOutcome::Refused, text_of(again.issues()));
        continue;
      }
      const std::vector<float> got = track_.sample();
      const std::string wrong = disagreement(got, first ? reference : got, first ? first->row.rung : entry.row.rung);
      if (!wrong.empty()) {
        stop(entry, RaceOutcome::Refused, wrong);
        continue;
      }
      if (!first) first = &entry, reference = got;
      const double in_a_turn = plan_.seconds_a_row / kRounds * 1e3 / std::max(1e-6, again->front());
      entry.per_turn = int(std::clamp(in_a_turn, 1.0, double(kMostPerRound)));
    }
    return true;
  }

  bool race() {
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const auto start = std::chrono::steady_clock::now();
      for (Entry& entry : entries) forget_samples(entry.row);
      for (int round = 0; round < kRounds; ++round)
        for (std::size_t i = 0; i < entries.size(); ++i) {
          Entry& entry = entries[i];
          if (!entry.runs) continue;
          if (!go_on_(entry)) return false;
          if (const auto share = track_.own_share()) entry.row.own_share.push_back(*share);
          const auto ms = track_.time(i, entry.per_turn);
          if (!ms) {
            stop(entry, RaceOutcome::Refused, text_of(ms.issues()));
            continue;
          }
          entry.row.ms.insert(entry.row.ms.end(), ms->begin(), ms->end());
          if (const auto peak = track_.peak_at_clock(i)) entry.row.peaks_at_clock.push_back(*peak);
        }
      const bool quiet = std::all_of(entries.begin(), entries.end(),
                                     [](const Entry& e) { return e.row.outcome() != RaceOutcome::NotQuiet; });
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (attempt > 0) patience_ -= seconds;
      if (quiet || seconds > patience_) break;
    }
    return true;
  }

  RaceTrack& track_;
  const RacePlan& plan_;
  const std::function<bool(Entry&)>& go_on_;
  double& patience_;
};

}  // namespace

Result<Race> run_on_track(RaceTrack& track, const RacePlan& plan, const RaceWatch& watch) {
  if (Issues issues = check_plan(plan); !issues.empty()) return issues;
  std::vector<RaceCell> cells;
  double all = 0, done = 0, patience = kPatience;
  for (const std::string& pass : plan.passes)
    for (const std::int64_t d : plan.d)
      for (const bool causal : plan.causal)
        for (const std::int64_t n : plan.n) {
          cells.push_back(plan.cell(pass, n, d, causal));
          all += cells.back().flops();
        }
  Race race;
  if (watch && !watch({0, "the machine's ceilings"}, race)) {
    race.stopped = true;
    return race;
  }
  race.provenance = track.provenance();
  for (const RaceCell& cell : cells) {
    int turns = 0, of = 1;
    const std::function<bool(Entry&)> go_on = [&](Entry& entry) {
      const double within = std::min(1.0, double(turns++) / of);
      return !watch || watch({(done + within * cell.flops()) / all, entry.row.rung + " · " + cell_text(cell)}, race);
    };
    CellRunner runner(track, plan, cell, go_on, patience);
    of = std::max(1, int(runner.entries.size()) * (kRounds + 1));
    if (!runner.run()) {
      race.stopped = true;
      return race;
    }
    for (Entry& entry : runner.entries) race.rows.push_back(std::move(entry.row));
    done += cell.flops();
  }
  return race;
}

}  // namespace tilewalk
