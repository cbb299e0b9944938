#include "view/words/verdict.h"

#include "tests/support/catch.h"
#include "tests/support/compared.h"
#include "tests/support/h100_problem.h"
#include "tests/support/random_problem.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

std::string verdict(const Problem& p, ScheduleKind left, ScheduleKind right) {
  return comparison_words(test::compared(under_schedule(p, left), under_schedule(p, right))).verdict;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the verdict on FA-1 and FA-2 names the SMs that each keeps busy", "[unit]") {
  const std::string text = verdict(h100_problem(64), ScheduleKind::FlashV1, ScheduleKind::FlashV2);
  INFO(text);
  CHECK(text.starts_with("FA-2"));
  CHECK(contains(text, "it keeps 132 SMs busy where FA-1 keeps 32."));
}

TEST_CASE("where tiling loses, the verdict says so", "[unit]") {
  Problem p;  // short and wide
  p.shape.n_q = p.shape.n_kv = 16;
  p.shape.d = 64;
  p.machine.sram_bytes = 8192;
  CHECK(contains(
      verdict(p, ScheduleKind::Standard, ScheduleKind::FlashV2),
      "by the papers' ledgers, where naive attention reads K and V once, it would lose, with 2.0× more bytes"));
  CHECK(contains(verdict(p, ScheduleKind::Standard, ScheduleKind::FlashV1), "asks global memory for 1.4× more"));
  Problem wider = p;  // 256 visits
  wider.shape.n_q = wider.shape.n_kv = 64;
  CHECK(verdict(wider, ScheduleKind::Standard, ScheduleKind::FlashV1).starts_with("Here FA-1 loses: it takes "));
  Problem longer = p;  // one head, many keys
  longer.shape.n_q = longer.shape.n_kv = 2048;
  longer.machine.sram_bytes = 232448;
  const std::string lost = verdict(longer, ScheduleKind::Standard, ScheduleKind::FlashV1);
  CHECK(lost.starts_with("Here FA-1 loses: it takes "));
  CHECK(contains(lost, "because it keeps only 1 of 132 SMs busy."));
}

TEST_CASE("where tiling wins, the verdict says why", "[unit]") {
  Problem p = h100_problem(64);
  p.shape.n_q = p.shape.n_kv = 8192;
  CHECK(contains(verdict(p, ScheduleKind::Standard, ScheduleKind::FlashV2), "S and P never leave the chip"));
}

TEST_CASE("the verdict names what costs the time: S and P, the products' instruction, launches", "[unit]") {
  Problem p = h100_problem(64);
  p.shape.n_q = p.shape.n_kv = 8192;
  // K and V are read again, but L2 answers that.
  CHECK(contains(verdict(p, ScheduleKind::FlashV2, ScheduleKind::Standard), "because S and P go to HBM and back."));
  const std::string by_wgmma = verdict(p, ScheduleKind::FlashV2, ScheduleKind::FlashV3),
                    by_mma_sync = verdict(p, ScheduleKind::FlashV3, ScheduleKind::FlashV2);
  INFO(by_wgmma << "\n" << by_mma_sync);
  CHECK(contains(by_wgmma, ": FA-2's products run by mma.sync, which reaches 0.62 of wgmma's rate."));
  CHECK(contains(by_mma_sync, ", because its products run by mma.sync, which reaches 0.62 of wgmma's rate."));
}

TEST_CASE("any two schedules on any problem have a verdict, and each row a title", "[property]") {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    const auto& all = all_schedules();
    const Comparison c = test::compared(under_schedule(p, all[seed % all.size()]),
                                        under_schedule(p, all[(seed / all.size()) % all.size()]));
    const ComparisonWords words = comparison_words(c);
    REQUIRE_FALSE(words.verdict.empty());
    REQUIRE(words.verdict.back() == '.');
    REQUIRE(words.titles.size() == c.rows.size());
  }
}
