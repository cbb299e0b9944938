// What a session wants done off the thread that draws, and what came of it: checks (the recording at once for each new
// problem; live where there is a GPU, by itself when that is cheap), distance from float64, races, this machine's
// ceilings, exports that need no picture, GPUs. One Job for each; the newest wish supersedes the one under way. Reports
// reach the session as Commands.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/jobs/export_task.h"
#include "app/jobs/followed_job.h"
#include "app/jobs/tasks.h"
#include "session/session.h"

namespace tilewalk {

// The check of the problem on screen.
CheckRequest check_request(const Session&, CheckAgainst, const std::string& resource_root);

// What the session has no figures for yet: its problem, then its baseline while the page of comparison is open.
struct WantedAccuracy {
  AccuracyRequest request;
  std::uint64_t revision = 0;  // of the problem, or of the baseline
  bool of_baseline = false;

  Command command(AccuracyReport) const;
};
std::optional<WantedAccuracy> wanted_accuracy(const Session&);

class SessionJobs {
 public:
  // `wake` is called from other threads when there is something to exchange.
  SessionJobs(std::string resource_root, const std::function<void()>& wake);
  // Brings what was found to the session and starts what it wants now. True if the session changed by it.
  bool exchange(Session&);
  void lend();  // some milliseconds of the caller's to the first job that needs them: where there are no threads

 private:
  bool take_answers(Session&);
  void follow_wishes(const Session&);
  void follow_accuracy(const Session&);
  bool follow_check(Session&);

  std::string root_, gpu_;
  Job<DeviceQuestion, DeviceReport> devices_;
  Job<CheckRequest, CheckReport> check_;
  Job<AccuracyRequest, AccuracyReport> accuracy_;
  FollowedJob<RacePlan, RaceNews> race_;
  FollowedJob<MeasureQuestion, MeasureNews> measure_;
  FollowedJob<ExportRequest, ExportNews> export_;
  FollowedJob<ProfileQuestion, ProfileNews> profile_;
  std::uint64_t checked_ = 0, live_asked_ = 0;
  std::optional<WantedAccuracy> measured_;
};

}  // namespace tilewalk
