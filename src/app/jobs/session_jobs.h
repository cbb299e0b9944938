// The background work of a session, and its results: checks (against the recording for each new problem; live where
// there is a GPU, without a request when that is cheap), distance from float64, races, this machine's ceilings, exports
// without a picture, the search for GPUs. One Job for each; a newer request supersedes a running one. Reports reach the
// session as Commands.
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

// The next missing distance from float64: of the session's problem, then of its baseline while the page of comparison
// is open.
struct WantedAccuracy {
  AccuracyRequest request;
  std::uint64_t revision = 0;  // of the problem, or of the baseline
  bool of_baseline = false;

  Command command(AccuracyReport) const;
};
std::optional<WantedAccuracy> wanted_accuracy(const Session&);

class SessionJobs {
 public:
  // Other threads call `wake` when there is something to exchange.
  SessionJobs(std::string resource_root, const std::function<void()>& wake);
  // Passes results to the session and starts what it requests. True if the session changed.
  bool exchange(Session&);
  void lend();  // without threads: works on the first waiting job for some milliseconds

 private:
  bool take_answers(Session&);
  void follow_requests(const Session&);
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
