// Recording, so that a checker can compare every tile visit with the replay. Only traced kernels call it; an untraced
// kernel contains none of it. Each thread records the elements that it wrote itself, so recording needs no barrier.
#pragma once

#include "kernels/common/attention.h"
#include "kernels/common/device.h"
#include "kernels/common/trace_buffers.h"
#include "trace/state_hash.h"

namespace tilewalk::TILEWALK_SIDE {

// One tile visit while it is recorded. The hash is a sum, so each thread sums its own words and adds them with one
// atomic operation.
struct VisitRecorder {
  const TraceBuffers& to;
  long long visit;
  int br, bc, d;
  unsigned long long hash = 0;

  __device__ VisitRecorder(const Attention& a, const TraceBuffers& trace, long long visit_index)
      : to(trace), visit(visit_index), br(a.br), bc(a.bc), d(a.d) {}

  __device__ void score(int row, int col, float s) {
    if (to.s) to.s[(visit * br + row) * bc + col] = s;
  }
  __device__ void weight(int row, int col, float p) {
    if (to.p) to.p[(visit * br + row) * bc + col] = p;
  }
  __device__ void m(int row, float x) { per_row(to.m, kStateM, row, x); }
  __device__ void l(int row, float x) { per_row(to.l, kStateL, row, x); }
  __device__ void alpha(int row, float x) { per_row(to.alpha, kStateAlpha, row, x); }
  __device__ void o(int row, int x, float value) {
    if (to.o) to.o[(visit * br + row) * d + x] = value;
    if (to.hashes) hash += state_hash_word(kStateO, unsigned(row * d + x), exact::bits_of(value));
  }
  __device__ void finish() {
    if (to.hashes) atomicAdd(&to.hashes[visit], hash);
  }

 private:
  __device__ void per_row(float* array, unsigned quantity, int row, float x) {
    if (array) array[visit * br + row] = x;
    if (to.hashes) hash += state_hash_word(quantity, unsigned(row), exact::bits_of(x));
  }
};

}  // namespace tilewalk::TILEWALK_SIDE
