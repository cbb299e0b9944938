#include "view/views.h"

#include "core/problem/format_value.h"
#include "core/schedules/registry.h"
#include "pages/walk/walk_page.h"
#include "tests/unit/view/view_fixture.h"

using namespace tilewalk;

namespace {

std::unique_ptr<Session> session_of(const Problem& p) {
  Document d;
  d.problem = p;
  auto session = Session::open(d, {});
  REQUIRE(session.ok());
  return std::move(*session);
}

ViewRoom room() {
  ViewRoom r;
  r.scores_width = r.scores_height = 500;
  r.timeline_width = 800;
  return r;
}

}  // namespace

TEST_CASE("views are rebuilt only when the session or the available room changed") {
  const auto session = session_of(test::picture());
  ViewBuilder builder({});
  builder.build(*session, room());
  builder.build(*session, room());
  CHECK(builder.builds() == 1);
  session->dispatch(Action::StepForward);
  builder.build(*session, room());
  CHECK(builder.builds() == 2);
  ViewRoom wider = room();
  wider.scores_width = 600;
  builder.build(*session, wider);
  CHECK(builder.builds() == 3);
}

TEST_CASE("all models of a frame belong to the same cursor") {
  const auto session = session_of(test::picture());
  ViewBuilder builder({});
  for (const std::int64_t k : {0, 28, 92, 3}) {
    session->dispatch(GoToStep{k});
    const Views& views = builder.build(*session, room());
    CHECK(views.page<WalkPage>()->transport.timeline.cursor == k);
    CHECK(views.page<WalkPage>()->scores.now_q_tile == (k == 0 ? -1 : session->state().step.q_tile));
    CHECK(views.page<WalkPage>()->transport.at_start == (k == 0));
    CHECK(views.page<WalkPage>()->transport.at_end == (k == 92));
  }
}

TEST_CASE("each schedule has a tab, and the current one is marked") {
  const auto session = session_of(test::picture());
  ViewBuilder builder({});
  const Views& views = builder.build(*session, room());
  REQUIRE(views.header.tabs.size() == all_schedules().size());
  CHECK_FALSE(views.header.tabs[0].active);
  for (const HeaderTab& tab : views.header.tabs) {
    CHECK(tab.active == (tab.kind == ScheduleKind::FlashV2));
    CHECK(tab.backward == is_backward(tab.kind));
    CHECK(tab.title.size() <= 8);
  }
}

TEST_CASE("the backward passes are named in the order of the forward ones, oldest first") {
  const auto session = session_of(test::picture());
  ViewBuilder builder({});
  std::vector<std::string> forward, backward;
  for (const HeaderTab& tab : builder.build(*session, room()).header.tabs) {
    if (tab.backward) backward.push_back(tab.title);
    if (!tab.backward && forward.size() < 3) forward.push_back(tab.title);
    CHECK((tab.backward || backward.empty()));
  }
  CHECK(forward == std::vector<std::string>{"Naive", "FA-1", "FA-2"});
  CHECK(backward == forward);
}

TEST_CASE("a visit counts in the badge when the motion of its last step has landed, not when it begins") {
  const auto session = session_of(test::picture());
  CheckReport equal;
  equal.verdict = Verdict::Equal;
  equal.against = CheckAgainst::Recording;
  session->dispatch(ReportCheck{equal, session->problem_revision()});
  ViewBuilder builder({});
  const auto word = [&] { return builder.build(*session, room()).verify.word; };
  const std::int64_t end = session->schedule().end_step_of_visit(0, {.q_tile = 1, .kv_tile = 1});
  session->dispatch(GoToStep{end});
  CHECK(word() == "3 of 10");
  for (const double t : {0.0, 0.5, 1.0}) {
    INFO("t " << t);
    session->dispatch(HoldMotion{t});
    CHECK(word() == (t < 1 ? "2 of 10" : "3 of 10"));
  }
  session->dispatch(GoToStep{end - 1});
  session->dispatch(Action::StepForward);
  session->dispatch(Tick{1});
  session->dispatch(Tick{1 + kSecondsOfKeyStep / 2});
  CHECK(word() == "2 of 10");
  session->dispatch(Tick{1 + 1.01 * kSecondsOfKeyStep});
  CHECK(word() == "3 of 10");
}

TEST_CASE("while a step moves, its output has the values that this output had before, in every schedule") {
  for (const bool present : {false, true})
    for (const ScheduleKind kind : all_schedules()) {
      const auto session = session_of(test::picture(kind));
      ViewBuilder builder({});
      if (present) session->dispatch(Action::Present);
      int outputs = 0;
      for (std::int64_t k = 1; k <= session->schedule().step_count(); ++k) {
        session->dispatch(GoToStep{k});
        session->dispatch(HoldMotion{0.5});
        const Views& views = builder.build(*session, room());
        const Quantity quantity = shown_tile(session->schedule(), session->state()).quantity;
        const std::vector<float>& was = session->walk().before()->*ledger_row(quantity).values;
        INFO(name_of(kind) << ", step " << k << (present ? ", presenting" : ""));
        if (!present && !was.empty()) {
          CHECK(views.page<WalkPage>()->moving->o_tile.values == was);
          ++outputs;
        } else if (present && !was.empty() && views.present->table.output && views.present->moving) {
          const PresentTable& table = views.present->moving->table;
          const Quantity shown_now = table.quantities.back().value();
          CHECK(views.present->table.quantities == table.quantities);
          const State& before = *session->walk().before();
          const std::vector<float>& shown = before.*ledger_row(shown_now).values;
          if (shown_tile(session->schedule(), before, shown_now).tile !=
              shown_tile(session->schedule(), session->state(), shown_now).tile)
            continue;  // a new tile, which begins at 0
          REQUIRE(table.rows.size() * 4 == shown.size());
          for (std::size_t i = 0; i < shown.size(); ++i)
            CHECK(table.rows[i / 4].cells[table.first_head + i % 4] == format_value(session->problem(), shown[i]));
          ++outputs;
        }
      }
      CHECK(outputs > 4);
    }
}
