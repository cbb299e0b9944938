// Small random problems from a seed, over everything that the engine accepts; and a problem as one line, to paste when
// a law fails.
#pragma once

#include <cstdint>
#include <string>

#include "base/random.h"
#include "core/fields/validate.h"
#include "core/problem/problem.h"
#include "core/schedules/registry.h"

namespace tilewalk::test {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : seed_(seed) {}
  std::int64_t upto(std::int64_t low, std::int64_t high) {
    return low + std::int64_t(random_bits(seed_, 99, next_++) % std::uint64_t(high - low + 1));
  }

 private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

inline Mask random_mask(Draw& draw, std::int64_t reach) {
  const auto kind = MaskKind(draw.upto(0, 4));
  Mask mask{kind, 0, 0};
  if (kind == MaskKind::Window || kind == MaskKind::WindowBottomRight) {
    mask.left = draw.upto(0, reach);
    mask.right = draw.upto(0, reach);
  }
  return mask;
}

inline Problem random_problem(std::uint64_t seed) {
  Draw draw(seed);
  Problem p;
  p.schedule = all_schedules()[std::size_t(draw.upto(0, std::int64_t(all_schedules().size()) - 1))];
  if (p.schedule == ScheduleKind::SplitKv) p.tiling.splits = draw.upto(1, 6);
  if (p.schedule == ScheduleKind::FlashV4) p.tiling.rescale_threshold = double(draw.upto(0, 3));
  p.shape.batch = draw.upto(1, 2);
  p.shape.kv_heads = draw.upto(1, 2);
  p.shape.heads = p.shape.kv_heads * draw.upto(1, 3);
  p.shape.n_q = draw.upto(1, 40);
  p.shape.n_kv = draw.upto(1, 40);
  p.shape.d = draw.upto(1, 20);
  p.tiling.br = draw.upto(1, 18);
  p.tiling.bc = draw.upto(1, 18);
  p.shape.mask = random_mask(draw, 20);
  p.tiling.order = KvOrder(draw.upto(0, 1));
  p.numerics.dtype = DType(draw.upto(0, 2));
  p.numerics.base = Base(draw.upto(0, 1));
  p.numerics.distribution = Distribution(draw.upto(0, 3));
  if (p.numerics.base == Base::Two) p.numerics.scale = 0.25;
  p.numerics.seed = std::uint64_t(draw.upto(0, 1000000));
  p.machine.sram_bytes = 1 << 20;
  if (p.schedule == ScheduleKind::Standard && draw.upto(0, 2) == 0)
    p.machine.sram_bytes = p.shape.n_kv * 4 + draw.upto(0, 12);
  if (p.schedule == ScheduleKind::BackwardStandard &&
      draw.upto(0, 2) == 0) {  // small tiles, and SRAM about as large as a row of P and dP
    p.tiling.br = 1 + p.tiling.br % 3;
    p.tiling.bc = 1 + p.tiling.bc % 3;
    p.shape.d = 1 + p.shape.d % 4;
    p.machine.sram_bytes = p.shape.n_kv * (p.numerics.element_bytes() + 4) + draw.upto(0, 8);
  }
  if (!validate(p).empty()) p.machine.sram_bytes = 1 << 20;
  if (p.schedule == ScheduleKind::Standard && p.numerics.dtype != DType::Fp32)
    p.numerics.narrow_scores = draw.upto(0, 1) == 1;
  return p;
}

inline std::string as_text(const Problem& p) {
  return std::string("--schedule ") + name_of(p.schedule) + " --batch " + std::to_string(p.shape.batch) + " --heads " +
         std::to_string(p.shape.heads) + " --kv-heads " + std::to_string(p.shape.kv_heads) + " --n-q " +
         std::to_string(p.shape.n_q) + " --n-kv " + std::to_string(p.shape.n_kv) + " --d " + std::to_string(p.shape.d) +
         " --br " + std::to_string(p.tiling.br) + " --bc " + std::to_string(p.tiling.bc) + " --mask " +
         name_of(p.shape.mask) + " --order " + name_of(p.tiling.order) + " --dtype " + name_of(p.numerics.dtype) +
         " --base " + name_of(p.numerics.base) + " --distribution " + name_of(p.numerics.distribution) + " --seed " +
         std::to_string(p.numerics.seed) + " --sram " + std::to_string(p.machine.sram_bytes) +
         (p.tiling.splits > 1 ? " --splits " + std::to_string(p.tiling.splits) : "") +
         (p.schedule == ScheduleKind::FlashV4 ? " --threshold " + std::to_string(p.tiling.rescale_threshold) : "") +
         (p.numerics.narrow_scores ? " --narrow-scores on" : "") +
         (p.numerics.scale ? " --scale " + std::to_string(*p.numerics.scale) : "");
}

}  // namespace tilewalk::test
