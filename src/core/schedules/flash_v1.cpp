// FlashAttention-1, forward (arXiv 2205.14135, Algorithm 1): KV tiles outside; O, m and l of every Q tile return to HBM
// at each visit, O divided at every inner step, as published. The initial values are written first and read like any
// other. O, m and l travel in fp32; where the dtype has 16 bits a last launch rounds O once, as the released code did.
// Wholly masked tiles are skipped. The product P V of a visit lives in registers, which are not modelled.
#include "core/walk/phase_costs.h"
#include "core/walk/sectioned_schedule.h"

namespace tilewalk {

SchedulePlan flash_v1_plan(const Problem& p) {
  SchedulePlan plan;
  SectionPlan start{{Phase::Initialise}, {}, {}};
  SectionPlan walk{{Phase::LoadKV},
                   {Phase::LoadQ, Phase::Scores, Phase::Mask, Phase::RowMax, Phase::Exponentiate, Phase::RowSum,
                    Phase::Rescale, Phase::Accumulate, Phase::Normalise, Phase::Store},
                   {}};
  walk.kv_outside = true;
  plan.sections = {start, walk};
  if (p.numerics.dtype != DType::Fp32) plan.sections.push_back({{Phase::LoadO, Phase::Store}, {}, {}});
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes();

  plan.cost = [d, e](int section, Phase phase, std::int64_t r, std::int64_t c) -> Cost {
    const bool in_walk = section == 1;  // O, m and l travel, in fp32
    switch (phase) {
      case Phase::Initialise:
        return costs::store({{TensorId::O, r * d * 4}, {TensorId::m, r * 4}, {TensorId::l, r * 4}}, 0);
      case Phase::LoadKV: return costs::load({{TensorId::K, c * d * e}, {TensorId::V, c * d * e}});
      case Phase::LoadQ:
        return costs::load(
            {{TensorId::Q, r * d * e}, {TensorId::O, r * d * 4}, {TensorId::m, r * 4}, {TensorId::l, r * 4}});
      case Phase::Scores: return costs::scores(r, c, d, e);
      case Phase::RowMax:
      case Phase::RowSum: return costs::row_scan(r, c);
      case Phase::Exponentiate: return costs::exponentiate(r, c);
      case Phase::Rescale: return costs::work(2 * r, 6 * r, {r * 16, r * 16});
      case Phase::Accumulate: return costs::product(r, c, d, {r * c * 4 + c * d * e, 0});
      case Phase::Normalise: return costs::work(0, r + 4 * r * d, {r * d * 4 + r * 16, r * d * 4});
      case Phase::Store:
        if (!in_walk) return costs::store({{TensorId::O, r * d * e}}, r * d * 4);
        return costs::store({{TensorId::O, r * d * 4}, {TensorId::m, r * 4}, {TensorId::l, r * 4}}, r * d * 4 + r * 8);
      case Phase::LoadO: return costs::load({{TensorId::O, r * d * 4}});
      default: return {};
    }
  };

  plan.residents = [d, e](int section, Phase phase, std::int64_t r, std::int64_t c) -> std::vector<Resident> {
    if (section != 1) return {{TensorId::O, section == 0 ? 0 : r * d * 4}};
    std::vector<Resident> now;
    if (phase != Phase::LoadKV) now.push_back({TensorId::Q, r * d * e});
    now.push_back({TensorId::K, c * d * e});
    now.push_back({TensorId::V, c * d * e});
    if (phase == Phase::LoadKV) return now;
    if (phase == Phase::Scores || phase == Phase::Mask || phase == Phase::RowMax)
      now.push_back({TensorId::S, r * c * 4});
    else if (phase != Phase::LoadQ && phase != Phase::Normalise && phase != Phase::Store)
      now.push_back({TensorId::P, r * c * 4});
    now.push_back({TensorId::O, r * d * 4});
    now.push_back({TensorId::m, r * 4});
    now.push_back({TensorId::l, r * 4});
    return now;
  };
  return plan;
}

}  // namespace tilewalk
