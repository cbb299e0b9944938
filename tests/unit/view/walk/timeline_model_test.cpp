#include "view/walk/timeline_model.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/schedules/registry.h"
#include "tests/unit/view/view_fixture.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

TEST_CASE("each tile has a box, skipped ones too, in the order of the walk") {
  Walk walk(picture());
  const TimelineModel m = build_timeline_model(*walk.schedule, walk.after(Phase::Rescale), {}, 1000);
  REQUIRE(m.boxes.size() == 16);
  int skipped = 0, now = 0, done = 0;
  for (std::size_t i = 0; i < m.boxes.size(); ++i) {
    const TimelineBox& box = m.boxes[i];
    skipped += box.skipped;
    now += box.now;
    done += box.done && !box.skipped && !box.now;
    CHECK(box.x1 > box.x0);
    if (i > 0) CHECK(box.x0 >= m.boxes[i - 1].x1);
  }
  CHECK(skipped == 6);
  CHECK(now == 1);
  CHECK(done == 4);
  CHECK(m.visit_text == "Tile visit 5 of 10");
  CHECK(m.phase_text == "phase 5 of 8: rescale");
}

TEST_CASE("a walk of one visit fills the timeline") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 4;
  Walk walk(p);
  const TimelineModel m = build_timeline_model(*walk.schedule, walk.at(0), {}, 1000);
  REQUIRE(m.boxes.size() == 1);
  CHECK(m.boxes[0].x0 == 0);
  CHECK(m.boxes[0].x1 > 0.99f);
  CHECK(m.phase_text == "1 tile visit to come");
}

TEST_CASE("scrubbing to the end of a visited box is the end of that visit") {
  Walk walk(picture());
  const TimelineModel m = build_timeline_model(*walk.schedule, walk.at(0), {}, 1000);
  for (const TimelineBox& box : m.boxes)
    if (!box.skipped) CHECK(m.cursor_at(double(box.x1)) == box.end_step);
  CHECK(m.cursor_at(-1) == 0);
  CHECK(m.cursor_at(2) == walk.schedule->step_count());
}

TEST_CASE("boxes narrower than a few pixels are folded, so that the cost depends on pixels") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 4096;
  Walk walk(p);
  const TimelineModel m = build_timeline_model(*walk.schedule, walk.at(0), {}, 1000);
  CHECK(m.folded);
  CHECK(m.boxes.empty());
  CHECK(m.cursor_at(0.5) == (walk.schedule->step_count() + 1) / 2);
  CHECK(build_timeline_model(*walk.schedule, walk.at(walk.schedule->step_count()), {}, 1000).done == 1);
}

TEST_CASE("a folded strip says which share of the walk is done, and nothing at its end") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 4096;
  Walk walk(p);
  const auto share = [&](std::int64_t step) {
    return build_timeline_model(*walk.schedule, walk.at(step), {}, 1000).share;
  };
  const std::int64_t end = walk.schedule->step_count();
  CHECK(share(0) == "0 % of the walk");
  CHECK(share(1) == "0.000024 % of the walk");
  CHECK(share(end / 2) == "50 % of the walk");
  CHECK(share(end - 1) == "99 % of the walk");
  CHECK(share(end).empty());
}

TEST_CASE("a folded strip names its heads, or its passes, and the current one") {
  const auto named = [](ScheduleKind kind, std::int64_t batch, double share, KvOrder order = KvOrder::Forward) {
    Problem p = picture(kind);
    p.tiling.order = order;
    p.shape.n_q = p.shape.n_kv = 1024;
    p.shape.batch = batch, p.shape.heads = p.shape.kv_heads = 2;
    const auto schedule = make_schedule(p);
    State state;
    state.started = share > 0;
    state.cursor = std::int64_t(share * double(schedule->step_count()));
    if (state.started) state.step = schedule->step(state.cursor - 1);
    return build_timeline_model(*schedule, state, {}, 1000).groups;
  };
  const std::vector<TimelineGroup> heads = named(ScheduleKind::FlashV2, 1, 0.6);
  REQUIRE(heads.size() == 2);
  CHECK(heads[0].label == "head 0");
  CHECK(heads[0].x0 == 0);
  CHECK(heads[0].x1 == Approx(0.5));
  CHECK_FALSE(heads[0].now);
  CHECK(heads[1].label == "head 1");
  CHECK(heads[1].now);
  CHECK(named(ScheduleKind::FlashV2, 2, 0)[2].label == "batch 1, head 0");
  const std::vector<TimelineGroup> passes = named(ScheduleKind::Standard, 1, 0.01);
  REQUIRE(passes.size() == 3);
  CHECK(passes[0].now);
  CHECK(passes[2].x1 == 1);
  CHECK(passes[1].label != passes[2].label);
  // KV tiles are outside, and in reverse the last one is walked first: the pass begins where it did.
  const std::vector<TimelineGroup> forward = named(ScheduleKind::FlashV1, 1, 0.01),
                                   reverse = named(ScheduleKind::FlashV1, 1, 0.01, KvOrder::Reverse);
  REQUIRE(reverse.size() == 2);
  CHECK(reverse[1].x0 == forward[1].x0);
  CHECK(reverse[1].now);
}

TEST_CASE("a folded strip has a mark where each head of each pass begins, in either order of the KV tiles") {
  for (const ScheduleKind kind : all_schedules())
    for (const KvOrder order : {KvOrder::Forward, KvOrder::Reverse}) {
      INFO(name_of(kind) << ", reverse " << (order == KvOrder::Reverse));
      Problem p = picture(kind);
      p.tiling.order = order;
      p.shape.batch = 2, p.shape.heads = p.shape.kv_heads = 2;
      const auto schedule = make_schedule(p);
      const TimelineModel m = build_timeline_model(*schedule, {}, {}, 10);
      REQUIRE(m.folded);
      std::map<std::tuple<int, std::int64_t, std::int64_t>, std::int64_t> first;
      for (std::int64_t k = schedule->step_count(); k-- > 0;) {
        const Step step = schedule->step(k);
        first[{step.section, step.batch, step.head}] = k;
      }
      std::vector<float> begins;
      for (const auto& [place, step] : first) begins.push_back(float(double(step) / double(schedule->step_count())));
      CHECK(m.marks == begins);
      CHECK(std::is_sorted(m.marks.begin(), m.marks.end()));
      for (const TimelineGroup& group : m.groups)
        CHECK(std::find(begins.begin(), begins.end(), group.x0) != begins.end());
    }
}

TEST_CASE("check marks stop at the visit that differs") {
  Walk walk(picture());
  CheckReport check;
  check.verdict = Verdict::Diverged;
  check.first = Divergence{};
  check.first->visit_index = 3;
  const TimelineModel m = build_timeline_model(*walk.schedule, walk.at(walk.schedule->step_count()), check, 1000);
  int equal = 0, differs = 0;
  for (const TimelineBox& box : m.boxes) {
    equal += box.check == VisitCheck::Equal;
    differs += box.check == VisitCheck::Differs;
  }
  CHECK(equal == 3);
  CHECK(differs == 1);
}

TEST_CASE("the three passes of the naive walk follow one another, the softmax pass by rows") {
  Walk walk(picture(ScheduleKind::Standard));
  const TimelineModel m = build_timeline_model(*walk.schedule, walk.at(0), {}, 4000);
  CHECK(m.boxes.size() == 16 + 4 + 16);
  for (std::size_t i = 1; i < m.boxes.size(); ++i) CHECK(m.boxes[i].first_step >= m.boxes[i - 1].end_step);
}

TEST_CASE("skipped tiles are narrower than visited ones, which are all equal") {
  Walk walk(picture());
  const TimelineModel m = build_timeline_model(*walk.schedule, walk.at(40), {}, 1000);
  const auto width = [](const TimelineBox& box) { return box.x1 - box.x0; };
  for (const TimelineBox& box : m.boxes) {
    if (box.skipped) CHECK(width(box) < 0.5f * width(m.boxes[0]));
    if (!box.skipped) CHECK(width(box) == Approx(width(m.boxes[0])));
  }
  CHECK(m.boxes.back().x1 > 0.99f);
  const TimelineModel narrow = build_timeline_model(*walk.schedule, walk.at(40), {}, 90);
  REQUIRE_FALSE(narrow.folded);
  for (const TimelineBox& box : narrow.boxes) CHECK(width(box) * 90 >= 4);  // never thinner than the least box
}

TEST_CASE(
    "groups are named by Q tile, of a pass over K by K tile, of several passes by pass, of several heads by head") {
  const auto labels = [](const Problem& p) {
    Walk walk(p);
    std::vector<std::string> out;
    for (const TimelineGroup& group : build_timeline_model(*walk.schedule, walk.at(1), {}, 1e5).groups)
      out.push_back(group.label);
    return out;
  };
  using Labels = std::vector<std::string>;
  CHECK(labels(picture()) == Labels{"Q0", "Q1", "Q2", "Q3"});
  CHECK(labels(picture(ScheduleKind::Standard)) == Labels{"scores", "softmax", "output"});
  Problem heads = picture();
  heads.shape.heads = heads.shape.kv_heads = 2;
  CHECK(labels(heads) == Labels{"head 0", "head 1"});
}

TEST_CASE("the caret never moves back, starts at the left, ends at the right, and is in the current box") {
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    double before = -1;
    for (std::int64_t k = 0; k <= walk.schedule->step_count(); ++k) {
      INFO(int(kind) << ", step " << k);
      const TimelineModel m = build_timeline_model(*walk.schedule, walk.at(k), {}, 1e5);
      REQUIRE_FALSE(m.folded);
      CHECK(m.caret >= before);
      before = m.caret;
      for (const TimelineBox& box : m.boxes)
        if (box.now) CHECK((m.caret >= double(box.x0) && m.caret <= double(box.x1) + 1e-6));
      int current = 0;
      for (const TimelineGroup& group : m.groups) current += group.now;
      CHECK(current == (k > 0 ? 1 : 0));
    }
    CHECK(before > 0.9);
    CHECK(build_timeline_model(*walk.schedule, walk.at(0), {}, 1e5).caret == 0);
  }
}

TEST_CASE("visits between two wrong ones are right by the walk without the mistake, those after them not yet checked") {
  Walk walk(picture());
  TimelineModel m = build_timeline_model(*walk.schedule, walk.at(walk.schedule->step_count()), {}, 1000);
  std::vector<TimelineBox*> visits;
  for (TimelineBox& box : m.boxes)
    if (!box.skipped) visits.push_back(&box);
  REQUIRE(visits.size() == 10);
  visits[0]->check = VisitCheck::Equal, visits[4]->check = VisitCheck::Differs;  // the check stops there
  mark_wrong_visits(m, {.ends = {visits[4]->end_step, visits[5]->end_step, visits[8]->end_step}});
  CHECK(m.failed == 3);
  for (std::size_t i = 0; i < visits.size(); ++i) {
    INFO("visit " << i);
    const bool wrong = i == 4 || i == 5 || i == 8;
    const bool right = i == 0 || i == 6 || i == 7;
    CHECK(mark_of(*visits[i], 0) == (wrong ? VisitCheck::Differs : right ? VisitCheck::Equal : VisitCheck::Unknown));
  }
}
