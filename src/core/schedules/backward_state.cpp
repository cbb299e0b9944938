// The state that a cursor shows inside the three backward passes.
#include <algorithm>

#include "core/schedules/backward_replay.h"

namespace tilewalk {
void BackwardReplay::fill(State& state) {
  if (standard_) return fill_standard(state);
  if (aim_.section == 0) return fill_start(state);
  if (aim_.section == 2) {
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

// The phases of the aimed visit up to the aimed one, on copies.
void BackwardReplay::fill_visit(State& state) {
  const bool v1 = p_.schedule == ScheduleKind::BackwardV1;
  const std::int64_t kv_tile = aim_.kv_tile, rows = row_rows();
  const int upto = aim_.phase_in_visit, exponent = 3, grad_v = v1 ? 5 : 4, grad_p = grad_v + 1, grad_s = v1 ? 8 : 6;
  open_row();
  const ForwardRows& left = row_tile_.left();
  if (v1) {
    state.o = results_.o();
    state.m = first_of(left.m, rows);
    state.l = first_of(left.l, rows);
  } else
    state.lse = first_of(left.lse, rows);
  if (!v1 || upto >= grad_p + 1) state.D = first_of(left.D, rows);
  std::vector<float> dq = row_.dq, dk = column_.dk, dv = column_.dv;
  if (upto >= 1) row_tile_.scores(kv_tile);
  if (upto >= 2) row_tile_.mask(kv_tile);
  if (upto >= 1) state.s = row_tile_.s();
  if (!row_tile_.left_out(kv_tile)) {
    if (upto >= exponent) row_tile_.exponentiate();
    if (v1 && upto >= exponent + 1) row_tile_.divide();
    if (upto >= exponent) state.p = row_tile_.p();
    if (upto >= grad_v) row_tile_.add_dv(dv);
    if (upto >= grad_p) row_tile_.grad_p(kv_tile), state.dp = row_tile_.dp();
    if (upto >= grad_s) row_tile_.grad_s(), state.ds = row_tile_.ds();
    if (upto >= grad_s + 1) row_tile_.add_dq(kv_tile, dq);
    if (upto >= grad_s + 3) row_tile_.add_dk(dk);
  }
  state.dq = packed_rows(dq, rows, p_.shape.d, padded(p_.shape.d));
  state.dk = packed_column(dk);
  state.dv = packed_column(dv);
}

void BackwardReplay::fill_standard(State& state) {
  if (wanted_.rows) open_row();
  switch (aim_.section) {
    case 0:
    case 4: return fill_standard_column(state);
    case 1:
      if (aim_.phase != Phase::GradP && aim_.phase != Phase::StoreDP) return;
      row_tile_.open(batch_, head_, q_tile_, {});
      row_tile_.grad_p(aim_.kv_tile);
      state.dp = row_tile_.dp();
      return;
    case 2: return fill_standard_rows(state);
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
  std::vector<float> sum = aim_.section == 0 ? column_.dv : column_.dk;
  if (!aim_.in_visit()) {
    (aim_.section == 0 ? state.dv : state.dk) = packed_column(sum);
    if (aim_.section == 4) scale(state.dk);
    round(aim_.section == 0 ? state.dv : state.dk);
    return;
  }
  if (aim_.section == 0) {
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
void BackwardReplay::round(std::vector<float>& values) const {
  round_all(p_.numerics.dtype, values);
}
std::vector<float> BackwardReplay::finished(const std::vector<float>& sums, std::int64_t rows) const {
  std::vector<float> out = packed_rows(sums, rows, p_.shape.d, padded(p_.shape.d));
  scale(out);
  round(out);
  return out;
}
std::vector<float> BackwardReplay::packed_column(const std::vector<float>& sums) const {
  return packed_rows(sums, p_.kv_tile_cols(column_.kv_tile), p_.shape.d, padded(p_.shape.d));
}

}  // namespace tilewalk
