// Compares the fast kernels with float64 over a grid of shapes. FlashAttention's rule: the largest error of O may be at
// most twice that of naive attention in the same precision (scores and weights rounded to the storage type), plus one
// rounding of the output. Outputs are poisoned with NaN and lie between guard bands; each problem runs twice and must
// give equal bytes.
//   fast_test            all shapes, all variants
//   fast_test --small    few small shapes, for compute-sanitizer
//   fast_test --decode   shapes of one Q tile a head, whose keys flash_v3 divides in a build of its own
//   fast_test --few      shapes of few heads, whose tiles flash_v2 and flash_v3 divide, at every head size
//   fast_test --rung N   one kernel alone, by its number in fast_attention.h
//   fast_test --d D      only shapes of one head size, of those that are chosen
//   fast_test --random COUNT [--seed S]   that many small random shapes; prints only failures
// Exit 0: all passed. 1: a failure. 3: no GPU.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/gpu/fast_problem.h"

namespace {

// One block a row: float64 O and L (log2 units), and O of naive attention in precision T.
template <class T>
__global__ void reference(const T* q, const T* k, const T* v, double* o, double* lse, float* plain, Shape s,
                          float scale) {
  extern __shared__ double scores[];
  float* const rounded = (float*)(scores + s.n_kv);
  const long long row = blockIdx.x % s.n_q, head = blockIdx.x / s.n_q;
  const long long kv = head / (s.heads / s.kv_heads) * s.n_kv * s.d;
  long long seen = s.n_kv;
  if (s.mask != TILEWALK_FAST_NO_MASK)
    seen = row + 1 + (s.mask == TILEWALK_FAST_CAUSAL_BOTTOM_RIGHT ? s.n_kv - s.n_q : 0);
  seen = seen < 0 ? 0 : seen > s.n_kv ? s.n_kv : seen;
  for (long long j = threadIdx.x; j < seen; j += blockDim.x) {
    double dot = 0;
    float dot32 = 0;
    for (int x = 0; x < s.d; ++x) {
      const float a = as_float(q[blockIdx.x * s.d + x]), b = as_float(k[kv + j * s.d + x]);
      dot += double(a) * b;
      dot32 = fmaf(a, b, dot32);
    }
    scores[j] = dot * double(scale);
    rounded[j] = as_float(T(dot32 * scale));
  }
  __syncthreads();
  double top = -INFINITY, sum = 0;
  float top32 = -INFINITY, sum32 = 0;
  for (long long j = 0; j < seen; ++j) {
    top = fmax(top, scores[j]);
    top32 = fmaxf(top32, rounded[j]);
  }
  for (long long j = 0; j < seen; ++j) {
    sum += exp(scores[j] - top);
    sum32 += expf(rounded[j] - top32);
  }
  for (long long x = threadIdx.x; x < s.d; x += blockDim.x) {
    double acc = 0;
    float acc32 = 0;
    for (long long j = 0; j < seen; ++j) {
      const float value = as_float(v[kv + j * s.d + x]);
      acc += exp(scores[j] - top) * value;
      acc32 = fmaf(as_float(T(expf(rounded[j] - top32) / sum32)), value, acc32);
    }
    o[blockIdx.x * s.d + x] = seen == 0 ? 0 : acc / sum;
    plain[blockIdx.x * s.d + x] = seen == 0 ? 0 : as_float(T(acc32));
  }
  if (threadIdx.x == 0) lse[blockIdx.x] = seen == 0 ? INFINITY : (top + log(sum)) * 1.4426950408889634;
}

// Of a score in log2 units, whose products add up to that much whatever their signs: a few half units of fp32. Felt
// where few keys and large products leave an L near 0.
double fp32_sum_error(const Shape& s, float scale) {
  constexpr double kMeanProduct = 2 / 3.14159265358979;  // of two normal values, without their signs
  return 0x1p-22 * kMeanProduct * s.spread * s.spread * (s.rising ? 4 : 1) * double(s.d) * scale * 1.4426950408889634;
}

template <class T>
int check(const Shape& s, int dtype, bool all_variants, int only_rung, bool quiet, std::mt19937_64& random) {
  const long long q_rows = s.batch * s.heads * s.n_q, kv_rows = s.batch * s.kv_heads * s.n_kv;
  const float scale = 1.0f / std::sqrt(float(s.d));
  T* const q = upload<T>(q_rows, s, s.spread, false, random);
  T* const k = upload<T>(kv_rows, s, s.spread, s.rising, random);
  T* const v = upload<T>(kv_rows, s, 1.0f, false, random);

  Guarded ref(q_rows * s.d * 8), ref_lse(q_rows * 8), plain(q_rows * s.d * 4);
  const size_t row_bytes = size_t(s.n_kv) * 12;
  must(cudaFuncSetAttribute(reference<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)row_bytes), "reference");
  reference<T><<<(int)q_rows, 128, row_bytes>>>(q, k, v, (double*)ref.data(), (double*)ref_lse.data(),
                                                (float*)plain.data(), s, scale);
  must(cudaGetLastError(), "reference launch");
  must(cudaDeviceSynchronize(), "reference");
  const std::vector<double> want = ref.read<double>(), want_lse = ref_lse.read<double>();
  const std::vector<float> usual = plain.read<float>();
  double plain_error = 0, largest = 0;
  for (size_t e = 0; e < want.size(); ++e) {
    plain_error = std::max(plain_error, std::fabs(usual[e] - want[e]));
    largest = std::max(largest, std::fabs(want[e]));
  }
  const double allowed = 2 * plain_error + largest * (dtype == TILEWALK_FAST_BF16 ? 0x1p-9 : 0x1p-12);

  Guarded o(q_rows * s.d * sizeof(T)), lse(q_rows * 4);
  TilewalkFastProblem p{q,       k,       v,       o.data(),   (float*)lse.data(),
                        nullptr, s.batch, s.heads, s.kv_heads, s.n_q,
                        s.n_kv,  s.d,     dtype,   s.mask,     scale};
  size_t workspace = 0;
  for (int rung = TILEWALK_FAST_NAIVE; rung < TILEWALK_FAST_RUNG_END; ++rung)
    workspace = std::max(workspace, tilewalk_fast_workspace_bytes(rung, &p));
  must(cudaMalloc(&p.workspace, workspace), "cudaMalloc");
  must(cudaMemset(p.workspace, 0, workspace), "cudaMemset");

  int failures = 0;
  for (int rung = TILEWALK_FAST_NAIVE; rung < TILEWALK_FAST_RUNG_END; ++rung) {
    if (only_rung != 0 && rung != only_rung) continue;
    for (int variant = 0; variant == 0 || (all_variants && tilewalk_fast_variant_name(rung, variant, (int)s.d));
         ++variant) {
      std::string wrong;
      std::vector<T> first;
      std::vector<float> first_lse;
      for (int repeat = 0; repeat < 2 && wrong.empty(); ++repeat) {
        o.poison();
        lse.poison();
        if (const char* text = tilewalk_fast_forward(rung, variant, &p, nullptr)) wrong = text;
        must(cudaDeviceSynchronize(), "fast kernel");
        const std::vector<T> got = o.read<T>();
        const std::vector<float> got_lse = lse.read<float>();
        if (repeat == 0) {
          first = got;
          first_lse = got_lse;
        } else if (std::memcmp(first.data(), got.data(), o.bytes) != 0 ||
                   std::memcmp(first_lse.data(), got_lse.data(), lse.bytes) != 0) {
          wrong = "second run gave other bytes";
        }
      }
      double error = 0, lse_error = 0;
      size_t bad = 0;
      for (size_t e = 0; e < want.size(); ++e) {
        const double off = std::fabs(double(float(first[e])) - want[e]);
        if (!(off <= allowed)) ++bad;
        if (!(off <= error)) error = off;
      }
      for (size_t e = 0; e < want_lse.size(); ++e) {
        if (double(first_lse[e]) == want_lse[e]) continue;
        const double off = std::fabs(first_lse[e] - want_lse[e]) / (1 + std::fabs(want_lse[e]));
        if (!(off <= lse_error)) lse_error = off;
      }
      if (wrong.empty() && bad > 0) wrong = std::to_string(bad) + " values outside the rule";
      // The naive kernel sums over scores that were rounded to the storage type.
      const double lse_allowed = rung == TILEWALK_FAST_NAIVE
                                     ? (dtype == TILEWALK_FAST_BF16 ? 0x1p-7 : 0x1p-10) * (1 + s.spread * s.spread)
                                     : std::max(1e-5, fp32_sum_error(s, scale));
      if (wrong.empty() && !(lse_error <= lse_allowed)) wrong = "LSE off";
      if (wrong.empty() && !(o.guards_hold() && lse.guards_hold())) wrong = "guard band overwritten";
      failures += !wrong.empty();
      if (!wrong.empty() || (variant == 0 && !quiet)) {
        std::printf(
            "%s %s '%s' %s b%lld h%lld/%lld n%lldx%lld d%lld mask %d: error %.2e, plain %.2e, allowed %.2e, lse "
            "%.1e %s\n",
            wrong.empty() ? "ok    " : "FAILED", tilewalk_fast_rung_name(rung),
            tilewalk_fast_variant_name(rung, variant, (int)s.d), dtype == TILEWALK_FAST_BF16 ? "bf16" : "fp16", s.batch,
            s.heads, s.kv_heads, s.n_q, s.n_kv, s.d, s.mask, error, plain_error, allowed, lse_error, wrong.c_str());
      }
    }
  }
  for (void* pointer : {(void*)q, (void*)k, (void*)v, p.workspace}) cudaFree(pointer);
  return failures;
}

}  // namespace

int main(int argc, char** argv) {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::printf("There is no CUDA GPU here\n");
    return 3;
  }
  bool small = false, few = false, decode = false;
  int only_rung = 0;
  long long sampled = 0, only_d = 0;
  unsigned long long seed = 20261121;
  for (int i = 1; i < argc; ++i) {
    const bool more = i + 1 < argc;
    if (std::strcmp(argv[i], "--small") == 0) {
      small = true;
    } else if (std::strcmp(argv[i], "--few") == 0) {
      few = true;
    } else if (std::strcmp(argv[i], "--decode") == 0) {
      decode = true;
    } else if (std::strcmp(argv[i], "--random") == 0 && more && std::atoll(argv[i + 1]) > 0) {
      sampled = std::atoll(argv[++i]);
    } else if (std::strcmp(argv[i], "--d") == 0 && more && std::atoll(argv[i + 1]) > 0) {
      only_d = std::atoll(argv[++i]);
    } else if (std::strcmp(argv[i], "--seed") == 0 && more) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (std::strcmp(argv[i], "--rung") == 0 && more && argv[i + 1][0] >= '1' &&
               argv[i + 1][0] < '0' + TILEWALK_FAST_RUNG_END) {
      only_rung = argv[++i][0] - '0';
    } else {
      std::printf(
          "usage: fast_test [--small | --decode | --few | --random COUNT] [--seed S] [--rung 1|2|3|4] [--d D]\n");
      return 2;
    }
  }
  std::mt19937_64 random(seed);
  std::vector<Shape> shapes;
  if (sampled > 0) {
    for (long long i = 0; i < sampled; ++i) shapes.push_back(random_shape(random));
  } else if (small) {
    for (const long long d : {32, 48, 64, 96, 112, 128}) {
      shapes.push_back({1, 2, 1, 200, 300, d, 0, 1.0f, true});
      shapes.push_back({1, 2, 2, 300, 200, d, 2, 1.0f, false});
    }
    shapes.push_back({1, 1, 1, 70, 90, 37, 1, 1.0f, false});
    shapes.push_back({1, 2, 1, 200, 300, 256, 2, 1.0f, true});
    shapes.push_back({1, 1, 1, 130, 70, 155, 0, 1.0f, false});
    for (const long long d : {64, 128, 160, 192, 256}) shapes.push_back({1, 2, 1, 70, 900, d, 2, 1.0f, true});
    for (const long long d : {8, 16, 24, 32, 40, 48, 56}) shapes.push_back({1, 2, 1, 3, 900, d, 0, 1.0f, true});
    for (const long long d : {8, 40, 48, 64}) shapes.push_back({1, 140, 140, 1, 300, d, 0, 1.0f, true});  // whole tiles
    for (const long long d : {16, 48, 64}) shapes.push_back({1, 1111, 1111, 3, 300, d, 0, 1.0f, true});   // many heads
    for (const long long d : {64, 128}) shapes.push_back({2, 580, 290, 3, 1101, d, 0, 1.0f, true});  // stretches
    shapes.push_back({1, 8, 8, 2, 3001, 48, 0, 1.0f, false});  // FA-3 in parts by bulk copies
    for (const long long d : {80, 128}) shapes.push_back({1, 40, 40, 3, 2501, d, 0, 1.0f, true});
  } else if (decode) {
    for (const long long d : {40, 64}) {
      shapes.push_back({1, 8, 1, 1, 129, d, 0, 1.0f, false});       // three KV tiles
      shapes.push_back({3, 8, 2, 1, 2047, d, 2, 1.0f, true});       // one row at the bottom right sees all keys
      shapes.push_back({1, 4, 4, 64, 1000, d, 0, 1.0f, true});      // a full tile
      shapes.push_back({4, 64, 16, 2, 700, d, 0, 2.0f, false});     // more items than thread blocks
      shapes.push_back({1, 130, 130, 1, 1500, d, 0, 1.0f, false});  // more tiles than multiprocessors
      shapes.push_back({1, 8, 1, 4, 16000, d, 0, 1.0f, true});
    }
    for (const long long d : {8, 16, 24, 32, 37, 40, 48, 56, 64}) {  // at most 16 rows
      shapes.push_back({2, 8, 1, 2, 515, d, 0, 1.0f, true});
      shapes.push_back({1, 6, 6, 5, 1000, d, 0, 1.0f, false});
      shapes.push_back({3, 8, 2, 1, 129, d, 2, 2.0f, true});
      shapes.push_back({1, 600, 600, 1, 700, d, 0, 1.0f, false});     // whole tiles and parts
      shapes.push_back({1, 1300, 1300, 1, 1025, d, 0, 1.0f, false});  // heads one after another in a thread block
      shapes.push_back({5, 600, 300, 2, 515, d, 0, 1.0f, true});
      shapes.push_back({4, 140, 140, 3, 1401, d, 0, 1.0f, true});  // 560 heads: stretches at d = 64
      shapes.push_back({1, 24, 24, 2, 12000, d, 0, 1.0f, false});
      shapes.push_back({2, 96, 12, 1, 11001, d, 0, 1.0f, true});
      shapes.push_back({1, 150, 150, 16, 289, d, 0, 1.0f, true});
    }
    for (const long long d : {80, 96, 112, 128}) {  // by bulk copies
      shapes.push_back({1, 40, 40, 3, 3001, d, 0, 1.0f, true});
      shapes.push_back({2, 64, 32, 5, 1601, d, 0, 2.0f, false});
      shapes.push_back({1, 600, 600, 1, 257, d, 0, 1.0f, false});  // whole tiles
      shapes.push_back({4, 32, 4, 2, 6000, d, 0, 1.0f, true});
      shapes.push_back({3, 128, 16, 1, 2047, d, 2, 1.0f, false});
      shapes.push_back({1, 300, 300, 1, 2777, d, 0, 1.0f, true});  // stretches, from 112 on
      shapes.push_back({7, 90, 45, 8, 1025, d, 0, 2.0f, true});
      if (d >= 112) shapes.push_back({1, 48, 48, 2, 5003, d, 0, 1.0f, true});  // longer than a stretch
    }
    for (const long long d : {8, 24, 32, 37, 56, 72, 80, 88, 96, 104, 128, 160, 192, 256}) {
      shapes.push_back({2, 8, 1, 3, 515, d, 0, 1.0f, true});
      shapes.push_back({1, 6, 6, 17, 1000, d, 0, 1.0f, false});
      shapes.push_back({1, 4, 2, 32, 2111, d, 0, 2.0f, false});
      if (d >= 80) shapes.push_back({1, 140, 140, 1, 800, d, 0, 1.0f, false});  // whole tiles and parts
    }
  } else if (few) {
    for (const long long d : {24, 40, 48, 64, 96, 104, 112, 128, 144, 160, 176, 192, 200, 256}) {
      shapes.push_back({1, 4, 4, 1500, 1500, d, 0, 1.0f, false});
      shapes.push_back({1, 3, 3, 1111, 1111, d, 1, 1.0f, true});
      shapes.push_back({1, 2, 1, 777, 2049, d, 2, 2.0f, true});
      shapes.push_back({2, 8, 1, 1, 5000, d, 2, 1.0f, false});  // one row: no mask, and the group's rows are one head's
      shapes.push_back({1, 16, 2, 5, 4000, d, 0, 1.0f, true});
      shapes.push_back({1, 4, 2, 16, 3000, d, 2, 1.0f, false});
      shapes.push_back({1, 2, 2, 2000, 300, d, 2, 1.0f, false});     // rows that see no key
      shapes.push_back({1, 17, 17, 1540, 1024, d, 0, 1.0f, false});  // whole tiles first, then divided ones
      const long long heads = d > 128 ? 20 : 37;  // of flash_v2 the last 106 or 116 tiles are divided
      shapes.push_back({1, heads, heads, 1153, 1153, d, 0, 1.0f, false});
    }
  } else {
    const long long sizes[][2] = {{1, 1},      {1, 513},    {64, 64},   {127, 129},   {128, 128},
                                  {200, 1000}, {1000, 200}, {513, 511}, {1024, 1024}, {777, 2049}};
    for (const auto& size : sizes) {
      for (const long long d : {64, 128}) {
        for (int mask = 0; mask < 3; ++mask)
          shapes.push_back({2, 4, mask == 1 ? 2 : 4, size[0], size[1], d, mask, 1.0f, mask == 0});
      }
    }
    for (const long long d : {1, 7, 8, 16, 32, 37, 40, 48, 72, 80, 96, 104, 112, 127}) {
      shapes.push_back({1, 2, 1, 300, 333, d, 0, 1.0f, false});
      shapes.push_back({1, 2, 2, 300, 333, d, 2, 2.0f, false});
    }
    for (const auto& size : sizes) {
      for (int mask = 0; mask < 3; ++mask)
        shapes.push_back({2, 4, mask == 1 ? 2 : 4, size[0], size[1], 256, mask, 1.0f, mask == 0});
    }
    for (const long long d : {129, 136, 160, 177, 192, 224, 255}) {
      shapes.push_back({1, 2, 1, 300, 333, d, 0, 1.0f, false});
      shapes.push_back({1, 2, 2, 300, 333, d, 2, 2.0f, false});
    }
    shapes.push_back({3, 16, 2, 700, 700, 256, 1, 1.0f, false});
    shapes.push_back({1, 4, 1, 2048, 4096, 256, 2, 3.0f, true});
    shapes.push_back({3, 16, 2, 700, 700, 128, 1, 1.0f, false});  // many more tiles than multiprocessors, grouped
    shapes.push_back({40, 8, 8, 260, 260, 64, 1, 1.0f, false});
    shapes.push_back({1, 4, 1, 2048, 4096, 128, 2, 3.0f, true});
    shapes.push_back({1, 8, 2, 4000, 4096, 72, 0, 1.0f, false});  // flash_v3 copies K and V into wider rows
    shapes.push_back({2, 6, 1, 4096, 4500, 88, 2, 1.0f, true});
    shapes.push_back({1, 8, 1, 3000, 4100, 104, 0, 1.0f, false});
    shapes.push_back({1, 4, 1, 2048, 4096, 64, 0, 3.0f, true});
  }
  if (only_d > 0) std::erase_if(shapes, [&](const Shape& s) { return s.d != only_d; });
  int failures = 0;
  for (const Shape& s : shapes) {
    const bool all_variants = small || few || sampled > 0 || (s.d == 64 || s.d == 128 || s.d == 256);
    failures += check<__nv_bfloat16>(s, TILEWALK_FAST_BF16, all_variants, only_rung, sampled > 0, random);
    failures += check<__half>(s, TILEWALK_FAST_FP16, all_variants, only_rung, sampled > 0, random);
  }
  std::printf("%s: %d failures over %zu shapes, two types, seed %llu\n", failures ? "FAILED" : "PASSED", failures,
              shapes.size(), seed);
  return failures ? 1 : 0;
}
