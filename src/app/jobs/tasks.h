// What the window has done off the thread that draws, each as the function that a Job runs: compare the problem with a
// GPU, measure how far it is from float64, race, measure this machine, look for GPUs. A task has its own copies of
// everything, and what it finds is a plain report; session_jobs.h brings that to the session.
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

// A recording of the kernel source run on the CPU counts for nothing here: it is no GPU's.
Task<CheckRequest, CheckReport> check_task();

struct AccuracyRequest {
  Problem problem;
  FileInputs files;
  std::vector<InputEdit> edits;
};
Task<AccuracyRequest, AccuracyReport> accuracy_task();

// Finished rows, a fraction, what runs now: at most ten times a second, so a race costs no more frames than that.
// Cancelling ends it after the run at hand.
Task<RacePlan, RaceNews> race_task();

// What this machine reaches: how far it is at most ten times a second. Cancelling ends it within a second, with
// nothing.
struct MeasureQuestion {};
Task<MeasureQuestion, MeasureNews> measure_task();

// How far it is: at most ten times a second. Cancelling ends it with a failure that says so.
struct ProfileQuestion {
  std::string path;
};
Task<ProfileQuestion, ProfileNews> profile_task();

struct DeviceQuestion {};
Task<DeviceQuestion, DeviceReport> device_task();

}  // namespace tilewalk
