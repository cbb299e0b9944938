// The window's background tasks, each as the function that a Job runs: compare the problem with a GPU, measure its
// distance from float64, race, measure this machine, search for GPUs. A task has its own copies of all its data and
// returns a plain report; session_jobs.h passes the report to the session.
#pragma once

#include <string>
#include <vector>

#include "app/jobs/check_problem.h"
#include "app/jobs/job.h"
#include "kernels/race/live_race.h"
#include "session/command/measure_report.h"
#include "session/command/profile_report.h"
#include "session/command/race_report.h"
#include "trace/accuracy.h"

namespace tilewalk {

// A recording of the kernel source run on the CPU does not count here: it is not from a GPU.
Task<CheckRequest, CheckReport> check_task();

struct AccuracyRequest {
  Problem problem;
  FileInputs files;
  std::vector<InputEdit> edits;
};
Task<AccuracyRequest, AccuracyReport> accuracy_task();

// Reports finished rows, the fraction done and the current run, at most ten times a second, so that a race causes no
// more frames than that. Cancelling ends it after the current run.
Task<RacePlan, RaceNews> race_task();

// Measures this machine's ceilings and reports progress at most ten times a second. Cancelling ends it within a second,
// without a result.
struct MeasureQuestion {};
Task<MeasureQuestion, MeasureNews> measure_task();

// Reports progress at most ten times a second. Cancelling ends it with a failure that says so.
struct ProfileQuestion {
  std::string path;
};
Task<ProfileQuestion, ProfileNews> profile_task();

struct DeviceQuestion {};
Task<DeviceQuestion, DeviceReport> device_task();

}  // namespace tilewalk
