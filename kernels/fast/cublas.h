// cuBLAS, opened at run time, so that programs start where it is missing. The naive kernel uses it, and the measurement
// of the card's product rate.
#pragma once

#include <cublas_v2.h>
#include <dlfcn.h>

#include <string>

namespace tilewalk::fast {

// The header overloads this name in C++; this is the function that the library exports.
using Multiply = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                    const void* alpha, const void* a, cudaDataType, int lda, long long a_step,
                                    const void* b, cudaDataType, int ldb, long long b_step, const void* beta, void* c,
                                    cudaDataType, int ldc, long long c_step, int count, cublasComputeType_t,
                                    cublasGemmAlgo_t);

struct Cublas {  // handle is null where there is no cuBLAS
  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  Multiply multiply = nullptr;
  cublasHandle_t handle = nullptr;

  Cublas() {
    const std::string name = "libcublas.so." + std::to_string(CUDART_VERSION / 1000);
    void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    create = (decltype(create))dlsym(library, "cublasCreate_v2");
    set_stream = (decltype(set_stream))dlsym(library, "cublasSetStream_v2");
    multiply = (Multiply)dlsym(library, "cublasGemmStridedBatchedEx");
    if (create == nullptr || set_stream == nullptr || multiply == nullptr || create(&handle) != CUBLAS_STATUS_SUCCESS)
      handle = nullptr;
  }
};

}  // namespace tilewalk::fast
