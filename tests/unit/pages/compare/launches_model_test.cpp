#include "pages/compare/blocks/launches_model.h"

#include "core/schedules/registry.h"
#include "core/witness/formulas.h"
#include "tests/unit/view/view_fixture.h"
#include "view/words/units.h"

using namespace tilewalk;
using tilewalk::test::picture;

namespace {

std::int64_t bytes_of(const TrafficBar& bar) {
  std::int64_t sum = 0;
  for (const TrafficPart& part : bar.parts) sum += part.read_bytes + part.write_bytes;
  return sum;
}

}  // namespace

TEST_CASE("launches of a backward pass add up to the closed formula of its whole run, side by side on one scale") {
  for (const ScheduleKind kind : {ScheduleKind::BackwardStandard, ScheduleKind::BackwardV1, ScheduleKind::Backward}) {
    INFO(name_of(kind));
    const LaunchesPair pair =
        build_launches(*make_schedule(picture(ScheduleKind::BackwardV1)), *make_schedule(picture(kind)));
    const Cost whole = whole_run_cost(picture(kind));
    const Traffic all = whole.hbm_total();
    CHECK(pair.right.traffic.bytes == all.read_bytes + all.write_bytes);
    std::int64_t launches = 0;
    for (const LaunchLine& line : pair.right.lines) launches += bytes_of(line.traffic);
    CHECK(launches == all.read_bytes + all.write_bytes);
    CHECK(pair.right.lines.size() == schedule_row(kind).walk.sections.size());
    double longest = 0;
    for (const LaunchesModel* side : {&pair.left, &pair.right}) {
      double share = 0;
      for (const TrafficPart& part : side->traffic.parts) {
        share += part.share;
        CHECK(std::find(pair.legend.begin(), pair.legend.end(), part.tensor) != pair.legend.end());
      }
      longest = std::max(longest, share);
    }
    CHECK(longest == Approx(1));
  }
}

TEST_CASE("what two backward passes ask of global memory is compared tensor by tensor, with the transfers behind it") {
  const BackwardComparison compared = build_backward_comparison(*make_schedule(picture(ScheduleKind::BackwardStandard)),
                                                                *make_schedule(picture(ScheduleKind::Backward)));
  const Comparison& c = compared.figures;
  double left = 0, right = 0;
  const CompareRow* all = nullptr;
  for (const CompareRow& row : c.rows) {
    INFO(row.id);
    if (row.id == "hbm") all = &row;
    if (row.unit != CompareUnit::Bytes || row.id == "hbm") continue;
    left += row.left, right += row.right;
    double moved = 0;
    for (const Transfer& t : row.right_transfers) moved += double(t.bytes);
    CHECK(moved == row.right);
  }
  REQUIRE(all);
  CHECK(left == all->left);
  CHECK(right == all->right);
  CHECK(compared.words.verdict.find("2.3× less") != std::string::npos);
  // Naive multiplies masked tiles too; without a mask there is the product that is made twice.
  CHECK(compared.words.verdict.find("makes S again") == std::string::npos);
  Problem naive = picture(ScheduleKind::BackwardStandard), tiled = picture(ScheduleKind::Backward);
  naive.shape.mask = tiled.shape.mask = Mask{};
  const std::string verdict = build_backward_comparison(*make_schedule(naive), *make_schedule(tiled)).words.verdict;
  INFO(verdict);
  CHECK(verdict.find("25 % more FLOPs: it makes S again") != std::string::npos);
}
