#include "app/jobs/tasks.h"

#include <algorithm>

#include "app/jobs/throttle.h"
#include "kernels/race/measure_machine.h"

namespace tilewalk {
namespace {

Slices<CheckReport> checked(const CheckRequest& request) {
  return [check = std::make_shared<ProblemCheck>(request)](
             const JobWatch<CheckReport>& watch) -> std::optional<CheckReport> {
    if (!check->work([&](CheckStage, double) { return !watch.cancelled(); })) return std::nullopt;
    CheckReport report = check->outcome().report;
    if (report.verdict != Verdict::NotChecked && report.provenance.ran_on != "gpu") {
      report = {};
      report.reason = "The recording is of the kernel source run on the CPU, which is no GPU check.";
    }
    return report;
  };
}

struct Measuring {
  explicit Measuring(const AccuracyRequest& request)
      : inputs(request.problem, request.files, request.edits), accuracy(inputs) {}
  const Inputs inputs;
  AccuracyWork accuracy;
};

Slices<AccuracyReport> measured(const AccuracyRequest& request) {
  return [measuring = std::make_shared<Measuring>(request)](
             const JobWatch<AccuracyReport>& watch) -> std::optional<AccuracyReport> {
    if (!measuring->accuracy.work([&](double) { return !watch.cancelled(); })) return std::nullopt;
    return measuring->accuracy.report();
  };
}

RaceNews news_of(const RacePlan& plan) {
  RaceNews news;
  news.source = plan.on == RaceOn::Gpu ? RaceSource::Gpu : RaceSource::Cpu;
  news.fraction = 1;
  return news;
}

RaceNews raced(const RacePlan& plan, const JobWatch<RaceNews>& watch) {
  RaceNews so_far = news_of(plan), end = so_far;
  so_far.running = true;
  Throttle throttle;
  RaceEnd ended = run_race(plan, [&](const RaceProgress& at, const Race& rows) {
    if (throttle.ready()) {
      if (!so_far.race || so_far.race->rows.size() != rows.rows.size())
        so_far.race = std::make_shared<const Race>(rows);
      so_far.fraction = at.fraction;
      so_far.doing = at.doing;
      watch.report(so_far);
    }
    return !watch.cancelled();
  });
  end.doing = so_far.doing;
  if (ended.failure) {
    end.race = so_far.race;
    end.failure = text_of(ended.failure->issues);
  } else {
    end.race = std::make_shared<const Race>(std::move(ended.race));
  }
  return end;
}

MeasureNews machine_measured(const JobWatch<MeasureNews>& watch) {
  MeasureNews so_far{.running = true};
  Throttle throttle;
  MeasureEnd end = measure_machine([&](double fraction, const std::string& doing) {
    if (throttle.ready(doing != so_far.doing)) {
      so_far.fraction = fraction;
      so_far.doing = doing;
      watch.report(so_far);
    }
    return !watch.cancelled();
  });
  MeasureNews out{.fraction = 1};
  if (end.stopped)
    out.failure = "The measurement was stopped, and nothing of it is kept";
  else
    out.machine = std::move(end.machine);
  return out;
}

ProfileNews profile_read(const ProfileQuestion& question, const JobWatch<ProfileNews>& watch) {
  ProfileNews out{.path = question.path};
  ProfileNews so_far{.path = question.path, .running = true};
  Throttle throttle;
  Result<Profile> profile = read_profile(question.path, [&](double fraction) {
    if (throttle.ready()) {
      so_far.fraction = fraction;
      watch.report(so_far);
    }
    return !watch.cancelled();
  });
  if (profile)
    out.profile = std::make_shared<const Profile>(std::move(*profile));
  else
    out.failure = text_of(profile.issues());
  return out;
}

}  // namespace

Task<CheckRequest, CheckReport> check_task() {
  return {checked, [](const CheckRequest&, const std::string& why) {
            CheckReport report;
            report.reason = "The check could not be carried out: " + why;
            return report;
          }};
}

Task<AccuracyRequest, AccuracyReport> accuracy_task() {
  return {measured, [](const AccuracyRequest&, const std::string& why) {
            AccuracyReport report;
            report.reason = "The comparison with float64 could not be made: " + why;
            return report;
          }};
}

Task<RacePlan, RaceNews> race_task() {
  return {raced, [](const RacePlan& plan, const std::string& why) {
            RaceNews news = news_of(plan);
            news.failure = "The race could not be run: " + why;
            return news;
          }};
}

Task<MeasureQuestion, MeasureNews> measure_task() {
  return {[](const MeasureQuestion&, const JobWatch<MeasureNews>& watch) { return machine_measured(watch); },
          [](const MeasureQuestion&, const std::string& why) {
            return MeasureNews{.failure = "This machine could not be measured: " + why};
          }};
}

Task<ProfileQuestion, ProfileNews> profile_task() {
  return {profile_read, [](const ProfileQuestion& question, const std::string& why) {
            ProfileNews news{.path = question.path};
            news.failure = "The profile could not be read: " + why;
            return news;
          }};
}

Task<DeviceQuestion, DeviceReport> device_task() {
  return {[](const DeviceQuestion&, const JobWatch<DeviceReport>&) { return probe_devices(); },
          [](const DeviceQuestion&, const std::string& why) {
            DeviceReport report;
            report.reason = "GPUs could not be looked for: " + why;
            return report;
          }};
}

}  // namespace tilewalk
