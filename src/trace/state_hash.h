// A 64-bit digest of the state after one tile visit, so that large recordings stay small and are still checked at every
// step. Each fp32 element contributes a mixed word that depends on its quantity, its place and its bits; the digest is
// the sum of the words modulo 2^64, so threads and vector lanes may add in any order.
// Element order: m, l, alpha by row; o row-major over rows x d (real rows only). NaN is hashed by its own bits.
// Not modelled: protection against forged recordings. Two different states agree by chance about once in 2^64.
#pragma once

#if defined(__CUDACC__)
#define TILEWALK_HASH __host__ __device__ __forceinline__
#else
#define TILEWALK_HASH inline
#endif

namespace tilewalk {

enum StateQuantity : unsigned {
  kStateM = 0,
  kStateL = 1,
  kStateAlpha = 2,
  kStateO = 3,
  kFinalO = 4,
  kFinalLse = 5,
  kInputBits = 6,
};

// element: row, or row * d + x for o and final O. Quantities of a backward pass: gradient_hash.h.
TILEWALK_HASH unsigned long long state_hash_word(unsigned quantity, unsigned element, unsigned bits) {
  unsigned long long word = ((unsigned long long)(quantity * 0x9e3779b9u + element + 1u) << 32) | bits;
  word *= 0x9fb21c651e98df25ull;
  word ^= word >> 32;
  word *= 0xd6e8feb86659fd93ull;
  return word ^ (word >> 29);
}

}  // namespace tilewalk
