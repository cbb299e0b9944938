// From (pass, element type, traced, row fits) to the kernel's function, for whichever side includes it after the
// kernels. The first rungs take an Attention, later ones more; std::visit with a generic lambda launches any of them.
#pragma once

#include <variant>

#include "kernels/common/standard_backward.h"
#include "kernels/host/backend.h"

namespace tilewalk::TILEWALK_SIDE {

using KernelFunction = std::variant<void (*)(Attention), void (*)(FamilyAttention), void (*)(StagedAttention),
                                    void (*)(BackwardAttention), void (*)(StandardBackwardAttention)>;

template <class T, bool kTraced>
KernelFunction kernel_for_type(const KernelKey& key) {
  switch (key.pass) {
    case Pass::StandardScores: return &standard_scores<T, kTraced>;
    case Pass::StandardSoftmax: return key.row_fits ? &standard_softmax<T, true> : &standard_softmax<T, false>;
    case Pass::StandardOutput:
      return key.row_fits ? &standard_output<T, true, kTraced> : &standard_output<T, false, kTraced>;
    case Pass::FlashV1Initialise: return &flash_v1_initialise;
    case Pass::FlashV1Walk: return &flash_v1_walk<T, kTraced>;
    case Pass::FlashV1Round: return &flash_v1_round<T>;
    case Pass::FlashV2: return &flash_v2<T, kTraced>;
    case Pass::FlashV3: return &flash_v3<T, kTraced>;
    case Pass::FlashV4: return &flash_v4<T, kTraced>;
    case Pass::SplitKvWalk: return &split_kv_walk<T, kTraced>;
    case Pass::SplitKvMerge: return &split_kv_merge<T>;
    case Pass::BackwardDots: return &backward_dots<T>;
    case Pass::BackwardWalk: return &backward_walk<T, kTraced>;
    case Pass::BackwardScale: return &backward_scale<T>;
    case Pass::BackwardV1Initialise: return &backward_v1_initialise;
    case Pass::BackwardV1Walk: return &backward_v1_walk<T, kTraced>;
    case Pass::BackwardV1Scale: return &backward_v1_scale<T>;
    case Pass::BackwardStandardGradV: return &backward_standard_grad_v<T, kTraced>;
    case Pass::BackwardStandardGradP: return &backward_standard_grad_p<T, kTraced>;
    case Pass::BackwardStandardGradS:
      return key.row_fits ? &backward_standard_grad_s<T, true> : &backward_standard_grad_s<T, false>;
    case Pass::BackwardStandardGradQ: return &backward_standard_grad_q<T, kTraced>;
    case Pass::BackwardStandardGradK: return &backward_standard_grad_k<T, kTraced>;
  }
  return {};
}

template <class T>
KernelFunction kernel_for_type(const KernelKey& key) {
  return key.traced ? kernel_for_type<T, true>(key) : kernel_for_type<T, false>(key);
}

inline KernelFunction kernel_for(const KernelKey& key) {
  switch (key.dtype) {
    case DType::Fp32: return kernel_for_type<float>(key);
    case DType::Fp16: return kernel_for_type<Fp16>(key);
    case DType::Bf16: return kernel_for_type<Bf16>(key);
  }
  return {};
}

}  // namespace tilewalk::TILEWALK_SIDE
