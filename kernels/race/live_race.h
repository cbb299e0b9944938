// Races that run now on this machine: the header of kernels/race for other folders. Plain C++; no CUDA types.
//
// A race goes through cells (pass, N, head size, mask). In each cell its contenders run in turn, so that a machine that
// slows down slows all of them. Every run is warmed up, timed several times, and its result compared with the others'.
// Calls block; run them off the drawing thread. Free memory is checked before it is allocated: a contender that needs
// more gets a row that says so. Two machines: the CPU, and an NVIDIA GPU where this build has CUDA.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/problem/fast_kernels.h"
#include "kernels/host/kernel_api.h"
#include "measured/race.h"

namespace tilewalk {

enum class RaceOn { Cpu, Gpu };

struct RacePlan {
  RaceOn on = RaceOn::Cpu;
  std::vector<std::string> passes = {"forward"};
  std::vector<std::int64_t> n, d;
  std::vector<bool> causal = {false, true};
  std::string dtype = "fp32";   // CPU: fp32 or bf16; GPU: bf16 or fp16
  int threads = 1;              // CPU
  double seconds_a_row = 0.25;  // for the timed runs of one contender in one cell; never fewer than kRounds runs
  std::int64_t hidden = 256;    // heads = hidden / d
  std::int64_t tokens = 1;      // batch = tokens / n, at least 1
  bool operator==(const RacePlan&) const = default;

  RaceCell cell(const std::string& pass, std::int64_t n, std::int64_t d, bool causal) const;
};

// The CPU's plan ends within about 20 s on two quiet cores; the GPU's has the recorded race's shapes.
RacePlan default_plan(RaceOn);
Issues check_plan(const RacePlan&);

struct RaceProgress {
  double fraction = 0;  // by FLOPs
  std::string doing;    // "cpu_tiled · N 2048 · d 64 · causal"
};
// Called between runs; false stops the race, and keeps its finished cells.
using RaceWatch = std::function<bool(const RaceProgress&, const Race& so_far)>;

struct RaceFailure {
  bool no_device = false;  // else the plan was refused, or the machine failed
  Issues issues;
};
struct RaceEnd {  // a race, or why there is none
  Race race;
  std::optional<RaceFailure> failure;
};
RaceEnd run_race(const RacePlan&, const RaceWatch& = {});

// The fast kernels, slowest first, and whether they run on a GPU.
struct FastRung {
  Contender kernel{};
  const char* idea;
  const char* needs;
  int number = contender_row(kernel).fast_number;  // the number in fast_attention.h
  const char* name = word_of(kernel);
};
const std::vector<FastRung>& fast_rungs();
std::string missing_for(const FastRung&, const GpuInfo&);  // a sentence that offers a slower kernel; empty if it runs
std::string no_gpu_race_reason();  // why no GPU race can run here, one sentence; empty if one can

}  // namespace tilewalk
