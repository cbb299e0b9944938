// What every target checks of its reader: a refusal is a text of visible characters, and the reader's invariants.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilewalk::fuzz {

void require(bool holds, const char* what);  // ends the process with a message if `holds` is false
void told(const Issues&);
template <class T>
void told(const Result<T>& result) {
  if (!result) told(result.issues());
}

std::string text_of_bytes(std::span<const std::byte>);
std::vector<std::string> lines_of_bytes(std::span<const std::byte>);  // without zero bytes

}  // namespace tilewalk::fuzz
