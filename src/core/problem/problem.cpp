#include "core/problem/problem.h"

#include <cmath>

namespace tilewalk {

double Problem::scale_value() const {
  if (numerics.scale) return *numerics.scale;
  return numerics.base == Base::E ? 1.0 / std::sqrt(double(shape.d)) : 1.0;
}

float Problem::score_factor() const {
  constexpr double kLog2E = 1.4426950408889634;
  return numerics.base == Base::E ? float(scale_value() * kLog2E) : float(scale_value());
}

float Problem::gradient_factor() const {
  constexpr double kLn2 = 0.6931471805599453;
  return numerics.base == Base::E ? float(scale_value()) : float(scale_value() * kLn2);
}

namespace {

template <class T>
struct Named {
  T value;
  const char* name;
};

constexpr Named<DType> kDTypes[] = {{DType::Fp32, "fp32"}, {DType::Fp16, "fp16"}, {DType::Bf16, "bf16"}};
constexpr Named<Base> kBases[] = {{Base::E, "e"}, {Base::Two, "2"}};
constexpr Named<KvOrder> kOrders[] = {{KvOrder::Forward, "forward"}, {KvOrder::Reverse, "reverse"}};
constexpr Named<Distribution> kDistributions[] = {{Distribution::Normal, "normal"},
                                                  {Distribution::Uniform, "uniform"},
                                                  {Distribution::Integers, "integers"},
                                                  {Distribution::Outliers, "outliers"}};
constexpr Named<Fault> kFaults[] = {{Fault::None, "none"},
                                    {Fault::ForgetRescaleO, "forget-rescale-o"},
                                    {Fault::ForgetRescaleL, "forget-rescale-l"},
                                    {Fault::TileMax, "tile-max"},
                                    {Fault::NoMax, "no-max"},
                                    {Fault::InverseRescale, "inverse-rescale"},
                                    {Fault::MaskOffByOne, "mask-off-by-one"},
                                    {Fault::SkipDiagonal, "skip-diagonal"},
                                    {Fault::RaggedRead, "ragged-read"}};

template <class T, std::size_t N>
const char* find_name(const Named<T> (&table)[N], T value) {
  for (const auto& row : table)
    if (row.value == value) return row.name;
  return "";
}

template <class T, std::size_t N>
std::optional<T> find_value(const Named<T> (&table)[N], const std::string& name) {
  for (const auto& row : table)
    if (name == row.name) return row.value;
  return std::nullopt;
}

}  // namespace

const char* name_of(DType v) { return find_name(kDTypes, v); }
const char* name_of(Base v) { return find_name(kBases, v); }
const char* name_of(KvOrder v) { return find_name(kOrders, v); }
const char* name_of(Distribution v) { return find_name(kDistributions, v); }
const char* name_of(Fault v) { return find_name(kFaults, v); }
std::optional<DType> dtype_from(const std::string& s) { return find_value(kDTypes, s); }
std::optional<Base> base_from(const std::string& s) { return find_value(kBases, s); }
std::optional<KvOrder> order_from(const std::string& s) { return find_value(kOrders, s); }
std::optional<Distribution> distribution_from(const std::string& s) { return find_value(kDistributions, s); }
std::optional<Fault> fault_from(const std::string& s) { return find_value(kFaults, s); }

const char* description_of(Fault v) {
  switch (v) {
    case Fault::None: return "No fault: the replay is right.";
    case Fault::ForgetRescaleO: return "O is not multiplied by α when the running max grows.";
    case Fault::ForgetRescaleL: return "ℓ is not multiplied by α when the running max grows.";
    case Fault::TileMax: return "The tile's own max replaces the running max, even when it is lower.";
    case Fault::NoMax: return "No max is subtracted before the exponential.";
    case Fault::InverseRescale: return "O is divided by α, as the FA-2 paper's Algorithm 1 prints by mistake.";
    case Fault::MaskOffByOne: return "The mask's right edge lets one more column in.";
    case Fault::SkipDiagonal: return "Tiles that the mask cuts through are left out, as if wholly masked.";
    case Fault::RaggedRead: return "Columns past N_kv are read as zeros and take part in the softmax.";
  }
  return "";
}

const char* title_of(Fault v) {
  switch (v) {
    case Fault::None: return "no mistake";
    case Fault::ForgetRescaleO: return "forgets to shrink O";
    case Fault::ForgetRescaleL: return "forgets to shrink ℓ";
    case Fault::TileMax: return "uses this tile's max only";
    case Fault::NoMax: return "subtracts no max";
    case Fault::InverseRescale: return "divides O by α";
    case Fault::MaskOffByOne: return "lets one more column in";
    case Fault::SkipDiagonal: return "skips the tiles that the mask cuts";
    case Fault::RaggedRead: return "reads past the last key";
  }
  return "";
}

const char* risk_of(Fault v) {
  if (v == Fault::TileMax) return "α grows above 1 where a later tile's scores are lower, and in the end it overflows.";
  if (v == Fault::NoMax) return "e to a score above 88 is ∞ in fp32, above 11 in fp16.";
  return "";
}

std::string harm_of(Fault v) {
  switch (v) {
    case Fault::None: return "";
    case Fault::ForgetRescaleO: return "What was summed against the old max stays too large against the new one.";
    case Fault::ForgetRescaleL: return "ℓ stays too large, so O is divided by too much.";
    case Fault::TileMax: return std::string("O can come out right all the same. But ") + risk_of(v);
    case Fault::NoMax: return std::string("O can come out right while scores are small. But ") + risk_of(v);
    case Fault::InverseRescale: return "α is at most 1. Dividing by it makes old sums larger where they must shrink.";
    case Fault::MaskOffByOne: return "A query sees a key that the mask hides from it: the answer leaks.";
    case Fault::SkipDiagonal: return "A query loses the keys of those tiles that it may see, itself among them.";
    case Fault::RaggedRead: return "Keys that do not exist take part, with a score of 0.";
  }
  return "";
}

const std::vector<Fault>& all_faults() {
  static const std::vector<Fault> all = {Fault::ForgetRescaleO, Fault::ForgetRescaleL, Fault::TileMax,
                                         Fault::NoMax,          Fault::InverseRescale, Fault::MaskOffByOne,
                                         Fault::SkipDiagonal,   Fault::RaggedRead};
  return all;
}

}  // namespace tilewalk
