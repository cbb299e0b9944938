#include "files/own_file.h"

#include <cstdlib>
#include <filesystem>
#include <span>

#include "files/file_io.h"
#include "files/output_file.h"

namespace tilewalk {

namespace fs = std::filesystem;

std::string own_file_path(const char* variable, const char* below_home, const char* name) {
  const char* const named = std::getenv(variable);
  const char* const home = std::getenv("HOME");
  const bool is_named = named && fs::path(named).is_absolute();
  if (!is_named && (!home || !*home)) return {};
  return ((is_named ? fs::path(named) : fs::path(home) / below_home) / "tilewalk" / name).string();
}

Result<std::string> read_own_file(const std::string& path, std::int64_t most_bytes) {
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return std::string();
  return read_text_file(path, most_bytes);
}

Result<Done> write_own_file(const std::string& text, const std::string& path) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);  // where that fails, the writer says why
  return write_file({.field = "", .path = path}, std::as_bytes(std::span(text)));
}

}  // namespace tilewalk
