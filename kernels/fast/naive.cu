// Naive attention on tensor cores: the baseline of the fast kernels.
//
// Idea       S = scale Q K^T by cuBLAS, to HBM in the storage type; a softmax kernel turns each row into P in place;
//            O = P V by cuBLAS. The best form of unfused attention: each row is read once and written once by the
//            softmax.
// Changed    Since 01_standard.cu: the products run on tensor cores, a whole block shares a row of the softmax.
// Launch     Query heads that share K and V are stacked into one product. softmax: one block of 256 threads per row;
//            rows up to 16384 keys stay in registers, longer ones are read three times.
// Memory     heads x N_q x N_kv x 2 bytes beyond the inputs and outputs.
// Watch      Causal rows still cost the whole square in both products.
//
// cuBLAS is opened at run time (cublas.h), so that the library builds and runs where it is missing.
#include <type_traits>

#include "kernels/fast/cublas.h"
#include "kernels/fast/naive.h"
#include "kernels/fast/softmax.h"

namespace tilewalk::fast {
namespace {

constexpr int kThreads = 256;
constexpr int kVector = 8;  // elements of 16 bytes

template <bool kMax>
__device__ inline float block_reduce(float x, float* scratch) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, x, offset);
    x = kMax ? fmaxf(x, other) : x + other;
  }
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = x;
  __syncthreads();
  x = scratch[0];
#pragma unroll
  for (int warp = 1; warp < kThreads / 32; ++warp) x = kMax ? fmaxf(x, scratch[warp]) : x + scratch[warp];
  __syncthreads();
  return x;
}

// The number of keys that the row sees.
template <bool kCausal>
__device__ inline int seen_keys(const ForwardArgs& a, int row) {
  return kCausal ? max(0, min(a.n_kv, row + 1 + a.causal_shift)) : a.n_kv;
}

// Rows of at most kThreads x kVector x kHeld keys, n_kv a multiple of 8. The scores are already scaled.
template <class T, bool kCausal, int kHeld>
__global__ void __launch_bounds__(kThreads) softmax_held(const ForwardArgs a, T* scores) {
  __shared__ float scratch[kThreads / 32];
  constexpr float kLog2e = 1.44269504f;
  const int seen = seen_keys<kCausal>(a, blockIdx.x % a.n_q);
  uint4* const row = (uint4*)(scores + (long long)blockIdx.x * a.n_kv);
  float x[kHeld][kVector], top = minus_infinity(), sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    const int first = (i * kThreads + threadIdx.x) * kVector;
    const uint4 bits = first < seen ? row[i * kThreads + threadIdx.x] : uint4{};
#pragma unroll
    for (int e = 0; e < kVector; ++e) {
      x[i][e] = first + e < seen ? float(((const T*)&bits)[e]) * kLog2e : minus_infinity();
      top = fmaxf(top, x[i][e]);
    }
  }
  top = block_reduce<true>(top, scratch);
  const float base = top == minus_infinity() ? 0.0f : top;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
#pragma unroll
    for (int e = 0; e < kVector; ++e) sum += x[i][e] = exp2_approx(x[i][e] - base);
  }
  sum = block_reduce<false>(sum, scratch);
  const float inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    uint4 bits;
    uint32_t* const pairs = (uint32_t*)&bits;
#pragma unroll
    for (int e = 0; e < kVector / 2; ++e) pairs[e] = pack2<T>(x[i][2 * e] * inverse, x[i][2 * e + 1] * inverse);
    if ((i * kThreads + threadIdx.x) * kVector < a.n_kv) row[i * kThreads + threadIdx.x] = bits;
  }
  if (threadIdx.x == 0 && a.lse != nullptr) a.lse[blockIdx.x] = row_lse(top, sum, 1.0f);
}

// Any row length: three passes over the row.
template <class T, bool kCausal>
__global__ void __launch_bounds__(kThreads) softmax_passes(const ForwardArgs a, T* scores) {
  __shared__ float scratch[kThreads / 32];
  constexpr float kLog2e = 1.44269504f;
  const int seen = seen_keys<kCausal>(a, blockIdx.x % a.n_q);
  T* const row = scores + (long long)blockIdx.x * a.n_kv;
  float top = minus_infinity(), sum = 0.0f;
  for (int j = threadIdx.x; j < seen; j += kThreads) top = fmaxf(top, float(row[j]) * kLog2e);
  top = block_reduce<true>(top, scratch);
  const float base = top == minus_infinity() ? 0.0f : top;
  for (int j = threadIdx.x; j < seen; j += kThreads) sum += exp2_approx(float(row[j]) * kLog2e - base);
  sum = block_reduce<false>(sum, scratch);
  const float inverse = sum == 0.0f ? 0.0f : 1.0f / sum;
  for (int j = threadIdx.x; j < a.n_kv; j += kThreads) {
    row[j] = j < seen ? T(exp2_approx(float(row[j]) * kLog2e - base) * inverse) : T(0.0f);
  }
  if (threadIdx.x == 0 && a.lse != nullptr) a.lse[blockIdx.x] = row_lse(top, sum, 1.0f);
}

template <class T, bool kCausal>
void launch_softmax(const ForwardArgs& a, T* scores, cudaStream_t stream) {
  const int rows = a.all_heads * a.n_q;
  const int held = (a.n_kv + kThreads * kVector - 1) / (kThreads * kVector);
  if (a.n_kv % kVector != 0 || held > 8) {
    softmax_passes<T, kCausal><<<rows, kThreads, 0, stream>>>(a, scores);
  } else if (held <= 1) {
    softmax_held<T, kCausal, 1><<<rows, kThreads, 0, stream>>>(a, scores);
  } else if (held <= 2) {
    softmax_held<T, kCausal, 2><<<rows, kThreads, 0, stream>>>(a, scores);
  } else if (held <= 4) {
    softmax_held<T, kCausal, 4><<<rows, kThreads, 0, stream>>>(a, scores);
  } else {
    softmax_held<T, kCausal, 8><<<rows, kThreads, 0, stream>>>(a, scores);
  }
}

}  // namespace

size_t naive_workspace_bytes(long long all_heads, long long n_q, long long n_kv) {
  return (size_t)(all_heads * n_q * n_kv) * 2;
}

const char* naive_launch(const ForwardArgs& a, float scale, void* scores, bool bf16, bool causal, cudaStream_t stream) {
  thread_local Cublas cublas;
  if (cublas.handle == nullptr) return "The naive rung multiplies with cuBLAS, and libcublas could not be opened";
  cublas.set_stream(cublas.handle, stream);
  const cudaDataType type = bf16 ? CUDA_R_16BF : CUDA_R_16F;
  const int groups = a.all_heads / a.heads_per_kv, rows = a.heads_per_kv * a.n_q;
  const long long q_step = (long long)rows * a.d, kv_step = (long long)a.n_kv * a.d, s_step = (long long)rows * a.n_kv;
  const float one = 1.0f, zero = 0.0f;
  // Row-major matrices are the transposes of column-major ones: S^T = K Q^T, O^T = V^T P^T.
  cublasStatus_t status = cublas.multiply(cublas.handle, CUBLAS_OP_T, CUBLAS_OP_N, a.n_kv, rows, a.d, &scale, a.k, type,
                                          a.d, kv_step, a.q, type, a.d, q_step, &zero, scores, type, a.n_kv, s_step,
                                          groups, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  if (status != CUBLAS_STATUS_SUCCESS) return "cuBLAS refused Q K^T";
  if (bf16) {
    causal ? launch_softmax<__nv_bfloat16, true>(a, (__nv_bfloat16*)scores, stream)
           : launch_softmax<__nv_bfloat16, false>(a, (__nv_bfloat16*)scores, stream);
  } else {
    causal ? launch_softmax<__half, true>(a, (__half*)scores, stream)
           : launch_softmax<__half, false>(a, (__half*)scores, stream);
  }
  status = cublas.multiply(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, a.d, rows, a.n_kv, &one, a.v, type, a.d, kv_step,
                           scores, type, a.n_kv, s_step, &zero, a.o, type, a.d, q_step, groups, CUBLAS_COMPUTE_32F,
                           CUBLAS_GEMM_DEFAULT);
  if (status != CUBLAS_STATUS_SUCCESS) return "cuBLAS refused P V";
  const cudaError_t error = cudaGetLastError();
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

}  // namespace tilewalk::fast
