#include "tests/unit/dispatch/known_kernels.h"

using namespace tilewalk;
using tilewalk::test::check;

namespace {

using enum KernelFamily;
using Pass = KernelPass;
using Kind = ScheduleKind;

}  // namespace

TEST_CASE("PyTorch's and xFormers's kernels have the same name and different parameters") {
  check({
      {"fmha_cutlassF_f32_aligned_64x64_rf_sm80",
       {.family = Efficient,
        .pass = Pass::Forward,
        .sm = 80,
        .dtype = "fp32",
        .tile = KernelTile{64, 64},
        .schedule = Kind::FlashV2}},
      {"fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<cutlass::bfloat16_t, "
       "arch::Sm80, 1, 64, 64, 64, 1, 1>::Params)",
       {.family = Efficient,
        .pass = Pass::Forward,
        .sm = 80,
        .dtype = "bf16",
        .d = 64,
        .tile = KernelTile{64, 64},
        .schedule = Kind::FlashV2}},
      {"fmha_cutlassF_f16_aligned_32x128_gmem_sm75(AttentionKernel<cutlass::half_t, cutlass::arch::Sm75, true, 32, "
       "128, "
       "65536, true, true>::Params)",
       {.family = Xformers,
        .pass = Pass::Forward,
        .sm = 75,
        .dtype = "fp16",
        .tile = KernelTile{32, 128},
        .schedule = Kind::FlashV2}},
      {"fmha_cutlassB_f16_notaligned_64x64_k128_dropout_sm70",
       {.family = Efficient,
        .pass = Pass::Backward,
        .sm = 70,
        .dtype = "fp16",
        .d = 128,
        .tile = KernelTile{64, 64},
        .schedule = Kind::Backward}},
      {"fmha_cutlassB_f32_aligned_128x64_k65536_sm80",
       {.family = Efficient,
        .pass = Pass::Backward,
        .sm = 80,
        .dtype = "fp32",
        .tile = KernelTile{128, 64},
        .schedule = Kind::Backward}},
      {"fmha_cutlassF_f16_aligned_64x128_rf_sm80(PyTorchMemE...",
       {.family = Efficient,
        .pass = Pass::Forward,
        .sm = 80,
        .dtype = "fp16",
        .tile = KernelTile{64, 128},
        .schedule = Kind::FlashV2}},
  });
}

TEST_CASE("cuDNN's names do not say which number is rows of Q, nor which 16-bit format") {
  check({
      {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x128_4x1x1_kernel0_0",
       {.family = Cudnn, .pass = Pass::Forward, .sm = 90, .d = 128, .schedule = Kind::FlashV3}},
      {"cudnn_generated_fort_native_sdpa_sm80_flash_bprop_wmma_f16_knob_2_64x128x64_1x4x1_cga1x1x1_kernel0_0",
       {.family = Cudnn, .pass = Pass::Backward, .sm = 80, .d = 64, .schedule = Kind::Backward}},
      {"cudnn_generated_fort_native_sdpa_sm100_flash_fprop_f16_knob_7_128x128x128_4x1x1_cga1x1x1_kernel0_0",
       {.family = Cudnn, .pass = Pass::Forward, .sm = 100, .d = 128, .schedule = Kind::FlashV4}},
      {"cudnn_generated_fort_native_sdpa_sm80_flash_fprop_wmma_f16_knob_3_64x64x128",
       {.family = Cudnn, .pass = Pass::Forward, .sm = 80, .d = 128, .schedule = Kind::FlashV2}},
      {"void cudnn::fusion::compute_dot_do_o_specialized<true, 128>(void const*)",
       {.family = Cudnn, .pass = Pass::Helper}},
      {"void cudnn::convert_dq_to_16bits<1>(const void *)", {.family = Cudnn, .pass = Pass::Helper}},
      {"void cudnn::fusion::lean_reduction_kernel<false, false, false>(void*, float*)",
       {.family = Cudnn, .pass = Pass::Combine, .split_kv = true, .schedule = Kind::SplitKv}},
      {"cudnn_generated_fort_native_matmul_sm80_f16_knob_3_64x64x128", {}},
      {"cudnn_generated_layer_norm_fwd_f16", {}},
      {"void cudnn::ops::nchwToNhwcKernel<float, float>(x)", {}},
  });
}

TEST_CASE("FlashInfer's names give tiles in fragments of 16") {
  check({
      {"void flashinfer::BatchPrefillWithPagedKVCacheKernel<flashinfer::KernelTraits<(flashinfer::MaskMode)1, "
       "(unsigned "
       "int)128, (unsigned int)2, (unsigned int)2, (unsigned int)8, (unsigned int)8, (unsigned int)4, (unsigned int)1, "
       "(flashinfer::PosEncodingMode)0, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float, int, "
       "flashinfer::DefaultAttention<(bool)0, (bool)0, (bool)0, (bool)0>>, PagedParams>(T2)",
       {.family = Flashinfer,
        .pass = Pass::Forward,
        .dtype = "bf16",
        .d = 128,
        .tile = KernelTile{128, 32},
        .schedule = Kind::FlashV2}},
      {"void flashinfer::BatchDecodeWithPagedKVCacheKernel<(flashinfer::PosEncodingMode)0, (unsigned int)2, (unsigned "
       "int)1, (unsigned int)8, (unsigned int)16, (unsigned int)2, (unsigned int)4, "
       "flashinfer::DefaultAttention<(bool)0, "
       "(bool)0, (bool)0, (bool)0>, Params>(T9)",
       {.family = Flashinfer, .pass = Pass::Forward, .d = 128}},
      {"void flashinfer::BatchDecodeWithPagedKVCacheKernel<(bool)1, (flashinfer::PosEncodingMode)0, (unsign…",
       {.family = Flashinfer, .pass = Pass::Forward}},
      {"void flashinfer::PersistentVariableLengthMergeStatesKernel<8u, 16u, 8u, 4u, __nv_bfloat16>(x)",
       {.family = Flashinfer, .pass = Pass::Combine, .split_kv = true, .schedule = Kind::SplitKv}},
      {"void flashinfer::norm::RMSNormKernel<8u, __nv_bfloat16>(x)", {}},
      {"void flashinfer::activation::act_and_mul_kernel<__nv_bfloat16>(x)", {}},
      {"fmhaSm100aKernel_QkvE4m3OBfloat16H128SeparateQkvDenseVarSeqQ128Kv128PersistentContext",
       {.pass = Pass::Forward,
        .sm = 100,
        .dtype = "fp8",
        .d = 128,
        .tile = KernelTile{128, 128},
        .program = "TensorRT-LLM"}},
      {"void qk_int8_sv_f8_accum_f32_attn_inst_buf_kernel<128u>(x)",
       {.pass = Pass::Forward, .program = "SageAttention"}},
      {"void sm90::flash_fwd_splitkv_mla_kernel<sm90::Traits<cutlass::bfloat16_t> >(x)",
       {.pass = Pass::Forward, .split_kv = true, .schedule = Kind::SplitKv, .program = "FlashMLA"}},
      {"void vllm::paged_attention_v2_kernel<unsigned short, unsigned short, 128, 16, 128, "
       "(vllm::Fp8KVCacheDataType)0, false, 512>(x)",
       {.pass = Pass::Forward, .d = 128, .split_kv = true, .schedule = Kind::SplitKv, .program = "vLLM"}},
  });
}

TEST_CASE("among kernels generated from Python only known names are attention") {
  check({
      {"triton_tem_fused_flex_attention_0", {.family = Flex, .pass = Pass::Forward}},  // FlexDecoding's too
      {"triton_tem_fused__to_copy_flex_attention_backward_split_transpose_7",
       {.family = Flex, .pass = Pass::Backward, .schedule = Kind::Backward}},
      {"triton_per_fused_flex_attention_backward_0", {.family = Flex, .pass = Pass::Helper}},
      {"triton_tem_fused_mm_3", {}},
      {"triton_poi_fused__scaled_dot_product_flash_attention_view_2", {}},
      {"_attn_fwd", {.family = Triton, .pass = Pass::Forward, .schedule = Kind::FlashV2}},
      {"_attn_fwd_0d1d2d34d5d6de7de8d", {.family = Triton, .pass = Pass::Forward, .schedule = Kind::FlashV2}},
      {"kernel_unified_attention_3d",
       {.family = Triton, .pass = Pass::Forward, .split_kv = true, .schedule = Kind::SplitKv}},
      {"_fwd_kernel_stage2", {.family = Triton, .pass = Pass::Combine, .split_kv = true, .schedule = Kind::SplitKv}},
      {"_layer_norm_fwd_1pass_kernel", {}},
      {"nvjet_tst_192x128_64x4_1x2_h_bz_coopA_NTT", {}},
      {"Memcpy DtoD (Device -> Device)", {}},
      {"", {}},
  });
}

TEST_CASE("a softmax is attention only where its name mentions scores") {
  check({
      {"void (anonymous namespace)::softmax_warp_forward<c10::Half, c10::Half, float, 9, false, false>(c10::Half*)",
       {}},
      {"void (anonymous namespace)::softmax_warp_forward<float, float, float, 9, true, false>(float*)", {}},
      {"void scaled_upper_triang_masked_softmax_warp_backward<__half, __half, float, 11>(x)",
       {.family = Math, .pass = Pass::Backward, .dtype = "fp16", .schedule = Kind::BackwardStandard}},
  });
  constexpr const char* plain =
      "void (anonymous namespace)::softmax_warp_forward<c10::Half, c10::Half, float, 9, false, false>(c10::Half*)";
  CHECK(hint_of(plain) == NameHint::Softmax);
  REQUIRE(as_part_of_attention(plain));
  CHECK(as_part_of_attention(plain)->family == Math);
  CHECK(as_part_of_attention(plain)->dtype == "fp16");
  CHECK(as_part_of_attention(plain)->schedule == Kind::Standard);
  constexpr const char* logarithm =
      "void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float, c10::BFloat16, "
      "at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue>(c10::BFloat16*)";  // a loss
  CHECK(hint_of(logarithm) == NameHint::None);
  CHECK_FALSE(as_part_of_attention(logarithm));
}

TEST_CASE("decoding names of inference programs gives what is in the name, and no more") {
  check({
      {"void vllm::paged_attention_v1_kernel<__nv_bfloat16, __nv_bfloat16, 128, 16, 128, "
       "(vllm::Fp8KVCacheDataType)0, false>(float*)",
       {.pass = Pass::Forward, .d = 128, .split_kv = false, .program = "vLLM"}},
      {"fmha_v2_flash_attention_bf16_64_128_S_qkv_128_causal_tma_ws_sm90_kernel",
       {.pass = Pass::Forward,
        .sm = 90,
        .dtype = "bf16",
        .d = 128,
        .schedule = Kind::FlashV3,
        .program = "TensorRT-LLM"}},
      {"fmha_v2_flash_attention_fp16_fp32_64_64_S_q_paged_kv_96_sm89_kernel_nl_tiled",
       {.pass = Pass::Forward,
        .sm = 89,
        .dtype = "fp16",
        .d = 96,
        .schedule = Kind::FlashV2,
        .program = "TensorRT-LLM"}},
      {"fmha_v2_fp16_384_64_sm80_kernel",
       {.pass = Pass::Forward, .sm = 80, .dtype = "fp16", .program = "TensorRT-LLM"}},
      {"xqa_kernel_dt_bf16_d_128_beam_1_kvt_e4m3_pagedKV_32_nqpkv_8_m_8_sm_90",
       {.pass = Pass::Forward, .sm = 90, .dtype = "bf16", .d = 128, .program = "TensorRT-LLM"}},
      {"void tensorrt_llm::kernels::mmha::masked_multihead_attention_kernel<unsigned short, unsigned short, 128, "
       "256>(x)",
       {.pass = Pass::Forward, .program = "TensorRT-LLM"}},
      {"void cutlass::device_kernel<cutlass::fmha::kernel::Sm100FmhaFwdKernelTmaWarpspecialized<cute::tuple<int, int>, "
       "cutlass::fmha::collective::X<cutlass::bfloat16_t> > >(P)",
       {.pass = Pass::Forward, .sm = 100, .program = "CUTLASS"}},
      {"void cutlass::device_kernel<cutlass::fmha::kernel::FmhaKernelTmaWarpSpecialized<...>>", {.program = "CUTLASS"}},
      {"void flash_attn_ext_f16<64, 64, 8, 1, false, false>(char const*)",
       {.pass = Pass::Forward, .d = 64, .program = "ggml"}},
      {"void flash_attn_combine_results<128>(float const*)",
       {.pass = Pass::Combine, .d = 128, .split_kv = true, .schedule = Kind::SplitKv, .program = "ggml"}},
      {"fmha_fprop_fp16_512_64_sm80_kernel(fused_multihead_attention_fprop_params)",
       {.pass = Pass::Forward, .sm = 80, .dtype = "fp16", .d = 64, .program = "NVIDIA Apex"}},
      {"fmha_dgrad_fp16_512_64_sm80_kernel",
       {.pass = Pass::Backward, .sm = 80, .dtype = "fp16", .d = 64, .program = "NVIDIA Apex"}},
  });
}

TEST_CASE("an unknown name that mentions attention says so, and only by its own words") {
  for (const char* speaks : {"kernel_mha", "attention_layer_flash_gemm", "_flash_attn_fwd_kernel_custom",
                             "void my::fused_mqa_kernel<float>(x)", "void cutlass::Kernel<my::FmhaThing<1>>(x)",
                             "void (anonymous namespace)::sdpa_small<int>(x)", "fmha_fprop_unheard_of"}) {
    CAPTURE(speaks);
    CHECK_FALSE(decode_kernel(speaks).is_attention());
    CHECK(hint_of(speaks) == NameHint::Attention);
  }
  for (const char* quiet : {"ampere_sgemm_128x64_tn", "void vllm::reshape_and_cache_flash_kernel<int>(x)",
                            "void at::native::vectorized_elementwise_kernel<4, my::attention_functor>(x)", "",
                            "void gemm<attention_epilogue>(attention_params)"}) {
    CAPTURE(quiet);
    CHECK(hint_of(quiet) == NameHint::None);
  }
}

TEST_CASE("a name that a profiler cut gives what its beginning says") {
  check({
      // PyTorch's table keeps 52 letters.
      {"void cutlass::device_kernel<flash::enable_sm90_or_la...", {.family = Flash3}},
      {"void cutlass::device_kernel<flash::FlashAttnFwdCombi...",
       {.family = Flash3, .pass = Pass::Combine, .split_kv = true, .schedule = Kind::SplitKv}},
      {"void cutlass::device_kernel<flash::FlashAttnBwdPrepr...", {.family = Flash3, .pass = Pass::Helper}},
      {"void cutlass::device_kernel<flash::FlashAttnFwdS...", {.family = Flash3, .pass = Pass::Forward}},
      {"void cutlass::device_kernel<flash::", {.family = Flash3}},
      {"void cutlass::device_kernel<cutlass::fmha::kernel::Sm...", {.program = "CUTLASS"}},
      {"void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_par...",
       {.family = Flash, .pass = Pass::Backward, .schedule = Kind::Backward}},
      {"void pytorch_flash::flash_fwd_splitkv_kernel<Flash_f...", {.family = Flash, .pass = Pass::Forward}},
      {"void pytorch_flash::flash_fwd_splitkv...", {.family = Flash}},
      {"void pytorch_flash::flash_bwd_convert_dq_kern…", {.family = Flash, .pass = Pass::Helper}},
      {"_ZN7cutlass13device_kernelIN5flash19enable_sm90_or_l...", {.family = Flash3}},
      {"_ZN7cutlass13device_kernelIN5flash11enable_sm90INS1_16FlashAttnFwdSm90INS1_25CollectiveMainloopF",
       {.family = Flash3, .pass = Pass::Forward, .sm = 90, .schedule = Kind::FlashV3}},
      {"kernel_cutlass_kernel_flash_attncuteflash_fwd_sm100F...",
       {.family = Flash4, .pass = Pass::Forward, .sm = 100, .schedule = Kind::FlashV4}},
      {"kernel_cutlass_kernel_flash_attncuteflash_bwd_prepro...", {.family = Flash4}},
      {"triton_tem_fused_flex_atten...", {}},
      {"triton_tem_fused__to_copy_flex_attention_backw...", {.family = Flex}},
      // Nsight Systems keeps 100, without dots.
      {"void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<flash::CollectiveMai",
       {.family = Flash3, .pass = Pass::Forward, .sm = 90, .schedule = Kind::FlashV3}},
      // Cut at the beginning.
      {"…FlashAttnFwdSm90<flash::CollectiveMai…",
       {.family = Flash3, .pass = Pass::Forward, .sm = 90, .schedule = Kind::FlashV3}},
      {"…cutlass::fmha::kernel::Sm100FmhaFwdKernelTmaWarpspecialized<cute::tuple<",
       {.pass = Pass::Forward, .sm = 100, .program = "CUTLASS"}},
      // A beginning that other programs share says nothing.
      {"void cutlass::device_kernel<gemm::Flash...", {}},
      {"flash_...", {}},
      {"void other::flash_bwd_dq_dk_dv_loop_seqk_par...", {}},
  });
}

TEST_CASE("kernels for AMD's GPUs are decoded by their own names") {
  check({
      {"void ck_tile::kentry<256, 2, ck_tile::FmhaFwdKernel<...",
       {.pass = Pass::Forward, .schedule = Kind::FlashV2, .program = "Composable Kernel"}},
      {"ck_tile::kentry<ck_tile::gfx950_t, 2, ck_tile::FmhaFwdKernel<ck_tile::BlockFmhaPipelineQRKSVS<int>>>",
       {.pass = Pass::Forward, .schedule = Kind::FlashV2, .program = "Composable Kernel"}},
      {"void ck_tile::kentry<256, 1, ck_tile::FmhaBwdDQDKDVKernel<int> >(int)",
       {.pass = Pass::Backward, .schedule = Kind::Backward, .program = "Composable Kernel"}},
      {"void ck_tile::kentry<64, 2, ck_tile::FmhaFwdSplitKVCombineKernel<int> >(int)",
       {.pass = Pass::Combine, .split_kv = true, .schedule = Kind::SplitKv, .program = "Composable Kernel"}},
      {"void ck_tile::kentry<256, 2, ck_tile::FmhaFwdKernel<ck_tile::BlockFmhaPipelineQRKSVSAsync<"
       "ck_tile::BlockFmhaPipelineProblem<_Float16, _Float16, _Float16, float, ck_tile::TileFmhaShape<"
       "ck_tile::sequence<128, 64, 32, 128, 32, 128>, ck_tile::sequence<4, 1, 1> > > > > >(x)",
       {.pass = Pass::Forward,
        .dtype = "fp16",
        .d = 128,
        .tile = KernelTile{128, 64},
        .schedule = Kind::FlashV2,
        .program = "Composable Kernel"}},
      {"void ck_tile::kentry<256, 1, ck_tile::GemmKernel<int> >(int)", {}},
      {"aiter::fmha_fwd_hd128_bf16_causal_rtna_group",
       {.pass = Pass::Forward, .dtype = "bf16", .d = 128, .program = "aiter"}},
      {"aiter::fmha_bwd_hd192_hd128_fp16_causal_a32_pssk",
       {.pass = Pass::Backward, .dtype = "fp16", .d = 192, .schedule = Kind::Backward, .program = "aiter"}},
      {"aiter::fmha_bwd_hd128_dq_convert_bf16", {.pass = Pass::Helper, .dtype = "bf16", .d = 128, .program = "aiter"}},
      {"void paged_attention_ll4mi_QKV_mfma16_kernel<0, 1>(x)",
       {.pass = Pass::Forward, .split_kv = true, .schedule = Kind::SplitKv, .program = "vLLM"}},
      {"void paged_attention_ll4mi_reduce_kernel<0, 1>(x)",
       {.pass = Pass::Combine, .split_kv = true, .schedule = Kind::SplitKv, .program = "vLLM"}},
      {"bwd_kernel_dk_dv", {.family = Triton, .pass = Pass::Backward, .schedule = Kind::Backward}},
      {"bwd_preprocess", {.family = Triton, .pass = Pass::Helper}},
      {"sage_fwd", {.family = Triton, .pass = Pass::Forward}},
  });
}

TEST_CASE("kernels of programs that serve models are decoded by their own names") {
  check({
      {"kernel_unified_attention", {.family = Triton, .pass = Pass::Forward}},
      {"void sm100::decode::head64::flash_fwd_splitkv_mla_fp8_sparse_kernel<int>(x)",
       {.pass = Pass::Forward, .split_kv = true, .schedule = Kind::SplitKv, .program = "FlashMLA"}},
      {"fmha_v2_flash_attention_fp16_64_32_S_q_k_v_128_sm87",
       {.pass = Pass::Forward,
        .sm = 87,
        .dtype = "fp16",
        .d = 128,
        .schedule = Kind::FlashV2,
        .program = "TensorRT-LLM"}},
      {"void flash_attn_ext_mma_new<128>(x)", {.pass = Pass::Forward, .d = 128, .program = "ggml"}},
      {"void cutlass::device_kernel<cutlass::fmha::kernel::Sm100FmhaMlaKernelTmaWarpspecialized<int> >(x)",
       {.pass = Pass::Forward, .sm = 100, .program = "CUTLASS"}},
  });
}

TEST_CASE("loops that PyTorch's compiler fused are not attention, whatever operators are in their names") {
  for (const char* loop : {"triton_poi_fused__scaled_dot_product_flash_attention_cat_transpose_view_10",
                           "triton_red_fused__scaled_dot_product_efficient_attention_sum_3",
                           "triton_per_fused__scaled_dot_product_cudnn_attention_native_layer_norm_1",
                           "triton_poi_fused_flex_attention_view_4"}) {
    CAPTURE(loop);
    CHECK_FALSE(decode_kernel(loop).is_attention());
    CHECK(hint_of(loop) == NameHint::None);
  }
}
