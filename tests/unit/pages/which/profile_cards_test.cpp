// The calls that a profile implies.
#include "pages/which/profile_cards.h"

#include "tests/support/catch.h"
#include "tests/unit/dispatch/tables.h"

using namespace tilewalk;

namespace {

constexpr const char* kFlashOfPyTorch =
    "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, "
    "cutlass::bfloat16_t, pytorch_flash::Flash_kernel_traits<128, 128, 64, 4, cutlass::bfloat16_t> >, false, true>("
    "pytorch_flash::Flash_fwd_params)";

Profile profile_with(const std::string& name, std::int64_t calls, std::int64_t ns) {
  Profile profile;
  ProfileKernel kernel{name, decode_kernel(name), {calls, ns}};
  profile.groups.push_back({kernel.decoded.family, kernel.decoded.pass, kernel.time});
  profile.attention = kernel.time;
  profile.others = {1, ns};
  profile.kernels.push_back(std::move(kernel));
  return profile;
}

}  // namespace

TEST_CASE("a profile's groups are cards of the calls that they imply, and a card makes the call the window's") {
  Call window;
  window.type = CallType::Fp16;
  const std::vector<ProfileCard> cards = profile_cards(window, nullptr, profile_with(kFlashOfPyTorch, 12, 450'000));
  REQUIRE(cards.size() == 1);
  const ProfileCard& card = cards[0];
  CHECK(card.figure == "50.0 %");
  CHECK(card.words == "forward · 12 calls, 450.0 µs");
  CHECK(card.facts == std::vector<std::string>{"bf16", "d up to 128", "tile 128×64"});
  CHECK(card.take == std::vector<Command>{EditCall{"d", "128"}, EditCall{"dtype", "bf16"}});
  CHECK_FALSE(card.agrees);
  window.type = CallType::Bf16;
  window.d = 128;
  CHECK(profile_cards(window, nullptr, profile_with(kFlashOfPyTorch, 12, 450'000))[0].take.empty());
}

TEST_CASE("a card says whether PyTorch's rules run for such a call what ran") {
  const std::vector<RuleTable>& tables = test::tables();
  const Result<const RuleTable*> table = table_for(tables, "2.11");
  REQUIRE(table.ok());
  Call window;
  window.device = "a100";
  const ProfileCard fits = profile_cards(window, *table, profile_with(kFlashOfPyTorch, 2, 1000))[0];
  INFO(fits.verdict);
  CHECK(fits.agrees == true);
  const ProfileCard other =
      profile_cards(window, *table, profile_with("fmha_cutlassF_bf16_aligned_64x128_rf_sm80", 2, 1000))[0];
  INFO(other.verdict);
  CHECK(other.agrees == false);
  CHECK(other.verdict.find("FLASH_ATTENTION") != std::string::npos);
}
