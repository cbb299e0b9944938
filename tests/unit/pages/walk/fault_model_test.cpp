#include "pages/walk/fault_model.h"

#include "core/schedules/registry.h"
#include "pages/walk/walk_page.h"
#include "tests/support/catch.h"
#include "view/present/present_model.h"
#include "view/scores/working.h"
#include "view/sentence/sentence.h"
#include "view/views.h"
#include "view/walk/wrong_and_right.h"
#include "view/words/units.h"

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

ViewRoom usual_room() {
  ViewRoom room;
  room.scores_width = 800, room.scores_height = 600;
  room.timeline_width = 1000;
  return room;
}

WalkPage page_of(const Session& session) {
  WalkCaches cache;
  WalkTimesCache times;
  return build_walk_page(session, usual_room(), {}, cache, times);
}

std::int64_t wrong_cells(const SoftmaxModel& model) {
  std::int64_t count = 0;
  for (const SoftmaxRow& row : model.rows) count += std::count(row.wrong.begin(), row.wrong.end(), true);
  return count;
}

}  // namespace

TEST_CASE("a correct walk has no marks") {
  auto session = walk_with(Fault::None);
  session->dispatch(GoToTile{2, 1});
  CHECK_FALSE(build_fault_model(*session));
  CHECK(session->walk().right() == nullptr);
  CHECK(wrong_cells(page_of(*session).softmax) == 0);
}

TEST_CASE("the right value is beside the fault's value, and differences are marked") {
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

TEST_CASE("the wrong row of O is beside the right one, and their difference is that of the printed numbers") {
  auto session = walk_with(Fault::ForgetRescaleO);
  session->dispatch(GoToStep{47});
  REQUIRE(session->state().step.phase == Phase::Accumulate);
  const WalkPage page = page_of(*session);
  REQUIRE(page.fault);
  REQUIRE(page.fault->row);
  const MistakeRow& row = *page.fault->row;
  CHECK(row.row == 9);  // the row that the sentence names
  CHECK(row.title == "Row 9 of O");
  const std::size_t d = std::size_t(session->problem().shape.d);
  REQUIRE(row.wrong.size() == d);
  double largest = 0;
  for (std::size_t c = 0; c < d; ++c) {
    const float wrong = session->state().o[d + c], right = session->walk().right()->o[d + c];
    CHECK(row.wrong[c] == compact_number(wrong));
    CHECK(row.right[c] == compact_number(right));
    const double by = std::round(100 * double(wrong)) / 100 - std::round(100 * double(right)) / 100;
    CHECK(row.difference[c] == (by > 0 ? "+" : "") + compact_number(by));
    largest = std::max(largest, std::abs(by));
    CHECK(row.share[c] * by >= 0);
  }
  REQUIRE(largest > 0);
  CHECK(*std::max_element(row.share.begin(), row.share.end()) == 1);

  OTileModel output = page.o_tile;
  const auto first = build_mistake_row(output, page.fault->right_o, "O", 8);  // that row is right
  REQUIRE(first);
  CHECK(first->row == 9);
  const auto named = build_mistake_row(output, page.fault->right_o, "O", 10);
  REQUIRE(named);
  CHECK(named->row == 10);
  CHECK_FALSE(build_mistake_row(output, output.values, "O", 9));
  output.numbers = false;
  CHECK_FALSE(build_mistake_row(output, page.fault->right_o, "O", 9));
  CHECK_FALSE(page_of(*walk_with(Fault::None)).fault);
}

TEST_CASE("the command for the source replaces the wrong row by it, and puts the row back") {
  auto session = walk_with(Fault::ForgetRescaleO);
  CHECK(session->compares_mistake());
  session->dispatch(Action::ToggleCode);
  CHECK_FALSE(session->compares_mistake());
  CHECK(session->shows_code());
  session->dispatch(Action::ToggleCode);
  CHECK(session->compares_mistake());
  CHECK_FALSE(walk_with(Fault::None)->compares_mistake());
}

TEST_CASE("every fault of a schedule is one command away, and one back") {
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

TEST_CASE("a fault with a right result says so, and why it is a mistake") {
  auto session = walk_with(Fault::TileMax);
  CheckReport check;
  check.verdict = Verdict::Diverged;
  check.first.emplace();
  check.first->step = 27;
  check.first->quantity = TracedQuantity::M;
  session->dispatch(ReportCheck{check, session->problem_revision()});
  AccuracyReport accuracy;
  accuracy.verdict = Verdict::WithinRule;
  session->dispatch(ReportAccuracy{accuracy, session->problem_revision(), false});
  const auto model = build_fault_model(*session);
  REQUIRE(model);
  CHECK(model->first_step == 28);
  CHECK(model->so_far == "The check finds it at step 28: m. What leaves the kernel is right all the same.");
  CHECK(model->harm.find("overflows") != std::string::npos);
}

TEST_CASE("sentences describe the faulty values as they were computed") {
  auto session = walk_with(Fault::ForgetRescaleL);
  session->dispatch(GoToStep{46});
  const State& state = session->state();
  REQUIRE(state.step.phase == Phase::RowSum);
  const std::string sentence = step_sentence(session->schedule(), state);
  double weights = 0;
  for (int c = 0; c < 4; ++c) weights += double(state.p[std::size_t(4 + c)]);
  INFO(sentence);
  CHECK(sentence.find("this tile's sum = " + signed_number(state.l_old[1], 3) + " + " + signed_number(weights, 3) +
                      " = " + signed_number(state.l[1], 3)) != std::string::npos);
  const Working sum = working_of_sum(session->schedule(), state, 9);
  REQUIRE(sum.size() == 1);
  CHECK(sum[0].find("without α") != std::string::npos);

  auto unshrunk = walk_with(Fault::ForgetRescaleO);
  unshrunk->dispatch(GoToStep{44});
  REQUIRE(unshrunk->state().step.phase == Phase::Rescale);
  const std::string left = step_sentence(unshrunk->schedule(), unshrunk->state());
  INFO(left);
  CHECK(left.find("O should now shrink by α") != std::string::npos);
  CHECK(left.ends_with("This kernel leaves O as it is."));

  auto other = walk_with(Fault::ForgetRescaleO);
  other->dispatch(GoToTile{2, 1});
  const Working element = working_of_output(other->schedule(), other->inputs(), other->state(), 9, 0);
  REQUIRE_FALSE(element.empty());
  CHECK(element.front().starts_with("old value: "));

  auto leak = walk_with(Fault::MaskOffByOne);
  leak->dispatch(GoToTile{2, 2});
  const float let_in = leak->state().p[1];  // row 8 sees column 9
  REQUIRE(let_in > 0);
  const Working with_leak = working_of_sum(leak->schedule(), leak->state(), 8);
  REQUIRE(with_leak.size() == 1);
  CHECK(with_leak[0].find("+ " + signed_number(let_in, 4)) != std::string::npos);
}

TEST_CASE("from the first wrong step on, the rows that differ glow, and none before it") {
  auto session = walk_with(Fault::ForgetRescaleO);
  WalkCaches cache;
  WalkTimesCache times;
  ViewRoom room;
  room.scores_width = 800, room.scores_height = 600;
  std::size_t last = 0;
  std::int64_t first = -1;
  for (std::int64_t k = 0; k <= session->schedule().step_count(); ++k) {
    session->dispatch(GoToStep{k});
    const std::vector<WrongRun> wrong = build_walk_page(*session, room, {}, cache, times).fault->wrong;
    REQUIRE(wrong.size() >= last);
    last = wrong.size();
    if (first < 0 && last > 0) first = k;
    for (const WrongRun& run : wrong) {
      CHECK_FALSE(run.weights);  // only O is wrong
      CHECK(run.since <= k);
    }
  }
  CHECK(first == session->schedule().end_step_of_visit(0, {.q_tile = 2, .kv_tile = 1}));
  session->dispatch(SetFault{Fault::None});
  CHECK_FALSE(page_of(*session).fault);
}

TEST_CASE("a mask that lets one more column in glows in exactly these weights and the rows they change") {
  auto session = walk_with(Fault::MaskOffByOne);
  session->dispatch(Action::Last);
  std::size_t weights = 0;
  const WalkPage page = page_of(*session);
  for (const WrongRun& run : page.fault->wrong) {
    if (!run.weights) continue;
    ++weights;
    CHECK(run.col_begin <= run.row + 1);
    CHECK(run.col_end <= run.row + 2);
  }
  CHECK(weights > 0);
}

TEST_CASE("a state is wrong from the step that leaves the rescale out, before its visit is compared") {
  auto session = walk_with(Fault::ForgetRescaleO);
  const auto wrong_at = [&](std::int64_t k) {
    session->dispatch(GoToStep{k});
    return is_wrong(session->problem(), session->state(), *session->walk().right());
  };
  CHECK_FALSE(wrong_at(43));
  CHECK(wrong_at(44));
  CHECK(wrong_at(46));
  CHECK(wrong_at(47));
}

TEST_CASE("the sentence tells wrong and right, presenting too, and only where the step made a number wrong") {
  auto session = walk_with(Fault::ForgetRescaleO);
  session->dispatch(GoToTile{2, 1});
  const State& is = session->state();
  REQUIRE(session->walk().right());
  const auto number = wrong_number(session->schedule(), is, *session->walk().right());
  REQUIRE(number);
  const std::string words = number->text;
  CHECK(words == "Wrong: O in row 9, column 0 is 1.07, not 0.91.");
  CHECK(page_of(*session).softmax.sentence.ends_with(words));
  session->dispatch(Action::Present);
  CHECK(build_present_model(*session, {}).wrong == words);
  CHECK_FALSE(wrong_number(session->schedule(), is, is));
  auto right = walk_with(Fault::None);
  right->dispatch(GoToTile{2, 1});
  CHECK(page_of(*right).softmax.sentence.find("wrong") == std::string::npos);
}

TEST_CASE("the sentence quotes no row but that of the wrong number, whose row is ringed") {
  int cut = 0;
  for (const Fault fault : all_faults()) {
    auto session = walk_with(fault);
    for (std::int64_t k = 1; k < session->schedule().step_count(); ++k) {
      session->dispatch(GoToStep{k});
      const State& is = session->state();
      const auto number = wrong_number(session->schedule(), is, *session->walk().right());
      if (!number) continue;
      const WalkPage page = page_of(*session);
      const std::string& text = page.softmax.sentence;
      INFO(name_of(fault) << ", step " << k << ": " << text);
      CHECK(text.ends_with(number->text));
      const std::size_t row = text.find("Row ");
      if (row < text.rfind("Wrong: ")) CHECK(std::stoll(text.substr(row + 4)) == number->row);
      if (ledger_row(number->quantity).shape != QuantityShape::Cell || text == number->text) continue;
      CHECK(page.scores.named_row == number->row);
      ++cut;
    }
  }
  CHECK(cut > 0);
}

TEST_CASE("while the result is right, a changed number is no wrong one, and the text says what is at risk") {
  for (const Fault fault : {Fault::NoMax, Fault::TileMax}) {
    auto session = walk_with(fault);
    session->dispatch(GoToStep{fault == Fault::NoMax ? 5 : 24});
    AccuracyReport accuracy;
    accuracy.verdict = Verdict::WithinRule;
    session->dispatch(ReportAccuracy{accuracy, session->problem_revision(), false});
    CheckReport check;
    check.verdict = Verdict::Diverged;
    check.first.emplace().step = 4;
    check.first->quantity = TracedQuantity::M;
    session->dispatch(ReportCheck{check, session->problem_revision()});
    const std::string& sentence = page_of(*session).softmax.sentence;
    INFO(name_of(fault) << ": " << sentence);
    CHECK(sentence.ends_with(". Divided by ℓ, O is right all the same."));
    CHECK(sentence.find("Wrong") == std::string::npos);
    session->dispatch(Action::Present);
    const PresentModel m = build_present_model(*session, {});
    CHECK(m.output_right);
    CHECK(m.wrong.find("Wrong") == std::string::npos);
    CHECK(m.wrong_why == std::string("At risk: ") + risk_of(fault));
    CHECK(m.mistake == std::string("mistake, O still right: ") + title_of(fault));
    ViewBuilder builder{{}};
    CHECK(builder.build(*session, usual_room()).output_right);
    CHECK(builder.build(*session, usual_room()).verify.kind == BadgeKind::AtRisk);
    session->dispatch(Action::Last);
    const Views end = builder.build(*session, usual_room());
    REQUIRE(end.present->end);
    CHECK_FALSE(end.present->end->wrong);
    CHECK(end.present->end->check.starts_with("The result is right, though m differs from step 5 on: "));
    accuracy.verdict = Verdict::NotFinite;
    session->dispatch(ReportAccuracy{accuracy, session->problem_revision(), false});
    CHECK_FALSE(output_stays_right(*session));
  }
}

TEST_CASE("a room reads below a wrong number which mistake made it") {
  for (const Fault fault : {Fault::ForgetRescaleO, Fault::InverseRescale}) {
    auto session = walk_with(fault);
    session->dispatch(GoToTile{2, 1});
    session->dispatch(Action::Present);
    const PresentModel m = build_present_model(*session, {});
    REQUIRE_FALSE(m.wrong.empty());
    CHECK(m.wrong_why == description_of(fault));
  }
}

TEST_CASE("the end names the most wrong number of O, and marks each row with one") {
  auto session = walk_with(Fault::ForgetRescaleO);
  session->dispatch(Action::Last);
  session->dispatch(Action::Present);
  const auto result = build_present_result(*session);
  REQUIRE(result);
  CHECK(result->worst == "O in row 13, column 2 is 1.88, not −0.15: the largest of 32 wrong numbers in rows 8 to 15.");
  CHECK(std::count(result->wrong.begin(), result->wrong.begin() + 8, true) == 0);
  CHECK(std::count(result->wrong.begin(), result->wrong.end(), true) > 0);
  auto right = walk_with(Fault::None);
  right->dispatch(Action::Last);
  const auto unmarked = build_present_result(*right);
  REQUIRE(unmarked);
  CHECK(unmarked->wrong.empty());
}

TEST_CASE("from the first wrong visit on, each visit that differs from the right walk is marked and counted") {
  for (const Fault fault : {Fault::ForgetRescaleO, Fault::MaskOffByOne, Fault::ForgetRescaleL}) {
    INFO(name_of(fault));
    auto session = walk_with(fault);
    session->dispatch(Action::Last);
    // Visit by visit, what the two walks leave behind.
    Problem right = session->problem();
    right.fault = Fault::None;
    Replay is(session->walk().shared_schedule(), session->inputs()),
        should(make_schedule(right), session->inputs().under(right));
    const WalkPage page = page_of(*session);
    std::int64_t wrong = 0, visits = 0;
    for (const TimelineBox& box : page.transport.timeline.boxes) {
      if (box.skipped) continue;
      const State left = is.at(box.end_step), other = should.at(box.end_step);
      const bool differs = left.o != other.o || left.l != other.l || left.m != other.m || left.p != other.p;
      INFO(box.q_tile << ", " << box.kv_tile);
      CHECK((mark_of(box, 1) == VisitCheck::Differs) == differs);
      wrong += differs, ++visits;
    }
    CHECK(wrong > 0);
    CHECK(page.transport.timeline.failed == wrong);
    CHECK(page.fault->count == std::to_string(wrong) + " of " + counted(visits, "tile visit") +
                                   (wrong == 1 ? " so far is wrong" : " so far are wrong"));
    session->dispatch(Action::Present);
    ViewRoom room;
    room.present.strip_width = 800;
    const Views views = ViewBuilder{{}}.build(*session, room);
    CHECK(views.present->timeline.failed == wrong);
  }
}

TEST_CASE("a visit is marked once the walk has completed it") {
  auto session = walk_with(Fault::ForgetRescaleO);
  session->dispatch(GoToTile{2, 1});
  const std::int64_t first = session->cursor();
  CHECK(page_of(*session).transport.timeline.failed == 1);
  session->dispatch(GoToStep{first - 1});
  CHECK(page_of(*session).transport.timeline.failed == 0);
}

TEST_CASE("taken back, the marks turn from the last to the first, and then are gone") {
  auto session = walk_with(Fault::ForgetRescaleO);
  session->dispatch(Action::Last);
  WalkCaches cache;
  WalkTimesCache times;
  const auto timeline = [&] { return build_walk_page(*session, usual_room(), {}, cache, times).transport.timeline; };
  const std::int64_t wrong = timeline().failed;
  REQUIRE(wrong > 2);
  session->dispatch(SetFault{Fault::None});
  while (session->busy()) session->dispatch(Work{64});
  const TimelineModel healing = timeline();
  CHECK(healing.failed == wrong);
  const auto marked = [&](double healed) {
    std::vector<std::int64_t> out;
    for (const TimelineBox& box : healing.boxes)
      if (mark_of(box, healed) == VisitCheck::Differs) out.push_back(box.end_step);
    return out;
  };
  CHECK(std::int64_t(marked(0).size()) == wrong);
  CHECK(healing.heal_text == "Right again, from the last visit back");
  const std::vector<std::int64_t> half = marked(0.35), all = marked(0);  // all have turned at 0.7
  CHECK(half.size() == all.size() - all.size() / 2);
  CHECK(std::equal(half.begin(), half.end(), all.begin()));  // those at the end are healed
  CHECK(marked(0.7).empty());
  const auto green = [&](double healed) {
    return std::count_if(healing.boxes.begin(), healing.boxes.end(),
                         [&](const TimelineBox& box) { return has_just_healed(box, healed); });
  };
  CHECK(green(0) == 0);
  CHECK(green(0.35) > 0);
  CHECK(green(0.7) > 0);
  CHECK(green(1) == 0);
  session->dispatch(Tick{1});
  session->dispatch(Tick{9});
  CHECK(timeline().failed == 0);
  CHECK(timeline().heal_text.empty());
}

TEST_CASE("a head that takes long to replay has no marks of its own, and nothing is replayed for them") {
  Document document;
  Problem& p = document.problem;
  p.shape.n_q = p.shape.n_kv = 4096;
  p.shape.d = 64;
  p.tiling.br = p.tiling.bc = 64;
  p.machine.sram_bytes = 1 << 20;
  p.fault = Fault::ForgetRescaleO;
  auto opened = Session::open(document, {});
  REQUIRE(opened.ok());
  WrongVisitsCache cache;
  CHECK(wrong_visits(**opened, cache).ends.empty());
  CHECK(cache.all.empty());
}
