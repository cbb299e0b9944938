// The state at a cursor inside the three backward passes.
#include <algorithm>

#include "core/schedules/backward/backward_replay.h"

namespace tilewalk {
void BackwardReplay::fill(State& state) {
  if (standard_) return fill_standard(state);
  const SectionName section = aim_.section_name;
  if (section == SectionName::Initialise || section == SectionName::Dots) return fill_start(state);
  if (section == SectionName::Scale) {
    state.dq = packed_rows(row_.dq, row_rows(), p_.shape.d, padded(p_.shape.d));
    if (aim_.phase != Phase::LoadDQ) scale(state.dq);
    if (aim_.phase == Phase::StoreDQ) round(state.dq);
    return;
  }
  if (aim_.in_visit()) return fill_visit(state);
  state.dk = packed_column(column_.dk);
  state.dv = packed_column(column_.dv);
  if (aim_.phase == Phase::StoreDKV) scale(state.dk), round(state.dk), round(state.dv);
}

void BackwardReplay::fill_start(State& state) {
  const std::vector<float> zeros(std::size_t(row_rows() * p_.shape.d), 0.0f);
  if (aim_.phase == Phase::Initialise || aim_.phase == Phase::StoreD) state.dq = zeros;
  if (aim_.phase == Phase::Initialise) return;
  state.o = results_.o();
  if (aim_.phase != Phase::LoadOutputs) state.D = first_of(own_.D, row_rows());
}

// Computes the phases of the aimed visit up to the aimed one, on copies.
void BackwardReplay::fill_visit(State& state) {
  const bool v1 = softmax_ == SoftmaxKind::FromMaxSum;
  const std::int64_t kv_tile = aim_.kv_tile, rows = row_rows();
  const auto reached = [&](Phase phase) { return has_reached(schedule_, aim_, phase); };
  open_row();
  const ForwardRows& left = row_tile_.left();
  if (v1) {
    state.o = results_.o();
    state.m = first_of(left.m, rows);
    state.l = first_of(left.l, rows);
  } else
    state.lse = first_of(left.lse, rows);
  if (!v1 || reached(Phase::RowDot)) state.D = first_of(left.D, rows);
  std::vector<float> dq = row_.dq, dk = column_.dk, dv = column_.dv;
  if (reached(Phase::Scores)) row_tile_.scores(kv_tile);
  if (reached(Phase::Mask)) row_tile_.mask(kv_tile);
  if (reached(Phase::Scores)) state.s = row_tile_.s();
  if (!row_tile_.left_out(kv_tile)) {
    if (reached(Phase::Exponentiate)) row_tile_.exponentiate();
    if (reached(Phase::Divide)) row_tile_.divide();
    if (reached(Phase::Exponentiate)) state.p = row_tile_.p();
    if (reached(Phase::GradV)) row_tile_.add_dv(dv);
    if (reached(Phase::GradP)) row_tile_.grad_p(kv_tile), state.dp = row_tile_.dp();
    if (reached(Phase::GradS)) row_tile_.grad_s(), state.ds = row_tile_.ds();
    if (reached(Phase::GradQ)) row_tile_.add_dq(kv_tile, dq);
    if (reached(Phase::GradK)) row_tile_.add_dk(dk);
  }
  state.dq = packed_rows(dq, rows, p_.shape.d, padded(p_.shape.d));
  state.dk = packed_column(dk);
  state.dv = packed_column(dv);
}

void BackwardReplay::fill_standard(State& state) {
  if (wanted_.rows) open_row();
  switch (aim_.section_name) {
    case SectionName::GradV:
    case SectionName::GradK: return fill_standard_column(state);
    case SectionName::GradP:
      if (aim_.phase != Phase::GradP && aim_.phase != Phase::StoreDP) return;
      row_tile_.open(open_, {});
      row_tile_.grad_p(aim_.kv_tile);
      state.dp = row_tile_.dp();
      return;
    case SectionName::GradS: return fill_standard_rows(state);
    default: break;
  }
  std::vector<float> dq = row_.dq;
  if (aim_.in_visit()) {
    row_tile_.complete(aim_.kv_tile);
    state.ds = row_tile_.ds();
    round(state.ds);
    if (aim_.phase == Phase::GradQ) row_tile_.add_dq(aim_.kv_tile, dq);
  }
  state.dq = aim_.in_visit() ? packed_rows(dq, row_rows(), p_.shape.d, padded(p_.shape.d)) : finished(dq, row_rows());
}

void BackwardReplay::fill_standard_column(State& state) {
  const bool of_values = aim_.section_name == SectionName::GradV;
  std::vector<float> sum = of_values ? column_.dv : column_.dk;
  if (!aim_.in_visit()) {
    (of_values ? state.dv : state.dk) = packed_column(sum);
    if (!of_values) scale(state.dk);
    round(of_values ? state.dv : state.dk);
    return;
  }
  if (of_values) {
    row_tile_.probabilities(aim_.kv_tile);
    state.p = row_tile_.p();
    if (aim_.phase == Phase::GradV) row_tile_.add_dv(sum);
    state.dv = packed_column(sum);
  } else {
    row_tile_.complete(aim_.kv_tile);
    state.ds = row_tile_.ds();
    round(state.ds);
    if (aim_.phase == Phase::GradK) row_tile_.add_dk(sum);
    state.dk = packed_column(sum);
  }
}

// Whole rows of P, dP and dS.
void BackwardReplay::fill_standard_rows(State& state) {
  const std::int64_t rows = row_rows();
  const bool made = aim_.phase == Phase::GradS || aim_.phase == Phase::StoreDS;
  if (aim_.phase != Phase::LoadPDP) state.D = first_of(row_tile_.left().D, rows);
  if (rows * p_.shape.n_kv > kShownRowElements) return;
  state.p.resize(std::size_t(rows * p_.shape.n_kv));
  state.dp.resize(state.p.size());
  if (made) state.ds.resize(state.p.size());
  for (std::int64_t j = 0; j < p_.kv_tiles(); ++j) {
    row_tile_.complete(j);
    copy_columns(row_tile_.p(), j, state.p);
    copy_columns(row_tile_.dp(), j, state.dp);
    if (made) copy_columns(row_tile_.ds(), j, state.ds);
  }
  if (aim_.phase == Phase::StoreDS) round(state.ds);
}

void BackwardReplay::copy_columns(const std::vector<float>& tile, std::int64_t kv_tile,
                                  std::vector<float>& rows_of_all) const {
  const std::int64_t cols = p_.kv_tile_cols(kv_tile);
  for (std::int64_t i = 0; i * cols < std::int64_t(tile.size()); ++i)
    std::copy_n(tile.begin() + i * cols, cols, rows_of_all.begin() + i * p_.shape.n_kv + kv_tile * p_.tiling.bc);
}

void BackwardReplay::scale(std::vector<float>& values) const {
  const float g = p_.gradient_factor();
  for (float& x : values) x = x * g;
}
void BackwardReplay::round(std::vector<float>& values) const { round_all(p_.numerics.dtype, values); }
std::vector<float> BackwardReplay::finished(const std::vector<float>& sums, std::int64_t rows) const {
  std::vector<float> out = packed_rows(sums, rows, p_.shape.d, padded(p_.shape.d));
  scale(out);
  round(out);
  return out;
}
std::vector<float> BackwardReplay::packed_column(const std::vector<float>& sums) const {
  return packed_rows(sums, p_.kv_tile_cols(column_.at.kv_tile), p_.shape.d, padded(p_.shape.d));
}

}  // namespace tilewalk
