// Seeded random numbers without state: value n of stream s under a seed is a pure function, so any tile of any tensor
// can be generated alone and in any order. Integer operations and basic IEEE double operations only (+ - * / sqrt),
// compiled without contraction, so every machine generates the same bits.
// These functions define the numbers, one at a time; core/problem/normal_ops.h generates many at once, with the same
// bits.
// Not modelled: cryptographic quality. The mixer is the finaliser family of splitmix64, applied twice.
#pragma once

#include <cstdint>

namespace tilewalk {

// 64 well-mixed bits for (seed, stream, index).
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

// The part of a stream's numbers that depends on seed and stream alone.
std::uint64_t random_key(std::uint64_t seed, std::uint64_t stream);

// Uniform in (0, 1), 53 bits, never 0 or 1.
double uniform_from_bits(std::uint64_t bits);

// The standard normal quantile of p in (0, 1): rational approximation, absolute error below 1e-8 for |z| < 8.
// Source: the shape of P. J. Acklam's algorithm (2003); tails use a logarithm made of basic operations.
double normal_quantile(double p);

}  // namespace tilewalk
