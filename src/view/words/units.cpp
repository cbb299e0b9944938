#include "view/words/units.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/units.h"
#include "base/words.h"

namespace tilewalk {

std::string cycles_text(double cycles) { return format_count(std::llround(cycles)); }

std::string short_cycles(double cycles) {
  if (cycles < 99999.5) return cycles_text(cycles);
  return cycles < 999500 ? format_fixed(cycles / 1e3, 0) + " k" : format_fixed(cycles / 1e6, 2) + " M";
}

std::string counted(std::int64_t count, const char* one) {
  return format_count(count) + " " + one + (count == 1 ? "" : "s");
}

std::string exponent_number(double value) {
  if (std::isnan(value) || std::isinf(value)) return signed_number(value);
  std::string text = fmt::format("{:.1e}", std::fabs(value));
  if (const std::size_t minus = text.find("e-"); minus != std::string::npos) text.replace(minus, 2, "e−");
  return value < 0 ? "−" + text : text;
}

std::string hand_number(const Problem& problem, double value) {
  const std::string exact = format_value(problem, value);
  const bool fraction = problem.numerics.base == Base::Two && exact.find('.') == std::string::npos;
  return fraction || !std::isfinite(value) ? exact : signed_number(value, 4);
}

std::string exact_number(float value) {
  if (!std::isfinite(value)) return signed_number(value);
  char buffer[40];
  const float size = std::fabs(value);
  const std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, size).ptr);
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
  const Mask& mask = problem.shape.mask;
  switch (mask.kind) {
    case MaskKind::None: return "no mask";
    case MaskKind::Causal: return "causal";
    case MaskKind::CausalBottomRight: return "causal, bottom right";
    case MaskKind::Window: return fmt::format("window {} : {}", mask.left, mask.right);
    case MaskKind::WindowBottomRight: return fmt::format("window {} : {}, bottom right", mask.left, mask.right);
  }
  return "";
}

std::string names_of(const std::vector<TensorId>& tensors) {
  return listed(tensors, " and ", [](TensorId id) { return std::string(name_of(id)); });
}

std::string without_unit_of(const std::string& figure, const std::string& other) {
  const std::size_t a = figure.rfind(' '), b = other.rfind(' ');
  const bool same = a != std::string::npos && b != std::string::npos && figure.substr(a) == other.substr(b);
  return same ? figure.substr(0, a) : figure;
}

std::string part_of_text(const std::string& part, const std::string& whole) {
  return without_unit_of(part, whole) + " of " + whole;
}

std::vector<std::string> problem_titles(const Problem& p) {
  struct Part {
    std::string text;
    int rank;  // the lowest are dropped first
  };
  std::vector<Part> parts = {
      {"N " + format_count(p.shape.n_q) + (p.shape.n_q == p.shape.n_kv ? "" : " × " + format_count(p.shape.n_kv)), 6}};
  if (p.shape.batch > 1) parts.push_back({fmt::format("batch {}", p.shape.batch), 3});
  if (p.shape.heads > 1)
    parts.push_back({p.shape.kv_heads != p.shape.heads ? fmt::format("heads {} on {}", p.shape.heads, p.shape.kv_heads)
                                                       : fmt::format("heads {}", p.shape.heads),
                     3});
  parts.push_back({fmt::format("d {}", p.shape.d), 5});
  parts.push_back({fmt::format("tile {}×{}", p.tiling.br, p.tiling.bc), 2});
  parts.push_back({mask_title(p), 4});
  if (p.tiling.order == KvOrder::Reverse) parts.push_back({"reverse", 1});
  if (p.numerics.dtype != DType::Fp32) parts.push_back({name_of(p.numerics.dtype), 1});
  if (p.numerics.base == Base::Two) parts.push_back({"base 2", 1});
  parts.push_back({fmt::format("seed {}", p.numerics.seed), 0});
  if (p.fault != Fault::None) parts.push_back({fmt::format("mistake: {}", title_of(p.fault)), 6});
  std::vector<std::string> titles;
  for (int least = 0; least <= 6; ++least) {
    std::string title;
    for (const Part& part : parts)
      if (part.rank >= least) add_to_list(title, part.text, " · ");
    if (titles.empty() || title != titles.back()) titles.push_back(std::move(title));
  }
  return titles;
}

std::string problem_title(const Problem& p) { return problem_titles(p).front(); }

}  // namespace tilewalk
