#include "lab/tasks/gradient_slips.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

namespace tilewalk::lab {
namespace {

constexpr std::int64_t kMostProducts = 1 << 22;  // of all heads; larger problems are judged without a diagnosis

// A row of the table. Each member but the words changes one thing.
struct GradientSlip {
  const char* name = "";
  const char* sentence = "";
  int scale_of_dq = 1, scale_of_dk = 1;  // how often the gradient is multiplied by the scale
  enum class Delta { Subtracted, LeftOut, Added } delta = Delta::Subtracted;
  bool masked = true;
  enum class Lse { Natural, AsLog2, LeftOut } lse = Lse::Natural;
  bool p_in_ds = true;
  enum class From { Ds, Dp, P } dk_from = From::Ds;
  bool dv_from_ds = false;
  bool dq_last_tile = false, dk_last_tile = false, dv_last_tile = false;  // overwritten at each visit
};

constexpr GradientSlip kSlips[] = {
    {.name = "delta-left-out",
     .sentence = "D = the sum of dO times O was not subtracted from dP.",
     .delta = GradientSlip::Delta::LeftOut},
    {.name = "delta-added",
     .sentence = "D = the sum of dO times O was added to dP, not subtracted.",
     .delta = GradientSlip::Delta::Added},
    {.name = "no-scale-ds", .sentence = "dS was not multiplied by the scale.", .scale_of_dq = 0, .scale_of_dk = 0},
    {.name = "scale-twice-ds", .sentence = "dS was multiplied by the scale twice.", .scale_of_dq = 2, .scale_of_dk = 2},
    {.name = "no-scale-dq", .sentence = "dQ was not multiplied by the scale.", .scale_of_dq = 0},
    {.name = "no-scale-dk", .sentence = "dK was not multiplied by the scale.", .scale_of_dk = 0},
    {.name = "scale-twice-dq", .sentence = "dQ was multiplied by the scale twice.", .scale_of_dq = 2},
    {.name = "scale-twice-dk", .sentence = "dK was multiplied by the scale twice.", .scale_of_dk = 2},
    {.name = "no-mask-p", .sentence = "The mask was not applied to P.", .masked = false},
    {.name = "lse-as-log2",
     .sentence = "L was read in log2 units: P = 2^(s log2 e - L), but L is natural.",
     .lse = GradientSlip::Lse::AsLog2},
    {.name = "lse-left-out", .sentence = "L was not subtracted: P = e^s.", .lse = GradientSlip::Lse::LeftOut},
    {.name = "p-left-out", .sentence = "dS lacks the factor P: dS = P (dP - D).", .p_in_ds = false},
    {.name = "dk-from-dp", .sentence = "dK was computed from dP, not from dS.", .dk_from = GradientSlip::From::Dp},
    {.name = "dk-from-p", .sentence = "dK was computed from P, not from dS.", .dk_from = GradientSlip::From::P},
    {.name = "dv-from-ds", .sentence = "dV was computed from dS, not from P.", .dv_from_ds = true},
    {.name = "dq-overwritten", .sentence = "dQ has the share of the last KV tile alone.", .dq_last_tile = true},
    {.name = "dk-overwritten", .sentence = "dK has the share of the last Q tile alone.", .dk_last_tile = true},
    {.name = "dv-overwritten", .sentence = "dV has the share of the last Q tile alone.", .dv_last_tile = true},
};

GradientSlip both(const GradientSlip& a, const GradientSlip& b) {
  GradientSlip out = a;
  const auto take = [&](auto GradientSlip::*field) {
    if (b.*field != GradientSlip{}.*field) out.*field = b.*field;
  };
  take(&GradientSlip::scale_of_dq), take(&GradientSlip::scale_of_dk), take(&GradientSlip::delta);
  take(&GradientSlip::masked), take(&GradientSlip::lse), take(&GradientSlip::p_in_ds), take(&GradientSlip::dk_from);
  take(&GradientSlip::dv_from_ds), take(&GradientSlip::dq_last_tile), take(&GradientSlip::dk_last_tile);
  take(&GradientSlip::dv_last_tile);
  return out;
}

struct Gradients {
  std::vector<double> dq, dk, dv;
};

Gradients gradients_of(const Problem& p, const GradientInputs& in, const GradientSlip& slip) {
  const Shape& s = p.shape;
  const Band band = s.band();
  const double scale = p.scale_value();
  const auto scaled = [&](double x, int times) { return x * std::pow(scale, times); };
  Gradients out{std::vector<double>(in.q.size()), std::vector<double>(in.k.size()), std::vector<double>(in.v.size())};
  const std::int64_t last_q_tile = (p.q_tiles() - 1) * p.tiling.br, last_kv_tile = (p.kv_tiles() - 1) * p.tiling.bc;
  for (std::int64_t head = 0; head < s.batch * s.heads; ++head) {
    const std::int64_t kv_head = head / s.heads * s.kv_heads + s.kv_head_of(head % s.heads);
    for (std::int64_t i = 0; i < s.n_q; ++i) {
      const std::int64_t row = head * s.n_q + i, q = row * s.d;
      double delta = 0;
      for (std::int64_t x = 0; x < s.d; ++x)
        delta += double(in.d_o[std::size_t(q + x)]) * double(in.o[std::size_t(q + x)]);
      // The last KV tile that the row's Q tile visits.
      const std::int64_t tile_end =
                             band.end_col(std::min(i / p.tiling.br * p.tiling.br + p.tiling.br, s.n_q) - 1, s.n_kv),
                         last = std::min((tile_end - 1) / p.tiling.bc * p.tiling.bc, last_kv_tile);
      for (std::int64_t j = 0; j < s.n_kv; ++j) {
        // Without the mask a kernel still skips the tiles that it hides.
        if (slip.masked ? !band.allows(i, j) : j >= last + p.tiling.bc) continue;
        const std::int64_t k = (kv_head * s.n_kv + j) * s.d;
        double dot = 0, dp = 0;
        for (std::int64_t x = 0; x < s.d; ++x) {
          dot += double(in.q[std::size_t(q + x)]) * double(in.k[std::size_t(k + x)]);
          dp += double(in.d_o[std::size_t(q + x)]) * double(in.v[std::size_t(k + x)]);
        }
        const double lse = slip.lse == GradientSlip::Lse::LeftOut ? 0 : double(in.l[std::size_t(row)]);
        const double weight =
            std::exp(dot * scale - (slip.lse == GradientSlip::Lse::AsLog2 ? lse * std::numbers::ln2 : lse));
        const double mean = slip.delta == GradientSlip::Delta::LeftOut ? 0
                            : slip.delta == GradientSlip::Delta::Added ? -delta
                                                                       : delta;
        const double ds = (slip.p_in_ds ? weight : 1) * (dp - mean);
        const double of_dk = slip.dk_from == GradientSlip::From::Ds   ? scaled(ds, slip.scale_of_dk)
                             : slip.dk_from == GradientSlip::From::Dp ? scaled(dp, slip.scale_of_dk)
                                                                      : weight;
        const double of_dq = scaled(ds, slip.scale_of_dq), of_dv = slip.dv_from_ds ? scaled(ds, 1) : weight;
        for (std::int64_t x = 0; x < s.d; ++x) {
          if (!slip.dq_last_tile || j >= last) out.dq[std::size_t(q + x)] += of_dq * double(in.k[std::size_t(k + x)]);
          if (!slip.dk_last_tile || i >= last_q_tile)
            out.dk[std::size_t(k + x)] += of_dk * double(in.q[std::size_t(q + x)]);
          if (!slip.dv_last_tile || i >= last_q_tile)
            out.dv[std::size_t(k + x)] += of_dv * double(in.d_o[std::size_t(q + x)]);
        }
      }
    }
  }
  return out;
}

bool fits(const std::vector<double>& expected, const std::vector<float>& got) {
  if (got.size() != expected.size()) return false;
  double largest = 0;
  for (const double each : expected) largest = std::max(largest, std::fabs(each));
  for (std::size_t at = 0; at < expected.size(); ++at)
    if (!(std::fabs(double(got[at]) - expected[at]) <= kGradientShare * largest)) return false;
  return true;
}

bool explains(const Problem& p, const GradientInputs& in, const GradientSlip& slip, const KernelGradients& got) {
  const Gradients made = gradients_of(p, in, slip);
  return fits(made.dv, got.dv) && fits(made.dk, got.dk) && fits(made.dq, got.dq);
}

}  // namespace

std::optional<Diagnosis> gradient_mistake(const Problem& p, const GradientInputs& in, const KernelGradients& got) {
  const Shape& s = p.shape;
  if (s.batch * s.heads * s.n_q > kMostProducts / std::max<std::int64_t>(s.n_kv * s.d, 1)) return std::nullopt;
  for (const GradientSlip& slip : kSlips)
    if (explains(p, in, slip, got)) return Diagnosis{slip.name, slip.sentence};
  const std::span<const GradientSlip> all = kSlips;
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = a + 1; b < all.size(); ++b)
      if (explains(p, in, both(all[a], all[b]), got))
        return Diagnosis{all[a].name, std::string(all[a].sentence) + " A second mistake: " + all[b].sentence};
  return std::nullopt;
}

}  // namespace tilewalk::lab
