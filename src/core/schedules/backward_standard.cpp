// The standard backward pass (FA-1, arXiv 2205.14135, Algorithm 3) in five passes, each a kernel of its own: dV = P^T
// dO; dP = dO V^T, stored; dS = P o (dP - rowsum(P o dP)) row by row, stored; dQ = dS K; dK = dS^T Q. Seven transfers
// of N_q x N_kv values. P lies in HBM as the standard forward pass left it, in the problem's dtype; so does dS; dP is
// fp32, as S is. Wholly masked tiles are computed too. Passes 1 and 5 hold dV and dK for a KV tile, over the query
// heads that share it; pass 4 holds dQ for a row of tiles; dQ and dK are scaled by g as they are stored. Pass 3 holds
// one row of P and dP at a time; where they do not fit, both are read twice.
#include <algorithm>

#include "core/sectioned_schedule.h"

namespace tilewalk {

bool backward_row_fits(const Problem& p) { return p.n_kv * (p.element_bytes() + 4) + 4 <= p.sram_bytes; }

SchedulePlan backward_standard_plan(const Problem& p) {
  const bool fits = backward_row_fits(p);
  const std::int64_t d = p.d, e = p.element_bytes(), row_chunk = std::min(p.bc, p.n_kv);

  SchedulePlan plan;
  plan.visits_masked_tiles = true;
  SectionPlan grad_v{{}, {Phase::LoadPDO, Phase::GradV}, {Phase::StoreDV}};
  SectionPlan grad_p{{Phase::LoadDO}, {Phase::LoadV, Phase::GradP, Phase::StoreDP}, {}};
  SectionPlan grad_s{{Phase::LoadPDP, Phase::RowDot, Phase::GradS, Phase::StoreDS}, {}, {}};
  if (!fits) grad_s.prologue = {Phase::LoadPDP, Phase::RowDot, Phase::LoadPDPAgain, Phase::GradS, Phase::StoreDS};
  SectionPlan grad_q{{}, {Phase::LoadDSK, Phase::GradQ}, {Phase::StoreDQ}};
  SectionPlan grad_k{{}, {Phase::LoadDSQ, Phase::GradK}, {Phase::StoreDK}};
  grad_v.kv_outside = grad_v.shares_heads = grad_k.kv_outside = grad_k.shares_heads = true;
  plan.sections = {grad_v, grad_p, grad_s, grad_q, grad_k};

  plan.cost = [=](int, Phase phase, std::int64_t r, std::int64_t c) {
    Cost cost;
    switch (phase) {
      case Phase::LoadPDO:
        cost.of(TensorId::P).read_bytes = r * c * e;
        cost.of(TensorId::dO).read_bytes = r * d * e;
        cost.sram.write_bytes = r * c * e + r * d * e;
        break;
      case Phase::GradV:
      case Phase::GradK:
        cost.matmul = 2 * r * c * d;
        cost.sram = {r * c * e + r * d * e + c * d * 4, c * d * 4};
        break;
      case Phase::StoreDV:
        cost.of(TensorId::dV).write_bytes = c * d * e;
        cost.sram.read_bytes = c * d * 4;
        break;
      case Phase::LoadDO:
        cost.of(TensorId::dO).read_bytes = r * d * e;
        cost.sram.write_bytes = r * d * e;
        break;
      case Phase::LoadV:
        cost.of(TensorId::V).read_bytes = c * d * e;
        cost.sram.write_bytes = c * d * e;
        break;
      case Phase::GradP:
        cost.matmul = 2 * r * c * d;
        cost.sram = {(r + c) * d * e, r * c * 4};
        break;
      case Phase::StoreDP:
        cost.of(TensorId::dP).write_bytes = r * c * 4;
        cost.sram.read_bytes = r * c * 4;
        break;
      case Phase::LoadPDP:
      case Phase::LoadPDPAgain:
        cost.of(TensorId::P).read_bytes = r * c * e;
        cost.of(TensorId::dP).read_bytes = r * c * 4;
        cost.sram.write_bytes = r * c * (e + 4);
        break;
      case Phase::RowDot:
        cost.other = 2 * r * c;
        cost.sram = {r * c * (e + 4), r * 4};
        break;
      case Phase::GradS:
        cost.other = 2 * r * c;
        cost.sram = {r * c * (e + 4) + r * 4, r * c * 4};
        break;
      case Phase::StoreDS:
        cost.of(TensorId::dS).write_bytes = r * c * e;
        cost.sram.read_bytes = r * c * 4;
        break;
      case Phase::LoadDSK:
        cost.of(TensorId::dS).read_bytes = r * c * e;
        cost.of(TensorId::K).read_bytes = c * d * e;
        cost.sram.write_bytes = r * c * e + c * d * e;
        break;
      case Phase::GradQ:
        cost.matmul = 2 * r * c * d;
        cost.sram = {r * c * e + c * d * e + r * d * 4, r * d * 4};
        break;
      case Phase::StoreDQ:
        cost.of(TensorId::dQ).write_bytes = r * d * e;
        cost.other = r * d;
        cost.sram.read_bytes = r * d * 4;
        break;
      case Phase::LoadDSQ:
        cost.of(TensorId::dS).read_bytes = r * c * e;
        cost.of(TensorId::Q).read_bytes = r * d * e;
        cost.sram.write_bytes = r * c * e + r * d * e;
        break;
      case Phase::StoreDK:
        cost.of(TensorId::dK).write_bytes = c * d * e;
        cost.other = c * d;
        cost.sram.read_bytes = c * d * 4;
        break;
      default: break;
    }
    return cost;
  };

  plan.residents = [=](int section, Phase phase, std::int64_t r, std::int64_t c) -> std::vector<Resident> {
    if (section == 2) {
      const std::int64_t now = fits ? c : row_chunk;
      const bool made = phase == Phase::GradS || phase == Phase::StoreDS;
      return {{TensorId::P, now * e}, {made ? TensorId::dS : TensorId::dP, now * 4}, {TensorId::D, 4}};
    }
    std::vector<Resident> now;
    if (section == 0) {
      if (phase != Phase::StoreDV) now = {{TensorId::P, r * c * e}, {TensorId::dO, r * d * e}};
      now.push_back({TensorId::dV, c * d * 4});
    } else if (section == 1) {
      now = {{TensorId::dO, r * d * e}};
      if (phase != Phase::LoadDO) now.push_back({TensorId::V, c * d * e});
      if (phase == Phase::GradP || phase == Phase::StoreDP) now.push_back({TensorId::dP, r * c * 4});
    } else if (section == 3) {
      if (phase != Phase::StoreDQ) now = {{TensorId::dS, r * c * e}, {TensorId::K, c * d * e}};
      now.push_back({TensorId::dQ, r * d * 4});
    } else {
      if (phase != Phase::StoreDK) now = {{TensorId::dS, r * c * e}, {TensorId::Q, r * d * e}};
      now.push_back({TensorId::dK, c * d * 4});
    }
    return now;
  };
  return plan;
}

}  // namespace tilewalk
