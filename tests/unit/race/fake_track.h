// A machine whose times, memory and results are set by a test.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/race/runner.h"

namespace tilewalk::test {

struct FakeRung {
  // Explicit: in braces, two names would be the two ends of one string.
  explicit FakeRung(
      std::string its_name, std::function<double(int)> its_ms = [](int) { return 1.0; }, float its_value = 1,
      Readiness its_ready = {}, std::string its_failure = {})
      : name(std::move(its_name)),
        ms(std::move(its_ms)),
        value(its_value),
        ready(std::move(its_ready)),
        fails(std::move(its_failure)) {}
  std::string name;
  std::function<double(int run)> ms;  // of the run with this number since the cell was opened
  float value;                        // of every output
  Readiness ready;
  std::string fails;
};

class FakeTrack final : public RaceTrack {
 public:
  explicit FakeTrack(std::vector<FakeRung> rungs) : rungs_(std::move(rungs)) {}
  std::map<std::string, std::string> provenance() override { return {{"date", "2026-01-02"}}; }
  std::vector<TrackEntry> contenders(const RaceCell&) const override {
    std::vector<TrackEntry> out;
    for (const FakeRung& rung : rungs_) out.push_back({rung.name, rung.name + " fake"});
    return out;
  }
  Readiness open(const RaceCell& cell) override {
    ++opened;
    runs_.assign(rungs_.size(), 0);
    return cell.n == no_room_at ? Readiness{RaceOutcome::OutOfMemory, "the inputs want too much", 7} : Readiness{};
  }
  Readiness prepare(std::size_t contender) override { return rungs_[contender].ready; }
  Result<std::vector<double>> time(std::size_t contender, int runs) override {
    if (!rungs_[contender].fails.empty()) return Issue{rungs_[contender].name, "", rungs_[contender].fails, ""};
    std::vector<double> ms;
    for (int i = 0; i < runs; ++i) ms.push_back(rungs_[contender].ms(runs_[contender]++));
    turns.push_back(rungs_[contender].name);
    last_ = contender;
    return ms;
  }
  std::optional<double> own_share() override { return share ? std::optional(share(asked++)) : std::nullopt; }
  std::optional<double> peak_at_clock(std::size_t contender) override {
    turns_asked.push_back(rungs_[contender].name);
    return peak ? peak(contender) : std::nullopt;
  }
  std::vector<float> sample() override { return std::vector<float>(8, rungs_[last_].value); }

  std::int64_t no_room_at = -1;
  std::function<double(int asked)> share;                            // none: cannot be measured, as on a GPU
  std::function<std::optional<double>(std::size_t contender)> peak;  // at the clock; none: cannot be measured
  int opened = 0, asked = 0;
  std::vector<std::string> turns_asked;  // contenders whose peak was measured, in order
  std::vector<std::string> turns;        // contenders that ran, in order

 private:
  std::vector<FakeRung> rungs_;
  std::vector<int> runs_;
  std::size_t last_ = 0;
};

inline RacePlan small_plan() {
  RacePlan plan = default_plan(RaceOn::Cpu);
  plan.n = {64, 128};
  plan.d = {32};
  plan.causal = {false};
  plan.threads = 1;
  plan.seconds_a_row = 0.25;  // the fake times below assume it
  return plan;
}

}  // namespace tilewalk::test
