// Makes the recordings of assets/recordings on a GPU: every preset with full state, and a sweep of lengths with hashes.
// Each is checked against the replay before it is written, and prints one line.
//   tilewalk_record [--cpu] [--short | --shortest] [--only SCHEDULE,...] [--stale] [--share I/N] ROOT OUT
//     --cpu tries the program without a GPU; --short leaves out N past 1024, --shortest N past 256; --only leaves out
//     all other schedules; --stale leaves out recordings of ROOT that match the current kernels; --share takes every
//     Nth, from the Ith (0 to N - 1) on, so that several can run side by side.
//   tilewalk_record [--cpu] --traffic [--flush] [--without TABLE]
//     runs untraced kernels over a grid of sizes, for a profiler (tests/gpu/traffic_grid.h).
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "kernels/host/kernel_api.h"
#include "session/document/session_file.h"
#include "tests/gpu/traffic_grid.h"
#include "trace/recording.h"
#include "trace/verify.h"

using namespace tilewalk;

namespace {

// Recordings that take more keep hashes alone: of a preset by its own schedule, and by another.
constexpr std::int64_t kMostStateBytes = std::int64_t(14) << 20, kMostOfAnother = std::int64_t(4) << 20;
constexpr std::int64_t kMostVisits = 1 << 17;

std::vector<ScheduleKind> schedules_wanted;  // those with a kernel, or those named by --only

struct Wanted {
  Problem problem;
  TraceDetail detail;
};

std::vector<Wanted> presets_wanted(const std::string& root) {
  std::vector<Wanted> all;
  const Result<std::vector<Preset>> presets = load_presets(root);
  if (!presets) {
    std::fprintf(stderr, "%s\n", text_of(presets.issues()).c_str());
    return all;
  }
  for (const Preset& preset : *presets) {
    if (preset.document.paths.any() || !preset.document.edits.empty()) continue;
    for (ScheduleKind kind : schedules_wanted) {
      Problem p = preset.document.problem;
      const bool own = kind == p.schedule;
      p.schedule = kind;
      choose_default_splits(p);
      p.fault = Fault::None;
      if (!validate(p).empty()) continue;
      const std::int64_t visits = make_schedule(p)->visit_counts().visited();
      if (visits > kMostVisits) {
        std::printf("left out: preset %s, %s: %lld tile visits are too many to keep\n", preset.name.c_str(),
                    name_of(kind), (long long)visits);
        continue;
      }
      const bool state = full_state_bytes(p) <= (own ? kMostStateBytes : kMostOfAnother);
      const TraceDetail detail = state ? TraceDetail::State : TraceDetail::Hashes;
      all.push_back({p, detail});
      p.numerics.narrow_scores = may_have_narrow_scores(p);
      if (p.numerics.narrow_scores) all.push_back({p, detail});
    }
  }
  return all;
}

Problem in_practice(ScheduleKind kind, std::int64_t n_q, std::int64_t n_kv, std::int64_t d, MaskKind mask) {
  Problem p;
  p.schedule = kind;
  p.shape.n_q = n_q;
  p.shape.n_kv = n_kv;
  p.shape.d = d;
  p.tiling.br = p.tiling.bc = 64;
  p.shape.mask.kind = mask;
  p.tiling.splits = kind == ScheduleKind::SplitKv ? 4 : 1;
  p.machine.sram_bytes = 232448;
  if (!validate(p).empty()) choose_default_tiles(p);
  return p;
}

// Lengths of full matrices, the 16-bit types at one of them (standard with its S in them too), and a few queries
// against a long cache.
std::vector<Wanted> sweep_wanted(std::int64_t longest) {
  std::vector<Wanted> all;
  for (std::int64_t n : {512, 1024, 2048, 4096, 8192}) {
    if (n > longest) continue;
    for (std::int64_t d : {64, 128}) {
      for (MaskKind mask : {MaskKind::None, MaskKind::Causal}) {
        for (ScheduleKind kind : schedules_wanted)
          if (n <= 4096 || !is_backward(kind))  // one thread block walks a head: minutes past that
            all.push_back({in_practice(kind, n, n, d, mask), TraceDetail::Hashes});
      }
    }
  }
  for (ScheduleKind kind : schedules_wanted) {
    for (DType dtype : {DType::Fp16, DType::Bf16}) {
      Problem p = in_practice(kind, 1024, 1024, 64, MaskKind::Causal);
      p.numerics.dtype = dtype;
      all.push_back({p, TraceDetail::Hashes});
      p.numerics.narrow_scores = may_have_narrow_scores(p);
      if (p.numerics.narrow_scores) all.push_back({p, TraceDetail::Hashes});
    }
  }
  if (std::count(schedules_wanted.begin(), schedules_wanted.end(), ScheduleKind::SplitKv) == 0) return all;
  for (std::int64_t n_q : {1, 2, 4, 8, 16, 32, 64})
    all.push_back(
        {in_practice(ScheduleKind::SplitKv, n_q, longest, 64, n_q == 1 ? MaskKind::None : MaskKind::CausalBottomRight),
         TraceDetail::Hashes});
  return all;
}

bool record(Runner runner, const Wanted& wanted, const std::string& folder) {
  const Inputs inputs(wanted.problem);
  const std::string name = recording_name(wanted.problem, wanted.detail);
  const KernelOutcome outcome = run_kernel(runner, inputs, wanted.detail);
  const KernelOutcome plain = outcome.result ? run_kernel(runner, inputs, std::nullopt) : outcome;
  for (const KernelOutcome* each : {&outcome, &plain}) {
    if (each->result) continue;
    std::printf("FAILED %s: %s\n", name.c_str(), each->failure->text.c_str());
    return false;
  }
  const auto trace = std::make_shared<Trace>(*outcome.result->trace);
  const CheckReport report =
      verify(make_schedule(wanted.problem), inputs, trace, {rung_for(wanted.problem.schedule).digest});
  const std::vector<float>&traced_o = outcome.result->o.values, &plain_o = plain.result->o.values;
  const bool same =
      traced_o.size() == plain_o.size() && std::memcmp(traced_o.data(), plain_o.data(), traced_o.size() * 4) == 0;
  bool same_gradients = true;
  for (auto gradient : {&KernelResult::dq, &KernelResult::dk, &KernelResult::dv})
    same_gradients = same_gradients && ((*outcome.result).*gradient) == ((*plain.result).*gradient);
  const bool good = report.verdict == Verdict::Equal && same && same_gradients;
  std::printf("%s %s: %lld visits, %lld values, %lld differing, traced %.3f ms, untraced %.3f ms%s\n",
              good ? "equal " : "FAILED", name.c_str(), (long long)report.tile_visits, (long long)report.values,
              (long long)report.differing, outcome.result->milliseconds, plain.result->milliseconds,
              same && same_gradients ? "" : ", traced and untraced outputs differ");
  if (!good) std::printf("  %s\n", sentence_of(report).c_str());
  std::fflush(stdout);
  if (!good) return false;
  const Result<Done> saved = save_recording(*trace, folder + "/" + name);
  if (!saved) std::printf("FAILED %s\n", text_of(saved.issues()).c_str());
  return saved.ok();
}

struct Options {
  Runner runner = Runner::Gpu;
  bool traffic = false, stale = false;
  std::int64_t longest = 8192;
  int share = 0, shares = 1;
  TrafficGridOptions grid;
  std::string only;
  std::vector<std::string> paths;  // ROOT, OUT
};

// True if the arguments are valid.
bool read_options(int argc, char** argv, Options& o) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--cpu")
      o.runner = Runner::Cpu;
    else if (word == "--only" && more)
      o.only = argv[++i];
    else if (word == "--stale")
      o.stale = true;
    else if (word == "--share" && more)
      o.shares = std::sscanf(argv[++i], "%d/%d", &o.share, &o.shares) == 2 ? o.shares : 0;
    else if (word == "--traffic")
      o.traffic = true;
    else if (word == "--flush")
      o.grid.flush = true;
    else if (word == "--without" && more)
      o.grid.without = argv[++i];
    else if (word == "--short")
      o.longest = o.grid.longest = 1024;
    else if (word == "--shortest")
      o.longest = o.grid.longest = 256;
    else
      o.paths.push_back(word);
  }
  return o.paths.size() == (o.traffic ? 0u : 2u) && o.shares > 0 && o.share >= 0 && o.share < o.shares;
}

bool is_fresh(const Problem& p, const std::string& file) {
  const Result<Trace> kept = load_recording(file);
  return kept && kept->provenance.kernel_digest == rung_for(p.schedule).digest;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  if (!read_options(argc, argv, o)) {
    std::fprintf(stderr,
                 "usage: tilewalk_record [--cpu] [--short] [--only SCHEDULE,...] [--stale] [--share I/N] ROOT OUT, or "
                 "tilewalk_record [--cpu] --traffic [--flush] [--without TABLE]\n");
    return 2;
  }
  for (ScheduleKind kind : all_schedules()) {
    const bool named = ("," + o.only + ",").find("," + std::string(name_of(kind)) + ",") != std::string::npos;
    if (has_kernel(kind) && (o.only.empty() || named)) schedules_wanted.push_back(kind);
  }
  if (schedules_wanted.empty()) {
    std::fprintf(stderr, "--only %s: names no schedule that has a kernel\n", o.only.c_str());
    return 2;
  }
  const DeviceReport devices = probe_devices();
  if (o.runner == Runner::Gpu && !devices.reason.empty()) {
    std::fprintf(stderr, "%s\n", devices.reason.c_str());
    return 3;
  }
  if (o.traffic) return run_traffic_grid(o.runner, o.grid);
  const std::string root = o.paths[0], out = o.paths[1];
  std::vector<Wanted> all = presets_wanted(root);
  if (all.empty()) return 2;
  for (const Wanted& each : sweep_wanted(o.longest)) all.push_back(each);
  std::vector<std::string> met;
  int done = 0, failed = 0;
  for (const Wanted& each : all) {
    const std::string name = recording_name(each.problem, each.detail);
    if (std::find(met.begin(), met.end(), name) != met.end()) continue;
    met.push_back(name);
    if (int(met.size() - 1) % o.shares != o.share) continue;
    if (o.stale && is_fresh(each.problem, root + "/assets/recordings/" + name)) continue;
    ++(record(o.runner, each, out) ? done : failed);
  }
  std::printf("%d recorded, %d failed\n", done, failed);
  return failed == 0 ? 0 : 1;
}
