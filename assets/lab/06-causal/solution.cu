// FA-2's loop with the causal mask: a tile that no row of the Q tile sees
// is not loaded.
// base: 2
// launch: grid((N_Q + BR - 1) / BR, HEADS, BATCH) block(THREADS)
__global__ void attention(const float* Q, const float* K, const float* V,
                          float* O, float* L) {
  __shared__ float sQ[BR][D], sK[D][BC], sV[BC][D];
  __shared__ float sS[BR][BC], sO[BR][D];
  __shared__ float sM[BR], sL[BR], sAlpha[BR];

  const int i = blockIdx.x, first_row = i * BR;
  const int rows = min(BR, N_Q - first_row);
  const int head = blockIdx.z * HEADS + blockIdx.y;
  const int kv_head =
      blockIdx.z * KV_HEADS + blockIdx.y / (HEADS / KV_HEADS);
  const float* gQ = Q + (head * N_Q + first_row) * D;
  const float* gK = K + kv_head * N_KV * D;
  const float* gV = V + kv_head * N_KV * D;
  float* gO = O + (head * N_Q + first_row) * D;
  float* gL = L + head * N_Q + first_row;

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
  for (int j = 0; j * BC < seen; ++j) {
    const int cols = min(BC, N_KV - j * BC);
    __syncthreads();
    for (int e = threadIdx.x; e < cols * D; e += THREADS) {  // [LoadKV]
      sK[e % D][e / D] = gK[j * BC * D + e];
      sV[e / D][e % D] = gV[j * BC * D + e];
    }
    __syncthreads();

    for (int e = threadIdx.x; e < rows * cols; e += THREADS) {  // [Scores]
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
    gO[e] = sL[e / D] == 0.0f ? 0.0f : sO[e / D][e % D] / sL[e / D];
  for (int r = threadIdx.x; r < rows; r += THREADS)  // [Store]
    gL[r] =
        sL[r] == 0.0f ? INFINITY : 0.693147181f * (sM[r] + log2f(sL[r]));
}
