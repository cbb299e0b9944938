#include "tests/gpu/traffic_grid.h"

#include <cstdio>
#include <vector>

#include "core/schedule.h"

namespace tilewalk {
namespace {

struct Size {
  std::int64_t heads, n_q, n_kv;
};

// One head, where everything fits in the L2 cache up to some length; 32 heads of 4096, where it does not.
constexpr Size kSizes[] = {{1, 256, 256}, {1, 1024, 1024}, {1, 4096, 4096}, {1, 16384, 16384}, {32, 4096, 4096}};
// A few queries against a long cache, by shares.
constexpr Size kDecoding[] = {{1, 1, 16384}, {32, 1, 16384}, {32, 16, 65536}};

Problem problem_of(ScheduleKind kind, const Size& size, std::int64_t d, MaskKind mask, DType dtype) {
  Problem p;
  p.schedule = kind;
  p.heads = p.kv_heads = size.heads;
  p.n_q = size.n_q;
  p.n_kv = size.n_kv;
  p.d = d;
  p.br = p.bc = 64;
  p.mask.kind = mask;
  p.dtype = dtype;
  p.splits = kind == ScheduleKind::SplitKv ? 4 : 1;
  p.sram_bytes = 232448;
  return p;
}

// FA-1 has one thread block a head, so a long head takes long; FA-4 moves what FA-2 moves, so one length will do.
bool worth_while(const Problem& p) {
  if (p.schedule == ScheduleKind::FlashV1 && p.n_kv > 4096)
    return p.d == 64 && p.mask.kind == MaskKind::Causal && p.dtype == DType::Fp32;
  if (p.schedule == ScheduleKind::FlashV4) return p.n_kv == 4096;
  return p.heads == 1 || p.dtype == DType::Fp32;
}

std::vector<Problem> grid(std::int64_t longest) {
  std::vector<Problem> all;
  for (const Size& size : kSizes)
    for (std::int64_t d : {64, 128})
      for (MaskKind mask : {MaskKind::None, MaskKind::Causal})
        for (DType dtype : {DType::Fp32, DType::Fp16})
          for (ScheduleKind kind : all_schedules()) {
            if (!has_kernel(kind)) continue;
            const Problem p = problem_of(kind, size, d, mask, dtype);
            if (p.n_kv <= longest && worth_while(p)) all.push_back(p);
          }
  for (const Size& size : kDecoding)
    for (DType dtype : {DType::Fp32, DType::Fp16})
      if (size.n_kv <= longest) all.push_back(problem_of(ScheduleKind::SplitKv, size, 128, MaskKind::None, dtype));
  return all;
}

void print_line(const Problem& p, int launch, const Traffic& traffic) {
  std::printf("%s,%d,%lld,%lld,%lld,%lld,%lld,%lld,%s,%lld,%lld,%s,%lld,%lld,%lld\n", name_of(p.schedule), launch,
              (long long)p.batch, (long long)p.heads, (long long)p.kv_heads, (long long)p.n_q, (long long)p.n_kv,
              (long long)p.d, name_of(p.mask).c_str(), (long long)p.br, (long long)p.bc, name_of(p.dtype),
              (long long)p.splits, (long long)traffic.read_bytes, (long long)traffic.write_bytes);
}

}  // namespace

int run_traffic_grid(Runner runner, std::int64_t longest) {
  std::printf("schedule,launch,batch,heads,kv_heads,n_q,n_kv,d,mask,br,bc,dtype,splits,model_read,model_write\n");
  for (const Problem& p : grid(longest)) {
    const KernelOutcome outcome = run_kernel(runner, Inputs(p), std::nullopt);
    if (!outcome.result) {
      std::fprintf(stderr, "%s\n", outcome.failure->text.c_str());
      return 1;
    }
    const auto schedule = make_schedule(p);
    Traffic before;
    for (int section = 0; section < schedule->section_count(); ++section) {
      const bool last = section + 1 == schedule->section_count();
      const std::int64_t end = last ? schedule->step_count() : schedule->first_step_of_group(section + 1, 0, 0, 0);
      const Traffic after = schedule->totals_before(end).cost.hbm_total();
      print_line(p, section, {after.read_bytes - before.read_bytes, after.write_bytes - before.write_bytes});
      before = after;
    }
    if (p.schedule == ScheduleKind::Standard) print_line(p, -1, {});
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace tilewalk
