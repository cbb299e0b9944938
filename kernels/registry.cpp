// The ladder: one row a kernel file.
#include <algorithm>
#include <string_view>

#include "kernel_digests.h"
#include "kernels/host/kernel_api.h"
#include "kernels/host/passes.h"
#include "kernels/host/run_kernel.h"

namespace tilewalk {
namespace {

std::string digest_of_kernel(std::string_view file) {
  for (const KernelDigest& digest : kKernelDigests) {
    if (file == digest.file) return digest.sha256;
  }
  return {};
}

Rung rung(int number, const char* file, ScheduleKind schedule, decltype(Rung::passes) passes, const char* idea) {
  return {.number = number,
          .file = file,
          .schedule = schedule,
          .idea = idea,
          .passes = passes,
          .needs = "any CUDA GPU from Turing (sm_75) on",
          .min_sm = 75,
          .digest = digest_of_kernel(file)};
}

}  // namespace

const std::vector<Rung>& kernel_registry() {
  static const std::vector<Rung> rungs = {
      rung(1, "01_standard.cu", ScheduleKind::Standard, standard_passes,
           "Write every score to memory, read it back, write every weight, read it back"),
      rung(2, "02_flash_v1.cu", ScheduleKind::FlashV1, flash_v1_passes,
           "Join softmaxes over parts of a row, so that the scores need never be stored"),
      rung(3, "03_flash_v2.cu", ScheduleKind::FlashV2, online_passes<Pass::FlashV2>,
           "Keep the scores on chip: a running max and sum let a Q tile meet the keys tile by tile"),
      rung(4, "04_flash_v3.cu", ScheduleKind::FlashV3, flash_v3_passes,
           "Give some threads nothing but loading: they keep a circular buffer of tiles filled for the others"),
      rung(5, "05_flash_v4.cu", ScheduleKind::FlashV4, online_passes<Pass::FlashV4>,
           "Follow the max only when it has grown enough to matter: O is rescaled rarely"),
      rung(6, "06_split_kv.cu", ScheduleKind::SplitKv, split_kv_passes,
           "Share the keys of one query out over many thread blocks, and merge their parts"),
      rung(7, "07_backward.cu", ScheduleKind::Backward, backward_passes,
           "Make the weights again from L, tile by tile, and turn the loops round so that dK and dV stay on chip"),
      rung(8, "08_backward_v1.cu", ScheduleKind::BackwardV1, backward_v1_passes,
           "Make the weights again from m and l, so that nothing of N x N size has to be kept for the backward pass"),
      rung(9, "09_backward_standard.cu", ScheduleKind::BackwardStandard, backward_standard_passes,
           "Read the weights that the forward pass wrote, write dP, read it back, write dS, read it twice"),
  };
  return rungs;
}

const Rung& rung_for(ScheduleKind kind) {
  const std::vector<Rung>& rungs = kernel_registry();
  const auto found =
      std::find_if(rungs.begin(), rungs.end(), [kind](const Rung& each) { return each.schedule == kind; });
  static const Rung none;
  return found == rungs.end() ? none : *found;
}

bool has_kernel(ScheduleKind kind) { return !rung_for(kind).file.empty(); }

KernelOutcome run_kernel(Runner runner, const Inputs& inputs, std::optional<TraceDetail> trace,
                         const KernelProgress& progress) {
  const Result<std::unique_ptr<Backend>> backend = runner == Runner::Cpu ? make_cpu_backend() : make_gpu_backend();
  if (!backend) return {std::nullopt, KernelFailure{KernelFailure::Kind::NoDevice, text_of(backend.issues())}};
  if (!*backend)
    return {std::nullopt, KernelFailure{KernelFailure::Kind::NoDevice, "The browser's program runs no kernels"}};
  return run_on(**backend, inputs, trace, progress);
}

}  // namespace tilewalk
