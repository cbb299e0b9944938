// Maps (pass, element type, traced, row fits) to the kernel's function and its arguments. Each backend includes it
// after the kernels. A kernel with a missing buffer is not launched: the issue names the slot.
#pragma once

#include <optional>
#include <string>

#include "kernels/common/gradient_buffers.h"
#include "kernels/common/trace_buffers.h"
#include "kernels/host/backend.h"

namespace tilewalk::TILEWALK_SIDE {

// Reads device memory from LaunchArgs and records the missing buffers of a kernel.
class SlotReader {
 public:
  explicit SlotReader(const LaunchArgs& args) : args_(args) {}

  template <class T>
  T* maybe(Slot slot) const {
    return static_cast<T*>(args_.at(slot));
  }
  template <class T>
  T* need(Slot slot) {
    if (!args_.at(slot) && !missing_) missing_ = slot;
    return maybe<T>(slot);
  }
  template <class T>
  T* need_if(bool needed, Slot slot) {
    return needed ? need<T>(slot) : maybe<T>(slot);
  }

  TraceBuffers trace() {
    return {.m = maybe<float>(Slot::TraceM),
            .l = maybe<float>(Slot::TraceL),
            .alpha = maybe<float>(Slot::TraceAlpha),
            .s = maybe<float>(Slot::TraceS),
            .p = maybe<float>(Slot::TraceP),
            .o = maybe<float>(Slot::TraceO),
            .hashes = maybe<unsigned long long>(Slot::Hashes),
            .visits_before = need<const long long>(Slot::Visits),
            .visits_per_head = args_.visits_per_head};
  }
  GradientBuffers gradient_trace() {
    return {.s = maybe<float>(Slot::TraceS),
            .p = maybe<float>(Slot::TraceP),
            .dp = maybe<float>(Slot::TraceDP),
            .ds = maybe<float>(Slot::TraceDS),
            .dq = maybe<float>(Slot::TraceDQ),
            .dk = maybe<float>(Slot::TraceDK),
            .dv = maybe<float>(Slot::TraceDV),
            .hashes = maybe<unsigned long long>(Slot::Hashes),
            .visits_before = need<const long long>(Slot::Visits),
            .visits_per_head = args_.visits_per_head};
  }
  std::optional<Slot> missing() const { return missing_; }

 private:
  const LaunchArgs& args_;
  std::optional<Slot> missing_;
};

// Calls launch(kernel, arguments…), which returns Result<Done>.
template <class T, bool kTraced, class Launch>
Result<Done> launch_typed(const KernelKey& key, const LaunchArgs& args, const Launch& launch) {
  SlotReader at(args);
  const Attention& a = args.problem;
  const bool fits = key.row_fits;
  const TraceBuffers trace = kTraced ? at.trace() : TraceBuffers{};
  const GradientBuffers gradients = kTraced ? at.gradient_trace() : GradientBuffers{};
  const auto run = [&](auto kernel, auto... arguments) -> Result<Done> {
    if (at.missing())
      return sentence(std::string("A kernel was to run without its buffer ") + info_of(*at.missing()).label);
    return launch(kernel, arguments...);
  };
  const auto stored = [&](Slot slot) { return at.need<T>(slot); };  // in the storage type
  const auto fp32 = [&](Slot slot) { return at.need<float>(slot); };
  switch (key.pass) {
    case Pass::StandardScores:
      return run(&standard_scores<T, kTraced>, a, stored(Slot::Q), stored(Slot::K), fp32(Slot::S), trace);
    case Pass::StandardSoftmax:
      return run(fits ? &standard_softmax<T, true> : &standard_softmax<T, false>, a, fp32(Slot::S),
                 at.need<void>(Slot::P), at.maybe<float>(Slot::M), at.need_if<float>(!fits, Slot::Sum));
    case Pass::StandardOutput:
      return run(fits ? &standard_output<T, true, kTraced> : &standard_output<T, false, kTraced>, a,
                 at.need<void>(Slot::P), stored(Slot::V), at.need_if<float>(kTraced, Slot::M),
                 at.need_if<float>(kTraced || !fits, Slot::Sum), stored(Slot::O), trace);
    case Pass::FlashV1Initialise: return run(&flash_v1_initialise, a, fp32(Slot::OSum), fp32(Slot::M), fp32(Slot::Sum));
    case Pass::FlashV1Walk:
      return run(&flash_v1_walk<T, kTraced>, a, stored(Slot::Q), stored(Slot::K), stored(Slot::V), fp32(Slot::OSum),
                 fp32(Slot::M), fp32(Slot::Sum), trace);
    case Pass::FlashV1Round: return run(&flash_v1_round<T>, a, fp32(Slot::OSum), stored(Slot::O));
    case Pass::FlashV2:
      return run(&flash_v2<T, kTraced>, a, stored(Slot::Q), stored(Slot::K), stored(Slot::V), stored(Slot::O),
                 fp32(Slot::Lse), trace);
    case Pass::FlashV3:
      return run(&flash_v3<T, kTraced>, a, args.stages, stored(Slot::Q), stored(Slot::K), stored(Slot::V),
                 stored(Slot::O), fp32(Slot::Lse), trace);
    case Pass::FlashV4:
      return run(&flash_v4<T, kTraced>, a, args.threshold, stored(Slot::Q), stored(Slot::K), stored(Slot::V),
                 stored(Slot::O), fp32(Slot::Lse), trace);
    case Pass::SplitKvWalk:
      return run(&split_kv_walk<T, kTraced>, a, Shares{.count = args.splits, .tiles = args.split_tiles},
                 stored(Slot::Q), stored(Slot::K), stored(Slot::V), fp32(Slot::OPartial), fp32(Slot::LsePartial),
                 trace);
    case Pass::SplitKvMerge:
      return run(&split_kv_merge<T>, a, int(args.splits), fp32(Slot::OPartial), fp32(Slot::LsePartial), stored(Slot::O),
                 fp32(Slot::Lse));
    case Pass::BackwardDots:
      return run(&backward_dots<T>, a, stored(Slot::O), stored(Slot::dO), fp32(Slot::D), fp32(Slot::dQSum));
    case Pass::BackwardWalk:
      return run(&backward_walk<T, kTraced>, a, args.g, stored(Slot::Q), stored(Slot::K), stored(Slot::V),
                 stored(Slot::dO), fp32(Slot::Lse), fp32(Slot::D), fp32(Slot::dQSum), stored(Slot::dK),
                 stored(Slot::dV), gradients);
    case Pass::BackwardScale: return run(&backward_scale<T>, a, args.g, fp32(Slot::dQSum), stored(Slot::dQ));
    case Pass::BackwardV1Initialise: return run(&backward_v1_initialise, a, fp32(Slot::dQSum));
    case Pass::BackwardV1Walk:
      return run(&backward_v1_walk<T, kTraced>, a, args.g, stored(Slot::Q), stored(Slot::K), stored(Slot::V),
                 stored(Slot::O), stored(Slot::dO), fp32(Slot::M), fp32(Slot::Sum), fp32(Slot::dQSum), stored(Slot::dK),
                 stored(Slot::dV), gradients);
    case Pass::BackwardV1Scale: return run(&backward_v1_scale<T>, a, args.g, fp32(Slot::dQSum), stored(Slot::dQ));
    case Pass::BackwardStandardGradV:
      return run(&backward_standard_grad_v<T, kTraced>, a, stored(Slot::P), stored(Slot::dO), stored(Slot::dV),
                 gradients);
    case Pass::BackwardStandardGradP:
      return run(&backward_standard_grad_p<T, kTraced>, a, stored(Slot::dO), stored(Slot::V), fp32(Slot::dP),
                 gradients);
    case Pass::BackwardStandardGradS:
      return run(fits ? &backward_standard_grad_s<T, true> : &backward_standard_grad_s<T, false>, a, stored(Slot::P),
                 fp32(Slot::dP), stored(Slot::dS));
    case Pass::BackwardStandardGradQ:
      return run(&backward_standard_grad_q<T, kTraced>, a, args.g, stored(Slot::dS), stored(Slot::K), stored(Slot::dQ),
                 gradients);
    case Pass::BackwardStandardGradK:
      return run(&backward_standard_grad_k<T, kTraced>, a, args.g, stored(Slot::dS), stored(Slot::Q), stored(Slot::dK),
                 gradients);
  }
  return sentence("There is no such kernel");
}

template <class T, class Launch>
Result<Done> launch_of_type(const KernelKey& key, const LaunchArgs& args, const Launch& launch) {
  return key.traced ? launch_typed<T, true>(key, args, launch) : launch_typed<T, false>(key, args, launch);
}

template <class Launch>
Result<Done> launch_from_table(const KernelKey& key, const LaunchArgs& args, const Launch& launch) {
  switch (key.dtype) {
    case DType::Fp32: return launch_of_type<float>(key, args, launch);
    case DType::Fp16: return launch_of_type<Fp16>(key, args, launch);
    case DType::Bf16: return launch_of_type<Bf16>(key, args, launch);
  }
  return sentence("There is no such kernel");
}

}  // namespace tilewalk::TILEWALK_SIDE
