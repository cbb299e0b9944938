// A row's weights in three passes over its scores: max, sum, quotients.
// launch: grid(N_Q, HEADS, BATCH) block(1)
__global__ void attention(const float* Q, const float* K, float* P) {
  float s[N_KV];
  const int head = blockIdx.z * HEADS + blockIdx.y,
            row = head * N_Q + blockIdx.x;
  const int kv_head =
      blockIdx.z * KV_HEADS + blockIdx.y / (HEADS / KV_HEADS);

  for (int j = 0; j < N_KV; ++j) {  // [Scores]
    float dot = 0.0f;
    for (int x = 0; x < D; ++x)
      dot = fmaf(Q[row * D + x], K[(kv_head * N_KV + j) * D + x], dot);
    s[j] = dot * SCALE;
  }

  float m = -INFINITY;  // [RowMax]
  // Hole 1: the largest score of the row.

  float sum = 0.0f;  // [RowSum]
  // Hole 2: the sum of e^(s - m).

  // Hole 3: the quotient. [Normalise]
  for (int j = 0; j < N_KV; ++j) P[row * N_KV + j] = s[j];
}
