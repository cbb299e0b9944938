// FlashAttention-2, forward (arXiv 2307.08691, Algorithm 1): Q tiles outside, one write of O, wholly masked tiles
// skipped. A Q tile keeps Q, O, m and l on chip; K and V stay for one visit; P overwrites S.
#include "core/walk/phase_costs.h"
#include "core/walk/sectioned_schedule.h"

namespace tilewalk {

SchedulePlan flash_v2_plan(const Problem& p) {
  SchedulePlan plan;
  plan.sections = {{{Phase::LoadQ},
                    {Phase::LoadKV, Phase::Scores, Phase::Mask, Phase::RowMax, Phase::Rescale, Phase::Exponentiate,
                     Phase::RowSum, Phase::Accumulate},
                    {Phase::Normalise, Phase::Store}}};
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes();

  plan.cost = [d, e](int, Phase phase, std::int64_t r, std::int64_t c) -> Cost {
    switch (phase) {
      case Phase::LoadQ: return costs::load({{TensorId::Q, r * d * e}}, r * d * 4 + r * 8);
      case Phase::LoadKV: return costs::load({{TensorId::K, c * d * e}, {TensorId::V, c * d * e}});
      case Phase::Scores: return costs::scores(r, c, d, e);
      case Phase::RowMax: return costs::work(0, r * c, {r * c * 4 + r * 4, r * 4});
      case Phase::Rescale: return costs::work(r, r + r * d, {r * 8 + r * d * 4, r * 4 + r * d * 4});
      case Phase::Exponentiate: return costs::exponentiate(r, c);
      case Phase::RowSum: return costs::work(0, r * c + 2 * r, {r * c * 4 + r * 8, r * 4});
      case Phase::Accumulate: return costs::product(r, c, d, {r * c * 4 + c * d * e + r * d * 4, r * d * 4});
      case Phase::Normalise: return costs::normalise(r, d);
      case Phase::Store: return costs::store_output(r, d, e);
      default: return {};  // Mask: applied as scores are written, no traffic and no floating point
    }
  };

  plan.residents = [d, e](int, Phase phase, std::int64_t r, std::int64_t c) {
    std::vector<Resident> now = {{TensorId::Q, r * d * e}};
    const bool in_visit = phase != Phase::LoadQ && phase != Phase::Normalise && phase != Phase::Store;
    if (in_visit) {
      now.push_back({TensorId::K, c * d * e});
      now.push_back({TensorId::V, c * d * e});
    }
    if (in_visit && phase != Phase::LoadKV) {
      const bool is_p = phase == Phase::Exponentiate || phase == Phase::RowSum || phase == Phase::Accumulate;
      now.push_back({is_p ? TensorId::P : TensorId::S, r * c * 4});
    }
    now.push_back({TensorId::O, r * d * 4});
    now.push_back({TensorId::m, r * 4});
    now.push_back({TensorId::l, r * 4});
    return now;
  };
  return plan;
}

}  // namespace tilewalk
