#include "tests/bench/ggml_attention.h"

#include <ggml-backend.h>
#include <ggml-cpu.h>
#include <ggml.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "base/small_float.h"

namespace tilewalk {
namespace {

struct Free {
  void operator()(ggml_context* c) const { ggml_free(c); }
  void operator()(ggml_backend* b) const { ggml_backend_free(b); }
  void operator()(ggml_backend_buffer* b) const { ggml_backend_buffer_free(b); }
};

ggml_type type_of(GgmlKeys keys) {
  return keys == GgmlKeys::Fp32 ? GGML_TYPE_F32 : keys == GgmlKeys::Fp16 ? GGML_TYPE_F16 : GGML_TYPE_BF16;
}

class Prepared final : public PreparedAttention {
 public:
  Prepared(const CpuAttention& a, GgmlKeys keys)
      : a_(a),
        context_(ggml_init({ggml_tensor_overhead() * 16 + ggml_graph_overhead(), nullptr, true})),
        backend_(ggml_backend_cpu_init()) {
    ggml_context* const c = context_.get();
    ggml_tensor* const q = ggml_new_tensor_3d(c, GGML_TYPE_F32, a.d, a.n_q, a.heads);
    ggml_tensor* const k = ggml_new_tensor_3d(c, type_of(keys), a.d, a.n_kv, a.kv_heads);
    ggml_tensor* const v = ggml_new_tensor_3d(c, type_of(keys), a.d, a.n_kv, a.kv_heads);
    ggml_tensor* const mask = a.mask == CpuMask::None ? nullptr : ggml_new_tensor_2d(c, GGML_TYPE_F16, a.n_kv, a.n_q);
    o_ = ggml_flash_attn_ext(c, q, k, v, mask, a.scale, 0.0f, 0.0f);
    ggml_flash_attn_ext_set_prec(o_, GGML_PREC_F32);
    graph_ = ggml_new_graph(c);
    ggml_build_forward_expand(graph_, o_);
    memory_.reset(ggml_backend_alloc_ctx_tensors(c, backend_.get()));
    if (!memory_) throw std::runtime_error("ggml has no memory for these tensors");
    copy(a.q, q), copy(a.k, k), copy(a.v, v);
    if (mask) hide_later_keys(mask);
    ggml_backend_cpu_set_n_threads(backend_.get(), a.threads);
  }

  void run() override {
    if (ggml_backend_graph_compute(backend_.get(), graph_) != GGML_STATUS_SUCCESS)
      throw std::runtime_error("ggml did not compute the graph");
  }

  std::vector<float> output() const override {  // ggml's own order is [n_q, heads, d]
    std::vector<float> o(std::size_t(a_.heads * a_.n_q * a_.d));
    const float* const from = static_cast<const float*>(o_->data);
    for (std::int64_t h = 0; h < a_.heads; ++h)
      for (std::int64_t i = 0; i < a_.n_q; ++i)
        std::memcpy(&o[std::size_t((h * a_.n_q + i) * a_.d)], from + (i * a_.heads + h) * a_.d, std::size_t(a_.d) * 4);
    return o;
  }

 private:
  void copy(const void* from, ggml_tensor* to) const {
    const std::int64_t count = ggml_nelements(to);
    const bool fp32 = a_.dtype == CpuDType::Fp32;
    for (std::int64_t i = 0; i < count; ++i) {
      const float x =
          fp32 ? static_cast<const float*>(from)[i] : float_from_bf16(static_cast<const std::uint16_t*>(from)[i]);
      if (to->type == GGML_TYPE_F32) static_cast<float*>(to->data)[i] = x;
      if (to->type == GGML_TYPE_F16) static_cast<ggml_fp16_t*>(to->data)[i] = ggml_fp32_to_fp16(x);
      if (to->type == GGML_TYPE_BF16) static_cast<ggml_bf16_t*>(to->data)[i] = ggml_fp32_to_bf16(x);
    }
  }

  void hide_later_keys(ggml_tensor* mask) const {
    const ggml_fp16_t hidden = ggml_fp32_to_fp16(-INFINITY), seen = ggml_fp32_to_fp16(0.0f);
    for (std::int64_t i = 0; i < a_.n_q; ++i)
      for (std::int64_t j = 0; j < a_.n_kv; ++j)
        static_cast<ggml_fp16_t*>(mask->data)[i * a_.n_kv + j] = j > i ? hidden : seen;
  }

  CpuAttention a_;
  std::unique_ptr<ggml_context, Free> context_;
  std::unique_ptr<ggml_backend, Free> backend_;
  std::unique_ptr<ggml_backend_buffer, Free> memory_;
  ggml_tensor* o_ = nullptr;
  ggml_cgraph* graph_ = nullptr;
};

}  // namespace

std::unique_ptr<PreparedAttention> prepare_ggml(const CpuAttention& a, GgmlKeys keys) {
  return std::make_unique<Prepared>(a, keys);
}

std::string ggml_name() { return std::string("ggml ") + ggml_version(); }

}  // namespace tilewalk
