#include "view/walk/fault_model.h"

#include "core/schedules/registry.h"
#include "tests/support/catch.h"
#include "view/walk/walk_page.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> walk_with(Fault fault, ScheduleKind kind = ScheduleKind::FlashV2) {
  Document document;
  document.problem.schedule = kind;
  document.problem.shape.mask.kind = MaskKind::Causal;
  document.problem.fault = fault;
  auto session = Session::open(document, {});
  REQUIRE(session.ok());
  return std::move(*session);
}

WalkPage page_of(const Session& session) {
  ScoresCache cache;
  ViewRoom room;
  room.scores_width = 800, room.scores_height = 600;
  return build_walk_page(session, room, {}, cache);
}

std::int64_t wrong_cells(const SoftmaxModel& model) {
  std::int64_t count = 0;
  for (const SoftmaxRow& row : model.rows) count += std::count(row.wrong.begin(), row.wrong.end(), true);
  return count;
}

}  // namespace

TEST_CASE("a right walk has nothing to mark") {
  auto session = walk_with(Fault::None);
  session->dispatch(GoToTile{2, 1});
  CHECK_FALSE(build_fault_model(*session));
  CHECK(session->walk().right() == nullptr);
  CHECK(wrong_cells(page_of(*session).softmax) == 0);
}

TEST_CASE("beside what a mistake makes stands what is right, and what differs is marked") {
  auto session = walk_with(Fault::ForgetRescaleL);
  session->dispatch(GoToTile{2, 1});
  auto right = walk_with(Fault::None);
  right->dispatch(GoToTile{2, 1});
  REQUIRE(session->walk().right());
  CHECK(*session->walk().right() == right->state());
  const WalkPage page = page_of(*session), should = page_of(*right);
  REQUIRE(page.fault);
  CHECK(page.fault->title == "Mistake: forgets to shrink ℓ");
  CHECK(wrong_cells(page.softmax) > 0);
  for (std::size_t r = 0, of = 0; r < page.softmax.rows.size(); ++r) {
    const SoftmaxRow& row = page.softmax.rows[r];
    if (row.is_right) continue;
    const bool has_right = r + 1 < page.softmax.rows.size() && page.softmax.rows[r + 1].is_right;
    for (std::size_t c = 1; c < row.cells.size(); ++c) {
      CHECK(row.wrong[c] == (row.cells[c] != should.softmax.rows[of].cells[c]));
      if (row.wrong[c]) {
        REQUIRE(has_right);
        CHECK(page.softmax.rows[r + 1].cells[c] == should.softmax.rows[of].cells[c]);
      }
    }
    ++of;
  }
}

TEST_CASE("every mistake that a schedule can make is one command away, and one back") {
  for (const ScheduleKind kind : all_schedules())
    for (const Fault fault : all_faults()) {
      auto session = walk_with(Fault::None, kind);
      session->dispatch(GoToStep{9});
      session->dispatch(SetFault{fault});
      if (!fault_applies(fault, kind)) {
        CHECK(session->problem().fault == Fault::None);
        continue;
      }
      CHECK(session->problem().fault == fault);
      CHECK(session->cursor() == 9);
      const auto model = build_fault_model(*session);
      REQUIRE(model);
      CHECK(model->harm.size() > 20);
      session->dispatch(SetFault{});
      CHECK(session->problem().fault == Fault::None);
    }
}

TEST_CASE("a mistake that leaves what comes out right says so, and why it is one") {
  auto session = walk_with(Fault::TileMax);
  CheckReport check;
  check.verdict = Verdict::Diverged;
  check.first.emplace();
  check.first->step = 27;
  check.first->quantity = Quantity::M;
  session->dispatch(ReportCheck{check, session->problem_revision()});
  AccuracyReport accuracy;
  accuracy.verdict = Verdict::WithinRule;
  session->dispatch(ReportAccuracy{accuracy, session->problem_revision(), false});
  const auto model = build_fault_model(*session);
  REQUIRE(model);
  CHECK(model->first_step == 28);
  CHECK(model->so_far == "It shows first at step 28: m. What leaves the kernel is right all the same.");
  CHECK(model->harm.find("overflows") != std::string::npos);
}
