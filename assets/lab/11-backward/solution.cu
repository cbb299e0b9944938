// The backward pass: dV, dK and dQ. KV tiles outside, Q tiles inside; L
// gives P again.
// scratch: float Delta[BATCH * HEADS * N_Q]

// launch: grid((N_Q + BR - 1) / BR, HEADS, BATCH) block(THREADS)
__global__ void rows(const float* O, const float* dO, float* dQ) {
  const int head = blockIdx.z * HEADS + blockIdx.y,
            first = head * N_Q + blockIdx.x * BR;
  const int rows = min(BR, N_Q - int(blockIdx.x) * BR);
  for (int r = threadIdx.x; r < rows; r += THREADS) {
    float sum = 0.0f;
    for (int x = 0; x < D; ++x)
      sum = fmaf(dO[(first + r) * D + x], O[(first + r) * D + x], sum);
    Delta[first + r] = sum;
  }
  for (int e = threadIdx.x; e < rows * D; e += THREADS)
    dQ[first * D + e] = 0.0f;
}

// launch: grid(1, HEADS, BATCH) block(THREADS)
__global__ void backward(const float* Q, const float* K, const float* V,
                         const float* L, const float* dO, float* dQ,
                         float* dK, float* dV) {
  __shared__ float sQ[BR][D], sdO[BR][D], sK[BC][D], sV[BC][D], sdK[BC][D],
      sdV[BC][D];
  __shared__ float sP[BR][BC], sdS[BR][BC];
  const int head = blockIdx.z * HEADS + blockIdx.y;

  for (int j = 0; j * BC < N_KV; ++j) {
    const int cols = min(BC, N_KV - j * BC),
              kv = (head * N_KV + j * BC) * D;
    for (int e = threadIdx.x; e < cols * D; e += THREADS) {  // [LoadKV]
      sK[e / D][e % D] = K[kv + e];
      sV[e / D][e % D] = V[kv + e];
      sdK[e / D][e % D] = 0.0f;
      sdV[e / D][e % D] = 0.0f;
    }
    for (int i = CAUSAL ? j * BC / BR : 0; i * BR < N_Q; ++i) {
      const int first_row = i * BR, rows = min(BR, N_Q - first_row),
                q = (head * N_Q + first_row) * D;
      for (int e = threadIdx.x; e < rows * D; e += THREADS) {  // [LoadQ]
        sQ[e / D][e % D] = Q[q + e];
        sdO[e / D][e % D] = dO[q + e];
      }
      __syncthreads();

      for (int e = threadIdx.x; e < rows * cols; e += THREADS) {
        const int r = e / cols, c = e % cols,
                  row = head * N_Q + first_row + r;
        float s = 0.0f, dp = 0.0f;
        // [Scores]
        for (int x = 0; x < D; ++x) s = fmaf(sQ[r][x], sK[c][x], s);
        // [GradP]
        for (int x = 0; x < D; ++x) dp = fmaf(sdO[r][x], sV[c][x], dp);
        const bool hidden = CAUSAL && j * BC + c > first_row + r;
        const float p = hidden ? 0.0f : expf(s * SCALE - L[row]);
        sP[r][c] = p;
        sdS[r][c] = p * (dp - Delta[row]) * SCALE;  // [GradS]
      }
      __syncthreads();

      for (int e = threadIdx.x; e < cols * D; e += THREADS) {  // [GradV]
        const int c = e / D, x = e % D;
        for (int r = 0; r < rows; ++r) {
          sdV[c][x] = fmaf(sP[r][c], sdO[r][x], sdV[c][x]);
          sdK[c][x] = fmaf(sdS[r][c], sQ[r][x], sdK[c][x]);
        }
      }
      for (int e = threadIdx.x; e < rows * D; e += THREADS) {  // [GradQ]
        const int r = e / D, x = e % D;
        float sum = dQ[q + e];
        for (int c = 0; c < cols; ++c)
          sum = fmaf(sdS[r][c], sK[c][x], sum);
        dQ[q + e] = sum;
      }
      __syncthreads();
    }
    for (int e = threadIdx.x; e < cols * D; e += THREADS) {  // [StoreKV]
      dK[kv + e] = sdK[e / D][e % D];
      dV[kv + e] = sdV[e / D][e % D];
    }
    __syncthreads();
  }
}
