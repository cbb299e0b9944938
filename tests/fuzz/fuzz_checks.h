// What every target holds its reader to: a refusal is told in lines of letters, and what must hold, holds.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilewalk::fuzz {

void require(bool holds, const char* what);  // or the process ends, saying what
void told(const Issues&);
template <class T>
void told(const Result<T>& result) {
  if (!result) told(result.issues());
}

std::string text_of_bytes(std::span<const std::byte>);
std::vector<std::string> lines_of_bytes(std::span<const std::byte>);  // without zeros in them

}  // namespace tilewalk::fuzz
