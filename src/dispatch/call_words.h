// The spelling of a call's choices, on the command line, in files and on the page.
#pragma once

namespace tilewalk {

inline constexpr const char* kTypeWords[] = {"fp64", "fp32", "fp16", "bf16"};
inline constexpr const char* kMaskWords[] = {"none", "bool", "float", "float-grad"};
inline constexpr const char* kCallLayoutWords[] = {"bhnd", "bnhd", "strided"};
inline constexpr const char* kDeterministicWords[] = {"off", "warn", "on"};
inline constexpr const char* kSwitchWords[] = {"off", "on"};
inline constexpr const char* kDeviceWords[] = {"cpu", "cuda"};
inline constexpr const char* kBuildWords[] = {"linux", "windows", "source"};

// Environment variables that some PyTorch version reads for its choice, and those that deterministic runs set. The
// rules say which of them matter.
inline constexpr const char* kVariables[] = {"TORCH_CUDNN_SDPA_DEPRIORITIZED", "TORCH_CUDNN_SDPA_PREFERRED",
                                             "TORCH_CUDNN_SDPA_ENABLED", "TORCH_CUDNN_SDPA_NESTED_TENSOR_ENABLED",
                                             "CUBLAS_WORKSPACE_CONFIG"};

}  // namespace tilewalk
