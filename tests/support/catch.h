// Catch2 2.13 (Debian 12) and 3 (Debian 13, Ubuntu 24.04) behind one include, and a way to skip that both support.
#pragma once

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

namespace tilewalk::test {

// Marks the running test case as skipped and prints the reason on stdout; the caller returns right after. A skipped
// case is never counted as passed.
void skip(const std::string& reason);

}  // namespace tilewalk::test
