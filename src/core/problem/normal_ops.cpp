// Compiled once for each instruction set that Highway knows here; see normal_ops.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/problem/normal_ops.cpp"
#include "core/problem/normal_ops.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "base/random.h"
#include "base/random_terms.h"
#include "core/problem/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace tilewalk {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace terms = random_terms;

#if HWY_HAVE_FLOAT64

using D = hn::CappedTag<double, 8>;
using U = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;
using W = hn::Vec<U>;

constexpr std::size_t kBlock = 512;
constexpr std::size_t kRoom = kBlock + 8;  // whole vectors may write past the end

template <std::size_t N>
HWY_INLINE V polynomial(const double (&coefficients)[N], V x) {
  const D d;
  V sum = hn::Set(d, coefficients[0]);
  for (std::size_t k = 1; k < N; ++k) sum = hn::Add(hn::Mul(sum, x), hn::Set(d, coefficients[k]));
  return sum;
}

HWY_INLINE W mix(W x) {
  const U u;
  x = hn::Xor(x, hn::ShiftRight<30>(x));
  x = hn::Mul(x, hn::Set(u, terms::kMixFirst));
  x = hn::Xor(x, hn::ShiftRight<27>(x));
  x = hn::Mul(x, hn::Set(u, terms::kMixSecond));
  return hn::Xor(x, hn::ShiftRight<31>(x));
}

// A whole number below 2^52 plus `shift`, exactly: behind the leading bit of 2^52 it is the mantissa.
HWY_INLINE V to_double(W whole, double shift) {
  const D d;
  const V above = hn::BitCast(d, hn::Or(whole, hn::Set(U(), 0x4330000000000000ull)));
  return hn::Sub(above, hn::Set(d, 0x1p52 - shift));
}

HWY_INLINE V natural_log(V x) {
  const D d;
  const U u;
  const W bits = hn::BitCast(u, x);
  const W fraction = hn::And(bits, hn::Set(u, 0xfffffffffffffull));
  V exponent = to_double(hn::ShiftRight<52>(bits), -1023.0);
  V mantissa = hn::BitCast(d, hn::Or(fraction, hn::Set(u, 0x3ff0000000000000ull)));
  const V one = hn::Set(d, 1.0);
  const auto large = hn::Gt(mantissa, hn::Set(d, terms::kSqrt2));
  mantissa = hn::IfThenElse(large, hn::Mul(mantissa, hn::Set(d, 0.5)), mantissa);
  exponent = hn::IfThenElse(large, hn::Add(exponent, one), exponent);
  const V s = hn::Div(hn::Sub(mantissa, one), hn::Add(mantissa, one));
  const V series = polynomial(terms::kLog, hn::Mul(s, s));
  return hn::Add(hn::Mul(exponent, hn::Set(d, terms::kLn2)), hn::Mul(hn::Mul(hn::Set(d, 2.0), s), series));
}

HWY_INLINE V tail_quantile(V p) {
  const D d;
  const auto low = hn::Lt(p, hn::Set(d, terms::kTail));
  const V tail = hn::IfThenElse(low, p, hn::Sub(hn::Set(d, 1.0), p));
  const V q = hn::Sqrt(hn::Mul(hn::Set(d, -2.0), natural_log(tail)));
  const V z = hn::Div(polynomial(terms::kTailOver, q), polynomial(terms::kTailUnder, q));
  return hn::IfThenElse(low, z, hn::Neg(z));
}

HWY_INLINE V central_quantile(V p) {
  const V q = hn::Sub(p, hn::Set(D(), 0.5));
  const V r = hn::Mul(q, q);
  return hn::Div(hn::Mul(polynomial(terms::kCentralOver, r), q), polynomial(terms::kCentralUnder, r));
}

HWY_INLINE void store(V z, double* out) { hn::StoreU(z, D(), out); }

HWY_INLINE void store(V z, float* out) {
  const hn::Rebind<float, D> narrow;
  hn::StoreU(hn::DemoteTo(narrow, z), narrow, out);
}

// places[0], places[1], … = where the masks' bits are set, a byte for each vector; returns how many.
HWY_INLINE std::size_t places_of(const std::uint8_t* masks, std::size_t vectors, std::size_t lanes,
                                 std::uint16_t* places) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < vectors; i += 8) {
    std::uint64_t eight = 0;
    for (std::size_t k = 0; k < 8; ++k) eight |= std::uint64_t(masks[i + k]) << (8 * k);
    for (; eight != 0; eight &= eight - 1) {
      const std::size_t bit = std::size_t(std::countr_zero(eight));
      places[found++] = std::uint16_t((i + bit / 8) * lanes + bit % 8);
    }
  }
  return found;
}

// First all lanes by the central formula; then those of the tails, one in twenty, are recomputed.
template <class T>
void quantiles_of_block(const double* p, std::size_t count, T* out) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  std::uint8_t masks[kBlock + 8];
  std::uint16_t places[kRoom];
  std::size_t vectors = 0;
  for (std::size_t i = 0; i < count; i += lanes) {
    const V x = hn::LoadU(d, p + i);
    store(central_quantile(x), out + i);
    hn::StoreMaskBits(d, hn::Or(hn::Lt(x, hn::Set(d, terms::kTail)), hn::Gt(x, hn::Set(d, 1.0 - terms::kTail))),
                      masks + vectors++);
  }
  std::fill_n(masks + vectors, 8, std::uint8_t(0));
  const std::size_t tails = places_of(masks, vectors, lanes, places);
  double x[kRoom];
  T z[kRoom];
  for (std::size_t i = 0; i < tails; ++i) x[i] = p[places[i]];
  std::fill_n(x + tails, lanes, 0.5);
  for (std::size_t i = 0; i < tails; i += lanes) store(tail_quantile(hn::LoadU(d, x + i)), z + i);
  for (std::size_t i = 0; i < tails; ++i) out[places[i]] = z[i];
}

void uniforms_of_block(std::uint64_t key, std::uint64_t first, std::size_t count, double* p) {
  const D d;
  const U u;
  const std::size_t lanes = hn::Lanes(d);
  const W keys = hn::Set(u, key), step = hn::Set(u, lanes * terms::kIndexStep);
  W x = hn::Add(hn::Mul(hn::Iota(u, first), hn::Set(u, terms::kIndexStep)), keys);
  for (std::size_t i = 0; i < count; i += lanes) {
    const W bits = mix(hn::Add(mix(x), keys));
    hn::StoreU(hn::Mul(to_double(hn::ShiftRight<12>(bits), 0.5), hn::Set(d, 0x1p-52)), d, p + i);
    x = hn::Add(x, step);
  }
}

void uniforms(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::size_t count, double* p) {
  const std::uint64_t key = random_key(seed, stream);
  double x[kRoom];
  for (std::size_t i = 0; i < count; i += kBlock) {
    const std::size_t some = std::min(kBlock, count - i);
    uniforms_of_block(key, first + i, some, x);
    std::copy_n(x, some, p + i);
  }
}

void quantiles(const double* p, std::size_t count, double* z) {
  double x[kRoom], y[kRoom];
  for (std::size_t i = 0; i < count; i += kBlock) {
    const std::size_t some = std::min(kBlock, count - i);
    std::fill(std::copy_n(p + i, some, x), x + kRoom, 0.5);
    quantiles_of_block(x, some, y);
    std::copy_n(y, some, z + i);
  }
}

void values(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::size_t count, float* out) {
  const std::uint64_t key = random_key(seed, stream);
  double x[kRoom];
  float y[kRoom];
  for (std::size_t i = 0; i < count; i += kBlock) {
    const std::size_t some = std::min(kBlock, count - i);
    uniforms_of_block(key, first + i, some, x);
    quantiles_of_block(x, some, y);
    std::copy_n(y, some, out + i);
  }
}

#else  // no lanes of doubles

void uniforms(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::size_t count, double* p) {
  for (std::size_t i = 0; i < count; ++i) p[i] = uniform_from_bits(random_bits(seed, stream, first + i));
}

void quantiles(const double* p, std::size_t count, double* z) {
  for (std::size_t i = 0; i < count; ++i) z[i] = normal_quantile(p[i]);
}

void values(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i)
    out[i] = float(normal_quantile(uniform_from_bits(random_bits(seed, stream, first + i))));
}

#endif

const NormalOps* normal_table() {
  static const NormalOps ops = {uniforms, quantiles, values};
  return &ops;
}

const char* normal_target() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace tilewalk
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilewalk {

HWY_EXPORT(normal_table);
HWY_EXPORT(normal_target);

const NormalOps& normal_ops() {
  static const NormalOps* const ops = HWY_DYNAMIC_DISPATCH(normal_table)();
  return *ops;
}

std::vector<NamedNormalOps> all_normal_ops() {
  normal_ops();
  std::vector<NamedNormalOps> all;
  on_each_target([&] {
    all.push_back({HWY_DYNAMIC_DISPATCH(normal_target)(), *HWY_DYNAMIC_DISPATCH(normal_table)()});
  });
  return all;
}

}  // namespace tilewalk
#endif
