// O = softmax(SCALE Q K^T + mask) V, and L, each row's natural log of the
// sum of e^s.
// launch: grid(N_Q, HEADS, BATCH) block(1)
__global__ void attention(const float* Q, const float* K, const float* V,
                          float* O, float* L) {
  const int row = blockIdx.x, head = blockIdx.z * HEADS + blockIdx.y;
  const int kv_head =
      blockIdx.z * KV_HEADS + blockIdx.y / (HEADS / KV_HEADS);

  // A blank page: any kernel that computes attention passes.
}
