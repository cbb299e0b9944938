#include "pages/compare/compare_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/units.h"
#include "measured/prediction_error.h"
#include "tests/support/catch.h"
#include "tests/support/compared.h"
#include "tests/support/h100_problem.h"
#include "tests/support/random_problem.h"
#include "view/words/predict_words.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

Problem wide_problem() { return h100_problem(128); }

const CompareLine& line(const CompareModel& m, std::string_view id) {
  for (const CompareLine& l : m.lines)
    if (l.id == id) return l;
  FAIL("no line " << id);
  return m.lines.front();
}

CompareModel model_of(const Problem& left, const Problem& right, const RaceTimes* times = nullptr) {
  const Comparison c = test::compared(left, right);
  return build_compare_model(c, words_with_times(c, times), times);
}

}  // namespace

TEST_CASE("the design's table comes out: FA-1 against FA-2, batch 2, 16 heads, N 1280", "[unit]") {
  const CompareModel m = model_of(under_schedule(wide_problem(), ScheduleKind::FlashV1),
                                  under_schedule(wide_problem(), ScheduleKind::FlashV2));
  REQUIRE(m.heading == "whole run, fp16, H100 SXM, tiles 128×128");
  REQUIRE(m.left_title == "FA-1");
  REQUIRE(line(m, "kv-read").left == "20.0 MiB");
  REQUIRE(line(m, "kv-read").right == "200 MiB");
  REQUIRE(line(m, "kv-read").difference == "+180 MiB");
  REQUIRE(line(m, "kv-read").verdict == -1);
  REQUIRE(line(m, "qo").right == "20.0 MiB");
  REQUIRE(line(m, "qo").verdict == 1);
  REQUIRE(line(m, "rescales").left == "yes");
  REQUIRE(line(m, "rescales").right == "no");
  REQUIRE(line(m, "sms").left == "32 of 132");
  REQUIRE(line(m, "sms").right == "132 of 132");
  REQUIRE(line(m, "sms").difference == "4.1×");
  REQUIRE(line(m, "sms").verdict == 1);
  REQUIRE(line(m, "time").modelled);
  REQUIRE_FALSE(line(m, "kv-read").modelled);
  REQUIRE(m.verdict.back() == '.');
}

TEST_CASE("rows have one order: traffic from the parts to the whole, then operations, then time", "[unit]") {
  std::vector<std::string> rows;
  for (const CompareLine& l : model_of(under_schedule(wide_problem(), ScheduleKind::Standard),
                                       under_schedule(wide_problem(), ScheduleKind::SplitKv))
                                  .lines)
    rows.push_back(l.id);
  const std::vector<std::string> all = {"kv-read", "qo",     "stats",         "sp",         "other",  "all",
                                        "dram",    "ledger", "rescales",      "sms",        "matmul", "exp",
                                        "flops",   "time",   "modelled-time", "timed-bytes"};
  REQUIRE(rows == all);
  rows.clear();
  for (const CompareLine& l : model_of(under_schedule(wide_problem(), ScheduleKind::FlashV1),
                                       under_schedule(wide_problem(), ScheduleKind::FlashV2))
                                  .lines)
    rows.push_back(l.id);
  // Rows of S, P and partial results are left out where neither side has them in HBM, and where a side is naive.
  std::vector<std::string> tiled = all;
  for (const char* of_naive : {"modelled-time", "timed-bytes"}) std::erase(tiled, of_naive);
  std::erase(tiled, "sp");
  std::erase(tiled, "other");
  REQUIRE(rows == tiled);
}

TEST_CASE("exponentials are counted in pieces, operations in FLOP", "[unit]") {
  Problem p = wide_problem();
  p.shape.batch = p.shape.heads = p.shape.kv_heads = 1;
  const Problem left = under_schedule(p, ScheduleKind::Standard), right = under_schedule(p, ScheduleKind::FlashV2);
  const CompareLine exp = line(model_of(left, right), "exp");
  const auto counted = [](const Problem& of) {
    const auto schedule = make_schedule(of);
    return schedule->totals_before(schedule->step_count()).cost.exp;
  };
  REQUIRE(counted(left) == 1280 * 1280);
  REQUIRE(exp.title == "exponentials");
  REQUIRE(exp.left == "1,638,400");
  REQUIRE(exp.right == format_count(counted(right)));
  REQUIRE(counted(right) == 1280 * 1280 + 1280 * (1280 / right.tiling.bc));  // and α of each row at each visit
  const double more = double(counted(right)) / double(counted(left)) - 1;
  REQUIRE(exp.difference == fmt::format("+{:.1f} %", more * 100));
  REQUIRE(exp.verdict == -1);
  for (const char* id : {"matmul", "flops"}) {
    INFO(id);
    REQUIRE(line(model_of(left, right), id).left.ends_with("FLOP"));
  }
  p.shape.batch = 1000;  // past nine digits it is rounded, still without a unit
  const CompareModel many =
      model_of(under_schedule(p, ScheduleKind::Standard), under_schedule(p, ScheduleKind::FlashV2));
  REQUIRE(line(many, "exp").left == "1.64e+09");
}

TEST_CASE("a figure opens its transfers, and each transfer leads to a step", "[unit]") {
  const Problem right = under_schedule(wide_problem(), ScheduleKind::FlashV2);
  const CompareModel m = model_of(under_schedule(wide_problem(), ScheduleKind::FlashV1), right);
  const auto& behind = line(m, "kv-read").right_transfers;
  REQUIRE(behind.size() == 2);
  REQUIRE(behind[0].text == "load: K read, 3,200 times, 100 MiB");
  const auto schedule = make_schedule(right);
  REQUIRE(schedule->step(behind[0].step - 1).phase == Phase::LoadKV);
  REQUIRE(line(m, "qo").left_transfers.size() >= 4);
  REQUIRE(line(m, "qo").left_transfers[0].text.find("pass 1, ") == 0);
}

TEST_CASE("one schedule with two settings is told apart by pinned and now", "[unit]") {
  Problem slow = under_schedule(wide_problem(), ScheduleKind::FlashV3), fast = slow;
  slow.lanes.ping_pong = false;
  slow.lanes.overlap = false;
  const CompareModel m = model_of(slow, fast);
  REQUIRE(m.left_title == "FA-3 pinned");
  REQUIRE(line(m, "kv-read").difference == "same");
  REQUIRE(line(m, "time").verdict == 1);
  REQUIRE(line(m, "time").difference.find("−") == 0);
}

TEST_CASE("two short times and the percentage between them agree as they are written", "[unit]") {
  Problem p = wide_problem();
  p.shape.mask.kind = MaskKind::Causal;
  const CompareModel m = model_of(under_schedule(p, ScheduleKind::FlashV2), under_schedule(p, ScheduleKind::FlashV3));
  const CompareLine time = line(m, "time");
  const double before = std::stod(time.left), after = std::stod(time.right);
  const double written = std::stod(time.difference.substr(std::string("−").size()));
  REQUIRE(time.left.ends_with(" µs"));
  REQUIRE(100 * (1 - after / before) == Approx(written).margin(2));
}

namespace {

// −1: less, 1: more, 0: equal or unknown; 2: the text has neither.
int sign_of_difference(const std::string& text) {
  if (text == "same" || text == "too small to tell") return 0;
  return text.starts_with("−") ? -1 : text.starts_with("+") || text.ends_with("×") ? 1 : 2;
}

int sign_of_headline(const std::string& text) {
  const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
  if (says("Too small to tell") || says("takes the same modelled time as")) return 0;
  if (says(" less modelled time than ")) return -1;
  return says(" more modelled time than ") || says("× the modelled time of ") ? 1 : 2;
}

// A problem of a usual size.
Problem sizeable_problem(std::uint64_t seed) {
  Draw draw(seed);
  Problem p;
  p.shape.batch = draw.upto(1, 4);
  p.shape.heads = p.shape.kv_heads = draw.upto(1, 16);
  p.shape.n_kv = std::int64_t(64) << draw.upto(0, 7);
  p.shape.n_q = draw.upto(0, 3) == 0 ? 1 : p.shape.n_kv;
  p.shape.d = std::int64_t(32) << draw.upto(0, 2);
  p.shape.mask.kind = MaskKind(draw.upto(0, 2));
  p.tiling.br = std::int64_t(32) << draw.upto(0, 2);
  p.tiling.bc = std::int64_t(32) << draw.upto(0, 2);
  p.numerics.dtype = draw.upto(0, 1) ? DType::Bf16 : DType::Fp16;
  p.machine.device = "h100";
  p.machine.sram_bytes = 232448;
  return p;
}

}  // namespace

TEST_CASE("the headline agrees with the table about time and bytes, for all schedules and problems", "[property]") {
  std::vector<ScheduleKind> forward;
  for (const ScheduleKind kind : all_schedules())
    if (!is_backward(kind)) forward.push_back(kind);
  int told = 0, small = 0;
  for (std::uint64_t seed = 0; seed < 160; ++seed) {
    const Problem p = seed % 4 == 0 ? random_problem(seed) : sizeable_problem(seed);
    const ScheduleKind a = forward[seed % forward.size()], b = forward[(seed / forward.size() + seed) % forward.size()];
    INFO(as_text(p) << " against " << name_of(a) << ", as " << name_of(b));
    const CompareModel m = model_of(under_schedule(p, a), under_schedule(p, b));
    REQUIRE(m.problems.empty());
    INFO(m.verdict);
    const CompareLine& time = line(m, "time");
    const int headline = sign_of_headline(m.verdict);
    REQUIRE(headline != 2);
    REQUIRE(headline == sign_of_difference(time.difference));
    if (time.difference.ends_with(" %")) {
      const std::string figure = time.difference.substr(time.difference.find_first_of("0123456789<"));
      REQUIRE(m.verdict.find(figure + (headline < 0 ? " less" : " more") + " modelled time") != std::string::npos);
    }
    REQUIRE((time.verdict == 0) == (headline == 0));
    REQUIRE(m.too_small == (m.verdict.find("Too small") == 0));
    const std::string bytes = line(m, "all").difference;
    const auto says = [&](const char* words) { return m.verdict.find(words) != std::string::npos; };
    REQUIRE(says("as many bytes") == (bytes == "same"));
    told += headline != 0;
    small += m.too_small;
  }
  CHECK(told > 40);
  CHECK(small > 10);
}

TEST_CASE("a baseline that cannot use the tiles keeps its traffic, and the tiles of both are given", "[unit]") {
  Problem p = wide_problem();
  p.shape.n_q = p.shape.n_kv = 4096;
  p.shape.d = 64;
  p.schedule = ScheduleKind::FlashV3;
  p.tiling.br = p.tiling.bc = 192;
  const CompareModel m = model_of(under_schedule(p, ScheduleKind::FlashV2), p);
  CHECK(m.left_title == "FA-2 192×96");
  CHECK(m.right_title == "FA-3 192×192");
  CHECK(line(m, "kv-read").difference == "same");
  CHECK(m.verdict.find(", in tiles of 192×192 against 192×96.") != std::string::npos);
}

TEST_CASE("where the same call was recorded, its time is below the modelled one, with the error") {
  const Result<RaceTimes> times = load_race_times(TILEWALK_SOURCE_DIR);
  REQUIRE(times);
  const DeviceModel& h200 = device_of("h200");
  const AttentionCall call{.n = 8192, .d = 64, .heads = 32, .batch = 2};
  const auto walked = [&](const char* method) {
    Problem p = walked_by(*method_named(method), call, h200);
    p.machine.sram_bytes = std::max(p.machine.sram_bytes, h200.sram_per_block_bytes);
    return p;
  };
  const Problem two = walked("flash_v2"), of_call = walked("naive");
  Problem naive = of_call;
  naive.numerics.narrow_scores = false;
  const CompareModel m = model_of(naive, two, &*times);
  REQUIRE(m.problems.empty());
  const CompareLine raced = line(m, "time"), own = line(m, "modelled-time"), error = line(m, "recorded-error");
  CHECK(error.left == "–");  // the naive that races is another kernel than the naive walk
  CHECK(raced.title == "recorded time");
  CHECK(raced.left_variant == std::string("S in ") + name_of(two.numerics.dtype));
  CHECK(raced.right_variant.empty());
  CHECK(raced.left == ms_text(*times->ms_of(Contender::Naive, cell_of(call))));
  CHECK(raced.right == ms_text(*times->ms_of(Contender::FlashV2, cell_of(call))));
  CHECK(raced.verdict == 1);
  CHECK_FALSE(raced.modelled);
  CHECK(own.title == "modelled, this walk's S in fp32");
  CHECK(own.difference.empty());  // one ratio
  CHECK(own.verdict == 0);
  CHECK(m.left_title.starts_with("Naive (S in fp32)"));
  CHECK(m.headline.find(" less recorded time than Naive (S in ") != std::string::npos);
  CHECK(m.detail.find("than Naive (S in fp32)") != std::string::npos);
  const CompareModel same = model_of(of_call, two, &*times);  // the naive that races: nothing to tell apart
  CHECK(line(same, "time").left_variant.empty());
  CHECK(line(same, "time").left == raced.left);
  CHECK(line(same, "modelled-time").title == "modelled time");
  CHECK(same.left_title.starts_with("Naive 64"));
  CHECK((same.headline + same.detail).find("S in") == std::string::npos);
  const double modelled = std::stod(own.right);
  CHECK(std::stod(error.right.substr(0, error.right.find(' '))) == Approx(100 * (modelled / 3.41 - 1)).margin(1));
  Problem other = two;
  other.tiling.br = other.tiling.bc = 64;
  CHECK(line(model_of(naive, other, &*times), "recorded-error").right == "ran 128×64");
  Problem longer = two, elsewhere = two, grouped = two;
  longer.shape.n_q = longer.shape.n_kv = 8000;
  elsewhere.machine.device = "h100";
  grouped.shape.kv_heads = 8;
  for (const Problem& p : {longer, elsewhere, grouped})
    for (const CompareLine& l : model_of(under_schedule(p, ScheduleKind::FlashV1), p, &*times).lines)
      CHECK(l.id != "recorded");
}

TEST_CASE("the times of the kernels that race are those of predict, whatever the tiles of the walk", "[unit]") {
  const Problem p = wide_problem();
  const Problem left = under_schedule(p, ScheduleKind::Standard), right = under_schedule(p, ScheduleKind::FlashV2);
  const CompareLine race = line(model_of(left, right), "time");
  CHECK(race.title == "modelled time");
  CHECK(race.left_variant == std::string("S in ") + name_of(p.numerics.dtype));
  CHECK(race.modelled);
  const AttentionCall call{.n = p.shape.n_q,
                           .d = p.shape.d,
                           .heads = p.shape.heads,
                           .kv_heads = p.shape.kv_heads == p.shape.heads ? 0 : p.shape.kv_heads,
                           .batch = p.shape.batch,
                           .causal = p.shape.mask.kind == MaskKind::Causal,
                           .dtype = p.numerics.dtype};
  const DeviceModel& on = device_of(p.machine);
  CHECK(race.left == ms_text(*predict(method_of(Contender::Naive), call, on).predicted_ms));
  CHECK(race.right == ms_text(*predict(method_of(Contender::FlashV2), call, on).predicted_ms));
}

TEST_CASE("the times come first, then the rows that differ most, then the others that differ, then the rest") {
  CompareModel m = model_of(under_schedule(wide_problem(), ScheduleKind::Standard),
                            under_schedule(wide_problem(), ScheduleKind::FlashV2));
  order_rows(m);
  REQUIRE(m.order.size() == m.lines.size());
  CHECK(std::set<std::size_t>(m.order.begin(), m.order.end()).size() == m.lines.size());
  REQUIRE(least_rows(m) == kRowsThatDifferMost + 1);
  CHECK(m.lines[m.order[0]].id == "time");
  CHECK(std::isinf(m.lines[m.order[1]].differs));
  CHECK(m.lines[m.order[1]].id == "sp");     // before other rows that one side has none of: it is more bytes
  CHECK(std::isinf(line(m, "sp").differs));  // FA-2 moves none
  const auto first = m.order.begin(), rest = first + std::ptrdiff_t(least_rows(m));
  CHECK(std::any_of(first, rest, [&](std::size_t i) { return m.lines[i].id == "sp"; }));
  double least = m.lines[m.order[1]].differs;
  for (auto at = first + 1; at != rest; ++at) least = std::min(least, m.lines[*at].differs);
  for (auto at = rest; at != m.order.end(); ++at) CHECK(m.lines[*at].differs <= least);
  const auto same = std::find_if(rest, m.order.end(), [&](std::size_t i) { return m.lines[i].differs == 0; });
  CHECK(std::all_of(same, m.order.end(), [&](std::size_t i) { return m.lines[i].differs == 0; }));
  CHECK((std::is_sorted(rest, same) && std::is_sorted(same, m.order.end())));
  REQUIRE((same != rest && same != m.order.end()));
  CHECK(most_rows(m) == std::min(kMostRows, std::size_t(same - first)));
  for (std::size_t i = 1; i < most_rows(m); ++i) {
    const CompareLine& each = m.lines[m.order[i]];
    INFO(each.title);
    CHECK(each.difference != "same");
    CHECK(std::max(each.left_share, each.right_share) == 1);
    CHECK((each.left_share > each.right_share) == each.difference.starts_with("−"));
  }
  CHECK(fold_text(m, 4, false) == std::to_string(m.lines.size() - 4) + " more rows");
  CHECK(fold_text(m, m.lines.size() - 1, false) == "1 more row");
  CHECK(fold_text(m, m.lines.size(), false).empty());
  CHECK_FALSE(fold_text(m, m.lines.size(), true).empty());
}

TEST_CASE("ticks are 1, 2 or 5 times a power of ten apart, within the axis, with the unit of its length") {
  for (const double longest : {0.0004, 0.043, 0.9, 1.0, 3.41, 9.04, 25.4, 700.0, 1000.0, 86400e3}) {
    INFO(longest);
    const TickedAxis axis = time_axis(longest);
    REQUIRE(axis.ticks.size() >= 3);
    REQUIRE(axis.ticks.size() <= std::size_t(kMostTicks) + 1);
    CHECK(axis.unit == (longest < 1 ? "µs" : longest < 1000 ? "ms" : "s"));
    CHECK(axis.ticks.front().text == "0");
    const double whole = longest < 1 ? longest * 1000 : longest < 1000 ? longest : longest / 1000;
    const double step = (axis.ticks[1].at - axis.ticks[0].at) * whole,
                 digit = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
    CHECK((digit == Approx(1) || digit == Approx(2) || digit == Approx(5)));
    for (const AxisTick& tick : axis.ticks) {
      CHECK(tick.at >= 0);
      CHECK(tick.at <= 1 + 1e-9);
      std::string text = tick.text;
      std::erase(text, ',');
      CHECK(std::stod(text) == Approx(tick.at * whole).margin(step * 1e-6));
    }
  }
  const TickedAxis part = ticked_axis(1234, 1300, "cycles");
  CHECK(part.ticks.front().text == "1,240");
  CHECK(ticked_axis(5, 5, "ms").ticks.empty());
}

TEST_CASE("a difference is a ratio, alike in both directions, and none where it is too small to tell") {
  const Problem left = under_schedule(wide_problem(), ScheduleKind::FlashV1),
                right = under_schedule(wide_problem(), ScheduleKind::FlashV2);
  const CompareModel there = model_of(left, right), back = model_of(right, left);
  CHECK(line(there, "kv-read").differs == Approx(std::log(10)));
  for (const CompareLine& each : there.lines) CHECK(line(back, each.id).differs == Approx(each.differs));
  CHECK(line(there, "rescales").differs == 0);  // a yes and a no
}
