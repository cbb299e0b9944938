#include "kernels/race/live_race.h"

#include <algorithm>
#include <thread>

#include "base/contains.h"
#include "base/units.h"
#include "kernels/cpu/workers.h"
#include "kernels/race/runner.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostN = 1 << 24, kMostD = 256;
// FLOPs of one naive run, which computes the whole square: minutes on a CPU, seconds on a GPU.
constexpr double kMostCpuFlops = 2e13, kMostGpuFlops = 2e15;

template <class T>
bool one_of(const T& value, const std::vector<T>& allowed) {
  return contains(allowed, value);
}

}  // namespace

RaceCell RacePlan::cell(const std::string& pass, std::int64_t length, std::int64_t size, bool with_mask) const {
  RaceCell out;
  out.pass = pass;
  out.dtype = dtype;
  out.n = length;
  out.d = size;
  out.heads = std::max<std::int64_t>(1, hidden / size);
  out.batch = std::max<std::int64_t>(1, tokens / length);
  out.causal = with_mask;
  return out;
}

RacePlan default_plan(RaceOn on) {
  RacePlan plan;
  plan.on = on;
  plan.d = {64, 128};
  if (on == RaceOn::Cpu) {
    plan.n = {1024, 2048, 4096};
    plan.hidden = 128;
    plan.seconds_a_row = 0.15;
    plan.threads = int(std::max(1u, std::thread::hardware_concurrency()));
    return plan;
  }
  plan.passes = {"forward", "backward"};
  plan.n = {1024, 2048, 4096, 8192, 16384, 65536};
  plan.dtype = "bf16";
  plan.hidden = 2048;
  plan.tokens = 16384;
  return plan;
}

Issues check_plan(const RacePlan& plan) {
  Issues issues;
  const bool gpu = plan.on == RaceOn::Gpu;
  const std::vector<std::string> dtypes =
      gpu ? std::vector<std::string>{"bf16", "fp16"} : std::vector<std::string>{"fp32", "bf16"};
  if (!one_of(plan.dtype, dtypes))
    issues.push_back(
        {"dtype", plan.dtype, gpu ? "is not raced on a GPU" : "is not raced on a CPU", dtypes[0] + " or " + dtypes[1]});
  for (const std::string& pass : plan.passes)
    if (pass != "forward" && !(gpu && pass == "backward"))
      issues.push_back({"pass", pass, gpu ? "is not a pass" : "is not raced on a CPU", "forward"});
  for (const std::int64_t d : plan.d)
    if (d < 1 || d > kMostD)
      issues.push_back({"d", std::to_string(d), "must be from 1 to " + std::to_string(kMostD), "Try --d 64,128"});
  for (const std::int64_t n : plan.n)
    if (n < 1 || n > kMostN)
      issues.push_back({"n", std::to_string(n), "must be from 1 to " + std::to_string(kMostN), "Try --n 1024,4096"});
  if (plan.n.empty() || plan.d.empty() || plan.causal.empty() || plan.passes.empty())
    issues.push_back({"race", "", "has nothing to run", "Name at least one length, head size, mask and pass"});
  if (plan.threads < 1 || plan.threads > 1024)
    issues.push_back({"threads", std::to_string(plan.threads), "must be from 1 to 1024", "Leave it out for all"});
  if (!issues.empty()) return issues;
  const double most = gpu ? kMostGpuFlops : kMostCpuFlops;
  for (const std::int64_t n : plan.n)
    for (const std::int64_t d : plan.d) {
      const double flops = plan.cell("forward", n, d, false).flops();
      if (flops > most)
        return {{"n", std::to_string(n),
                 "would take " + format_flops(std::int64_t(flops)) + " for one run at d " + std::to_string(d) + "; a " +
                     (gpu ? "GPU" : "CPU") + " race takes at most " + format_flops(std::int64_t(most)),
                 "Try --n 4096"}};
    }
  return issues;
}

const std::vector<FastRung>& fast_rungs() {
  static const std::vector<FastRung> rungs = {
      {.kernel = Contender::Naive,
       .idea = "cuBLAS products, all scores in memory, a good softmax between them",
       .needs = "sm_80 or later, and cuBLAS"},
      {.kernel = Contender::FlashV1,
       .idea = "Scores never reach memory; K and V outside, so O goes to memory and back at every visit",
       .needs = "sm_80 or later"},
      {.kernel = Contender::FlashV2,
       .idea = "Scores stay on chip: mma.sync, asynchronous copies, one Q tile a thread block",
       .needs = "sm_80 or later"},
      {.kernel = Contender::FlashV3,
       .idea = "wgmma and TMA: one warpgroup loads, two compute in turns, a persistent grid",
       .needs = "Hopper (sm_90)"},
  };
  return rungs;
}

std::string missing_for(const FastRung& rung, const GpuInfo& gpu) {
  const auto runs = [&](const FastRung& r, int sm) {
    return sm >= lowest_sm(r.kernel) && (highest_sm(r.kernel) == 0 || sm <= highest_sm(r.kernel));
  };
  const int sm = gpu.sm_major * 10 + gpu.sm_minor;
  if (runs(rung, sm)) return "";
  std::string text = std::string("needs ") + rung.needs + ", and " + gpu.name + " is sm_" + std::to_string(sm);
  const FastRung* offered = nullptr;
  for (const FastRung& below : fast_rungs()) {
    if (below.number == rung.number) break;
    if (runs(below, sm)) offered = &below;
  }
  if (offered) return text + "; the rung below, " + offered->name + ", runs";
  return text + "; tilewalk race --cpu runs";
}

Issue no_gpu_issue(const std::string& why) {
  return {
      .field = "race",
      .value = "gpu",
      .rule = why,
      .suggestion = "tilewalk race --cpu runs on this processor, and --recorded shows the race recorded on an H200"};
}

RaceEnd run_race(const RacePlan& plan, const RaceWatch& watch) {
  RaceEnd end;
  if (Issues issues = check_plan(plan); !issues.empty()) {
    end.failure = RaceFailure{.no_device = false, .issues = std::move(issues)};
    return end;
  }
  if (const std::string why = plan.on == RaceOn::Cpu ? why_no_cpu_race() : ""; !why.empty()) {
    end.failure = RaceFailure{.no_device = true,
                              .issues = {{"race", "cpu", why, "tilewalk race --recorded shows the recorded race"}}};
    return end;
  }
  // OpenBLAS starts as many threads of its own, and would wait for ever for a thread that the system does not grant.
  if (const int granted = plan.on == RaceOn::Cpu ? (cpu::threads_granted(2 * plan.threads - 1) + 1) / 2 : plan.threads;
      granted < plan.threads) {
    end.failure = RaceFailure{.issues = {{"threads", std::to_string(plan.threads),
                                          "are more than this system grants now: " + std::to_string(granted),
                                          "Ask for fewer, or lift the limit on processes or memory"}}};
    return end;
  }
  const int processors = default_plan(RaceOn::Cpu).threads;
  if (plan.on == RaceOn::Cpu && plan.threads > processors) {
    end.failure = RaceFailure{.issues = {{"threads", std::to_string(plan.threads),
                                          "are more than the processors of this machine, so that they would wait for "
                                          "each other and no time would count",
                                          "Ask for at most " + std::to_string(processors)}}};
    return end;
  }
  const Result<std::unique_ptr<RaceTrack>> track =
      plan.on == RaceOn::Cpu ? make_cpu_track(plan.threads, plan.dtype) : make_gpu_track(plan.dtype);
  if (!track) {
    end.failure = RaceFailure{.no_device = true, .issues = track.issues()};
    return end;
  }
  Result<Race> race = run_on_track(**track, plan, watch);
  if (race)
    end.race = std::move(*race);
  else
    end.failure = RaceFailure{.no_device = false, .issues = race.issues()};
  return end;
}

}  // namespace tilewalk
