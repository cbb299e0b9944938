// FlashAttention-3, forward, for Hopper (sm_90a).
//
// Idea       flash_v2's walk, with each unit of the chip given its own thread of control: a producer warp only starts
//            bulk copies (TMA), consumer warpgroups only multiply (wgmma, operands straight from shared memory) and
//            exponentiate, and mbarriers pass the tiles between them.
// Changed    Since flash_v2.cu: wgmma and TMA in place of mma.sync and cp.async; registers move from the producer to
// the
//            consumers (setmaxnreg); warpgroups take turns so that one's exponentials hide behind another's products
//            (ping-pong); within a warpgroup S of the next tile is multiplied while this tile's softmax runs (overlap);
//            blocks stay on their multiprocessor and draw Q tiles, causal ones longest first (persistent).
// Launch     One block a multiprocessor: a producer warpgroup and 2 or 3 consumer warpgroups of 64 rows each.
// Tiles      See kWide and kNarrow below; the first entry of each is what variant 0 runs.
// Shared     Two stages of Q, of K and of V, and O: d = 128, 128 x 128: 225 KiB; d = 64, 192 x 128: 137 KiB.
// Registers  Producer 24 (32), consumers 240 (160 where there are three).
// Measured   kernels/NOTES.md.
#include <algorithm>
#include <iterator>

#include "kernels/fast/flash_v3.h"
#include "kernels/fast/flash_v3_kernel.h"

namespace tilewalk::fast {
namespace {

using EncodeTiled = decltype(&cuTensorMapEncodeTiled);

EncodeTiled encode_tiled() {
  static const EncodeTiled function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
    return error == cudaSuccess && result == cudaDriverEntryPointSuccess ? (EncodeTiled)found : nullptr;
  }();
  return function;
}

// (heads, n, d), in boxes of `rows` rows by 64 elements.
bool make_map(CUtensorMap* map, const void* base, bool bf16, long long heads, long long n, long long d, int rows) {
  const cuuint64_t sizes[3] = {(cuuint64_t)d, (cuuint64_t)n, (cuuint64_t)heads};
  const cuuint64_t strides[2] = {(cuuint64_t)(d * 2), (cuuint64_t)(n * d * 2)};
  const cuuint32_t box[3] = {64, (cuuint32_t)rows, 1}, steps[3] = {1, 1, 1};
  return encode_tiled()(map, bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3,
                        const_cast<void*>(base), sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                        CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

int multiprocessors() {
  int device = 0, count = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

template <class T, int D, bool kCausal, class B>
const char* launch(ForwardArgs a, long long kv_heads, cudaStream_t stream) {
  using L = Layout<D, B>;
  if (encode_tiled() == nullptr)
    return "The driver does not know tensor maps; flash_v3 needs a driver for CUDA 12 or later";
  constexpr bool kBf16 = std::is_same_v<T, __nv_bfloat16>;
  TensorMaps maps;
  const bool made = make_map(&maps.q, a.q, kBf16, a.all_heads, a.n_q, a.d, 64) &&
                    make_map(&maps.k, a.k, kBf16, kv_heads, a.n_kv, a.d, B::bc) &&
                    make_map(&maps.v, a.v, kBf16, kv_heads, a.n_kv, a.d, B::bc) &&
                    make_map(&maps.o, a.o, kBf16, a.all_heads, a.n_q, a.d, 64);
  if (!made) return "The driver refused a tensor map; tensors must start at multiples of 16 bytes";
  auto* const kernel = &flash_v3_forward<T, D, kCausal, B>;
  const cudaError_t raised = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, L::kBytes);
  if (raised != cudaSuccess) return cudaGetErrorString(raised);
  a.q_tiles = (a.n_q + L::kRows - 1) / L::kRows;
  const int tiles = a.q_tiles * a.all_heads;
  const int blocks = B::persistent ? std::min(tiles, multiprocessors()) : tiles;
  kernel<<<blocks, (B::consumers + 1) * 128, L::kBytes, stream>>>(a, maps);
  const cudaError_t launched = cudaGetLastError();
  return launched == cudaSuccess ? nullptr : cudaGetErrorString(launched);
}

template <int D, class B>
const char* launch_build(const ForwardArgs& a, long long kv_heads, bool bf16, bool causal, cudaStream_t stream) {
  using Bf16 = __nv_bfloat16;
  if (bf16)
    return causal ? launch<Bf16, D, true, B>(a, kv_heads, stream) : launch<Bf16, D, false, B>(a, kv_heads, stream);
  return causal ? launch<__half, D, true, B>(a, kv_heads, stream) : launch<__half, D, false, B>(a, kv_heads, stream);
}

struct Version {
  const char* name;
  const char* (*run)(const ForwardArgs&, long long kv_heads, bool bf16, bool causal, cudaStream_t);
};

template <int D, class B>
constexpr Version version_of(const char* name) {
  return {name, &launch_build<D, B>};
}

const Version kWide[] = {
    version_of<128, Build<2, 128>>("128x128"),
    version_of<128, Build<2, 128, kAll & ~kPingPong>>("128x128, no ping-pong"),
    version_of<128, Build<2, 128, kAll & ~kOverlap>>("128x128, no overlap"),
    version_of<128, Build<2, 128, kAll & ~kPersistent>>("128x128, not persistent"),
    version_of<128, Build<2, 128, kAll & ~kLazy>>("128x128, m raised at once"),
};
const Version kNarrow[] = {
    version_of<64, Build<3, 128>>("192x128"),
    version_of<64, Build<2, 128>>("128x128"),
    version_of<64, Build<3, 128, kAll & ~kPingPong>>("192x128, no ping-pong"),
    version_of<64, Build<3, 128, kAll & ~kOverlap>>("192x128, no overlap"),
    version_of<64, Build<3, 128, kAll & ~kPersistent>>("192x128, not persistent"),
    version_of<64, Build<3, 128, kAll & ~kLazy>>("192x128, m raised at once"),
};

const Version* version(int variant, int d) {
  const int count = d > 64 ? (int)std::size(kWide) : (int)std::size(kNarrow);
  if (variant < 0 || variant >= count) return nullptr;
  return d > 64 ? &kWide[variant] : &kNarrow[variant];
}

}  // namespace

const char* flash_v3_variant(int variant, int d) {
  const Version* const found = version(variant, d);
  return found != nullptr ? found->name : nullptr;
}

const char* flash_v3_launch(int variant, const ForwardArgs& a, long long kv_heads, bool bf16, bool causal,
                            cudaStream_t stream) {
  return version(variant, a.d)->run(a, kv_heads, bf16, causal, stream);
}

}  // namespace tilewalk::fast
