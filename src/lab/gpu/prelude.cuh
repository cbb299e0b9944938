// The text before a learner's kernel when NVRTC compiles it. A fragment: before it stand core/values/exact_math.h and
// the task's constants (BR, BC, D, N_Q, N_KV …), behind it scratch tensors, the learner's text and one wrapper for each
// launch (lab/gpu/gpu_text). Compiled with -fmad=false: each operation rounds, and only fmaf is fused.
//
// Marks. A block counts its marks; a thread's next mark has the number of marks that it has passed. Every thread of the
// block adds one to the mark's counter, after a fence, and the thread that adds the last one copies the state. No other
// thread can be past the next barrier then, because the copying thread has not reached it. So a kernel that leaves the
// state alone until the next barrier (else the interpreter reports it) is recorded exactly, and no barrier is added. A
// mark that only some threads pass is copied at the next barrier, or at the end of the block, as in the interpreter.
// Not modelled: o as a plain pointer into an array with padded rows. Its rows count as D apart; an array's name is
// exact.

#define INFINITY __builtin_bit_cast(float, 0x7f800000u)

__device__ inline float tilewalk_exp2f(float x) { return tilewalk::exact::exp2f_exact(x); }
__device__ inline float tilewalk_log2f(float x) { return tilewalk::exact::log2f_exact(x); }
__device__ inline float tilewalk_expf(float x) { return tilewalk_exp2f(__fmul_rn(x, 1.44269504f)); }
__device__ inline float tilewalk_logf(float x) { return __fmul_rn(tilewalk_log2f(x), 0.693147181f); }
__device__ inline float tilewalk_fmaf(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ inline float tilewalk_sqrtf(float x) { return __fsqrt_rn(x); }

template <class T>
struct TilewalkType {
  static constexpr bool is_float = false;
};
template <>
struct TilewalkType<float> {
  static constexpr bool is_float = true;
};

// Of the operands' common type, as the operators of C convert them.
template <class A, class B>
__device__ constexpr auto tilewalk_max(A a, B b) -> decltype(a + b) {
  using T = decltype(a + b);
  if constexpr (TilewalkType<T>::is_float)
    return fmaxf(T(a), T(b));
  else
    return T(a) < T(b) ? T(b) : T(a);
}
template <class A, class B>
__device__ constexpr auto tilewalk_min(A a, B b) -> decltype(a + b) {
  using T = decltype(a + b);
  if constexpr (TilewalkType<T>::is_float)
    return fminf(T(a), T(b));
  else
    return T(a) < T(b) ? T(a) : T(b);
}

// The interpreter prints; here the arguments are computed alone.
template <class... T>
__device__ inline int tilewalk_printf(const char*, T...) {
  return 0;
}

// A mark of all rows. Its state lies in TilewalkRecorder::states: m[BR], l[BR], o[BR][D].
struct TilewalkVisit {
  unsigned passed;  // threads
  int closed;       // 0: not yet, 1: recorded, 2: the problem has no such tile
  int q_tile, kv_tile;
  int kept;  // 1 for m, 2 for l, 4 for o
  int line;
  int stride;  // from one row of o to the next
  int unused;
  const float *m, *l, *o;
};

// A mark of one row. Its state lies in TilewalkRecorder::row_states: m, l, o[D].
struct TilewalkRow {
  int row, kv_tile, kept, line;
};

// Each array has its part of the block at block * most_…; `passed` at block * threads.
struct TilewalkRecorder {
  TilewalkVisit* visits;
  float* states;
  TilewalkRow* rows;
  float* row_states;
  unsigned* row_count;  // of a block
  unsigned* passed;     // marks of all rows that a thread has passed
  unsigned* closed;     // of a block: marks that are recorded
  unsigned most_visits, most_rows;
};
extern "C" {
__device__ TilewalkRecorder tilewalk_recorder;
}

constexpr int kTilewalkVisitFloats = 2 * BR + BR * D, kTilewalkRowFloats = 2 + D;

__device__ inline unsigned tilewalk_block() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
__device__ inline unsigned tilewalk_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned tilewalk_threads() { return blockDim.x * blockDim.y * blockDim.z; }

struct TilewalkRows {
  const float* first;
  int stride;
};
__device__ inline TilewalkRows tilewalk_rows(decltype(nullptr)) { return {nullptr, 0}; }
__device__ inline TilewalkRows tilewalk_rows(const float* rows) { return {rows, D}; }
// A whole array of one dimension has at least 2 D elements if it has two rows; a shorter one is a row of an array.
template <int N>
__device__ inline TilewalkRows tilewalk_rows(const float (&rows)[N]) {
  return {rows, N < 2 * D ? N : D};
}
template <int N>
__device__ inline TilewalkRows tilewalk_rows(float (&rows)[N]) {
  return {rows, N < 2 * D ? N : D};
}
template <int R, int N>
__device__ inline TilewalkRows tilewalk_rows(const float (&rows)[R][N]) {
  return {&rows[0][0], N};
}
template <int R, int N>
__device__ inline TilewalkRows tilewalk_rows(float (&rows)[R][N]) {
  return {&rows[0][0], N};
}

__device__ inline void tilewalk_copy(const float* from, int stride, int rows, int cols, float* to) {
  for (int row = 0; row < rows; ++row)
    for (int x = 0; x < cols; ++x) to[row * cols + x] = ((const volatile float*)from)[row * stride + x];
}

__device__ __noinline__ void tilewalk_close(unsigned block, unsigned number) {
  const TilewalkRecorder& to = tilewalk_recorder;
  TilewalkVisit& visit = to.visits[block * to.most_visits + number];
  float* const state = to.states + (long long)(block * to.most_visits + number) * kTilewalkVisitFloats;
  const bool known = visit.q_tile >= 0 && visit.q_tile <= (N_Q - 1) / BR && visit.kv_tile >= 0 &&
                     visit.kv_tile <= (N_KV - 1) / BC;
  if (known) {
    const int rows = tilewalk_min(BR, N_Q - visit.q_tile * BR);
    if (visit.kept & 1) tilewalk_copy(visit.m, 1, rows, 1, state);
    if (visit.kept & 2) tilewalk_copy(visit.l, 1, rows, 1, state + BR);
    if (visit.kept & 4) tilewalk_copy(visit.o, visit.stride, rows, D, state + 2 * BR);
  }
  visit.closed = known ? 1 : 2;
  __threadfence();
  atomicMax(to.closed + block, number + 1);
}

__device__ __noinline__ void tilewalk_pass_visit(int q_tile, int kv_tile, const float* m, const float* l,
                                                 TilewalkRows o, int line) {
  const TilewalkRecorder& to = tilewalk_recorder;
  const unsigned block = tilewalk_block(), threads = tilewalk_threads();
  unsigned& own = to.passed[block * threads + tilewalk_thread()];
  const unsigned closed = *(volatile unsigned*)(to.closed + block), number = own > closed ? own : closed;
  own = number + 1;
  if (number >= to.most_visits) return;
  TilewalkVisit& visit = to.visits[block * to.most_visits + number];
  visit.q_tile = q_tile, visit.kv_tile = kv_tile, visit.line = line, visit.stride = o.stride;
  visit.kept = (m ? 1 : 0) | (l ? 2 : 0) | (o.first ? 4 : 0);
  visit.m = m, visit.l = l, visit.o = o.first;
  __threadfence();
  if (atomicAdd(&visit.passed, 1u) + 1 != threads) return;
  __threadfence();
  tilewalk_close(block, number);
}

struct TilewalkNumber {
  float value;
  int kept;
};
__device__ inline TilewalkNumber tilewalk_number(decltype(nullptr)) { return {0.0f, 0}; }
__device__ inline TilewalkNumber tilewalk_number(float x) { return {x, 1}; }

__device__ __noinline__ void tilewalk_pass_row(int row, int kv_tile, TilewalkNumber m, TilewalkNumber l,
                                               const float* o, int line) {
  const TilewalkRecorder& to = tilewalk_recorder;
  const unsigned block = tilewalk_block(), number = atomicAdd(to.row_count + block, 1u);
  if (number >= to.most_rows) return;
  to.rows[block * to.most_rows + number] = {row, kv_tile, m.kept | (l.kept ? 2 : 0) | (o ? 4 : 0), line};
  float* const state = to.row_states + (long long)(block * to.most_rows + number) * kTilewalkRowFloats;
  state[0] = m.value;
  state[1] = l.value;
  if (o) tilewalk_copy(o, D, 1, D, state + 2);
}

// A barrier, and the marks that only some threads have passed.
__device__ __noinline__ void tilewalk_syncthreads() {
  const TilewalkRecorder& to = tilewalk_recorder;
  const unsigned block = tilewalk_block(), thread = tilewalk_thread();
  const unsigned own = to.passed[block * tilewalk_threads() + thread];
  if (!__syncthreads_or(own > *(volatile unsigned*)(to.closed + block))) return;
  if (thread == 0)
    for (unsigned number = *(volatile unsigned*)(to.closed + block); number < to.most_visits; ++number) {
      const TilewalkVisit& visit = to.visits[block * to.most_visits + number];
      if (*(const volatile unsigned*)&visit.passed == 0) break;
      if (!*(const volatile int*)&visit.closed) tilewalk_close(block, number);
    }
  __syncthreads();
}

#define exp2f tilewalk_exp2f
#define log2f tilewalk_log2f
#define expf tilewalk_expf
#define logf tilewalk_logf
#define fmaf tilewalk_fmaf
#define sqrtf tilewalk_sqrtf
#define max tilewalk_max
#define min tilewalk_min
#define printf tilewalk_printf
#define __syncthreads tilewalk_syncthreads
#define visit_done(q_tile, kv_tile, m, l, o) tilewalk_pass_visit(q_tile, kv_tile, m, l, tilewalk_rows(o), __LINE__)
#define row_done(row, kv_tile, m, l, o) \
  tilewalk_pass_row(row, kv_tile, tilewalk_number(m), tilewalk_number(l), o, __LINE__)
// A kernel is a function that a wrapper calls, so that a mark before an early return is complete at its end. NVRTC
// cannot restore a macro, so the wrappers use __attribute__((global)) instead of __global__.
#undef __global__
#define __global__ static __device__ __forceinline__
