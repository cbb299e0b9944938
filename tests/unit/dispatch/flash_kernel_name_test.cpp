#include "tests/unit/dispatch/known_kernels.h"

using namespace tilewalk;
using tilewalk::test::check;

namespace {

using enum KernelFamily;
using Pass = KernelPass;
using Kind = ScheduleKind;

}  // namespace

TEST_CASE("names of FlashAttention 1 and 2 have head size, tile and number format in their traits") {
  check({
      {"void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, cutlass::bfloat16_t, "
       "Flash_kernel_traits<128, 128, 64, 4, cutlass::bfloat16_t> >, false, true, false, false, false, true, false, "
       "false>(flash::Flash_fwd_params)",
       {.family = Flash,
        .pass = Pass::Forward,
        .dtype = "bf16",
        .d = 128,
        .tile = KernelTile{128, 64},
        .split_kv = false,
        .schedule = Kind::FlashV2}},
      {"void pytorch_flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<64, 64, 256, 4, 0, 0, cutlass::half_t, "
       "Flash_kernel_traits<64, 64, 256, 4, cutlass::half_t>>, 1, 0, 0, 1, 1, 0, 1, "
       "0>(pytorch_flash::Flash_fwd_params)",
       {.family = Flash,
        .pass = Pass::Forward,
        .dtype = "fp16",
        .d = 64,
        .tile = KernelTile{64, 256},
        .split_kv = true,
        .schedule = Kind::SplitKv}},
      {"void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<64, 64, 256, 4, 0, 0, cutlass::half_t, "
       "Flash_kernel_traits<64, 64, 256, 4, cutlass::half_t>>, 1, 0, 0, 1, 1, 0, 0, 1>(flash::Flash_fwd_params)",
       {.family = Flash,
        .pass = Pass::Forward,
        .dtype = "fp16",
        .d = 64,
        .tile = KernelTile{64, 256},
        .split_kv = false,
        .schedule = Kind::FlashV2}},
      {"flash_fwd_splitkv_kernel",
       {.family = Flash, .pass = Pass::Forward, .split_kv = true, .schedule = Kind::SplitKv}},
      {"flash_fwd_kernel", {.family = Flash, .pass = Pass::Forward, .split_kv = false, .schedule = Kind::FlashV2}},
      {"void flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4, false, false, cutlass::half_t, "
       "Flash_kernel_traits<128, 64, 128, 4, cutlass::half_t> >, 4, 5, true>(Flash_fwd_params)",
       {.family = Flash,
        .pass = Pass::Combine,
        .dtype = "fp16",
        .d = 128,
        .tile = KernelTile{64, 128},
        .split_kv = true,
        .schedule = Kind::SplitKv}},
      {"_ZN13pytorch_flash44flash_bwd_dq_dk_dv_loop_seqk_parallel_kernelI23Flash_bwd_kernel_traitsILi192ELi64ELi64ELi8E"
       "Li4ELi2ELi2ELb0ELb0EN7cutlass6half_tE19Flash_kernel_traitsILi192ELi64ELi64ELi8ES3_EELb0ELb1ELb0ELb0ELb1ELb1E"
       "Lb0EEEvNS_16Flash_bwd_paramsE",
       {.family = Flash,
        .pass = Pass::Backward,
        .dtype = "fp16",
        .d = 192,
        .tile = KernelTile{64, 64},
        .schedule = Kind::Backward}},
      {"void pytorch_flash::flash_bwd_dot_do_o_kernel<true, Flash_bwd_kernel_traits<64, 128, 128, 8, 4, 4, 4, false, "
       "false, cutlass::bfloat16_t, Flash_kernel_traits<64, 128, 128, 8, cutlass::bfloat16_t> > >(x)",
       {.family = Flash, .pass = Pass::Helper, .dtype = "bf16", .d = 64, .tile = KernelTile{128, 128}}},
      {"void fmha_fwd_loop_kernel<FMHA_kernel_traits<256, 64, 16, 1, 4, 8u, cutlass::half_t>, false, true, false>(x)",
       {.family = Flash,
        .pass = Pass::Forward,
        .dtype = "fp16",
        .d = 64,
        .tile = KernelTile{16, 256},
        .schedule = Kind::FlashV1}},
      // truncated: the tile is there, its keys are not
      {"void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 6",
       {.family = Flash, .pass = Pass::Forward, .d = 128, .split_kv = false, .schedule = Kind::FlashV2}},
      {"void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<64, 64, 256, 4, 0, 0, cutlass::half_t>, 1, 0, "
       "0...",
       {.family = Flash, .pass = Pass::Forward, .dtype = "fp16", .d = 64, .tile = KernelTile{64, 256}}},
      {"mine::flash_fwd_kernel<1>", {}},
  });
}

TEST_CASE("names of FlashAttention-3 have them in the main loop, and say twice whether keys are divided") {
  const std::string start = "void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<";
  const auto forward = [&](const std::string& split, const std::string& in_epilogue) {
    return start +
           "flash::CollectiveMainloopFwdSm90<(int)2, cute::tuple<cute::C<(int)1>, cute::C<(int)1>, cute::C<(int)1>>, "
           "cute::tuple<cute::C<(int)128>, cute::C<(int)176>, cute::C<(int)128>>, (int)128, cutlass::bfloat16_t, "
           "float, cutlass::arch::Sm90, (bool)0, (bool)0, (bool)0, (bool)1, (bool)1, (bool)0, (bool)0, (bool)1, "
           "(bool)1, (bool)0, (bool)" +
           split +
           ", (bool)0, cutlass::bfloat16_t, (int)1>, "
           "flash::CollectiveEpilogueFwd<cute::tuple<cute::C<(int)128>, cute::C<(int)128>, cute::C<(int)176>>, "
           "cute::tuple<cute::C<(int)1>, cute::C<(int)1>, cute::C<(int)1>>, cutlass::bfloat16_t, "
           "cutlass::arch::Sm90, (int)256, (bool)1, (bool)0, (bool)" +
           in_epilogue +
           ", (bool)0>, "
           "flash::StaticPersistentTileScheduler<(bool)0>>>>(T1::Params)";
  };
  DecodedKernel parts{.family = Flash3,
                      .pass = Pass::Forward,
                      .sm = 90,
                      .dtype = "bf16",
                      .d = 128,
                      .tile = KernelTile{128, 176},
                      .split_kv = false,
                      .schedule = Kind::FlashV3};
  CHECK(decode_kernel(forward("0", "0")) == parts);
  parts.split_kv = true, parts.schedule = Kind::SplitKv;
  CHECK(decode_kernel(forward("1", "1")) == parts);
  parts.split_kv = std::nullopt, parts.schedule = Kind::FlashV3;
  CHECK(decode_kernel(forward("1", "0")) == parts);  // another version, whose flags mean something else
  check({
      {"void "
       "cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<flash::CollectiveMainloopFwdSm90<"
       "2, cute::tuple<cute::C<1>, cute::C<1>, cute::C<1> >, cute::tuple<cute::C<128>, cute::C<176>, cute::C<128> >, "
       "128, "
       "cutlass::bfloat16_t, float, cutlass::arch::Sm90, false, false, false, false, false, false, false, false, true, "
       "true, true, false, false, cutlass::bfloat16_t, false, 1>, "
       "flash::CollectiveEpilogueFwd<cute::tuple<cute::C<128>, "
       "cute::C<128>, cute::C<176> >, cute::tuple<cute::C<1>, cute::C<1>, cute::C<1> >, cutlass::bfloat16_t, "
       "cutlass::arch::Sm90, 256, false, true, false, false>, flash::StaticPersistentTileScheduler<false> > > >(x)",
       {.family = Flash3,
        .pass = Pass::Forward,
        .sm = 90,
        .dtype = "bf16",
        .d = 128,
        .tile = KernelTile{128, 176},
        .split_kv = false,
        .schedule = Kind::FlashV3}},
      {"flash::FlashAttnFwdSm90<...,bfloat16_t,Sm90,…>",
       {.family = Flash3, .pass = Pass::Forward, .sm = 90, .schedule = Kind::FlashV3}},
      {"void "
       "cutlass::device_kernel<hstu::enable_sm90_or_later<hstu::FlashAttnFwdSm90<hstu::CollectiveMainloopFwd<1>>>>(x)",
       {}},
      {"void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnBwdSm90<flash::CollectiveMainloopBwdSm90<2, 2, "
       "2, "
       "cute::tuple<cute::C<1>, cute::C<1>, cute::C<1> >, cute::tuple<cute::C<80>, cute::C<128>, cute::C<128> >, "
       "cutlass::half_t, float, cutlass::arch::Sm90, true> > > >(x)",
       {.family = Flash3,
        .pass = Pass::Backward,
        .sm = 90,
        .dtype = "fp16",
        .d = 128,
        .tile = KernelTile{80, 128},
        .schedule = Kind::Backward}},
      {"void cutlass::device_kernel<flash::FlashAttnBwdPreprocess<cute::tuple<cute::C<128>, cute::C<64> >, "
       "cutlass::bfloat16_t, float, cutlass::arch::Sm90, true, false> >(x)",
       {.family = Flash3, .pass = Pass::Helper, .sm = 90, .dtype = "bf16"}},
      {"void cutlass::device_kernel<flash::FlashAttnFwdCombine<cute::tuple<cute::C<8>, cute::C<128> >, 5, 256, 1, "
       "true, "
       "false, cutlass::half_t, float, cutlass::arch::Sm90> >(x)",
       {.family = Flash3,
        .pass = Pass::Combine,
        .sm = 90,
        .dtype = "fp16",
        .split_kv = true,
        .schedule = Kind::SplitKv}},
      {"flash::prepare_varlen_num_blocks_kernel(int, int)", {.family = Flash3, .pass = Pass::Helper}},
  });
}

TEST_CASE("names of FlashAttention-4 have architecture and number format as words of a long name") {
  const std::string cute = "kernel_cutlass_kernel_flash_attncute";
  const struct {
    std::string name;
    DecodedKernel parts;
  } rows[] = {
      {cute +
           "flash_fwd_sm100FlashAttentionForwardSm100_object_at__tensor000o111012_tensorptrbf16gmemalign16oi64div8_0",
       {.family = Flash4, .pass = Pass::Forward, .sm = 100, .dtype = "bf16", .schedule = Kind::FlashV4}},
      {cute + "flash_fwd_sm120FlashAttentionForwardSm120_object_at__tensorptrf16gmemalign16oi64div81i64div8_0",
       {.family = Flash4, .pass = Pass::Forward, .sm = 120, .dtype = "fp16", .schedule = Kind::FlashV2}},
      {cute + "flash_bwd_sm90FlashAttentionBackwardSm90_object_at__t",
       {.family = Flash4, .pass = Pass::Backward, .sm = 90, .schedule = Kind::Backward}},
      {cute + "flash_bwd_preprocessFlashAttentionBackwardPreprocess_object_at__tensorptrbf16gmem",
       {.family = Flash4, .pass = Pass::Helper}},
      {cute + "flash_fwd_combineFlashAttentionForwardCombine_object_at__t",
       {.family = Flash4, .pass = Pass::Combine, .split_kv = true, .schedule = Kind::SplitKv}},
      {"FlashAttentionForwardSm100", {.family = Flash4, .pass = Pass::Forward, .sm = 100, .schedule = Kind::FlashV4}},
      {cute + "flash_fwd_sm100FlashAttentionForwardSm1", {.family = Flash4, .pass = Pass::Forward}},  // cut
      {"kernel_cutlass_kernel_quackrmsnormRMSNorm_object_at__tensorptrbf16gmem_0", {}},
  };
  for (const auto& row : rows) {
    CAPTURE(row.name);
    CHECK(decode_kernel(row.name) == row.parts);
  }
}
