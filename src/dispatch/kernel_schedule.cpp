#include "dispatch/kernel_schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "dispatch/cudnn_kernels.h"
#include "dispatch/kernel/shows.h"
#include "dispatch/xformers_kernels.h"

namespace tilewalk {
namespace {

constexpr const char* kOldWithQOutside = "as old as FA-1, with the loop over Q outside, as FA-2 has it";

// "…, with a row's keys shared out among 4 thread blocks, since there are too few for 132 multiprocessors; …"
void say_split(const Call& call, KernelSchedule& out) {
  if (out.split_kv != true) return;
  out.sentence += ", with a row's keys shared out among ";
  out.sentence += out.splits ? fmt::format("{} thread blocks", *out.splits) : std::string("several thread blocks");
  if (const auto sms = multiprocessors_of(call); sms && out.splits)
    out.sentence += fmt::format(", since there are too few for {} multiprocessors", *sms);
  out.sentence += "; a second kernel merges what they found";
}

KernelSchedule schedule_of_launch(const Call& call, const FlashLaunch& launch, std::string sentence) {
  KernelSchedule out{.br = launch.br, .bc = launch.bc, .split_kv = launch.split_kv, .generation = "FA-2"};
  if (out.br) out.tile_source = "flash_fwd_launch_template.h";
  if (out.split_kv) out.schedule = *out.split_kv ? shows::keys_shared_out : shows::queries_outside;
  if (out.split_kv == true) out.splits = launch.splits;
  out.sentence = std::move(sentence);
  say_split(call, out);
  if (!out.split_kv)
    out.unknown =
        "Whether a row's keys are shared out among thread blocks depends on the number of multiprocessors, which is "
        "not "
        "known for " +
        call.device + ". So neither is the tile.";
  return out;
}

// kernels/cutlassF.h lists them by architecture; attention.cu uses the first that fits the head sizes.
KernelSchedule shown_cutlass(const Call& call, std::string sentence) {
  KernelSchedule out{
      .schedule = shows::queries_outside, .split_kv = false, .generation = "FA-1", .sentence = std::move(sentence)};
  const std::int64_t size = std::max(call.d, call.value_size());
  const bool modern = call.sm() >= 80, little_memory = call.sm() > 80 && (call.sm() < 90 || call.sm() >= 120);
  if (modern && little_memory && call.type == CallType::Fp32 && size > 64 && size <= 128) {
    out.unknown = "Its tile is not known: whether the kernel for 64×128 fits this GPU's shared memory was not read.";
    return out;
  }
  out.br = size <= 64 ? 64 : size <= 128 && modern ? 64 : 32;
  out.bc = size <= 64 ? 64 : 128;
  out.tile_source = "mem_eff_attention/kernels/cutlassF.h";
  return out;
}

KernelSchedule shown_cudnn(const Call& call, Version cudnn) {
  const CudnnKernel kernel = cudnn_kernel(call, cudnn);
  KernelSchedule out{.br = kernel.br, .bc = kernel.bc, .split_kv = kernel.split_kv};
  if (!kernel.built_for) {
    out.sentence = "a kernel of cuDNN's own";
    out.unknown = fmt::format("The kernel that cuDNN {} uses for {} on SM {} was not recorded.", text_of(cudnn),
                              call.n_q == 1 ? "one query row" : "a call", sm_text(call.sm()));
    return out;
  }
  const int generation = *kernel.built_for == 90 ? 3 : *kernel.built_for == 100 ? 4 : 2;
  out.generation = fmt::format("FA-{}", generation);
  constexpr ScheduleKind kinds[] = {shows::queries_outside, shows::warps_by_trade, shows::seldom_rescaled};
  if (kernel.split_kv || call.n_q > 1)
    out.schedule = kernel.split_kv == true ? shows::keys_shared_out : kinds[generation - 2];
  if (out.br) out.tile_source = "launches recorded on an H200";
  out.sentence = fmt::format("cuDNN's own kernel for SM {}, with a schedule of FA-{}'s kind",
                             sm_text(*kernel.built_for), generation);
  if (*kernel.built_for == 80 && call.sm() == 90) out.sentence += ", which it uses for one query row";
  say_split(call, out);
  if (!out.schedule)
    out.unknown =
        "Whether a row's keys are shared out among thread blocks is cuDNN's decision, and was not recorded for such a "
        "call.";
  else if (!out.br)
    out.unknown = "Its tile is not known: the name has three numbers but not their meaning.";
  return out;
}

KernelSchedule shown_on_cpu(const Call& call) {  // ATen/native/cpu/FlashAttentionKernel.cpp
  return {.schedule = shows::queries_outside,
          .br = call.n_q >= 768   ? 256
                : call.n_q >= 192 ? 64
                                  : 32,
          .bc = 512,
          .tile_source = "ATen/native/cpu/FlashAttentionKernel.cpp",
          .split_kv = false,
          .generation = "FA-2",
          .sentence = "PyTorch's own loop over tiles for CPUs, in the order of FA-2"};
}

}  // namespace

KernelSchedule kernel_schedule(const Call& call, const RuleTable& table, SdpaBackend backend) {
  if (backend == SdpaBackend::Math) return shown_eager();
  if (!call.on_gpu) return shown_on_cpu(call);
  switch (backend) {
    case SdpaBackend::Flash:
      return schedule_of_launch(call, flash2_launch(call, kNewestFlash2),
                                "the kernel of " + table.flash_generation + ", compiled into PyTorch");
    case SdpaBackend::Efficient:
      return shown_cutlass(call, fmt::format("the CUTLASS kernel from xFormers: {}", kOldWithQOutside));
    default: return shown_cudnn(call, call.cudnn.value_or(table.cudnn));
  }
}

KernelSchedule shown_flash2(const Call& call, std::optional<Version> version) {
  constexpr const char* sentence = "FlashAttention-2's own kernel";
  if (const auto release = version ? flash2_release(*version) : kNewestFlash2)
    return schedule_of_launch(call, flash2_launch(call, *release), sentence);
  return {.generation = "FA-2",
          .sentence = sentence,
          .unknown = "The way in which flash-attn 2.2.0 to 2.2.3 split the keys is not modelled here."};
}

KernelSchedule shown_xformers(const Call& call) {
  const std::vector<XformersTry> tries = xformers_tries(call);
  const auto taken =
      std::find_if(tries.begin(), tries.end(), [](const XformersTry& one) { return one.refuses.empty(); });
  if (taken == tries.end()) return {};
  constexpr const char* unknown =
      "Its tile, and whether it shares out a row's keys among thread blocks, depend on the version of FlashAttention "
      "that is installed.";
  switch (taken->kernel) {
    case XformersKernel::Cutlass:
      return shown_cutlass(call, fmt::format("PyTorch's CUTLASS kernel: {}", kOldWithQOutside));
    case XformersKernel::Flash2:
      return {.generation = "FA-2",
              .sentence = "FA-2's kernel, of the package flash-attn or PyTorch's",
              .unknown = unknown};
    case XformersKernel::Flash3: break;
  }
  if (call.sm() < 90)
    return {.generation = "FA-2",
            .sentence =
                "the FA-3 package's kernel for Ampere and Ada, of FA-2's kind, if flash_attn_3 is installed "
                "(wheels of xFormers 0.0.31 to 0.0.34 contain it), else FA-2's",
            .unknown = unknown};
  return {.schedule = shows::warps_by_trade,
          .split_kv = false,
          .generation = "FA-3",
          .sentence =
              "FlashAttention-3's kernel, if flash_attn_3 is installed (wheels of xFormers up to 0.0.34 contain "
              "it), else FA-2's",
          .unknown = "Its tile is not known: it is that of the installed version of FA-3."};
}

}  // namespace tilewalk
