// One tile of scores: S = SCALE * Q K^T, for the whole (small) problem.
// launch: grid(1) block(THREADS)
__global__ void attention(const float* Q, const float* K, float* S) {
  __shared__ float sQ[BR][D], sK[BC][D];

  // [LoadQ]
  for (int e = threadIdx.x; e < BR * D; e += THREADS)
    sQ[e / D][e % D] = Q[e];
  // [LoadKV]
  for (int e = threadIdx.x; e < BC * D; e += THREADS)
    sK[e / D][e % D] = K[e];
  __syncthreads();

  for (int e = threadIdx.x; e < BR * BC; e += THREADS) {  // [Scores]
    const int r = e / BC, c = e % BC;
    float s = 0.0f;
    // Hole: the dot product of row r of Q and row c of K.

    S[e] = s * SCALE;
  }
}
