// The problem that the design's pictures compare schedules by: batch 2, 16 heads, N 1280, d 128 in fp16 on an H100.
#pragma once

#include "core/problem/problem.h"

namespace tilewalk::test {

inline Problem h100_problem(std::int64_t tile) {
  Problem p;
  p.machine.device = "h100";
  p.numerics.dtype = DType::Fp16;
  p.shape.batch = 2;
  p.shape.heads = p.shape.kv_heads = 16;
  p.shape.n_q = p.shape.n_kv = 1280;
  p.shape.d = 128;
  p.tiling.br = p.tiling.bc = tile;
  p.machine.sram_bytes = 232448;
  return p;
}

}  // namespace tilewalk::test
