// Names of kernels with their expected decoding.
#pragma once

#include <string>
#include <vector>

#include "dispatch/kernel/kernel_name.h"
#include "tests/support/catch.h"

namespace tilewalk::test {

struct KnownKernel {
  const char* name;
  DecodedKernel parts;
};

inline void check(const std::vector<KnownKernel>& rows) {
  for (const KnownKernel& row : rows) {
    CAPTURE(row.name);
    const DecodedKernel kernel = decode_kernel(row.name);
    CHECK(std::string(name_of(kernel.family)) == name_of(row.parts.family));
    CHECK(kernel.pass == row.parts.pass);
    CHECK(kernel.sm == row.parts.sm);
    CHECK(kernel.dtype == row.parts.dtype);
    CHECK(kernel.d == row.parts.d);
    CHECK(kernel.tile == row.parts.tile);
    CHECK(kernel.split_kv == row.parts.split_kv);
    CHECK(kernel.schedule == row.parts.schedule);
    CHECK(kernel.program == row.parts.program);
  }
}

}  // namespace tilewalk::test
