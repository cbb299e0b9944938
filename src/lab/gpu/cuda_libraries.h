// The CUDA driver and NVRTC, loaded when they are needed: the program links neither. Types and numbers are those of
// cuda.h and nvrtc.h, which have kept them since CUDA 11.
#pragma once

#include <cstddef>
#include <string>

namespace tilewalk::lab {

// The functions of libcuda.so.1 in use. Pointers to device memory are 64-bit numbers; a result of 0 is success.
struct CudaDriver {
  using DevicePointer = unsigned long long;
  static constexpr int kNotReady = 600, kMajor = 75, kMinor = 76;

  int (*init)(unsigned) = nullptr;
  int (*driver_version)(int*) = nullptr;
  int (*device_count)(int*) = nullptr;
  int (*device_get)(int*, int) = nullptr;
  int (*device_name)(char*, int, int) = nullptr;
  int (*device_attribute)(int*, int, int) = nullptr;
  int (*retain_context)(void**, int) = nullptr;
  int (*set_context)(void*) = nullptr;
  int (*load_module)(void**, const void*) = nullptr;
  int (*module_function)(void**, void*, const char*) = nullptr;
  int (*module_global)(DevicePointer*, std::size_t*, void*, const char*) = nullptr;
  int (*allocate)(DevicePointer*, std::size_t) = nullptr;
  int (*to_device)(DevicePointer, const void*, std::size_t) = nullptr;
  int (*to_host)(void*, DevicePointer, std::size_t) = nullptr;
  int (*fill_words)(DevicePointer, unsigned, std::size_t) = nullptr;
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                void**) = nullptr;
  int (*query_stream)(void*) = nullptr;
  int (*error_text)(int, const char**) = nullptr;

  std::string why;  // one sentence, if it was not found
  bool found() const { return why.empty(); }
  std::string text_of(int error) const;  // "an illegal memory access was encountered (CUDA error 700)"
};
CudaDriver load_cuda_driver();

// The functions of NVRTC in use: any version from 11 on, in the linker's folders, $CUDA_HOME, $CUDA_PATH or
// /usr/local/cuda.
struct CudaCompiler {
  int (*version)(int*, int*) = nullptr;
  int (*arch_count)(int*) = nullptr;
  int (*archs)(int*) = nullptr;
  int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compile)(void*, int, const char* const*) = nullptr;
  int (*destroy)(void**) = nullptr;
  int (*log_size)(void*, std::size_t*) = nullptr;
  int (*log)(void*, char*) = nullptr;
  int (*cubin_size)(void*, std::size_t*) = nullptr;
  int (*cubin)(void*, char*) = nullptr;
  int (*ptx_size)(void*, std::size_t*) = nullptr;
  int (*ptx)(void*, char*) = nullptr;

  std::string why;
  bool found() const { return why.empty(); }
  std::string version_text() const;  // "NVRTC 13.0"
};
CudaCompiler load_cuda_compiler();

}  // namespace tilewalk::lab
