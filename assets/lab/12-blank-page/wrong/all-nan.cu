// NaN never passes.
// launch: grid(N_Q, HEADS, BATCH) block(1)
__global__ void attention(const float* Q, const float* K, const float* V, float* O, float* L) {
  const int row = (blockIdx.z * HEADS + blockIdx.y) * N_Q + blockIdx.x;
  const int kv_head = blockIdx.z * KV_HEADS + blockIdx.y / (HEADS / KV_HEADS);
  for (int x = 0; x < D; ++x) O[row * D + x] = INFINITY - INFINITY;
  L[row] = INFINITY - INFINITY;
}
