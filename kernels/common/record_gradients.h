// Recording a visit of a backward pass; see record.h. The hash leaves S out, since P has the same information.
#pragma once

#include "kernels/common/attention.h"
#include "kernels/common/device.h"
#include "kernels/common/gradient_buffers.h"
#include "trace/gradient_hash.h"
#include "trace/state_hash.h"

namespace tilewalk::TILEWALK_SIDE {

struct GradientRecorder {
  const GradientBuffers& to;
  long long visit;
  int br, bc, d, cols;
  unsigned long long hash = 0;

  __device__ GradientRecorder(const Attention& a, const GradientBuffers& trace, long long visit_index, int cols_of_tile)
      : to(trace), visit(visit_index), br(a.br), bc(a.bc), d(a.d), cols(cols_of_tile) {}

  __device__ void score(int row, int col, float s) {
    if (to.s) to.s[(visit * br + row) * bc + col] = s;
  }
  __device__ void weight(int row, int col, float p) { in_tile(to.p, kGradientP, row, col, p); }
  __device__ void dp(int row, int col, float x) { in_tile(to.dp, kGradientDP, row, col, x); }
  __device__ void ds(int row, int col, float x) { in_tile(to.ds, kGradientDS, row, col, x); }
  __device__ void dq(int row, int x, float value) { in_rows(to.dq, br, kGradientDQ, row, x, value); }
  __device__ void dk(int col, int x, float value) { in_rows(to.dk, bc, kGradientDK, col, x, value); }
  __device__ void dv(int col, int x, float value) { in_rows(to.dv, bc, kGradientDV, col, x, value); }
  __device__ void finish() {
    if (to.hashes) atomicAdd(&to.hashes[visit], hash);
  }

 private:
  __device__ void in_tile(float* array, unsigned quantity, int row, int col, float x) {
    if (array) array[(visit * br + row) * bc + col] = x;
    if (to.hashes) hash += state_hash_word(quantity, unsigned(row * cols + col), exact::bits_of(x));
  }
  __device__ void in_rows(float* array, int tile, unsigned quantity, int row, int x, float value) {
    if (array) array[(visit * tile + row) * d + x] = value;
    if (to.hashes) hash += state_hash_word(quantity, unsigned(row * d + x), exact::bits_of(value));
  }
};

}  // namespace tilewalk::TILEWALK_SIDE
