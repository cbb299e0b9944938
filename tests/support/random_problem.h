// Small problems drawn at random from a seed, over everything the engine accepts; and a problem as one line, to paste
// back when a law fails.
#pragma once

#include <cstdint>
#include <string>

#include "base/random.h"
#include "core/problem.h"

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
  if (p.schedule == ScheduleKind::SplitKv) p.splits = draw.upto(1, 6);
  if (p.schedule == ScheduleKind::FlashV4) p.rescale_threshold = double(draw.upto(0, 3));
  p.batch = draw.upto(1, 2);
  p.kv_heads = draw.upto(1, 2);
  p.heads = p.kv_heads * draw.upto(1, 3);
  p.n_q = draw.upto(1, 40);
  p.n_kv = draw.upto(1, 40);
  p.d = draw.upto(1, 20);
  p.br = draw.upto(1, 18);
  p.bc = draw.upto(1, 18);
  p.mask = random_mask(draw, 20);
  p.order = KvOrder(draw.upto(0, 1));
  p.dtype = DType(draw.upto(0, 2));
  p.base = Base(draw.upto(0, 1));
  p.distribution = Distribution(draw.upto(0, 3));
  if (p.base == Base::Two) p.scale = 0.25;
  p.seed = std::uint64_t(draw.upto(0, 1000000));
  p.sram_bytes = 1 << 20;
  if (p.schedule == ScheduleKind::Standard && draw.upto(0, 2) == 0) p.sram_bytes = p.n_kv * 4 + draw.upto(0, 12);
  if (p.schedule == ScheduleKind::BackwardStandard &&
      draw.upto(0, 2) == 0) {  // small tiles, and SRAM about as large as a row of P and dP
    p.br = 1 + p.br % 3;
    p.bc = 1 + p.bc % 3;
    p.d = 1 + p.d % 4;
    p.sram_bytes = p.n_kv * (p.element_bytes() + 4) + draw.upto(0, 8);
  }
  if (!validate(p).empty()) p.sram_bytes = 1 << 20;
  return p;
}

inline std::string as_text(const Problem& p) {
  return std::string("--schedule ") + name_of(p.schedule) + " --batch " + std::to_string(p.batch) + " --heads " +
         std::to_string(p.heads) + " --kv-heads " + std::to_string(p.kv_heads) + " --n-q " + std::to_string(p.n_q) +
         " --n-kv " + std::to_string(p.n_kv) + " --d " + std::to_string(p.d) + " --br " + std::to_string(p.br) +
         " --bc " + std::to_string(p.bc) + " --mask " + name_of(p.mask) + " --order " + name_of(p.order) + " --dtype " +
         name_of(p.dtype) + " --base " + name_of(p.base) + " --distribution " + name_of(p.distribution) + " --seed " +
         std::to_string(p.seed) + " --sram " + std::to_string(p.sram_bytes) +
         (p.splits > 1 ? " --splits " + std::to_string(p.splits) : "") +
         (p.scale ? " --scale " + std::to_string(*p.scale) : "");
}

}  // namespace tilewalk::test
