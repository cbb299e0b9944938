// FlashAttention-1, forward (arXiv 2205.14135, Algorithm 1): KV tiles outside; O, m and l of every Q tile return to HBM
// at each visit, O divided at every inner step, as published. The initial values are written first and read like any
// other. O, m and l travel in fp32; where the dtype has 16 bits a last launch rounds O once, as the released code did.
// Wholly masked tiles are skipped. The product P V of a visit lives in registers, which are not modelled.
#include "core/sectioned_schedule.h"

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
  if (p.dtype != DType::Fp32) plan.sections.push_back({{Phase::LoadO, Phase::Store}, {}, {}});
  const std::int64_t d = p.d, e = p.element_bytes();

  plan.cost = [d, e](int section, Phase phase, std::int64_t r, std::int64_t c) {
    Cost cost;
    switch (phase) {
      case Phase::Initialise:
        cost.of(TensorId::O).write_bytes = r * d * 4;
        cost.of(TensorId::m).write_bytes = r * 4;
        cost.of(TensorId::l).write_bytes = r * 4;
        break;
      case Phase::LoadKV:
        cost.of(TensorId::K).read_bytes = c * d * e;
        cost.of(TensorId::V).read_bytes = c * d * e;
        cost.sram.write_bytes = 2 * c * d * e;
        break;
      case Phase::LoadQ:
        cost.of(TensorId::Q).read_bytes = r * d * e;
        cost.of(TensorId::O).read_bytes = r * d * 4;
        cost.of(TensorId::m).read_bytes = r * 4;
        cost.of(TensorId::l).read_bytes = r * 4;
        cost.sram.write_bytes = r * d * e + r * d * 4 + r * 8;
        break;
      case Phase::Scores:
        cost.matmul = 2 * r * c * d;
        cost.other = r * c;
        cost.sram = {(r + c) * d * e, r * c * 4};
        break;
      case Phase::RowMax:
        cost.other = r * c;
        cost.sram = {r * c * 4, r * 4};
        break;
      case Phase::Exponentiate:
        cost.exp = r * c;
        cost.other = r * c;
        cost.sram = {r * c * 4 + r * 4, r * c * 4};
        break;
      case Phase::RowSum:
        cost.other = r * c;
        cost.sram = {r * c * 4, r * 4};
        break;
      case Phase::Rescale:
        cost.exp = 2 * r;
        cost.other = 6 * r;
        cost.sram = {r * 16, r * 16};
        break;
      case Phase::Accumulate:
        cost.matmul = 2 * r * c * d;
        cost.sram = {r * c * 4 + c * d * e, 0};
        break;
      case Phase::Normalise:
        cost.other = r + 4 * r * d;
        cost.sram = {r * d * 4 + r * 16, r * d * 4};
        break;
      case Phase::Store:
        cost.of(TensorId::O).write_bytes = r * d * (section == 1 ? 4 : e);
        if (section == 1) cost.of(TensorId::m).write_bytes = cost.of(TensorId::l).write_bytes = r * 4;
        cost.sram.read_bytes = r * d * 4 + (section == 1 ? r * 8 : 0);
        break;
      case Phase::LoadO:
        cost.of(TensorId::O).read_bytes = r * d * 4;
        cost.sram.write_bytes = r * d * 4;
        break;
      default: break;
    }
    return cost;
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
