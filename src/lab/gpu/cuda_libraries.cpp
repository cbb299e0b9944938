#include "lab/gpu/cuda_libraries.h"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

namespace tilewalk::lab {
namespace {

// The library stays loaded: its threads and exit handlers outlive any call.
void* open_first(const std::vector<std::string>& names) {
  for (const std::string& each : names)
    if (void* const library = ::dlopen(each.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) return library;
  return nullptr;
}

struct FunctionLoader {
  void* library;
  std::string missing = {};

  template <class F>
  void load(F& function, const char* name) {
    function = reinterpret_cast<F>(::dlsym(library, name));
    if (!function && missing.empty()) missing = name;
  }
};

std::vector<std::string> compiler_names() {
  std::vector<std::string> folders{""};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const folder = std::getenv(variable); folder && *folder) {
      folders.push_back(std::string(folder) + "/lib64/");
      folders.push_back(std::string(folder) + "/lib/");
    }
  for (const char* folder : {"/usr/local/cuda/lib64/", "/usr/local/cuda/lib/"}) folders.emplace_back(folder);
  std::vector<std::string> out;
  for (const std::string& folder : folders)
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"})
      out.push_back(folder + name);
  return out;
}

}  // namespace

std::string CudaDriver::text_of(int error) const {
  const char* words = nullptr;
  if (error_text && error_text(error, &words) == 0 && words)
    return std::string(words) + " (CUDA error " + std::to_string(error) + ")";
  return "CUDA error " + std::to_string(error);
}

CudaDriver load_cuda_driver() {
  CudaDriver out;
  FunctionLoader from{open_first({"libcuda.so.1"})};
  if (!from.library) {
    out.why = "No NVIDIA driver was found: there is no libcuda.so.1";
    return out;
  }
  from.load(out.init, "cuInit");
  from.load(out.driver_version, "cuDriverGetVersion");
  from.load(out.device_count, "cuDeviceGetCount");
  from.load(out.device_get, "cuDeviceGet");
  from.load(out.device_name, "cuDeviceGetName");
  from.load(out.device_attribute, "cuDeviceGetAttribute");
  from.load(out.retain_context, "cuDevicePrimaryCtxRetain");
  from.load(out.set_context, "cuCtxSetCurrent");
  from.load(out.load_module, "cuModuleLoadData");
  from.load(out.module_function, "cuModuleGetFunction");
  from.load(out.module_global, "cuModuleGetGlobal_v2");
  from.load(out.allocate, "cuMemAlloc_v2");
  from.load(out.to_device, "cuMemcpyHtoD_v2");
  from.load(out.to_host, "cuMemcpyDtoH_v2");
  from.load(out.fill_words, "cuMemsetD32_v2");
  from.load(out.launch, "cuLaunchKernel");
  from.load(out.query_stream, "cuStreamQuery");
  from.load(out.error_text, "cuGetErrorString");
  if (!from.missing.empty()) out.why = "The NVIDIA driver is too old: it has no " + from.missing;
  return out;
}

std::string CudaCompiler::version_text() const {
  int major = 0, minor = 0;
  if (!version || version(&major, &minor) != 0) return "NVRTC";
  return "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
}

CudaCompiler load_cuda_compiler() {
  CudaCompiler out;
  FunctionLoader from{open_first(compiler_names())};
  if (!from.library) {
    out.why = "NVRTC was not found: there is no libnvrtc.so in the linker's folders, $CUDA_HOME or /usr/local/cuda";
    return out;
  }
  from.load(out.version, "nvrtcVersion");
  from.load(out.arch_count, "nvrtcGetNumSupportedArchs");
  from.load(out.archs, "nvrtcGetSupportedArchs");
  from.load(out.create, "nvrtcCreateProgram");
  from.load(out.compile, "nvrtcCompileProgram");
  from.load(out.destroy, "nvrtcDestroyProgram");
  from.load(out.log_size, "nvrtcGetProgramLogSize");
  from.load(out.log, "nvrtcGetProgramLog");
  from.load(out.cubin_size, "nvrtcGetCUBINSize");
  from.load(out.cubin, "nvrtcGetCUBIN");
  from.load(out.ptx_size, "nvrtcGetPTXSize");
  from.load(out.ptx, "nvrtcGetPTX");
  if (!from.missing.empty()) out.why = "NVRTC is too old: it has no " + from.missing;
  return out;
}

}  // namespace tilewalk::lab
