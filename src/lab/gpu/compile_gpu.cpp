#include "lab/gpu/compile_gpu.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "base/fnv.h"
#include "files/file_io.h"
#include "files/output_file.h"

namespace tilewalk::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostCached = 64 << 20;
constexpr std::size_t kMostFiles = 200;
constexpr char kEnding[] = ".lab-kernel";

int newest_known(const CudaCompiler& nvrtc, int arch) {
  int count = 0;
  if (nvrtc.arch_count(&count) != 0 || count < 1) return arch;
  std::vector<int> known(std::size_t(count), 0);
  if (nvrtc.archs(known.data()) != 0) return arch;
  int out = known[0];
  for (const int each : known)
    if (each <= arch) out = std::max(out, each);
  return out;
}

std::string file_of(const std::string& key, const std::string& folder) {
  Fnv fnv;  // the file has the whole key, so a collision costs a compilation
  for (const char c : key) fnv.add(std::uint8_t(c));
  std::uint64_t hash = fnv.digest();
  std::string digits(16, '0');
  for (std::size_t at = 16; at-- > 0; hash >>= 4) digits[at] = "0123456789abcdef"[hash & 15];
  return folder + "/" + digits + kEnding;
}

std::optional<std::vector<char>> cached(const std::string& file, const std::string& key) {
  const auto bytes = read_whole_file(file, kMostCached);
  if (!bytes || bytes->size() <= key.size()) return std::nullopt;
  const char* const first = reinterpret_cast<const char*>(bytes->data());
  if (!std::equal(key.begin(), key.end(), first)) return std::nullopt;
  return std::vector<char>(first + key.size(), first + bytes->size());
}

// Removes the files that were written first, past kMostFiles.
void clear_oldest(const std::string& folder) {
  std::error_code failed;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (at->path().extension() == kEnding) files.emplace_back(at->last_write_time(failed), at->path());
  std::sort(files.begin(), files.end());
  for (std::size_t at = 0; at + kMostFiles < files.size(); ++at) fs::remove(files[at].second, failed);
}

std::string log_of(const CudaCompiler& nvrtc, void* program) {
  std::size_t size = 0;
  if (nvrtc.log_size(program, &size) != 0 || size < 2) return {};
  std::string out(size, '\0');
  nvrtc.log(program, out.data());
  out.resize(std::min(out.find('\0'), std::size_t(4000)));
  return out;
}

}  // namespace

std::vector<std::string> compile_flags(const CudaCompiler& nvrtc, int arch) {
  const int known = newest_known(nvrtc, arch);
  return {std::string("--gpu-architecture=") + (known == arch ? "sm_" : "compute_") + std::to_string(known),
          "-fmad=false",
          "-ftz=false",
          "-prec-div=true",
          "-prec-sqrt=true",
          "--std=c++17",
          "-w"};
}

GpuCode compile_for_gpu(const CudaCompiler& nvrtc, const std::string& text, int arch, const std::string& folder) {
  const std::vector<std::string> flags = compile_flags(nvrtc, arch);
  std::string key = nvrtc.version_text();
  for (const std::string& each : flags) key += " " + each;
  key += "\n" + text;
  key += '\0';
  const std::string file = folder.empty() ? "" : file_of(key, folder);
  GpuCode out;
  if (!file.empty())
    if (auto bytes = cached(file, key)) {
      out.bytes = std::move(*bytes);
      out.from_cache = true;
      return out;
    }
  void* program = nullptr;
  if (nvrtc.create(&program, text.c_str(), "prelude", 0, nullptr, nullptr) != 0) {
    out.why = "NVRTC does not accept the text";
    return out;
  }
  std::vector<const char*> options;
  for (const std::string& each : flags) options.push_back(each.c_str());
  const int refused = nvrtc.compile(program, int(options.size()), options.data());
  const bool is_cubin = flags[0].find("sm_") != std::string::npos;
  std::size_t size = 0;
  if (refused != 0) {
    out.why = log_of(nvrtc, program);
    if (out.why.empty()) out.why = "NVRTC failed with error " + std::to_string(refused);
  } else if ((is_cubin ? nvrtc.cubin_size : nvrtc.ptx_size)(program, &size) == 0 && size > 0) {
    out.bytes.resize(size);
    (is_cubin ? nvrtc.cubin : nvrtc.ptx)(program, out.bytes.data());
  } else {
    out.why = "NVRTC has made no code";
  }
  nvrtc.destroy(&program);
  if (!out.ok() || file.empty()) return out;
  std::error_code ignored;  // a cache that cannot be written costs a compilation
  fs::create_directories(folder, ignored);
  std::string whole = key + std::string(out.bytes.begin(), out.bytes.end());
  static_cast<void>(write_file({.field = "", .path = file, .to_disk = false}, std::as_bytes(std::span(whole))).ok());
  clear_oldest(folder);
  return out;
}

}  // namespace tilewalk::lab
