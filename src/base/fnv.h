// FNV-1a of 64 bits: a digest that is the same on every machine. Not for secrets: texts with one digest are easily
// made.
#pragma once

#include <cstdint>

namespace tilewalk {

class Fnv {
 public:
  void add(std::uint8_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3u; }
  std::uint64_t digest() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace tilewalk
