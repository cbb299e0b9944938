#include "core/predict/compare.h"

#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "tests/support/catch.h"
#include "tests/support/compared.h"
#include "tests/support/h100_problem.h"
#include "tests/support/random_problem.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

const CompareRow& row(const Comparison& c, const std::string& id) {
  for (const CompareRow& r : c.rows)
    if (r.id == id) return r;
  FAIL("no row " << id);
  return c.rows.front();
}

Problem picture() { return h100_problem(64); }

Comparison compared(const Problem& p, ScheduleKind left, ScheduleKind right) {
  return test::compared(under_schedule(p, left), under_schedule(p, right));
}

}  // namespace

TEST_CASE("transfers add up to the schedule's own totals, and each leads to a step that does it", "[property]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    const auto schedule = make_schedule(p);
    Cost sum, want = schedule->totals_before(schedule->step_count()).cost;
    std::vector<std::int64_t> times(std::size_t(kPhaseCount * 8));
    for (std::int64_t k = 0; k < schedule->step_count(); ++k)
      ++times[std::size_t(schedule->step(k).section * kPhaseCount + int(schedule->step(k).phase))];
    bool leads = true;
    for (const Transfer& t : transfers_of(*schedule)) {
      (t.write ? sum.of(t.tensor).write_bytes : sum.of(t.tensor).read_bytes) += t.bytes;
      const Step step = schedule->step(t.first_step);
      const Traffic moved = schedule->cost_of(step).of(t.tensor);
      leads &=
          step.phase == t.phase && step.section == t.section && (t.write ? moved.write_bytes : moved.read_bytes) > 0;
      leads &= t.times == times[std::size_t(t.section * kPhaseCount + int(t.phase))];
      for (std::int64_t k = schedule->first_step_of_group(t.section, {.group = 0}); k < t.first_step; ++k)
        leads &= schedule->step(k).phase != t.phase || schedule->step(k).section != t.section;
    }
    REQUIRE(sum.hbm == want.hbm);
    REQUIRE(leads);
  }
}

TEST_CASE("FA-1 against FA-2: fewer reads of K and V, many more of Q and O, and 100 SMs idle", "[unit]") {
  const Comparison c = compared(picture(), ScheduleKind::FlashV1, ScheduleKind::FlashV2);
  const double once = 32.0 * 1280 * 128 * 2;
  REQUIRE(row(c, "kv-read").left == 2 * once);
  REQUIRE(row(c, "kv-read").right == 20 * 2 * once);
  REQUIRE(row(c, "qo").right == 2 * once);
  REQUIRE(row(c, "qo").left > 20 * row(c, "qo").right);
  REQUIRE(row(c, "rescales").left == 32 * 20 * 20);
  REQUIRE(row(c, "rescales").right == 0);
  REQUIRE(row(c, "sms").left == 32);
  REQUIRE(row(c, "sms").right == 132);
  REQUIRE(row(c, "time").right < row(c, "time").left);
  double sum = 0;
  for (const Transfer& t : row(c, "kv-read").right_transfers) {
    REQUIRE(t.phase == Phase::LoadKV);
    sum += double(t.bytes);
  }
  REQUIRE(sum == row(c, "kv-read").right);
}

TEST_CASE("where tiling loses, the figures say so", "[unit]") {
  Problem p;  // short and wide
  p.shape.n_q = p.shape.n_kv = 16;
  p.shape.d = 64;
  p.machine.sram_bytes = 8192;
  const Comparison two = compared(p, ScheduleKind::Standard, ScheduleKind::FlashV2);
  REQUIRE(row(two, "ledger").left == (4 * 16 * 64 + 4 * 16 * 16) * 4);
  REQUIRE(row(two, "ledger").right == (2 * 16 * 64 + 16 + 4 * 2 * 16 * 64) * 4);
  REQUIRE(two.too_small());
  const Comparison one = compared(p, ScheduleKind::Standard, ScheduleKind::FlashV1);
  REQUIRE(row(one, "all").right > row(one, "all").left);
  REQUIRE(one.too_small());  // 16 visits, each a way to memory and back: 8 µs, and a launch takes more
  Problem wider = p;         // 256 visits
  wider.shape.n_q = wider.shape.n_kv = 64;
  const Comparison slower = compared(wider, ScheduleKind::Standard, ScheduleKind::FlashV1);
  REQUIRE_FALSE(slower.too_small());
  REQUIRE(row(slower, "time").right > 1.05 * row(slower, "time").left);
  Problem longer = p;  // one head, many keys
  longer.shape.n_q = longer.shape.n_kv = 2048;
  longer.machine.sram_bytes = 232448;
  const Comparison lost = compared(longer, ScheduleKind::Standard, ScheduleKind::FlashV1);
  REQUIRE_FALSE(lost.too_small());
  REQUIRE(row(lost, "time").right > 1.05 * row(lost, "time").left);
  REQUIRE(row(lost, "sms").right == 1);
}

TEST_CASE("a single query is faster with its KV range split", "[unit]") {
  Problem p = picture();
  p.shape.batch = 1;
  p.shape.heads = p.shape.kv_heads = 8;
  p.shape.n_q = 1;
  p.shape.n_kv = 65536;
  const Problem split = under_schedule(p, ScheduleKind::SplitKv);
  REQUIRE(split.tiling.splits == 16);
  const Comparison c = test::compared(p, split);
  REQUIRE(row(c, "sms").right == 128);
  REQUIRE(row(c, "time").right * 4 < row(c, "time").left);
}

TEST_CASE("any two schedules can be compared on any problem, and every row of bytes lists its parts", "[property]") {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const Problem p = random_problem(seed);
    INFO(as_text(p));
    const auto& all = all_schedules();
    const Problem left = under_schedule(p, all[seed % all.size()]),
                  right = under_schedule(p, all[(seed / all.size()) % all.size()]);
    REQUIRE(text_of(validate(left)) == "");
    REQUIRE(why_not_comparable(left, right).empty());
    const Comparison c = test::compared(left, right);
    for (const CompareRow& r : c.rows) {
      REQUIRE(r.left == r.left);
      if (r.unit != CompareUnit::Bytes || r.modelled) continue;
      double sum = 0;
      for (const Transfer& t : r.left_transfers) sum += double(t.bytes);
      REQUIRE(sum == r.left);
    }
  }
}

TEST_CASE("different problems are not compared, and the reason is given", "[unit]") {
  Problem p = picture(), q = p;
  q.shape.n_kv = 640;
  q.numerics.dtype = DType::Fp32;
  REQUIRE(why_not_comparable(p, q).size() == 2);
  REQUIRE(why_not_comparable(p, p).empty());
  Problem narrow = p;
  narrow.shape.d = 64;
  REQUIRE(why_not_comparable(p, narrow).size() == 1);
  REQUIRE(why_not_comparable(p, narrow)[0].text().starts_with("d = 128 and 64"));
}
