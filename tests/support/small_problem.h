// Very small problems sampled from a seed, for the verdict of their results: few rows, head sizes from 1, every
// schedule, precision, mask and base, and values that are difficult for a rule about errors: a constant V, V of 1e30
// and of 1e-30, scores that are all equal or large.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "core/problem/inputs.h"
#include "tests/support/random_problem.h"

namespace tilewalk::test {

enum class SmallValues { Seeded, ConstantV, LargeV, SmallV, EqualScores, LargeScores };
inline constexpr const char* kSmallValues[] = {"seeded",  "constant V",   "large V",
                                               "small V", "equal scores", "large scores"};

struct SmallProblem {
  Problem problem;
  FileInputs files{};
  SmallValues values = SmallValues::Seeded;

  Inputs inputs() const { return Inputs(problem, files); }
  std::string text() const { return as_text(problem) + ", values: " + kSmallValues[int(values)]; }
};

// Most often one of the first few lengths, else up to `most`.
inline std::int64_t small_length(Draw& draw, std::int64_t most) {
  const std::int64_t way = draw.upto(0, 3);
  return way <= 1 ? 1 : way == 2 ? draw.upto(1, 6) : draw.upto(1, most);
}

inline SmallProblem small_problem(std::uint64_t seed) {
  Draw draw(seed ^ 0x5eed);
  SmallProblem out{random_problem(seed)};
  Problem& p = out.problem;
  if (draw.upto(0, 3) > 0) {
    p.shape.batch = 1;
    p.shape.kv_heads = draw.upto(1, 8) == 1 ? 2 : 1;
    p.shape.heads = p.shape.kv_heads * (draw.upto(1, 4) == 1 ? 2 : 1);
    p.shape.n_q = small_length(draw, 24);
    p.shape.n_kv = small_length(draw, 64);
    p.shape.d = small_length(draw, 32);
    p.tiling.br = draw.upto(1, 16);
    p.tiling.bc = draw.upto(1, 16);
    p.machine.sram_bytes = 1 << 20;
  }
  if (p.schedule == ScheduleKind::FlashV4) p.tiling.rescale_threshold = double(draw.upto(0, 12));
  if (p.numerics.base == Base::Two && draw.upto(0, 1) == 0) p.numerics.scale.reset();
  out.values = SmallValues(draw.upto(0, 9) < 5 ? 0 : draw.upto(1, 5));
  const auto scaled = [&](TensorId id, float by, float constant = 0) {
    Tensor t = Inputs(p).whole(id);
    for (float& x : t.values) x = constant != 0 ? constant : by * x;
    return std::make_shared<const Tensor>(std::move(t));
  };
  const bool fp16 = p.numerics.dtype == DType::Fp16;
  switch (out.values) {
    case SmallValues::Seeded: break;
    case SmallValues::ConstantV: out.files.v = scaled(TensorId::V, 0, 0.1f * float(draw.upto(1, 40))); break;
    case SmallValues::LargeV: out.files.v = scaled(TensorId::V, fp16 ? 1e2f : 1e30f); break;
    case SmallValues::SmallV: out.files.v = scaled(TensorId::V, fp16 ? 1e-4f : 1e-30f); break;
    case SmallValues::EqualScores: out.files.q = scaled(TensorId::Q, 0); break;
    case SmallValues::LargeScores: out.files.q = scaled(TensorId::Q, float(draw.upto(4, 40))); break;
  }
  return out;
}

}  // namespace tilewalk::test
