#include "view/units.h"

#include <fmt/format.h>

#include <cmath>

namespace tilewalk {

float display_score(const Problem& problem, float log2_units) {
  constexpr double kLn2 = 0.69314718055994530942;
  return problem.base == Base::E ? float(double(log2_units) * kLn2) : log2_units;
}

std::string signed_number(double value, int digits) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  std::string text = fmt::format("{:.{}f}", std::fabs(value), digits);
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  return value < 0 && !zero ? "−" + text : text;
}

std::string compact_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "−∞" : "∞";
  const double size = std::fabs(value);
  if (size < 99.995) return signed_number(value, 2);
  if (size < 9999.5) return signed_number(value, size < 999.95 ? 1 : 0);
  const std::string text = fmt::format("{:.0e}", size);
  return value < 0 ? "−" + text : text;
}

std::string tensor_title(TensorId id) {
  switch (id) {
    case TensorId::l: return "ℓ";
    case TensorId::OPartial: return "O part";
    case TensorId::LPartial: return "L part";
    default: return name_of(id);
  }
}

std::string tile_name(TensorId id, std::int64_t tile) {
  const bool tiled = id == TensorId::Q || id == TensorId::K || id == TensorId::V || id == TensorId::O ||
                     id == TensorId::dO || id == TensorId::dQ || id == TensorId::dK || id == TensorId::dV;
  return tiled && tile >= 0 ? fmt::format("{}{}", name_of(id), tile) : tensor_title(id);
}

std::string mask_title(const Problem& problem) {
  const Mask& mask = problem.mask;
  switch (mask.kind) {
    case MaskKind::None: return "no mask";
    case MaskKind::Causal: return "causal";
    case MaskKind::CausalBottomRight: return "causal, bottom right";
    case MaskKind::Window: return fmt::format("window {} : {}", mask.left, mask.right);
    case MaskKind::WindowBottomRight: return fmt::format("window {} : {}, bottom right", mask.left, mask.right);
  }
  return "";
}

std::string problem_title(const Problem& p) {
  std::string text = p.n_q == p.n_kv ? fmt::format("N {}", p.n_q) : fmt::format("N {} × {}", p.n_q, p.n_kv);
  if (p.batch > 1) text += fmt::format(" · batch {}", p.batch);
  if (p.heads > 1) text += fmt::format(" · heads {}", p.heads);
  if (p.kv_heads != p.heads) text += fmt::format(" on {}", p.kv_heads);
  text += fmt::format(" · d {} · tile {}×{} · {}", p.d, p.br, p.bc, mask_title(p));
  if (p.order == KvOrder::Reverse) text += " · reverse";
  if (p.dtype != DType::Fp32) text += fmt::format(" · {}", name_of(p.dtype));
  if (p.base == Base::Two) text += " · base 2";
  text += fmt::format(" · seed {}", p.seed);
  if (p.fault != Fault::None) text += fmt::format(" · fault {}", name_of(p.fault));
  return text;
}

}  // namespace tilewalk
