// The tensors a schedule may move between HBM and SRAM, and dense fp32 storage for one of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tilewalk {

// D: the backward pass's rowsum(dO o O). dX: the gradient of the loss with respect to X.
enum class TensorId { Q, K, V, O, S, P, m, l, L, OPartial, LPartial, D, dO, dQ, dK, dV, dP, dS };
inline constexpr int kTensorCount = 18;
inline constexpr std::array<const char*, kTensorCount> kTensorNames = {
    "Q", "K", "V", "O", "S", "P", "m", "l", "L", "O_partial", "L_partial", "D", "dO", "dQ", "dK", "dV", "dP", "dS"};
inline constexpr TensorId kInputTensors[] = {TensorId::Q, TensorId::K, TensorId::V, TensorId::dO};
inline bool is_by_query(TensorId id) { return id == TensorId::Q || id == TensorId::dO; }  // of the inputs
inline const char* name_of(TensorId id) { return kTensorNames[std::size_t(id)]; }

// [batch, heads, rows, cols], fp32, row-major.
struct Tensor {
  std::int64_t batch = 0;
  std::int64_t heads = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<float> values;

  bool operator==(const Tensor&) const = default;
  std::int64_t size() const { return batch * heads * rows * cols; }
  const float* row(std::int64_t b, std::int64_t h, std::int64_t r) const {
    return values.data() + ((b * heads + h) * rows + r) * cols;
  }
  float* row(std::int64_t b, std::int64_t h, std::int64_t r) {
    return values.data() + ((b * heads + h) * rows + r) * cols;
  }
};

}  // namespace tilewalk
