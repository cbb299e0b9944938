// What a room sees of a deliberate mistake: the numbers that it makes wrong, the right ones, and the end of the walk.
#include <algorithm>

#include "tests/unit/view/presented.h"
#include "view/present/present_model.h"

using namespace tilewalk;
using tilewalk::test::presented;
using tilewalk::test::to_phase;

TEST_CASE("numbers that a mistake changes are marked for a room, from the first wrong step on") {
  Problem problem = test::picture();
  problem.fault = Fault::ForgetRescaleO;
  const auto s = presented(problem);
  s->dispatch(Action::Present);
  const auto wrong = [&] {
    const PresentModel m = build_present_model(*s, {});
    int count = 0;
    for (const PresentTableRow& row : m.table.rows) count += int(std::count(row.wrong.begin(), row.wrong.end(), true));
    for (const PresentCell& cell : m.tile.cells) count += cell.wrong;
    return count;
  };
  to_phase(*s, Phase::RowSum, 1);
  CHECK(wrong() == 0);
  CHECK(build_present_model(*s, {}).wrong == "O is still wrong: row 9, column 0 is 0.44, not 0.29.");
  to_phase(*s, Phase::Accumulate, 1);
  CHECK(wrong() == 8);  // rows 9 and 10 of O
  // The right numbers of the sentence's row are below all rows, which stay opposite those of the tile.
  const PresentModel wrong_sum = build_present_model(*s, {});
  REQUIRE(wrong_sum.table.has_right_row());
  REQUIRE(wrong_sum.table.rows.size() == wrong_sum.tile.rows.size() + 1);
  for (std::size_t r = 0; r < wrong_sum.tile.rows.size(); ++r)
    CHECK(wrong_sum.table.rows[r].cells[0] == wrong_sum.tile.rows[r]);
  CHECK(wrong_sum.table.rows.back().cells[0] == "9 right");
  CHECK(wrong_sum.table.rows.back().row == 9);
  CHECK(wrong_sum.mistake == "mistake: forgets to shrink O");
  CHECK(wrong_sum.wrong == "Wrong: O in row 9, column 0 is 1.07, not 0.91.");
  CHECK(wrong_sum.sentence.find("Wrong") == std::string::npos);
  CHECK(wrong_sum.arithmetic.on_one_line(1) == "right: O old 0.44 × α 0.66 + 0.62 = 0.91");
  CHECK(wrong_sum.column);
  // One visit later O was wrong before, so the right old value is in the line, and leads to the right one.
  to_phase(*s, Phase::Accumulate, 2);
  const PresentModel later = build_present_model(*s, {});
  CHECK(later.arithmetic.on_one_line(1).starts_with("right: O old 0.91 × α 0.16 + "));
  CHECK(later.arithmetic.on_one_line(1).ends_with(" = 1.03"));
  CHECK(later.table.rows.back().cells[1] == "1.03");
  // The right output is beside the wrong one that the last step made.
  to_phase(*s, Phase::Normalise, -1);
  const PresentModel last = build_present_model(*s, {});
  CHECK(last.table.output);
  CHECK(std::all_of(last.table.rows.begin(), last.table.rows.end(), [](const auto& row) { return row.right; }));
  REQUIRE(last.table.rows.size() == last.tile.rows.size());
  CHECK(last.table.rows[1].cells[1] != last.tile.at(1, 0).text);
}

TEST_CASE("while O is still wrong, a room sees it on chip, in the sentence and in the walk") {
  Problem problem = test::picture();
  problem.fault = Fault::ForgetRescaleO;
  const auto s = presented(problem);
  s->dispatch(Action::Present);
  const auto marks_now = [](const PresentModel& m) {
    return std::count_if(m.timeline.boxes.begin(), m.timeline.boxes.end(),
                         [](const TimelineBox& box) { return box.wrong_now; });
  };
  for (std::int64_t k = 40; k <= 50; ++k) {
    s->dispatch(GoToStep{k});
    const PresentModel m = build_present_model(*s, {});
    INFO("step " << k << ": " << m.wrong);
    const bool wrong = k >= 44, made = k == 44 || k == 47;
    CHECK(m.memories.wrong == (wrong ? std::vector<std::string>{"O"} : std::vector<std::string>{}));
    CHECK(m.wrong.starts_with(!wrong ? "" : made ? "Wrong: O in row 9, column 0 is " : "O is still wrong: row "));
    CHECK(m.wrong.empty() == !wrong);
    CHECK(m.still_wrong == (wrong && !made));
    CHECK(marks_now(m) == (wrong ? 1 : 0));
  }
}

TEST_CASE("below a wrong number a room reads of no right one, and its row is ringed") {
  Problem problem = test::picture();
  problem.fault = Fault::MaskOffByOne;
  const auto s = presented(problem);
  s->dispatch(Action::Present);
  s->dispatch(GoToStep{26});
  const PresentModel m = build_present_model(*s, {});
  CHECK(m.wrong == "Wrong: P in row 6, column 7 is 0.99, not 0.00.");
  CHECK(m.wrong_sentence == "Each score becomes e^(S − m). Row 6 sees no key after 6, so key 7 should be masked.");
  REQUIRE(m.tile.spoken >= 0);
  CHECK(m.tile.rows[std::size_t(m.tile.spoken)] == "6");
  for (const PresentTableRow& row : m.table.rows) CHECK(row.spoken == (row.row == 6));
  CHECK_FALSE(m.table.has_right_row());  // of tile max, a column that such a row leaves no room for
}

TEST_CASE("in no step a room reads of a right number below a wrong one") {
  int cut = 0;
  for (const Fault fault : {Fault::MaskOffByOne, Fault::ForgetRescaleO, Fault::ForgetRescaleL, Fault::TileMax}) {
    Problem problem = test::picture();
    problem.fault = fault;
    const auto s = presented(problem);
    s->dispatch(Action::Present);
    for (std::int64_t k = 1; k < s->schedule().step_count(); ++k) {
      s->dispatch(GoToStep{k});
      const PresentModel m = build_present_model(*s, {});
      INFO(title_of(fault) << ", step " << k << ": " << m.wrong << " " << m.wrong_sentence);
      if (m.wrong.empty()) continue;
      const auto row_in = [](const std::string& text, const char* word) {
        const std::size_t at = text.find(word);
        return at == std::string::npos ? -1 : std::stoi(text.substr(at + std::string(word).size()));
      };
      const int row = row_in(m.wrong_sentence, "Row ");
      if (row >= 0) CHECK(row == row_in(m.wrong, "row "));
      cut += m.wrong_sentence != m.sentence;
    }
  }
  CHECK(cut > 0);
}

TEST_CASE("a room is told that what a step stores is wrong") {
  Problem problem = test::picture();
  problem.fault = Fault::ForgetRescaleO;
  const auto s = presented(problem);
  s->dispatch(Action::Present);
  to_phase(*s, Phase::Store, -1);
  const PresentModel m = build_present_model(*s, {});
  CHECK(m.sentence.starts_with("O tile 2 is finished"));
  CHECK(m.wrong.starts_with("Wrong: the stored O in row 9, column 0 is "));
}

TEST_CASE("a room is told where a mistake changes nothing") {
  for (const Fault fault : {Fault::RaggedRead, Fault::SkipDiagonal}) {
    Problem problem = test::picture();
    problem.fault = fault;
    const auto s = presented(problem);
    s->dispatch(Action::Present);
    CheckReport report;
    report.verdict = fault == Fault::RaggedRead ? Verdict::Equal : Verdict::Diverged;
    if (fault != Fault::RaggedRead) report.first.emplace().step = 4;
    s->dispatch(ReportCheck{report, s->problem_revision()});
    to_phase(*s, Phase::Accumulate, 2);
    const PresentModel m = build_present_model(*s, {});
    CHECK(m.mistake == (fault == Fault::RaggedRead ? "mistake, no effect: reads past the last key"
                                                   : "mistake: skips the tiles that the mask cuts"));
    CHECK(std::count(m.place.begin(), m.place.end(), "Q2 · K2 · accumulate") == 1);
  }
}

TEST_CASE("a finished walk says to a room what is wrong with its result, or that each bit is the GPU's") {
  CheckReport report;
  report.provenance.gpu = "NVIDIA H200";
  report.verdict = Verdict::Equal;
  Problem p = test::picture();
  const WholeRuns runs = whole_runs(*make_schedule(p));
  const PresentEnd right = build_present_end(p, runs, report, build_verify_model(report));
  CHECK(right.check == "Every value equals the H200's, bit for bit");
  CHECK(right.good);
  CHECK_FALSE(right.wrong);
  CHECK(right.why ==
        std::vector<std::string>{
            "Of the 4.69 KiB less, 3.94 because L is stored instead of S and P, and 0.75 because 6 masked tiles are "
            "skipped: "
            "naive computes all of S.",
            "Naive attention writes S and P to HBM and reads them back: 4.00 of its 6.50 KiB. At N 131,072 in fp32, S "
            "alone would be 64.0 GiB.",
            "Of the 4.69 KiB saved, 0.75 comes from 6 tiles that the mask skips.",
            "At N 131,072 in fp32, S alone would be 64.0 GiB."});
  p.fault = Fault::ForgetRescaleO;
  report.verdict = Verdict::Diverged;
  report.first = Divergence{};
  report.first->step = 46;
  const PresentEnd wrong = build_present_end(p, runs, report, build_verify_model(report));
  CHECK(wrong.check == "Wrong from step 47 on: forgets to shrink O");
  CHECK(wrong.wrong);
  CHECK_FALSE(wrong.good);
}
