// A text that page/host.js passes to the program: hand_over() there copies it to memory that the program frees.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>

namespace tilewalk {

inline std::string page_text(int address) {
  const std::unique_ptr<char, decltype(&std::free)> text(reinterpret_cast<char*>(address), &std::free);
  return text ? text.get() : "";
}

}  // namespace tilewalk
