// Compares the fast backward kernels with float64. FlashAttention's rule: the largest error of dQ, dK and dV may each
// be at most twice that of naive attention in the same precision (scores, weights and their gradients rounded to the
// storage type), plus one rounding of the output. Outputs are poisoned with NaN and lie between guard bands; each
// problem runs twice, and dK and dV must give equal bytes (dQ is summed by atomics).
//   fast_backward_test            all shapes
//   fast_backward_test --small    few small shapes, for compute-sanitizer
//   fast_backward_test --rung N   one kernel alone, by its number in fast_attention.h
//   fast_backward_test --d D      only shapes of one head size, of those that are chosen
//   fast_backward_test --random COUNT [--seed S]   that many small random shapes; prints only failures
// Exit 0: all passed. 1: a failure. 3: no GPU.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/gpu/fast_problem.h"

namespace {

// Where few keys have weight, dP - D cancels: in fp32, and with a D from an O that was rounded when it was stored. That
// error of D, some rounding x sqrt(d), is multiplied by the scale, 1 / sqrt(d), and by the weighted sum of K, of keys
// up to 4 standard deviations. A row's weights are like those of n exp(-deviation^2) equal ones.
double cancellation(const Shape& s, double rounding) {
  const double deviation = s.spread * s.spread * (s.rising ? 2.5 : 1);  // of scores
  const double seen = s.mask == TILEWALK_FAST_NO_MASK ? double(s.n_kv) : 1;
  const double equal = std::max(1.0, seen * std::exp(-deviation * deviation));
  return 3e-5 * (1 + deviation) + rounding * 4 * s.spread * (s.rising ? 4 : 1) / std::sqrt(equal);
}

// As naive attention stores it; float64 keeps its bits.
template <class T, class V>
__device__ V rounded(V x) {
  if constexpr (std::is_same_v<V, float>)
    return as_float(T(x));
  else
    return x;
}

__device__ long long visible(const Shape& s, long long row) {
  if (s.mask == TILEWALK_FAST_NO_MASK) return s.n_kv;
  const long long seen = row + 1 + (s.mask == TILEWALK_FAST_CAUSAL_BOTTOM_RIGHT ? s.n_kv - s.n_q : 0);
  return seen < 0 ? 0 : seen > s.n_kv ? s.n_kv : seen;
}

// One block a row of Q: P and dS of the row, in V: float64, or float32 with every stored matrix rounded to T.
template <class T, class V>
__global__ void weights(const T* q, const T* k, const T* v, const T* d_o, V* p, V* d_s, Shape s, float scale) {
  const long long row = blockIdx.x % s.n_q, head = blockIdx.x / s.n_q, seen = visible(s, row);
  const long long kv = head / (s.heads / s.kv_heads) * s.n_kv * s.d;
  V* const weight = p + blockIdx.x * s.n_kv;
  V* const change = d_s + blockIdx.x * s.n_kv;
  for (long long j = threadIdx.x; j < s.n_kv; j += blockDim.x) {
    V score = 0, gradient = 0;
    for (int x = 0; x < s.d; ++x) {
      score += V(as_float(q[blockIdx.x * s.d + x])) * V(as_float(k[kv + j * s.d + x]));
      gradient += V(as_float(d_o[blockIdx.x * s.d + x])) * V(as_float(v[kv + j * s.d + x]));
    }
    weight[j] = rounded<T, V>(score * V(scale));
    change[j] = rounded<T, V>(gradient);
  }
  __syncthreads();
  __shared__ V top, sum, dot;
  if (threadIdx.x == 0) {
    top = -INFINITY, sum = 0, dot = 0;
    for (long long j = 0; j < seen; ++j) top = weight[j] > top ? weight[j] : top;
    for (long long j = 0; j < seen; ++j) sum += exp(weight[j] - top);
  }
  __syncthreads();
  for (long long j = threadIdx.x; j < s.n_kv; j += blockDim.x)
    weight[j] = j < seen ? rounded<T, V>(exp(weight[j] - top) / sum) : V(0);
  __syncthreads();
  if (threadIdx.x == 0)
    for (long long j = 0; j < seen; ++j) dot += weight[j] * change[j];
  __syncthreads();
  for (long long j = threadIdx.x; j < s.n_kv; j += blockDim.x)
    change[j] = j < seen ? rounded<T, V>(weight[j] * (change[j] - dot)) : V(0);
}

// One block a row of dQ, then of dK and dV.
template <class T, class V>
__global__ void gradients(const T* q, const T* k, const T* d_o, const V* p, const V* d_s, V* d_q, V* d_k, V* d_v,
                          Shape s, float scale) {
  const long long q_rows = s.batch * s.heads * s.n_q, group = s.heads / s.kv_heads;
  if (blockIdx.x < q_rows) {
    const long long kv = blockIdx.x / s.n_q / group * s.n_kv * s.d;
    for (long long x = threadIdx.x; x < s.d; x += blockDim.x) {
      V sum = 0;
      for (long long j = 0; j < s.n_kv; ++j) sum += d_s[blockIdx.x * s.n_kv + j] * V(as_float(k[kv + j * s.d + x]));
      d_q[blockIdx.x * s.d + x] = rounded<T, V>(sum * V(scale));
    }
    return;
  }
  const long long row = blockIdx.x - q_rows, key = row % s.n_kv, first = row / s.n_kv * group * s.n_q;
  for (long long x = threadIdx.x; x < s.d; x += blockDim.x) {
    V keys = 0, values = 0;
    for (long long i = first; i < first + group * s.n_q; ++i) {
      keys += d_s[i * s.n_kv + key] * V(as_float(q[i * s.d + x]));
      values += p[i * s.n_kv + key] * V(as_float(d_o[i * s.d + x]));
    }
    d_k[row * s.d + x] = rounded<T, V>(keys * V(scale));
    d_v[row * s.d + x] = rounded<T, V>(values);
  }
}

template <class T>
struct Inputs {
  T *q, *k, *v, *d_o;
  ~Inputs() {
    for (T* pointer : {q, k, v, d_o}) cudaFree(pointer);
  }
};

// dQ, dK and dV, as float64.
template <class T, class V>
std::vector<std::vector<double>> reference(const Inputs<T>& in, const Shape& s, float scale) {
  const long long q_rows = s.batch * s.heads * s.n_q, kv_rows = s.batch * s.kv_heads * s.n_kv;
  const Guarded p(q_rows * s.n_kv * sizeof(V)), d_s(p.bytes);
  const Guarded d_q(q_rows * s.d * sizeof(V)), d_k(kv_rows * s.d * sizeof(V)), d_v(d_k.bytes);
  weights<T, V><<<(int)q_rows, 128>>>(in.q, in.k, in.v, in.d_o, (V*)p.data(), (V*)d_s.data(), s, scale);
  gradients<T, V><<<(int)(q_rows + kv_rows), 64>>>(in.q, in.k, in.d_o, (V*)p.data(), (V*)d_s.data(), (V*)d_q.data(),
                                                   (V*)d_k.data(), (V*)d_v.data(), s, scale);
  must(cudaGetLastError(), "reference launch");
  must(cudaDeviceSynchronize(), "reference");
  std::vector<std::vector<double>> out;
  for (const Guarded* each : {&d_q, &d_k, &d_v}) {
    const std::vector<V> values = each->read<V>();
    out.emplace_back(values.begin(), values.end());
  }
  return out;
}

template <class T>
int check(const Shape& s, int dtype, int only_rung, bool quiet, std::mt19937_64& random) {
  const long long q_rows = s.batch * s.heads * s.n_q, kv_rows = s.batch * s.kv_heads * s.n_kv;
  const float scale = 1.0f / std::sqrt(float(s.d));
  const Inputs<T> in{upload<T>(q_rows, s, s.spread, false, random), upload<T>(kv_rows, s, s.spread, s.rising, random),
                     upload<T>(kv_rows, s, 1.0f, false, random), upload<T>(q_rows, s, 1.0f, false, random)};
  const std::vector<std::vector<double>> want = reference<T, double>(in, s, scale);
  const std::vector<std::vector<double>> usual = reference<T, float>(in, s, scale);

  const size_t q_bytes = q_rows * s.d * sizeof(T), kv_bytes = kv_rows * s.d * sizeof(T);
  const Guarded o(q_bytes), lse(q_rows * 4), d_q(q_bytes), d_k(kv_bytes), d_v(kv_bytes);
  const Guarded row_dot(q_rows * 4), sums(q_rows * ((s.d + 7) / 8 * 8) * 4);
  TilewalkFastProblem p{in.q,    in.k,    in.v,    o.data(),   (float*)lse.data(),
                        nullptr, s.batch, s.heads, s.kv_heads, s.n_q,
                        s.n_kv,  s.d,     dtype,   s.mask,     scale};
  int failures = 0;
  for (const int rung : {TILEWALK_FAST_FLASH_V2, TILEWALK_FAST_FLASH_V3}) {
    if ((only_rung != 0 && rung != only_rung)) continue;
    const Guarded workspace(std::max(tilewalk_fast_workspace_bytes(TILEWALK_FAST_FLASH_V2, &p),
                                     tilewalk_fast_backward_workspace_bytes(rung, &p)));
    p.workspace = workspace.data();
    workspace.poison();
    must(cudaMemset(p.workspace, 0, 256), "cudaMemset");
    std::string wrong;
    if (const char* text = tilewalk_fast_forward(TILEWALK_FAST_FLASH_V2, 0, &p, nullptr)) wrong = text;
    const bool v2 = rung == TILEWALK_FAST_FLASH_V2;
    const TilewalkFastGradients g{in.d_o,
                                  d_q.data(),
                                  d_k.data(),
                                  d_v.data(),
                                  v2 ? (float*)row_dot.data() : nullptr,
                                  v2 ? (float*)sums.data() : nullptr};
    const Guarded* const outputs[] = {&d_q, &d_k, &d_v};
    std::vector<std::vector<T>> first;
    for (int repeat = 0; repeat < 2 && wrong.empty(); ++repeat) {
      for (const Guarded* each : {&d_q, &d_k, &d_v, &row_dot, &sums}) each->poison();
      if (const char* text = tilewalk_fast_backward(rung, &p, &g, nullptr)) wrong = text;
      must(cudaDeviceSynchronize(), "backward kernel");
      for (int i = 0; i < 3; ++i) {
        const std::vector<T> got = outputs[i]->read<T>();
        if (repeat == 0)
          first.push_back(got);
        else if (i > 0 && std::memcmp(first[i].data(), got.data(), outputs[i]->bytes) != 0)
          wrong = "second run gave other bytes";
      }
    }
    double shares[3] = {};  // of what the rule allows
    for (int i = 0; i < 3 && wrong.empty(); ++i) {
      double plain_error = 0, largest = 0, error = 0;
      for (size_t e = 0; e < want[i].size(); ++e) {
        plain_error = std::max(plain_error, std::fabs(usual[i][e] - want[i][e]));
        largest = std::max(largest, std::fabs(want[i][e]));
        const double off = std::fabs(double(float(first[i][e])) - want[i][e]);
        error = std::isnan(off) ? INFINITY : std::max(error, off);
      }
      const double rounding = dtype == TILEWALK_FAST_BF16 ? 0x1p-9 : 0x1p-12;
      shares[i] = error / (2 * plain_error + largest * rounding + cancellation(s, rounding));
      if (!(shares[i] <= 1)) wrong += std::string(i == 0 ? "dQ" : i == 1 ? "dK" : "dV") + " outside the rule ";
    }
    bool guards = workspace.guards_hold();
    for (const Guarded* each : {&d_q, &d_k, &d_v, &row_dot, &sums}) guards = guards && each->guards_hold();
    if (wrong.empty() && !guards) wrong = "guard band overwritten";
    failures += !wrong.empty();
    if (!wrong.empty() || !quiet)
      std::printf("%s %s %s b%lld h%lld/%lld n%lldx%lld d%lld mask %d spread %.2f: shares %.2f %.2f %.2f %s\n",
                  wrong.empty() ? "ok    " : "FAILED", tilewalk_fast_rung_name(rung),
                  dtype == TILEWALK_FAST_BF16 ? "bf16" : "fp16", s.batch, s.heads, s.kv_heads, s.n_q, s.n_kv, s.d,
                  s.mask, s.spread, shares[0], shares[1], shares[2], wrong.c_str());
  }
  return failures;
}

}  // namespace

int main(int argc, char** argv) {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::printf("There is no CUDA GPU here\n");
    return 3;
  }
  bool small = false;
  int only_rung = 0;
  long long sampled = 0, only_d = 0;
  unsigned long long seed = 20261126;
  for (int i = 1; i < argc; ++i) {
    const bool more = i + 1 < argc;
    if (std::strcmp(argv[i], "--small") == 0) {
      small = true;
    } else if (std::strcmp(argv[i], "--random") == 0 && more && std::atoll(argv[i + 1]) > 0) {
      sampled = std::atoll(argv[++i]);
    } else if (std::strcmp(argv[i], "--d") == 0 && more && std::atoll(argv[i + 1]) > 0) {
      only_d = std::atoll(argv[++i]);
    } else if (std::strcmp(argv[i], "--seed") == 0 && more) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (std::strcmp(argv[i], "--rung") == 0 && more && (argv[i + 1][0] == '2' || argv[i + 1][0] == '3')) {
      only_rung = argv[++i][0] - '0';
    } else {
      std::printf("usage: fast_backward_test [--small | --random COUNT] [--seed S] [--rung 2|3] [--d D]\n");
      return 2;
    }
  }
  std::mt19937_64 random(seed);
  std::vector<Shape> shapes;
  if (sampled > 0) {
    for (long long i = 0; i < sampled; ++i) shapes.push_back(random_shape(random));
  } else if (small) {
    for (const long long d : {64, 128}) {
      shapes.push_back({1, 2, 1, 200, 300, d, 0, 1.0f, true});
      shapes.push_back({1, 2, 2, 300, 200, d, 2, 1.0f, false});
    }
    shapes.push_back({1, 1, 1, 70, 90, 37, 1, 1.0f, false});
    for (const long long d : {32, 96, 160, 192, 256}) {
      shapes.push_back({1, 2, 1, 150, 200, d, 0, 1.0f, true});
      shapes.push_back({1, 2, 2, 200, 130, d, 2, 1.0f, false});
    }
    for (const long long d : {64, 128}) shapes.push_back({30, 5, 1, 130, 130, d, 1, 1.0f, false});  // unequal shares
    for (const int mask : {0, 1, 2}) {  // all keys in one thread block
      shapes.push_back({2, 2, 1, 100, 110, 64, mask, 1.0f, false});
      shapes.push_back({2, 2, 1, 100, 110, 128, mask, 1.0f, false});
      shapes.push_back({1, 2, 2, 66, 128, 96, mask, 1.0f, true});
      shapes.push_back({2, 4, 1, 150, 170, 64, mask, 1.0f, false});
    }
  } else {
    const long long sizes[][2] = {{1, 1},      {1, 513},    {64, 64},   {127, 129}, {128, 128},
                                  {200, 1000}, {1000, 200}, {513, 511}, {65, 1},    {777, 1025}};
    for (const auto& size : sizes) {
      for (const long long d : {32, 64, 96, 128, 160, 192, 256}) {
        for (int mask = 0; mask < 3; ++mask)
          shapes.push_back({2, 4, mask == 1 ? 2 : 4, size[0], size[1], d, mask, 1.0f, mask == 0});
      }
    }
    for (const long long d : {1, 7, 8, 16, 32, 37, 40, 72, 80, 96, 127, 136, 160, 184, 192, 200, 248, 256}) {
      shapes.push_back({1, 2, 1, 300, 333, d, 0, 1.0f, false});
      shapes.push_back({1, 2, 2, 300, 333, d, 2, 2.0f, false});
    }
    for (const long long d : {32, 40, 64, 96, 128, 160, 192, 256}) {  // query heads in shares
      shapes.push_back({1, 8, 1, 513, 700, d, 1, 1.0f, false});
      shapes.push_back({1, 12, 2, 700, 300, d, 0, 1.0f, true});
    }
    for (const long long d : {72, 96, 104, 128}) {               // all keys in one thread block
      shapes.push_back({2, 8, 1, 513, 128, d, 0, 1.0f, false});  // in shares
      shapes.push_back({3, 6, 6, 77, 100, d, 2, 1.0f, true});
      shapes.push_back({20, 12, 12, 128, 128, d, 1, 1.0f, false});
      shapes.push_back({1, 4, 4, 900, 65, d, 0, 2.0f, false});
    }
    shapes.push_back({3, 16, 2, 700, 700, 128, 1, 1.0f, false});  // many more tiles than multiprocessors, grouped
    shapes.push_back({20, 8, 8, 260, 260, 64, 1, 1.0f, false});
    for (const long long d : {64, 96, 128}) {  // unequal shares: of five query heads, and of seven
      shapes.push_back({8, 10, 2, 600, 600, d, 1, 1.0f, false});
      shapes.push_back({5, 14, 2, 513, 513, d, 1, 1.0f, true});
    }
    const long long few_keys[][2] = {{40, 64},    {128, 65}, {132, 132}, {162, 192}, {191, 129},
                                     {1000, 160}, {700, 77}, {1, 150},   {192, 193}};
    for (const auto& size : few_keys) {  // all keys in one thread block up to 192
      for (const long long d : {8, 37, 64}) {
        for (int mask = 0; mask < 3; ++mask) {
          shapes.push_back({3, 6, 2, size[0], size[1], d, mask, 1.0f, false});
          shapes.push_back({300, 2, 2, size[0], size[1], d, mask, 1.0f, mask == 1});
        }
      }
    }
    for (const long long d : {192, 256}) shapes.push_back({9, 6, 3, 700, 700, d, 1, 1.0f, false});  // unequal sections
  }
  if (only_d > 0) std::erase_if(shapes, [&](const Shape& s) { return s.d != only_d; });
  int failures = 0;
  for (const Shape& s : shapes) {
    failures += check<__nv_bfloat16>(s, TILEWALK_FAST_BF16, only_rung, sampled > 0, random);
    failures += check<__half>(s, TILEWALK_FAST_FP16, only_rung, sampled > 0, random);
  }
  std::printf("%s: %d failures over %zu shapes, two types, seed %llu\n", failures ? "FAILED" : "PASSED", failures,
              shapes.size(), seed);
  return failures ? 1 : 0;
}
