// launch: grid(2) block(8)
#define LOG2E 1.44269504f
#pragma unroll
struct Row { float m, l; int n; };
constexpr int kTwo = 2;
__device__ Row grown(Row r, float s) { r.m = fmaxf(r.m, s); r.l += 1.0f; r.n++; return r; }
__device__ float sum(const float* p, int n) { float x = 0; for (int i = 0; i < n; ++i) x += p[i]; return x; }
/* a block comment */
__global__ void attention(const float* Q, float* O, float* L) {
  __shared__ float s[8], w[kTwo][4];
  __shared__ int count;
  float a[3] = {1, 2, 3};
  unsigned u = 0xffu << 3;
  long long big = 1LL << 40;
  bool ok = !(u == 3u) && big > 0 || false;
  Row r = {0.0f, 0.0f, 0};
  r = grown(r, expf(-1.5e-3f) + logf(2.0f) * LOG2E);
  if (threadIdx.x == 0) count = 0;
  s[threadIdx.x] = ok ? sum(a, 3) : sqrtf(r.m);
  w[threadIdx.x / 4][threadIdx.x % 4] = __shfl_xor_sync(0xffffffffu, s[threadIdx.x], 1);
  __syncthreads();
  atomicAdd(&count, 1);
  __syncwarp();
  do { u >>= 1; } while (u > 3u);
  while (true) { if (u-- < 2u) break; else continue; }
  const float* p = Q + threadIdx.x;
  if (blockIdx.x == 0) L[threadIdx.x] = *p + float(count) + __shfl_down_sync(0xffffffffu, r.l, 2);
  printf("%d %5.2f %u%%\n", int(u), w[0][0], u);
  row_done(0, 0, r.m, r.l, nullptr);
  visit_done(0, 0, s, nullptr, nullptr);
}
