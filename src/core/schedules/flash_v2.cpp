// FlashAttention-2, forward (arXiv 2307.08691, Algorithm 1): Q tiles outside, one write of O, wholly masked tiles
// skipped. A Q tile keeps Q, O, m and l on chip; K and V stay for one visit; P overwrites S.
#include "core/sectioned_schedule.h"

namespace tilewalk {

SchedulePlan flash_v2_plan(const Problem& p) {
  SchedulePlan plan;
  plan.sections = {{{Phase::LoadQ},
                    {Phase::LoadKV, Phase::Scores, Phase::Mask, Phase::RowMax, Phase::Rescale, Phase::Exponentiate,
                     Phase::RowSum, Phase::Accumulate},
                    {Phase::Normalise, Phase::Store}}};
  const std::int64_t d = p.d, e = p.element_bytes();

  plan.cost = [d, e](int, Phase phase, std::int64_t r, std::int64_t c) {
    Cost cost;
    switch (phase) {
      case Phase::LoadQ:
        cost.of(TensorId::Q).read_bytes = r * d * e;
        cost.sram.write_bytes = r * d * e + r * d * 4 + r * 8;
        break;
      case Phase::LoadKV:
        cost.of(TensorId::K).read_bytes = c * d * e;
        cost.of(TensorId::V).read_bytes = c * d * e;
        cost.sram.write_bytes = 2 * c * d * e;
        break;
      case Phase::Scores:
        cost.matmul = 2 * r * c * d;
        cost.other = r * c;
        cost.sram = {(r + c) * d * e, r * c * 4};
        break;
      case Phase::RowMax:
        cost.other = r * c;
        cost.sram = {r * c * 4 + r * 4, r * 4};
        break;
      case Phase::Rescale:
        cost.exp = r;
        cost.other = r + r * d;
        cost.sram = {r * 8 + r * d * 4, r * 4 + r * d * 4};
        break;
      case Phase::Exponentiate:
        cost.exp = r * c;
        cost.other = r * c;
        cost.sram = {r * c * 4 + r * 4, r * c * 4};
        break;
      case Phase::RowSum:
        cost.other = r * c + 2 * r;
        cost.sram = {r * c * 4 + r * 8, r * 4};
        break;
      case Phase::Accumulate:
        cost.matmul = 2 * r * c * d;
        cost.sram = {r * c * 4 + c * d * e + r * d * 4, r * d * 4};
        break;
      case Phase::Normalise:
        cost.other = r * d + 2 * r;
        cost.sram = {r * d * 4 + r * 8, r * d * 4 + r * 4};
        break;
      case Phase::Store:
        cost.of(TensorId::O).write_bytes = r * d * e;
        cost.of(TensorId::L).write_bytes = r * 4;
        cost.sram.read_bytes = r * d * 4 + r * 4;
        break;
      default: break;  // Mask: applied as scores are written, no traffic and no floating point
    }
    return cost;
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
