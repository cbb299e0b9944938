// tilewalk race: the fast kernels timed here, and the race recorded on an H200, marked as recorded.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/text/race_json.h"
#include "app/cli/verbs.h"
#include "app/jobs/long_work.h"
#include "app/streams.h"
#include "base/contains.h"
#include "base/shown.h"
#include "files/output_file.h"
#include "kernels/race/live_race.h"
#include "measured/recorded_race.h"
#include "session/resources.h"

namespace tilewalk {
namespace {

Result<RacePlan> plan_from(const CommandLine& line, RaceOn on) {
  RacePlan plan = default_plan(on);
  Issues issues;
  const auto list = [&](const char* name, std::vector<std::int64_t>& out) {
    if (const auto text = line.option(name)) put(whole_numbers(name, *text, 1, std::int64_t(1) << 24), out, issues);
  };
  list("n", plan.n);  // check_plan knows the upper bounds
  list("d", plan.d);
  if (const auto text = line.option("causal")) {
    if (*text == "both")
      plan.causal = {false, true};
    else if (*text == "on" || *text == "off")
      plan.causal = {*text == "on"};
    else
      issues.push_back({"causal", *text, "is not a choice", "on, off or both"});
  }
  if (const auto text = line.option("pass")) {
    if (*text == "both")
      plan.passes = {"forward", "backward"};
    else
      plan.passes = {*text};
  }
  if (const auto text = line.option("dtype")) plan.dtype = *text;
  read_whole(line, "threads", 1, 1024, plan.threads, issues);
  if (issues.empty()) issues = check_plan(plan);
  if (!issues.empty()) return issues;
  return plan;
}

// Flags select among the rows of a recorded race.
Result<Race> recorded_race(const CommandLine& line) {
  const Result<std::string> root = find_resource_root();
  if (!root) return root.issues();
  Result<Race> race = load_shipped_race(*root);
  if (!race) return race;
  const Result<RacePlan> plan = plan_from(line, RaceOn::Gpu);
  if (!plan) return plan.issues();
  std::erase_if(race->rows, [&](const RaceRow& row) {
    return (line.option("n") && !contains(plan->n, row.n)) || (line.option("d") && !contains(plan->d, row.d)) ||
           (line.option("causal") && !contains(plan->causal, row.causal)) ||
           (line.option("pass") && !contains(plan->passes, row.pass)) ||
           (line.option("dtype") && row.dtype != plan->dtype);
  });
  if (race->rows.empty())
    return Issue{"race", "recorded", "has no row of these shapes",
                 "tilewalk race --recorded without other flags shows all of it"};
  return race;
}

Result<SourcedRace> live_race(const CommandLine& line, RaceOn on, bool& no_device) {
  const Result<RacePlan> plan = plan_from(line, on);
  if (!plan) return plan.issues();
  catch_interrupts(Patience::Unlimited);
  Progress progress("Racing");
  RaceEnd end = run_race(*plan, [&](const RaceProgress& at, const Race&) {
    progress.say(at.doing);
    return progress.update(at.fraction);
  });
  if (end.failure) {
    no_device = end.failure->no_device;
    return end.failure->issues;
  }
  return SourcedRace{on == RaceOn::Cpu ? RaceSource::Cpu : RaceSource::Gpu, std::move(end.race)};
}

// A finished race replaces its file; a stopped one is saved under another name, and one without finished rows is not
// saved.
Result<Done> keep_race(const Race& race, OutputFile& csv) {
  if (race.stopped && race.rows.empty()) {
    complain("nothing was finished, so " + shown(csv.path()) + " is left as it was");
    return Done{};
  }
  const std::string text = race_csv(race);
  const std::span bytes = std::as_bytes(std::span(text));
  if (!race.stopped) return keep(csv, bytes);
  Result<Done> done = csv.write(bytes);
  if (done) done = csv.flush_to_disk();
  if (!done) return done;
  const Result<std::string> aside = csv.rename_aside("partial");
  if (!aside) return aside.issues();
  complain("stopped early: the rows that were finished are in " + shown(*aside));
  return Done{};
}

}  // namespace

int race_verb(const CommandLine& line) {
  if (line.has("timeline")) {
    const Issues issues = not_beside("--timeline", line, {"timeline", "n", "d", "causal", "perfetto"});
    return issues.empty() ? chip_timeline(line) : refuse(issues);
  }
  if (line.option("perfetto"))
    return refuse({{"perfetto", *line.option("perfetto"), "is for recorded lanes", "Give --timeline too"}});
  const int kinds = int(line.has("gpu")) + int(line.has("cpu")) + int(line.has("recorded"));
  if (kinds > 1) return refuse({{"race", "", "runs one of --gpu, --cpu and --recorded", "Leave out the others"}});
  if (line.has("recorded") && line.option("threads"))
    return refuse({{"threads", *line.option("threads"), "does not go with --recorded", "Leave --threads out"}});
  if (line.has("gpu") && line.option("threads"))
    return refuse({{"threads", *line.option("threads"), "does not go with --gpu", "Leave --threads out"}});
  const bool shapes =
      line.option("n") || line.option("d") || line.option("causal") || line.option("dtype") || line.option("pass");
  std::vector<RaceSource> wanted;
  if (line.has("recorded"))
    wanted = {RaceSource::Recorded};
  else if (line.has("cpu") || (kinds == 0 && line.option("threads")))
    wanted = {RaceSource::Cpu};
  else if (line.has("gpu") || no_gpu_race_reason().empty())
    wanted = {RaceSource::Gpu};
  else if (shapes)
    wanted = {RaceSource::Cpu};
  else
    wanted = {RaceSource::Recorded, RaceSource::Cpu};
  const auto csv = line.option("csv");
  if (csv && wanted == std::vector{RaceSource::Recorded})
    return refuse({{"csv", *csv, "is for a race run here, but none runs", "Add --cpu or --gpu"}});
  std::optional<OutputFile> kept;
  if (csv) {
    Result<OutputFile> opened =
        OutputFile::open({.field = "csv", .path = *csv, .endings = {".csv"}, .may_stream = true});
    if (!opened) return refuse(opened.issues());
    kept.emplace(std::move(*opened));
    if (kept->is_stdout() && line.has("json"))
      return refuse({{"csv", *csv, "is where --json goes", "Name another file, or leave --json out"}});
  }

  std::vector<SourcedRace> races;
  int exit = kExitOk;
  for (const RaceSource source : wanted) {
    bool no_device = false;
    Result<SourcedRace> found = Issue{};
    if (source == RaceSource::Recorded) {
      Result<Race> race = recorded_race(line);
      if (!race) return refuse(race.issues());
      found = SourcedRace{source, std::move(*race)};
    } else {
      found = live_race(line, source == RaceSource::Cpu ? RaceOn::Cpu : RaceOn::Gpu, no_device);
    }
    if (!found) {
      const int code = refuse(found.issues());
      return no_device ? kExitNoDevice : code;
    }
    if (found->race.stopped) exit = interrupted_exit();
    if (kept && source != RaceSource::Recorded)
      if (const Result<Done> saved = keep_race(found->race, *kept); !saved) exit = refuse(saved.issues());
    if (!line.has("json") && !(kept && kept->is_stdout())) say("{}\n", race_text(*found));
    std::fflush(stdout);
    const auto lost = std::count_if(found->race.rows.begin(), found->race.rows.end(),
                                    [](const RaceRow& r) { return r.outcome() == RaceOutcome::NotQuiet; });
    if (lost > 0)
      complain(fmt::format("{} of {} rows {} not reported: this machine was not quiet", lost, found->race.rows.size(),
                           lost == 1 ? "is" : "are"));
    races.push_back(std::move(*found));
  }
  if (line.has("json")) print_json(races_json(races));
  return exit;
}

}  // namespace tilewalk
