#include "kernels/race/measure_machine.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/units.h"
#include "kernels/cpu/cpu_attention.h"
#include "kernels/cpu/memory_read.h"
#include "kernels/host/today.h"
#include "kernels/race/live_race.h"
#include "kernels/race/processor_share.h"
#include "kernels/race/track.h"

namespace tilewalk {
namespace {

constexpr double kPeakSeconds = 0.3, kShareMs = 50, kPauseMs = 400;
constexpr int kPasses = 6, kTriesOfAMachine = 3;
// Fractions of a measurement at which its parts end.
constexpr double kOfProducts = 0.15, kOfProcessor = 0.4, kOfRace = 0.9;

ProcessorMeasured without(std::string why) { return {std::nullopt, std::move(why)}; }

ProcessorMeasured not_quiet(double share) {
  return without("Other programs run on this machine: this one got " + format_fixed(100 * share, 0) +
                 " % of the processor time that it asked for, and " + format_fixed(100 * kQuietShare, 0) +
                 " % is the least");
}

// Also returns the share of processor time during the measurement.
ProcessorMeasured measured_once(int threads, double& share, const MeasureWatch& watch) {
  const auto go_on = [&](double fraction, const std::string& doing) { return !watch || watch(fraction, doing); };
  const ProcessorMeasured ended = without("It was ended before its end");
  Processor out;
  out.name = cpu_name();
  out.threads = threads;
  out.cache_bytes = cpu::last_level_cache_bytes();
  const std::string products = "multiply-adds by " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  if (!go_on(0, products)) return ended;
  share = share_for(threads, kShareMs);
  out.fp32_tflops = cpu_fma_peak_gflops(threads, CpuDType::Fp32, kPeakSeconds) / 1e3;
  if (!go_on(kOfProducts / 2, products)) return ended;
  if (cpu_uses_bf16_dot()) out.bf16_tflops = cpu_fma_peak_gflops(threads, CpuDType::Bf16, kPeakSeconds) / 1e3;
  share = std::min(share, share_for(threads, kShareMs));
  const std::int64_t bytes = cpu::bytes_to_read(out.cache_bytes, free_memory_bytes());
  if (bytes == 0)
    return without("Only " + format_bytes(free_memory_bytes()) +
                   " of memory are free, and a quarter of that is less than twice the cache of " +
                   format_bytes(out.cache_bytes) + ": what is read would be met there");
  const std::string reading = "reading " + format_bytes(bytes) + " of memory";
  bool stopped = !go_on(kOfProducts, reading);
  if (!stopped)
    out.read_gb_per_s = cpu::memory_read_gb_per_s(threads, bytes, kPasses, [&](int done) {
      return !(stopped = !go_on(kOfProducts + (1 - kOfProducts) * done / kPasses, reading));
    });
  if (stopped) return ended;
  share = std::min(share, share_for(threads, kShareMs));
  if (out.read_gb_per_s > 0) return {std::move(out), {}};
  return without("The system did not grant " + format_bytes(bytes) + " of memory, or as many threads");
}

MeasuredCard card_of(const Race& words) {
  const std::string card = words.word(kCardKey);
  return {card.substr(0, card.find(", ")), words.copy_gb_per_s().value_or(0), words.product_tflops("bf16").value_or(0)};
}

// Times of cpu_naive and cpu_tiled below these roofs; empty where the machine was not quiet.
std::vector<RaceRow> raced_by(int threads, const MeasureWatch& watch) {
  RacePlan plan = default_plan(RaceOn::Cpu);
  plan.threads = threads;
  plan.d = {64};
  plan.causal = {false};
  const RaceEnd end = run_race(plan, [&](const RaceProgress& p, const Race&) { return watch(p.fraction, p.doing); });
  std::vector<RaceRow> out;
  for (const RaceRow& row : end.race.rows) {
    if (!row.counts()) continue;
    RaceRow& kept = out.emplace_back();
    static_cast<RaceCell&>(kept) = row;
    kept.rung = kept.contender = row.rung;
    kept.extra_bytes = row.extra_bytes;
    kept.ms = row.ms;
  }
  return out;
}

}  // namespace

ProcessorMeasured measure_processor(int threads, int tries, const MeasureWatch& watch) {
  double share = 0;
  for (int attempt = 0; attempt < tries; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(kPauseMs));
    ProcessorMeasured found = measured_once(threads, share, watch);
    if (!found.processor || share >= kQuietShare) return found;
  }
  return not_quiet(share);
}

MeasureEnd measure_machine(const MeasureWatch& watch) {
  MeasureEnd end;
  end.machine.date = today_utc();
  const MeasureWatch report = [&](double fraction, const std::string& doing) {
    end.stopped = end.stopped || (watch && !watch(fraction, doing));
    return !end.stopped;
  };
  const int threads = int(std::max(1u, std::thread::hardware_concurrency()));
  ProcessorMeasured processor = measure_processor(
      threads, kTriesOfAMachine, [&](double at, const std::string& doing) { return report(at * kOfProcessor, doing); });
  end.machine.processor = std::move(processor.processor);
  end.machine.no_processor = std::move(processor.why_not);
  if (end.machine.processor)
    end.machine.raced = raced_by(threads, [&](double at, const std::string& doing) {
      return report(kOfProcessor + (kOfRace - kOfProcessor) * at, doing);
    });
  if (!report(kOfRace, "a copy and a product on the GPU")) return end;
  end.machine.no_card = no_gpu_race_reason();
  if (!end.machine.no_card.empty()) return end;
  const Result<std::unique_ptr<RaceTrack>> track = make_gpu_track("bf16");
  if (!track) {
    end.machine.no_card = text_of(track.issues());
    return end;
  }
  Race words;
  words.provenance = (*track)->provenance();
  const MeasuredCard card = card_of(words);
  if (card.copy_gb_per_s > 0 && card.product_tflops > 0)
    end.machine.card = card;
  else
    end.machine.no_card = card.name + " has too little memory free for a copy and a product";
  report(1, "a copy and a product on the GPU");
  return end;
}

std::string no_measuring_reason() { return {}; }

}  // namespace tilewalk
