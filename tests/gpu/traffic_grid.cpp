#include "tests/gpu/traffic_grid.h"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "kernels/host/passes.h"
#include "kernels/host/run_kernel.h"
#include "tests/gpu/profiled.h"

namespace tilewalk {
namespace {

struct Size {
  std::int64_t heads, n_q, n_kv;
};

// One head, where everything fits in the L2 cache up to some length; 32 heads of 4096, where it does not.
constexpr Size kSizes[] = {{1, 256, 256}, {1, 1024, 1024}, {1, 4096, 4096}, {1, 16384, 16384}, {32, 4096, 4096}};
// A few queries against a long cache, in splits.
constexpr Size kDecoding[] = {{1, 1, 16384}, {32, 1, 16384}, {32, 16, 65536}};

Problem problem_of(ScheduleKind kind, const Size& size, std::int64_t d, MaskKind mask, DType dtype) {
  Problem p;
  p.schedule = kind;
  p.shape.heads = p.shape.kv_heads = size.heads;
  p.shape.n_q = size.n_q;
  p.shape.n_kv = size.n_kv;
  p.shape.d = d;
  p.tiling.br = p.tiling.bc = 64;
  p.shape.mask.kind = mask;
  p.numerics.dtype = dtype;
  p.tiling.splits = kind == ScheduleKind::SplitKv ? 4 : 1;
  p.machine.sram_bytes = 232448;
  if (!validate(p).empty()) choose_default_tiles(p);
  return p;
}

// A launch under the profiler takes most of a second, and one thread block for a whole head much longer. FA-3 and FA-4
// move what FA-2 moves, so few lengths will do; bf16 moves what fp16 moves; the backward passes are many launches.
bool worth_while(const Problem& p) {
  const bool causal = p.shape.mask.kind == MaskKind::Causal, fp32 = p.numerics.dtype == DType::Fp32,
             plain = p.shape.d == 64 && causal;
  const bool walks_heads = p.schedule == ScheduleKind::FlashV1 || p.schedule == ScheduleKind::Backward ||
                           p.schedule == ScheduleKind::BackwardV1;  // one thread block a head
  const bool some = plain || (fp32 && (p.shape.d == 128) != causal);
  if (p.numerics.dtype == DType::Bf16)
    return plain && p.shape.heads == 1 && p.shape.n_kv == (walks_heads ? 1024 : 4096);
  if (p.shape.heads > 1 && !fp32 && !plain) return p.schedule == ScheduleKind::FlashV4;
  switch (p.schedule) {
    case ScheduleKind::Standard: return p.shape.n_kv <= 4096 || plain || (p.shape.d == 64 && fp32);
    case ScheduleKind::FlashV1: return p.shape.n_kv <= 4096;
    case ScheduleKind::FlashV3: return p.shape.n_kv == 4096 ? p.shape.d == 64 || some : p.shape.n_kv == 1024 && plain;
    case ScheduleKind::FlashV4: return p.shape.n_kv == 4096;
    case ScheduleKind::Backward:
    case ScheduleKind::BackwardV1:
      return p.shape.n_kv <= 1024 ? some || (p.shape.n_kv == 1024 && causal) : p.shape.heads > 1 && plain;
    case ScheduleKind::BackwardStandard:
      if (p.shape.n_kv > 4096) return plain && fp32;
      return plain || (p.shape.heads == 1 && (some || (p.shape.d == 64 && p.shape.n_kv == 4096)));
    default: return p.shape.n_kv <= 4096 || p.shape.d == 64 || causal;
  }
}

std::vector<Problem> grid(std::int64_t longest) {
  std::vector<Problem> all;
  for (const Size& size : kSizes)
    for (std::int64_t d : {64, 128})
      for (MaskKind mask : {MaskKind::None, MaskKind::Causal})
        for (DType dtype : {DType::Fp32, DType::Fp16, DType::Bf16})
          for (ScheduleKind kind : all_schedules()) {
            if (!has_kernel(kind)) continue;
            const Problem p = problem_of(kind, size, d, mask, dtype);
            if (p.shape.n_kv <= longest && worth_while(p)) all.push_back(p);
          }
  for (const Size& size : kDecoding)
    for (DType dtype : {DType::Fp32, DType::Fp16})
      if (size.n_kv <= longest) all.push_back(problem_of(ScheduleKind::SplitKv, size, 128, MaskKind::None, dtype));
  return all;
}

// "flash_v2,0,1,1,…,fp32,1": the fields that decide the traffic of a launch.
std::string key_of(const Problem& p, int launch) {
  std::string key = std::string(name_of(p.schedule)) + "," + std::to_string(launch);
  for (std::int64_t each : {p.shape.batch, p.shape.heads, p.shape.kv_heads, p.shape.n_q, p.shape.n_kv, p.shape.d})
    key += "," + std::to_string(each);
  key += "," + name_of(p.shape.mask) + "," + std::to_string(p.tiling.br) + "," + std::to_string(p.tiling.bc) + "," +
         name_of(p.numerics.dtype);
  return key + "," + std::to_string(p.tiling.splits);
}

// Tells the profiler which launches belong to the schedule itself.
class WatchedBackend final : public Backend {
 public:
  WatchedBackend(std::unique_ptr<Backend> inner, const Problem& p, bool flush)
      : inner_(std::move(inner)), passes_(passes_of(p)), flush_(flush) {}

  Provenance provenance() const override { return inner_->provenance(); }
  Result<std::int64_t> free_bytes() override { return inner_->free_bytes(); }
  std::int64_t shared_limit_bytes() const override { return inner_->shared_limit_bytes(); }
  std::int64_t slice_blocks() const override { return inner_->slice_blocks(); }
  Result<void*> allocate(std::size_t bytes) override { return inner_->allocate(bytes); }
  Result<Done> fill(void* to, unsigned char byte, std::size_t bytes) override { return inner_->fill(to, byte, bytes); }
  Result<Done> copy_in(void* to, const void* from, std::size_t bytes) override {
    return inner_->copy_in(to, from, bytes);
  }
  Result<Done> copy_out(void* to, const void* from, std::size_t bytes) override {
    return inner_->copy_out(to, from, bytes);
  }
  Result<Done> launch(const KernelKey& key, const LaunchArgs& args, std::int64_t blocks,
                      std::size_t shared_bytes) override {
    const std::size_t at = launches_++;
    if (at >= passes_.size() || passes_[at].forward) return inner_->launch(key, args, blocks, shared_bytes);
    const Issue not_flushed = sentence("The GPU failed at flushing its L2 cache");
    start_profiling();
    Result<Done> done = !flush_ || flush_l2() ? inner_->launch(key, args, blocks, shared_bytes) : not_flushed;
    if (done && flush_ && !flush_l2()) done = not_flushed;
    stop_profiling();
    return done;
  }
  double milliseconds() const override { return inner_->milliseconds(); }
  void reset_clock() override { inner_->reset_clock(); }

 private:
  std::unique_ptr<Backend> inner_;
  std::vector<PassPlan> passes_;
  bool flush_;
  std::size_t launches_ = 0;
};

}  // namespace

int run_traffic_grid(Runner runner, const TrafficGridOptions& options) {
  std::stringstream before;
  if (!options.without.empty()) before << std::ifstream(options.without).rdbuf();
  std::printf("schedule,launch,batch,heads,kv_heads,n_q,n_kv,d,mask,br,bc,dtype,splits,model_read,model_write\n");
  for (const Problem& p : grid(options.longest)) {
    if (before.str().find("\n" + key_of(p, 0) + ",") != std::string::npos) continue;
    Result<std::unique_ptr<Backend>> inner = runner == Runner::Gpu ? make_gpu_backend() : make_cpu_backend();
    if (!inner) {
      std::fprintf(stderr, "%s\n", text_of(inner.issues()).c_str());
      return 1;
    }
    WatchedBackend backend(std::move(*inner), p, options.flush);
    const KernelOutcome outcome = run_on(backend, Inputs(p), std::nullopt, {});
    if (!outcome.result) {
      std::fprintf(stderr, "%s: %s\n", key_of(p, 0).c_str(), outcome.failure->text.c_str());
      return 1;
    }
    const auto schedule = make_schedule(p);
    for (int section = 0; section < schedule->section_count(); ++section) {
      const Traffic traffic = section_cost(*schedule, section).hbm_total();
      std::printf("%s,%lld,%lld\n", key_of(p, section).c_str(), (long long)traffic.read_bytes,
                  (long long)traffic.write_bytes);
    }
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace tilewalk
