// FA-1: KV tiles outside, Q tiles inside. O, m and l go to global memory
// and back at each visit.
// base: 2
// scratch: float M[BATCH][HEADS][N_Q]
// scratch: float Sum[BATCH][HEADS][N_Q]

// launch: grid((N_Q + BR - 1) / BR, HEADS, BATCH) block(THREADS)
__global__ void clear(float* O) {
  const int first_row = blockIdx.x * BR, rows = min(BR, N_Q - first_row),
            head = blockIdx.z * HEADS + blockIdx.y;
  for (int e = threadIdx.x; e < rows * D; e += THREADS)
    O[(head * N_Q + first_row) * D + e] = 0.0f;
  for (int r = threadIdx.x; r < rows; r += THREADS) {
    M[blockIdx.z][blockIdx.y][first_row + r] = -INFINITY;
    Sum[blockIdx.z][blockIdx.y][first_row + r] = 0.0f;
  }
}

// launch: grid(1, HEADS, BATCH) block(THREADS)
__global__ void attention(const float* Q, const float* K, const float* V,
                          float* O, float* L) {
  __shared__ float sQ[BR][D], sK[D][BC], sV[BC][D], sS[BR][BC], sO[BR][D];
  __shared__ float sM[BR], sL[BR], sTileMax[BR], sOld[BR], sBeta[BR];

  const int head = blockIdx.z * HEADS + blockIdx.y;
  const int kv_head =
      blockIdx.z * KV_HEADS + blockIdx.y / (HEADS / KV_HEADS);
  const float* gK = K + kv_head * N_KV * D;
  const float* gV = V + kv_head * N_KV * D;

  for (int j = 0; j * BC < N_KV; ++j) {
    const int cols = min(BC, N_KV - j * BC);
    // Rows above see nothing of this KV tile.
    const int first_tile = CAUSAL ? j * BC / BR : 0;
    if (first_tile * BR >= N_Q) break;
    for (int e = threadIdx.x; e < cols * D; e += THREADS) {  // [LoadKV]
      sK[e % D][e / D] = gK[j * BC * D + e];
      sV[e / D][e % D] = gV[j * BC * D + e];
    }

    for (int i = first_tile; i * BR < N_Q; ++i) {
      const int first_row = i * BR, rows = min(BR, N_Q - first_row);
      const float* gQ = Q + (head * N_Q + first_row) * D;
      float* gO = O + (head * N_Q + first_row) * D;
      for (int e = threadIdx.x; e < rows * D; e += THREADS) {  // [LoadQ]
        sQ[e / D][e % D] = gQ[e];
        sO[e / D][e % D] = gO[e];
      }
      for (int r = threadIdx.x; r < rows; r += THREADS) {
        sM[r] = M[blockIdx.z][blockIdx.y][first_row + r];
        sL[r] = Sum[blockIdx.z][blockIdx.y][first_row + r];
      }
      __syncthreads();

      // [Scores]
      for (int e = threadIdx.x; e < rows * cols; e += THREADS) {
        const int r = e / cols, c = e % cols;
        float s = 0.0f;
        for (int x = 0; x < D; ++x) s = fmaf(sQ[r][x], sK[x][c], s);
        sS[r][c] = CAUSAL && j * BC + c > first_row + r ? -INFINITY
                                                        : s * SCALE_LOG2;
      }
      __syncthreads();

      for (int r = threadIdx.x; r < rows; r += THREADS) {  // [RowMax]
        float m = -INFINITY;
        for (int c = 0; c < cols; ++c) m = fmaxf(m, sS[r][c]);
        sTileMax[r] = m;
      }
      __syncthreads();

      // [Exponentiate]
      for (int e = threadIdx.x; e < rows * cols; e += THREADS) {
        const int r = e / cols, c = e % cols;
        sS[r][c] =
            sS[r][c] == -INFINITY ? 0.0f : exp2f(sS[r][c] - sTileMax[r]);
      }
      __syncthreads();

      for (int r = threadIdx.x; r < rows; r += THREADS) {  // [RowSum]
        float sum = 0.0f;
        for (int c = 0; c < cols; ++c) sum += sS[r][c];
        const float m = fmaxf(sM[r], sTileMax[r]);
        // [Rescale]
        const float alpha = sM[r] == -INFINITY ? 0.0f : exp2f(sM[r] - m);
        const float beta =
            sTileMax[r] == -INFINITY ? 0.0f : exp2f(sTileMax[r] - m);
        sOld[r] = sL[r] * alpha;
        sBeta[r] = beta;
        sL[r] = fmaf(alpha, sL[r], beta * sum);
        sM[r] = m;
        M[blockIdx.z][blockIdx.y][first_row + r] = m;
        Sum[blockIdx.z][blockIdx.y][first_row + r] = sL[r];
      }
      __syncthreads();

      // [Accumulate]
      for (int e = threadIdx.x; e < rows * D; e += THREADS) {
        const int r = e / D, x = e % D;
        float w = 0.0f;
        for (int c = 0; c < cols; ++c) w = fmaf(sS[r][c], sV[c][x], w);
        sO[r][x] = sL[r] == 0.0f
                       ? 0.0f
                       : fmaf(sOld[r], sO[r][x], sBeta[r] * w) / sL[r];
        gO[e] = sO[r][x];
      }
      visit_done(i, j, sM, sL, sO);
      __syncthreads();
    }
  }

  for (int row = threadIdx.x; row < N_Q; row += THREADS) {  // [Store]
    const float l = Sum[blockIdx.z][blockIdx.y][row];
    L[head * N_Q + row] =
        l == 0.0f
            ? INFINITY
            : 0.693147181f * (M[blockIdx.z][blockIdx.y][row] + log2f(l));
  }
}
