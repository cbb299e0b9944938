// Many normal numbers of base/random.h at once, in vector lanes (Highway, chosen at run time for this CPU). Every lane
// width gives the bits of the scalar functions: the same operations in the same order, none of them fused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewalk {

struct NormalOps {
  // p[i] = uniform_from_bits(random_bits(seed, stream, first + i))
  void (*uniforms)(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::size_t count, double* p);
  // z[i] = normal_quantile(p[i]), each p in (0, 1)
  void (*quantiles)(const double* p, std::size_t count, double* z);
  // Both, rounded: out[i] = float(normal_quantile(uniform_from_bits(random_bits(seed, stream, first + i))))
  void (*values)(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::size_t count, float* out);
};

const NormalOps& normal_ops();  // of the widest instruction set this CPU has

struct NamedNormalOps {
  std::string name;
  NormalOps ops;
};
std::vector<NamedNormalOps> all_normal_ops();  // one for each instruction set this CPU can run, for the tests

}  // namespace tilewalk
