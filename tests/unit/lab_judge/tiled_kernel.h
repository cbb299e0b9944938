// A tiled attention kernel in fp32 that a test plays a learner's part with: its order of loops, its max, its units and
// its mistakes are chosen. It marks each visit for the judge.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/small_float.h"
#include "lab/judge/visit.h"

namespace tilewalk::test {

struct TiledKernel {
  std::string mistake = {};  // empty: none; the names are in run()
  std::string also = {};     // a second one
  Base base = Base::E;
  bool reverse = false;     // KV tiles from the last to the first
  bool kv_outside = false;  // FA-1: loops turned round, o divided at each visit
  double max_above = 0;     // an upper bound is kept: this much above the running max
  double lag = 0;           // FA-4: a max that grew by no more is not followed
  bool by_rows = false;     // row_done in place of visit_done, rows in reverse
  int splits = 1;           // thread blocks that share a Q tile's keys
  bool mark_o = true;

  struct Result {
    std::vector<LabVisit> visits;
    std::vector<float> o, l;
  };
  Result run(const Problem&, const ExposingInputs&) const;
};

// An output before the run.
inline std::vector<float> unwritten(std::int64_t count) {
  return std::vector<float>(std::size_t(count), std::bit_cast<float>(kNotWritten));
}

inline Problem lab_problem(std::int64_t n_q, std::int64_t n_kv, std::int64_t d, std::int64_t br, std::int64_t bc,
                           MaskKind mask = MaskKind::None) {
  Problem p;
  p.shape.n_q = n_q, p.shape.n_kv = n_kv, p.shape.d = d;
  p.shape.mask.kind = mask;
  p.tiling.br = br, p.tiling.bc = bc;
  return p;
}

inline JudgeReport judged(const Problem& p, const ExposingInputs& in, const TiledKernel::Result& run,
                          Base base = Base::E) {
  Judge judge(p, in.view(), {.base = base});
  for (const LabVisit& visit : run.visits) judge.add(visit);
  return judge.finish({.o = run.o, .l = run.l});
}

inline JudgeReport judged(const Problem& p, const TiledKernel& kernel) {
  const ExposingInputs in = exposing_inputs(p, p.tiling.bc);
  return judged(p, in, kernel.run(p, in), kernel.base);
}

inline float tf32(float value) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + 0x1000u) & ~0x1fffu);
}

inline TiledKernel::Result TiledKernel::run(const Problem& p, const ExposingInputs& in) const {
  const Shape& s = p.shape;
  const auto is = [&](const char* name) { return mistake == name || also == name; };
  Result out{{}, unwritten(s.batch * s.heads * s.n_q * s.d), unwritten(s.batch * s.heads * s.n_q)};
  const float inf = std::numeric_limits<float>::infinity();
  const bool two = base == Base::Two;
  auto scale = float(p.scale_value());
  if (is("no-scale") || is("scale-log2-missing")) scale = 1;
  if (is("scale-twice")) scale *= scale;
  if ((two && !is("log2e-missing") && !is("scale-log2-missing")) || is("log2e-too-much"))
    scale *= float(1 / std::log(2.0));
  const bool exp2_used = (two && !is("exp-for-exp2")) || is("exp2-for-exp");
  const auto power = [&](float x) { return exp2_used ? std::exp2(x) : std::exp(x); };
  const bool tf32_qk = is("tf32-products") || is("tf32-scores"), tf32_pv = is("tf32-products") || is("tf32-pv");
  const auto in_qk = [&](float x) { return tf32_qk ? tf32(x) : x; };
  const auto in_pv = [&](float x) {
    if (is("bf16-p")) return x;
    return tf32_pv ? tf32(x) : x;
  };
  const auto keep_o = [&](float x) {
    if (is("fp16-o")) return float_from_fp16(fp16_from_float(x));
    if (is("bf16-o")) return float_from_bf16(bf16_from_float(x));
    return x;
  };
  Band band = s.band();
  if (is("mask-one-more")) ++band.high;
  if (is("mask-one-less")) --band.high;
  if (is("mask-other-corner")) band = Mask{MaskKind::CausalBottomRight}.band(s.n_q, s.n_kv);

  struct State {
    std::vector<float> m, l, o;
  };
  const auto fresh = [&](std::int64_t rows) {
    return State{std::vector<float>(std::size_t(rows), is("finite-mask") ? -1e30f : -inf),
                 std::vector<float>(std::size_t(rows)), std::vector<float>(std::size_t(rows * s.d))};
  };
  std::int64_t block = 0;
  const auto visit = [&](State& state, std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) {
    const std::int64_t rows = p.q_tile_rows(i);
    const std::int64_t kv_head = is("other-kv-head") ? h % s.kv_heads : s.kv_head_of(h);
    const std::int64_t ragged = is("ragged-zeros") || is("ragged-memory") ? p.tiling.bc : p.kv_tile_cols(j);
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t row = i * p.tiling.br + r;
      const float* q = in.q.data() + ((b * s.heads + h) * s.n_q + row) * s.d;
      std::vector<float> score(std::size_t(ragged), -inf);
      float largest = -inf;
      const auto k_tile = is("first-tile-again") ? 0 : is("previous-k") && j > 0 ? j - 1 : j;
      const auto v_tile = is("first-tile-again") || is("first-v-again") ? 0 : is("previous-v") && j > 0 ? j - 1 : j;
      const auto address = [&](std::int64_t tile, std::int64_t c) {
        return ((b * s.kv_heads + kv_head) * s.n_kv + tile * p.tiling.bc + c) * s.d;
      };
      for (std::int64_t c = 0; c < ragged; ++c) {
        const std::int64_t key = j * p.tiling.bc + c;
        if (!band.allows(row, key) && !is("no-mask")) continue;
        const bool past = key >= s.n_kv && is("ragged-zeros");
        float dot = 0;
        for (std::int64_t x = 0; x < s.d && !past; ++x)
          dot = std::fmaf(in_qk(q[x]), in_qk(in.k[std::size_t(address(k_tile, c) + x)]), dot);
        score[std::size_t(c)] = dot * scale;
        largest = std::max(largest, score[std::size_t(c)]);
      }
      float& m = state.m[std::size_t(r)];
      float& l = state.l[std::size_t(r)];
      float* o = state.o.data() + r * s.d;
      float m_new = std::max(m, largest + float(largest > m ? max_above : 0));
      if (lag > 0 && m != -inf && m_new - m <= float(lag)) m_new = m;
      if (is("upper-bound")) m_new = 60;
      if (is("tile-max")) m_new = largest;
      const float m_used = is("no-max") ? 0 : is("old-max") && m != -inf ? m : m_new;
      float alpha = m == -inf && !is("nan-mask") ? 0 : power(m - m_new);
      if (is("no-max")) alpha = 1;
      if (is("exp-for-exp2-in-alpha") && m != -inf) alpha = std::exp(m - m_new);
      if (is("exp2-for-exp-in-alpha") && m != -inf) alpha = std::exp2(m - m_new);
      std::vector<float> weights(score.size());
      float sum = 0;
      for (std::size_t c = 0; c < score.size(); ++c) {
        weights[c] = score[c] == -inf && !is("nan-mask") ? 0 : power(score[c] - m_used);
        if (is("finite-mask") && m_used == -1e30f) weights[c] = 1;
        if (is("tile-not-added") && j == 1) weights[c] = 0;
        if (is("tile-added-twice") && j == 1) weights[c] *= 2;
        sum += weights[c];
      }
      const bool skip_l = is("no-rescale-l") || is("no-rescale"), skip_o = is("no-rescale-o") || is("no-rescale");
      const bool into_l = is("inverse-rescale-l") || is("inverse-rescale"),
                 into_o = is("inverse-rescale-o") || is("inverse-rescale");
      const bool late_l = is("rescale-after-add") || is("rescale-l-after-add"),
                 late_o = is("rescale-after-add") || is("rescale-o-after-add");
      const bool over_l = is("overwrites-l") || is("overwrites"), over_o = is("overwrites-o") || is("overwrites");
      const float l_before = l;
      l = over_l ? sum : late_l ? (l + sum) * alpha : l * (skip_l ? 1 : into_l && alpha > 0 ? 1 / alpha : alpha) + sum;
      if (is("old-l-twice")) l += l_before;
      const bool unweighted = is("added-unweighted");
      for (std::int64_t x = 0; x < s.d; ++x) {
        float old = o[x] * (kv_outside && !unweighted ? l_before : 1.0f);
        const float twice = is("old-o-twice") ? old : 0;
        if (!late_o && !unweighted) old *= over_o ? 0 : skip_o ? 1 : into_o && alpha > 0 ? 1 / alpha : alpha;
        for (std::size_t c = 0; c < weights.size(); ++c) {
          const std::int64_t key = j * p.tiling.bc + std::int64_t(c);
          if (weights[c] == 0 || (key >= s.n_kv && is("ragged-zeros"))) continue;
          float w = in_pv(weights[c]);
          if (is("bf16-p")) w = float_from_bf16(bf16_from_float(w));
          if (unweighted) w *= power(m_new - largest);
          old = std::fmaf(w, in_pv(in.v[std::size_t(address(v_tile, std::int64_t(c)) + x)]), old);
        }
        if (late_o) old *= alpha;
        old += twice;
        if (kv_outside || is("divided-each-visit")) old = l == 0 ? 0 : old / l;
        o[x] = keep_o(old);
      }
      if (!(is("m-not-updated") && m != -inf)) m = m_new;
    }
    LabVisit mark = visit_of_tiles(p, b, h, i, j);
    mark.thread_block = block;
    mark.lines = {.visit = 40, .m = 10, .l = 20, .o = 30};
    mark.m = state.m, mark.l = state.l;
    if (is("m-l-exchanged")) std::swap(mark.m, mark.l);
    if (mark_o) mark.o = state.o;
    if (!by_rows) {
      out.visits.push_back(mark);
      return;
    }
    for (std::int64_t r = rows - 1; r >= 0; --r) {
      LabVisit one = mark;
      one.first_row += r, one.rows = 1;
      one.m = {mark.m[std::size_t(r)]}, one.l = {mark.l[std::size_t(r)]};
      if (mark_o) one.o.assign(mark.o.begin() + r * s.d, mark.o.begin() + (r + 1) * s.d);
      out.visits.push_back(one);
    }
  };
  const auto visited = [&](std::int64_t i, std::int64_t j) {
    if (is("no-mask") || is("nan-mask") || is("finite-mask")) return true;
    const TileRange range =
        visited_kv_tiles(band, i * p.tiling.br, i * p.tiling.br + p.q_tile_rows(i), s.n_kv, p.tiling.bc);
    return j >= range.begin && j < range.end;
  };
  const auto store = [&](std::int64_t b, std::int64_t h, std::int64_t i, const std::vector<State>& parts) {
    for (std::int64_t r = 0; r < p.q_tile_rows(i); ++r) {
      const std::int64_t at = (b * s.heads + h) * s.n_q + i * p.tiling.br + r;
      float largest = -inf, sum = 0;
      for (const State& part : parts) largest = std::max(largest, part.m[std::size_t(r)]);
      for (const State& part : parts)
        if (part.l[std::size_t(r)] > 0) sum += part.l[std::size_t(r)] * power(part.m[std::size_t(r)] - largest);
      for (std::int64_t x = 0; x < s.d; ++x) {
        float value = 0;
        for (const State& part : parts)
          if (part.l[std::size_t(r)] > 0)
            value += part.o[std::size_t(r * s.d + x)] * power(part.m[std::size_t(r)] - largest);
        if (kv_outside || is("divided-each-visit") || is("no-final-division"))
          sum = sum == 0 ? 0 : sum;
        else
          value = sum == 0 ? 0 : value / sum;
        if (is("divided-twice")) value /= sum;
        if (is("bf16-output")) value = float_from_bf16(bf16_from_float(value));
        out.o[std::size_t(at * s.d + x)] = value;
      }
      float lse = sum == 0 ? inf : two ? (largest + std::log2(sum)) * float(std::log(2.0)) : largest + std::log(sum);
      if (is("lse-is-m")) lse = largest;
      if (is("lse-log2-of-l")) lse = largest + std::log2(sum);
      if (is("lse-base-2")) lse /= float(std::log(2.0));
      out.l[std::size_t(at)] = lse;
    }
  };
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t h = 0; h < s.heads; ++h) {
      if (kv_outside) {
        std::vector<State> states;
        for (std::int64_t i = 0; i < p.q_tiles(); ++i) states.push_back(fresh(p.q_tile_rows(i)));
        for (std::int64_t j = 0; j < p.kv_tiles(); ++j)
          for (std::int64_t i = 0; i < p.q_tiles(); ++i)
            if (visited(i, j)) visit(states[std::size_t(i)], b, h, i, j);
        for (std::int64_t i = 0; i < p.q_tiles(); ++i) store(b, h, i, {states[std::size_t(i)]});
        ++block;
        continue;
      }
      for (std::int64_t i = 0; i < p.q_tiles(); ++i) {
        std::vector<State> parts;
        for (int split = 0; split < splits; ++split, ++block) {
          parts.push_back(fresh(p.q_tile_rows(i)));
          const std::int64_t each = (p.kv_tiles() + splits - 1) / splits, first = split * each,
                             end = std::min(p.kv_tiles(), first + each);
          for (std::int64_t n = first; n < end; ++n) {
            const std::int64_t j = reverse ? end - 1 - (n - first) : n;
            if (visited(i, j)) visit(parts.back(), b, h, i, j);
          }
        }
        store(b, h, i, parts);
      }
    }
  return out;
}

}  // namespace tilewalk::test
