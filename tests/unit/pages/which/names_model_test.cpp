// The page's text about a kernel's name and a profile.
#include "pages/which/names_model.h"

#include "core/fields/validate.h"
#include "dispatch/kernel_schedule.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

constexpr const char* kFlash =
    "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, "
    "cutlass::bfloat16_t, pytorch_flash::Flash_kernel_traits<128, 128, 64, 4, cutlass::bfloat16_t> >, false, true>("
    "pytorch_flash::Flash_fwd_params)";

std::string part(const NamesModel& m, const std::string& name) {
  for (const NamePart& row : m.parts)
    if (row.part == name) return row.text;
  return "";
}

}  // namespace

TEST_CASE("a name is decoded part by part, and leads to its schedule with its tiles") {
  const NamesModel m = build_names_model(kFlash, {});
  CHECK(part(m, "from") == "FlashAttention 1 or 2");
  CHECK(part(m, "pass") == "the forward pass");
  CHECK(part(m, "type") == "bf16");
  CHECK(part(m, "head size") == "d up to 128");
  CHECK(part(m, "tile") == "128 rows of Q, 64 keys");
  CHECK(m.walk_words.find("128×64") != std::string::npos);
  const auto problem = problem_of(decode_kernel(kFlash));
  REQUIRE(problem);
  CHECK(validate(*problem).empty());
  CHECK((problem->tiling.br == 128 && problem->tiling.bc == 64 && problem->shape.d == 128));
}

TEST_CASE("parts missing in a name are listed, and a name that is not attention leads nowhere") {
  const NamesModel cut = build_names_model("fmha_cutlassF_bf16_aligned_64x128_rf_sm80", {});
  CHECK(part(cut, "head size").empty() == (cut.missing.find("head size") != std::string::npos));
  const NamesModel other = build_names_model("ampere_sgemm_128x64_tn", {});
  CHECK(other.parts.size() == 1);
  const NamesModel softmax =
      build_names_model("void softmax_warp_forward<float, float, float, 9, false, false>(x)", {});
  CHECK(part(softmax, "from").starts_with("a softmax, of attention or of something else"));
  CHECK(softmax.walk_words.empty());
  CHECK(part(build_names_model("kernel_mha", {}), "from").starts_with("its name contains attention"));
  CHECK(part(build_names_model("flash_attn_ext_vec", {}), "from") == "ggml");
  CHECK(other.walk_words.empty());
  CHECK_FALSE(problem_of(decode_kernel("ampere_sgemm_128x64_tn")));
  CHECK(build_names_model("", {}).parts.empty());
}

TEST_CASE("a profile is grouped by family and pass, and each group names its longest kernel") {
  Profile profile;
  const DecodedKernel flash = decode_kernel(kFlash);
  profile.attention = {24, 30'000'000};
  profile.others = {10, 10'000'000};
  profile.groups = {{flash.family, flash.pass, {24, 30'000'000}}};
  profile.kernels = {{kFlash, flash, {20, 29'000'000}}, {"flash_fwd_kernel", flash, {4, 1'000'000}}};
  ProfileReading reading;
  reading.news = {.path = "/a/trace.json", .profile = std::make_shared<const Profile>(profile)};
  const NamesModel m = build_names_model("", reading);
  CHECK(m.file == "trace.json");
  REQUIRE(m.rows.size() == 3);
  CHECK(m.rows[0].family == "FLASH · FA-1, FA-2");
  CHECK(m.rows[0].calls == "24");
  CHECK(m.rows[0].time == "30.0 ms");
  CHECK(m.rows[0].share == "75.0 %");
  CHECK(m.rows[0].read == ReadName{kFlash});
  CHECK(m.so.starts_with("75 % of GPU time is attention; its largest part is FLASH · FA-1, FA-2"));
  CHECK(m.so.find(". FlashAttention runs here") != std::string::npos);
  CHECK(gpu_time_text(2175) == "2.17 µs");  // as its neighbours, in µs
  CHECK(gpu_time_text(999) == "999 ns");
  CHECK(m.notes.empty());
  profile.unknown = {3, 5'000'000};
  profile.unknown_kernels = {{"my_attention", {}, {3, 5'000'000}}};
  profile.lone_softmax = {2, 1'000'000};
  profile.operators[std::size_t(SdpaOperator::Math)] = 1;
  reading.news.profile = std::make_shared<const Profile>(profile);
  const NamesModel more = build_names_model("", reading);
  REQUIRE(more.rows.size() == 4);
  CHECK(more.rows[2].family == "speak of attention");
  CHECK(more.rows[2].read == ReadName{"my_attention"});
  REQUIRE(more.notes.size() == 2);
  CHECK(more.notes[0].find("are 2 softmaxes") != std::string::npos);
  CHECK(more.notes[0].find("1 call went to MATH") != std::string::npos);
  profile.is_timed = false;
  reading.news.profile = std::make_shared<const Profile>(profile);
  CHECK(build_names_model("", reading).rows[0].time == "–");
}
