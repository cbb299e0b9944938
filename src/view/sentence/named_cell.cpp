#include "view/sentence/named_cell.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

namespace {

// The largest score that a row may see in the current tile; −1: the state has none.
std::int64_t largest_seen(const Problem& problem, const State& state, std::int64_t r) {
  const std::int64_t cols = state.step.cols();
  if (std::int64_t(state.s.size()) < (r + 1) * cols) return -1;
  std::int64_t best = -1;
  for (std::int64_t c = 0; c < cols; ++c) {
    if (!problem.shape.band().allows(state.step.row_begin + r, state.step.col_begin + c)) continue;
    const float score = state.s[std::size_t(r * cols + c)];
    if (!std::isinf(score) && (best < 0 || score > state.s[std::size_t(r * cols + best)])) best = c;
  }
  return best;
}

// By how much this tile raises the running max of a row; 0 where it does not, or where the row has seen nothing before.
float raise_of(const Problem& problem, const State& state, std::int64_t r) {
  if (std::int64_t(state.m_old.size()) <= r || std::isinf(state.m_old[std::size_t(r)])) return 0;
  const float old = state.m_old[std::size_t(r)];
  if (std::int64_t(state.tile_max.size()) > r) return std::max(0.0f, state.tile_max[std::size_t(r)] - old);
  const std::int64_t c = largest_seen(problem, state, r);
  return c < 0 ? 0 : std::max(0.0f, state.s[std::size_t(r * state.step.cols() + c)] - old);
}

bool sees_two(const Problem& problem, const Step& step, std::int64_t r) {
  const Band band = problem.shape.band();
  const std::int64_t row = step.row_begin + r;
  return band.end_col(row, step.col_end) - std::max(band.first_col(row), step.col_begin) >= 2;
}

// The column of the row's largest exponential below 1: that of the max is always e^0. Else one of 1; −1: all are 0.
std::int64_t telling_exponential(const std::vector<float>& p, std::int64_t r, std::int64_t cols) {
  if (cols <= 0 || std::int64_t(p.size()) < (r + 1) * cols) return -1;
  std::int64_t below = -1, any = -1;
  for (std::int64_t c = 0; c < cols; ++c) {
    const float x = p[std::size_t(r * cols + c)];
    if (!(x > 0) || std::isinf(x)) continue;
    if (any < 0) any = c;
    if (x < 1 && (below < 0 || x > p[std::size_t(r * cols + below)])) below = c;
  }
  return below >= 0 ? below : any;
}

}  // namespace

std::int64_t spoken_row(const Problem& problem, const State& state) {
  if (!state.started || state.step.rows() <= 0) return -1;
  const std::int64_t rows = state.step.rows();
  std::int64_t best = -1;
  for (std::int64_t r = 0; r < rows; ++r)
    if (const float raise = raise_of(problem, state, r);
        raise > 0 && (best < 0 || raise > raise_of(problem, state, best)))
      best = r;
  if (best >= 0) return best;
  for (std::int64_t r = 1; r < rows; ++r)
    if (sees_two(problem, state.step, r)) return r;
  return std::min<std::int64_t>(1, rows - 1);
}

bool names_spoken_row(const Problem& problem, const State& state) {
  const std::int64_t r = spoken_row(problem, state);
  if (r < 0) return false;
  switch (state.step.phase) {
    case Phase::Rescale:  // else "No row found a larger score"
      return !state.beta.empty() || std::int64_t(state.alpha.size()) <= r || state.alpha[std::size_t(r)] != 1 ||
             raise_of(problem, state, r) > 0;
    case Phase::Scores:
    case Phase::RowMax:
    case Phase::Exponentiate:
    case Phase::RowSum:
    case Phase::Divide:
    case Phase::Accumulate:
    case Phase::Normalise:
    case Phase::MergeMax:
    case Phase::MergeWeights:
    case Phase::RowDot:
    case Phase::GradP:
    case Phase::GradS:
    case Phase::GradQ:
    case Phase::ScaleDQ: return true;
    default: return false;
  }
}

NamedCell named_cell(const Problem& problem, const State& state) {
  if (!state.started) return {};
  const Step& step = state.step;
  const std::int64_t cols = step.cols(), d = problem.shape.d;
  if (step.phase == Phase::GradV || step.phase == Phase::GradK) {
    const std::vector<float>& values = step.phase == Phase::GradV ? state.dv : state.dk;
    return values.empty() ? NamedCell{} : NamedCell{.key = step.col_begin, .head_col = 0};
  }
  if (!names_spoken_row(problem, state)) return {};
  const std::int64_t r = spoken_row(problem, state);
  // The largest of the row; −1: the state has none.
  const auto largest = [&](const std::vector<float>& values) -> std::int64_t {
    if (cols <= 0 || std::int64_t(values.size()) < (r + 1) * cols) return -1;
    const auto begin = values.begin() + r * cols, best = std::max_element(begin, begin + cols);
    return std::isinf(*best) ? -1 : best - begin;
  };
  const auto starts = [&](const std::vector<float>& values) {
    return std::int64_t(values.size()) > r * d ? std::int64_t{0} : std::int64_t{-1};
  };
  NamedCell out{.row = step.row_begin + r};
  std::int64_t at = -1;
  switch (step.phase) {
    case Phase::Scores:
      at = largest_seen(problem, state, r);
      if (at < 0) return {};
      break;
    case Phase::RowMax: at = largest(state.s); break;
    case Phase::Exponentiate: at = telling_exponential(state.p, r, cols); break;
    case Phase::GradP:
    case Phase::GradS:
      if (std::int64_t((step.phase == Phase::GradP ? state.dp : state.ds).size()) < step.rows() * cols || cols == 0)
        break;
      at = std::max<std::int64_t>(0, telling_exponential(state.p, r, cols));
      break;
    case Phase::Accumulate:
      out.head_col = starts(state.pv.empty() ? state.o : state.pv);
      if (out.head_col < 0) return {};
      break;
    case Phase::GradQ:
    case Phase::ScaleDQ:
      out.head_col = starts(state.dq);
      if (out.head_col < 0) return {};
      break;
    default: break;
  }
  if (at >= 0) out.col = step.col_begin + at;
  return out;
}

}  // namespace tilewalk
