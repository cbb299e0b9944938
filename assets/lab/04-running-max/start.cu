// The running max and sum: one pass over the keys, tile by tile. There is
// no V yet.
// launch: grid((N_Q + BR - 1) / BR, HEADS, BATCH) block(THREADS)
__global__ void attention(const float* Q, const float* K, float* L) {
  __shared__ float sQ[BR][D], sK[BC][D], sS[BR][BC];
  __shared__ float sM[BR], sL[BR];

  const int i = blockIdx.x, head = blockIdx.z * HEADS + blockIdx.y;
  const int kv_head =
      blockIdx.z * KV_HEADS + blockIdx.y / (HEADS / KV_HEADS);
  const float* gQ = Q + (head * N_Q + i * BR) * D;
  const float* gK = K + kv_head * N_KV * D;

  // [LoadQ]
  for (int e = threadIdx.x; e < BR * D; e += THREADS)
    sQ[e / D][e % D] = gQ[e];
  for (int r = threadIdx.x; r < BR; r += THREADS) {
    sM[r] = -INFINITY;
    sL[r] = 0.0f;
  }

  for (int j = 0; j < N_KV / BC; ++j) {
    __syncthreads();
    // [LoadKV]
    for (int e = threadIdx.x; e < BC * D; e += THREADS)
      sK[e / D][e % D] = gK[j * BC * D + e];
    __syncthreads();

    for (int e = threadIdx.x; e < BR * BC; e += THREADS) {  // [Scores]
      const int r = e / BC, c = e % BC;
      float s = 0.0f;
      for (int x = 0; x < D; ++x) s = fmaf(sQ[r][x], sK[c][x], s);
      sS[r][c] = s * SCALE;
    }
    __syncthreads();

    for (int r = threadIdx.x; r < BR; r += THREADS) {
      const float m_old = sM[r];
      float m = m_old, sum = 0.0f;
      // [RowMax]
      for (int c = 0; c < BC; ++c) m = fmaxf(m, sS[r][c]);
      // Hole 1: alpha. [Rescale]
      // [RowSum]
      for (int c = 0; c < BC; ++c) sum += expf(sS[r][c] - m);
      sL[r] = sL[r] + sum;  // Hole 2: the old sum, times alpha
      sM[r] = m;
    }
    visit_done(i, j, sM, sL, nullptr);
  }
  __syncthreads();

  // [Store]
  for (int r = threadIdx.x; r < BR; r += THREADS)
    L[head * N_Q + i * BR + r] = sM[r] + logf(sL[r]);
}
