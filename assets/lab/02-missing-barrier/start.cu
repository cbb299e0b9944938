// P = softmax(S) of one tile; threads share each row's max and sum.
// launch: grid(1) block(THREADS)
__global__ void attention(const float* Q, const float* K, float* P) {
  __shared__ float sS[BR][BC], sMax[BR], sSum[BR];

  for (int e = threadIdx.x; e < BR * BC; e += THREADS) {  // [Scores]
    const int r = e / BC, c = e % BC;
    float s = 0.0f;
    for (int x = 0; x < D; ++x) s = fmaf(Q[r * D + x], K[c * D + x], s);
    sS[r][c] = s * SCALE;
  }

  for (int r = threadIdx.x; r < BR; r += THREADS) {  // [RowMax]
    float m = -INFINITY, sum = 0.0f;
    for (int c = 0; c < BC; ++c) m = fmaxf(m, sS[r][c]);
    for (int c = 0; c < BC; ++c) sum += expf(sS[r][c] - m);
    sMax[r] = m;
    sSum[r] = sum;
  }
  __syncthreads();  // all threads read the max and the sum of any row

  for (int e = threadIdx.x; e < BR * BC; e += THREADS) {  // [Exponentiate]
    const int r = e / BC, c = e % BC;
    P[e] = expf(sS[r][c] - sMax[r]) / sSum[r];
  }
}
