// How both builds of few rows (few_rows.h, few_rows_bulk.h) are launched: a kernel for each number of 16-byte chunks of
// a row, then the merge where tiles are divided.
#pragma once

#include <type_traits>

#include "kernels/fast/forward_args.h"
#include "kernels/fast/join_parts.h"

namespace tilewalk::fast {

template <class Shape, class Kernel>
cudaError_t prepare_few_rows(Kernel kernel, ForwardArgs& a) {
  a.q_tiles = 1;
  if (a.parts.tiles == 0) a.parts.whole = a.all_heads;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Shape::kBytes);
}

template <class T, class Shape>
cudaError_t launch_few_rows(void (*kernel)(ForwardArgs), ForwardArgs a, cudaStream_t stream) {
  const cudaError_t raised = prepare_few_rows<Shape>(kernel, a);
  if (raised != cudaSuccess) return raised;
  kernel<<<work_items(a.parts), Shape::kThreads, Shape::kBytes, stream>>>(a);
  const cudaError_t launched = cudaGetLastError();
  if (launched != cudaSuccess || a.parts.tiles == 0) return launched;
  return launch_join<T, Shape::D, Shape::kRows, false>(a, stream);
}

// `blocks` thread blocks take one whole head after another; where heads are divided, stretches of them.
template <class T, class Shape>
cudaError_t launch_few_rows(void (*kernel)(ForwardArgs, Stretches), ForwardArgs a, int blocks, cudaStream_t stream) {
  const cudaError_t raised = prepare_few_rows<Shape>(kernel, a);
  if (raised != cudaSuccess) return raised;
  const int keys = Shape::kWarps * Shape::kKeys;
  const Stretches stretches{blocks, a.parts.tiles, (a.n_kv + keys - 1) / keys};
  kernel<<<blocks, Shape::kThreads, Shape::kBytes, stream>>>(a, stretches);
  const cudaError_t launched = cudaGetLastError();
  if (launched != cudaSuccess || a.parts.tiles == 0) return launched;
  return launch_join<T, Shape::D, Shape::kRows>(a, stream, stretches);
}

// Calls launch with the number of chunks as a type: std::integral_constant<int, d / 8>, 1 to 8; kWide: 10, 12, 14 and
// 16 too.
template <bool kWide, class Launch>
cudaError_t launch_by_chunks(int d, const Launch& launch) {
  if constexpr (kWide) {
    switch (d / 8) {
      case 10: return launch(std::integral_constant<int, 10>());
      case 12: return launch(std::integral_constant<int, 12>());
      case 14: return launch(std::integral_constant<int, 14>());
      case 16: return launch(std::integral_constant<int, 16>());
      default: break;
    }
  }
  switch (d / 8) {
    case 1: return launch(std::integral_constant<int, 1>());
    case 2: return launch(std::integral_constant<int, 2>());
    case 3: return launch(std::integral_constant<int, 3>());
    case 4: return launch(std::integral_constant<int, 4>());
    case 5: return launch(std::integral_constant<int, 5>());
    case 6: return launch(std::integral_constant<int, 6>());
    case 7: return launch(std::integral_constant<int, 7>());
    default: return launch(std::integral_constant<int, 8>());
  }
}

}  // namespace tilewalk::fast
