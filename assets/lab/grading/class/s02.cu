// One thread a row, all of its state in registers.
// launch: grid((N_Q + BR - 1) / BR, HEADS, BATCH) block(THREADS)
__global__ void attention(const float* Q, const float* K, const float* V, float* O, float* L) {
  const int head = blockIdx.z * HEADS + blockIdx.y;
  const int kv_head = blockIdx.z * KV_HEADS + blockIdx.y / (HEADS / KV_HEADS);
  const int first_row = blockIdx.x * BR, rows = min(BR, N_Q - first_row);
  for (int r = threadIdx.x; r < rows; r += THREADS) {
    const int row = first_row + r;
    const float* q = Q + (head * N_Q + row) * D;
    float m = -INFINITY, l = 0.0f, o[D] = {0.0f};
    const int seen = CAUSAL ? min(N_KV, row + 1) : N_KV;
    for (int j = 0; j * BC < seen; ++j) {
      for (int c = j * BC; c < min(seen, j * BC + BC); ++c) {
        const float* k = K + (kv_head * N_KV + c) * D;
        const float* v = V + (kv_head * N_KV + c) * D;
        float s = 0.0f;
        for (int x = 0; x < D; ++x) s = fmaf(q[x], k[x], s);
        s *= SCALE;                                   // [Scores]
        const float m_new = fmaxf(m, s);              // [RowMax]
        const float alpha = expf(m - m_new), p = expf(s - m_new);
        l = l * alpha + p;                            // [RowSum]
        for (int x = 0; x < D; ++x) o[x] = o[x] * alpha + p * v[x];  // [Accumulate]
        m = m_new;
      }
      row_done(row, j, m, l, o);
    }
    for (int x = 0; x < D; ++x) O[(head * N_Q + row) * D + x] = l == 0.0f ? 0.0f : o[x] / l;
    L[head * N_Q + row] = l == 0.0f ? INFINITY : m + logf(l);
  }
}
