// A number that the caller of a test may set: more random cases, or another seed.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace tilewalk::test {

inline std::uint64_t asked_for(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace tilewalk::test
