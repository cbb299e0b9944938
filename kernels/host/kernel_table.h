// Maps (pass, element type, traced, row fits) to the kernel's function and its arguments. Each backend includes it
// after kernels/every_kernel.h. A kernel with a missing buffer is not launched: the issue names the slot.
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
  const bool fits = key.row_fits, narrow = key.narrow_scores;
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
#define PASS(id, ...) \
  case Pass::id:      \
    return run(__VA_ARGS__);
#include "kernels/host/passes.inc"
#undef PASS
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
