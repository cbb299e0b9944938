#include "files/nvidia_driver.h"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace tilewalk {

// The line is such as "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Release Build".
std::string nvidia_driver_version(const std::string& path) {
  std::ifstream in(path);
  std::string word;
  while (in >> word) {
    const bool digits_and_dots =
        std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) || c == '.'; });
    if (digits_and_dots && word.find('.') != std::string::npos) return word;
  }
  return {};
}

}  // namespace tilewalk
