// Fast attention, forward: the kernels of the ladder in a fast form. A C interface, so that a test, a benchmark or
// Python's ctypes can call it. Device pointers; tensors are contiguous [batch, heads, n, d], K and V with kv_heads
// heads. flash_v2, forward and backward, has builds for head sizes 32, 64, 96, 128, 160, 192 and 256, flash_v3 for the
// same but 32, flash_v1 for 64, 128 and 256, flash_v3's backward kernels for 64, 128, 192 and 256; others use the next
// larger one. Where heads are few or rows short, flash_v2 and flash_v3 choose another build or divide tiles along the
// keys (build_choice.h), and their backward kernels divide the query heads that share K and V (shares_plan.h).
// LSE is in log2 units, [batch, heads, n_q]; a row that sees no key gives O = 0 and LSE = +inf.
// Not modelled here: dropout, windows, head sizes above 256, fp32 inputs. Calls are asynchronous on the given stream.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Numbered in the order in which they were added, so FA-1 comes last.
enum TilewalkFastRung {
  TILEWALK_FAST_NAIVE = 1,     // cuBLAS and a softmax kernel; its workspace holds all scores
  TILEWALK_FAST_FLASH_V2 = 2,  // any GPU from sm_80
  TILEWALK_FAST_FLASH_V3 = 3,  // Hopper (sm_90a)
  TILEWALK_FAST_FLASH_V1 = 4,  // any GPU from sm_80; its workspace holds O in fp32
  TILEWALK_FAST_RUNG_END = 5,
};
enum TilewalkFastDType { TILEWALK_FAST_FP16 = 0, TILEWALK_FAST_BF16 = 1 };
enum TilewalkFastMask {
  TILEWALK_FAST_NO_MASK = 0,
  TILEWALK_FAST_CAUSAL_TOP_LEFT = 1,      // row i sees keys 0 .. i
  TILEWALK_FAST_CAUSAL_BOTTOM_RIGHT = 2,  // row i sees keys 0 .. i + n_kv - n_q
};

typedef struct TilewalkFastProblem {
  const void* q;
  const void* k;
  const void* v;
  void* o;
  float* lse;       // may be null
  void* workspace;  // tilewalk_fast_workspace_bytes() bytes, zeroed once after allocation; one stream at a time
  long long batch, heads, kv_heads, n_q, n_kv, d;
  int dtype;
  int mask;
  float scale;  // finite and above 0
} TilewalkFastProblem;

size_t tilewalk_fast_workspace_bytes(int rung, const TilewalkFastProblem*);

// `variant` selects a build with other tile shapes or with an optimisation left out; 0 is the best;
// tilewalk_fast_variant_name() is null past the last one for this head size.
// Both return null for success, else a sentence that says what is wrong; it stays valid until the thread's next call.
const char* tilewalk_fast_forward(int rung, int variant, const TilewalkFastProblem*, void* stream);
const char* tilewalk_fast_variant_name(int rung, int variant, int d);
// 1 where variant 0 of flash_v2 or flash_v3 runs this problem as whole tiles of the build that its name tells; else 0.
int tilewalk_fast_runs_as_named(int rung, const TilewalkFastProblem*);
const char* tilewalk_fast_rung_name(int rung);  // the word in core/problem/contender.h; null for an unknown number

// Backward: flash_v2 and flash_v3. o and lse from a forward pass (lse not null); d_q, d_k,
// d_v like q, k, v. The problem's workspace: tilewalk_fast_backward_workspace_bytes() bytes.
typedef struct TilewalkFastGradients {
  const void* d_o;
  void* d_q;
  void* d_k;
  void* d_v;
  float* row_dot;  // work space of flash_v2: batch x heads x n_q; null for flash_v3, whose sums are in the workspace
  float* dq_sum;   // the same: batch x heads x n_q x (d rounded up to a multiple of 8)
} TilewalkFastGradients;

size_t tilewalk_fast_backward_workspace_bytes(int rung, const TilewalkFastProblem*);
const char* tilewalk_fast_backward(int rung, const TilewalkFastProblem*, const TilewalkFastGradients*, void* stream);

#ifdef __cplusplus
}
#endif
