// Scores of a tile of 32 keys by one warp: thread c computes column c.
// launch: grid(1) block(THREADS)
__global__ void attention(const float* Q, const float* K, float* S) {
  __shared__ float sQ[BR][D];
  // Hole: in which banks does column x of all rows lie?
  __shared__ float sK[BC][D];

  // [LoadQ]
  for (int e = threadIdx.x; e < BR * D; e += THREADS)
    sQ[e / D][e % D] = Q[e];
  // [LoadKV]
  for (int e = threadIdx.x; e < BC * D; e += THREADS)
    sK[e / D][e % D] = K[e];
  __syncthreads();

  const int c = threadIdx.x;
  for (int r = 0; r < BR; ++r) {  // [Scores]
    float s = 0.0f;
    for (int x = 0; x < D; ++x) s = fmaf(sQ[r][x], sK[c][x], s);
    S[r * BC + c] = s * SCALE;
  }
}
