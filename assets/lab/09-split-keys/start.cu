// Split keys: thread blocks share the keys of a Q tile; a second kernel
// merges their results by L.
// base: 2
// scratch: float PartO[SPLITS][BATCH * HEADS * N_Q * D]
// scratch: float PartL[SPLITS][BATCH * HEADS * N_Q]
constexpr int SPLITS = 2;

// launch: grid((N_Q+BR-1) / BR * SPLITS, HEADS, BATCH) block(THREADS)
__global__ void share(const float* Q, const float* K, const float* V) {
  __shared__ float sQ[BR][D], sK[D][BC], sV[BC][D];
  __shared__ float sS[BR][BC], sO[BR][D];
  __shared__ float sM[BR], sL[BR], sAlpha[BR];

  const int i = blockIdx.x / SPLITS, split = blockIdx.x % SPLITS,
            first_row = i * BR;
  const int rows = min(BR, N_Q - first_row);
  const int head = blockIdx.z * HEADS + blockIdx.y;
  const int kv_head =
      blockIdx.z * KV_HEADS + blockIdx.y / (HEADS / KV_HEADS);
  const float* gQ = Q + (head * N_Q + first_row) * D;
  const float* gK = K + kv_head * N_KV * D;
  const float* gV = V + kv_head * N_KV * D;

  for (int e = threadIdx.x; e < rows * D; e += THREADS) {  // [LoadQ]
    sQ[e / D][e % D] = gQ[e];
    sO[e / D][e % D] = 0.0f;
  }
  for (int r = threadIdx.x; r < rows; r += THREADS) {
    sM[r] = -INFINITY;
    sL[r] = 0.0f;
  }

  // Causal: only tiles whose first column is not right of the last row.
  const int seen = CAUSAL ? min(N_KV, first_row + rows) : N_KV;
  const int tiles = (N_KV + BC - 1) / BC,
            share = (tiles + SPLITS - 1) / SPLITS;
  for (int j = split * share; j < (split + 1) * share && j * BC < seen;
       ++j) {
    const int cols = min(BC, N_KV - j * BC);
    __syncthreads();
    for (int e = threadIdx.x; e < cols * D; e += THREADS) {  // [LoadKV]
      sK[e % D][e / D] = gK[j * BC * D + e];
      sV[e / D][e % D] = gV[j * BC * D + e];
    }
    __syncthreads();

    // [Scores]
    for (int e = threadIdx.x; e < rows * cols; e += THREADS) {
      const int r = e / cols, c = e % cols;
      float s = 0.0f;
      for (int x = 0; x < D; ++x) s = fmaf(sQ[r][x], sK[x][c], s);
      sS[r][c] = s * SCALE_LOG2;
      // [Mask]
      if (CAUSAL && j * BC + c > first_row + r) sS[r][c] = -INFINITY;
    }
    __syncthreads();

    for (int r = threadIdx.x; r < rows; r += THREADS) {  // [RowMax]
      const float m_old = sM[r];
      float m = m_old;
      for (int c = 0; c < cols; ++c) m = fmaxf(m, sS[r][c]);
      sM[r] = m;
      // [Rescale]
      sAlpha[r] = m_old == -INFINITY ? 0.0f : exp2f(m_old - m);
    }
    __syncthreads();

    for (int e = threadIdx.x; e < rows * D; e += THREADS)
      sO[e / D][e % D] *= sAlpha[e / D];
    // [Exponentiate]
    for (int e = threadIdx.x; e < rows * cols; e += THREADS) {
      const int r = e / cols, c = e % cols;
      sS[r][c] = sS[r][c] == -INFINITY ? 0.0f : exp2f(sS[r][c] - sM[r]);
    }
    __syncthreads();

    for (int r = threadIdx.x; r < rows; r += THREADS) {  // [RowSum]
      float sum = 0.0f;
      for (int c = 0; c < cols; ++c) sum += sS[r][c];
      sL[r] = fmaf(sL[r], sAlpha[r], sum);
    }
    // [Accumulate]
    for (int e = threadIdx.x; e < rows * D; e += THREADS) {
      const int r = e / D, x = e % D;
      float o = sO[r][x];
      for (int c = 0; c < cols; ++c) o = fmaf(sS[r][c], sV[c][x], o);
      sO[r][x] = o;
    }
    visit_done(i, j, sM, sL, sO);
  }
  __syncthreads();

  for (int e = threadIdx.x; e < rows * D; e += THREADS)  // [Normalise]
    PartO[split][(head * N_Q + first_row) * D + e] =
        sL[e / D] == 0.0f ? 0.0f : sO[e / D][e % D] / sL[e / D];
  for (int r = threadIdx.x; r < rows; r += THREADS)  // [StorePartial]
    PartL[split][head * N_Q + first_row + r] =
        sL[r] == 0.0f ? -INFINITY : sM[r] + log2f(sL[r]);
}

// launch: grid(BATCH * HEADS * N_Q) block(THREADS)
__global__ void merge(float* O, float* L) {
  const int row = blockIdx.x;
  float m = -INFINITY, sum = 0.0f, w[SPLITS];
  // [MergeMax]
  for (int s = 0; s < SPLITS; ++s) m = fmaxf(m, PartL[s][row]);
  for (int s = 0; s < SPLITS; ++s) {  // [MergeWeights]
    w[s] = 0.0f;  // Hole: how much this share weighs.
    sum += w[s];
  }
  for (int x = threadIdx.x; x < D; x += THREADS) {  // [MergeO]
    float o = 0.0f;
    for (int s = 0; s < SPLITS; ++s)
      o = fmaf(w[s], PartO[s][row * D + x], o);
    O[row * D + x] = sum == 0.0f ? 0.0f : o / sum;
  }
  if (threadIdx.x == 0)
    L[row] = sum == 0.0f ? INFINITY : 0.693147181f * (m + log2f(sum));
}
