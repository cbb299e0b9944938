// From (pass, element type, traced, row fits) to the kernel's function, for whichever side includes it after the kernels.
#pragma once

#include "kernels/host/backend.h"

namespace tilewalk::TILEWALK_SIDE {

using KernelFunction = void (*)(Attention);

template <class T>
KernelFunction kernel_for_type(const KernelKey& key) {
  switch (key.pass) {
    case Pass::FlashV2: return key.traced ? &flash_v2<T, true> : &flash_v2<T, false>;
    case Pass::StandardScores: return key.traced ? &standard_scores<T, true> : &standard_scores<T, false>;
    case Pass::StandardSoftmax: return key.row_fits ? &standard_softmax<T, true> : &standard_softmax<T, false>;
    case Pass::StandardOutput:
      if (key.row_fits) return key.traced ? &standard_output<T, true, true> : &standard_output<T, true, false>;
      return key.traced ? &standard_output<T, false, true> : &standard_output<T, false, false>;
  }
  return nullptr;
}

inline KernelFunction kernel_for(const KernelKey& key) {
  switch (key.dtype) {
    case DType::Fp32: return kernel_for_type<float>(key);
    case DType::Fp16: return kernel_for_type<Fp16>(key);
    case DType::Bf16: return kernel_for_type<Bf16>(key);
  }
  return nullptr;
}

}  // namespace tilewalk::TILEWALK_SIDE
