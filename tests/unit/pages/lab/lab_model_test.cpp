// The models of the lab's page: marks beside lines, tiles, numbers beside what they should be, bytes beside the ledger.
#include "pages/lab/lab_model.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/unit/pages/lab/lab_session.h"
#include "view/words/predict_words.h"

using namespace tilewalk;
using test::LabSession;

namespace {

LabPage page_of(const LabSession& s) { return build_lab_page(s.lab()); }

std::size_t count(const LabMatrixModel& m, LabTile::State state) {
  return std::size_t(
      std::count_if(m.tiles.begin(), m.tiles.end(), [&](const LabTile& each) { return each.state == state; }));
}

}  // namespace

TEST_CASE("every task's page has its words, its text, and nothing wrong before a run") {
  LabSession s;
  for (int number = 1; number <= 12; ++number) {
    s.send(ChooseTask{number});
    const LabPage page = page_of(s);
    INFO(page.title);
    CHECK(page.tasks.size() == 12);
    REQUIRE_FALSE(page.prose.empty());
    for (const Paragraph& paragraph : page.prose)
      for (const Run& run : paragraph.runs) CHECK(run.text.find("# ") != 0);
    REQUIRE(page.explains.size() == page.prose.size());
    CHECK_FALSE(page.explains.front());
    for (std::size_t i = 0; i + 1 < page.prose.size(); ++i)  // what announces a list is not shown without it
      if (!page.explains[i] && page.prose[i].runs.back().text.ends_with(":")) CHECK_FALSE(page.explains[i + 1]);
    CHECK(page.text.text == s.lab().task()->start);
    const std::vector<lab::HoleLines> holes = s.lab().holes();
    REQUIRE_FALSE(holes.empty());
    const int first = holes.front().first;
    const bool is_named = page.text.goal.find(std::to_string(first)) != std::string::npos;
    CHECK(page.text.goal.starts_with("Your task: "));
    if (s.lab().task()->goal.empty()) {
      CHECK(page.text.holes.size() == holes.size());
      CHECK((first == 1 || is_named));
    } else {
      CHECK_FALSE(is_named);
    }
    CHECK(page.text.marks.empty());
    CHECK_FALSE(page.text.says_good.has_value());
    for (const LabVisitBox& each : page.transport.visits) CHECK(each.mark == LabMark::ToDo);
    CHECK_FALSE(page.transport.good);
    CHECK(page.badge.text == "not run");  // once: the verdict's place says what the kernel computes
    // The right scores of a task that fills them are beside the words.
    CHECK(page.verdict.figure.ends_with(page.matrix.own ? " to match" : " to compute"));
    CHECK(page.verdict.words.starts_with("Press Run (Ctrl+Enter): your kernel runs on these "));
    CHECK(page.matrix.before);
    CHECK(page.matrix.scores.size() == std::size_t(page.matrix.rows * page.matrix.cols));
    if (page.matrix.own) {  // the picture of what the task is to fill
      const bool weights = s.lab().task()->setup.judging == lab::LabJudging::Weights;
      CHECK(page.matrix.title.starts_with(weights ? "The right weights · " : "The right scores · "));
      CHECK(page.matrix.low < page.matrix.high);
      for (std::int64_t row = 0; weights && row < page.matrix.rows; ++row) {
        double sum = 0;
        for (std::int64_t col = 0; col < page.matrix.cols; ++col)
          if (const double each = page.matrix.scores[std::size_t(row * page.matrix.cols + col)]; std::isfinite(each))
            sum += each;
        CHECK(sum == Approx(1));
      }
    }
    CHECK(page.hints_left == 3);
  }
}

TEST_CASE("after a wrong result without a line of its own the first hole is marked") {
  LabSession s;
  s.send(ChooseTask{1});
  s.send(Action::RunKernel);
  const LabPage page = page_of(s);
  CHECK(page.text.goal == "Your task: fill the hole in line 17.");
  REQUIRE(page.text.marks.size() == 1);
  CHECK(page.text.marks[0].line == 17);
  CHECK(page.text.marks[0].warning);  // nothing is tried yet
  CHECK(page.text.marks[0].words == page.transport.verdict);
  CHECK(page.transport.verdict.starts_with("The hole is still empty. First wrong: S[0][0]"));
}

TEST_CASE("a run of the start, whose holes are empty, shows nothing as wrong; one of the learner's text does") {
  LabSession s;
  s.send(ChooseTask{5});
  s.send(Action::RunKernel);
  LabPage page = page_of(s);
  REQUIRE(page.transport.visits.size() == 16);
  const auto wrong_visits = [&] {
    return std::count_if(page.transport.visits.begin(), page.transport.visits.end(),
                         [](const LabVisitBox& each) { return each.mark == LabMark::Wrong; });
  };
  const auto wrong_numbers = [&] {
    std::ptrdiff_t out = std::count(page.numbers.o_wrong.begin(), page.numbers.o_wrong.end(), true);
    for (const LabRowModel& row : page.numbers.rows) out += std::count(row.wrong.begin(), row.wrong.end(), true);
    return out;
  };
  CHECK(wrong_visits() == 0);
  CHECK(wrong_numbers() == 0);
  CHECK(page.badge.kind == BadgeKind::NotChecked);
  CHECK(page.badge.text == "holes empty");
  CHECK_FALSE(page.verdict.good);
  CHECK(page.verdict.figure == "Nothing is filled in yet");
  CHECK(page.gain.figure.empty());
  s.send(Action::ShowHole);  // one of three
  s.send(Action::RunKernel);
  page = page_of(s);
  CHECK(wrong_visits() > 0);
  CHECK(wrong_numbers() > 0);
  CHECK(page.badge.kind == BadgeKind::Diverged);
}

TEST_CASE("a right kernel shows the bytes that it gains over naive attention, on one scale") {
  LabSession s;
  s.send(ChooseTask{5});
  for (int i = 0; i < 3; ++i) s.send(Action::ShowHole);
  s.send(Action::RunKernel);
  const LabPage page = page_of(s);
  CHECK(page.badge.kind == BadgeKind::Right);
  REQUIRE(page.gain.bars.size() == 2);
  const TrafficBar &naive = page.gain.bars[0], &own = page.gain.bars[1];
  CHECK(naive.label == "Naive");
  CHECK(own.label == "FA-2");
  CHECK(page.gain.figure == times_text_of(double(naive.bytes) / double(own.bytes)));
  const auto whole = [](const TrafficBar& bar) {
    double out = 0;
    for (const TrafficPart& part : bar.parts) out += part.share;
    return out;
  };
  CHECK(whole(naive) == Approx(1));
  CHECK(whole(own) == Approx(double(own.bytes) / double(naive.bytes)));
}

TEST_CASE("a task that asks for the place of its hole does not show the place") {
  LabSession s;
  s.send(ChooseTask{2});
  LabPage page = page_of(s);
  CHECK(page.text.goal == "Your task: put one __syncthreads() where it belongs.");
  CHECK(page.text.holes.empty());
  CHECK(page.text.show_line == 0);
  CHECK(page.numbers.steps.front().words == "Put one __syncthreads() where it belongs.");
  s.send(Action::RunKernel);  // names the lines of the race, and not the hole
  page = page_of(s);
  REQUIRE_FALSE(page.text.marks.empty());
  for (const LabLineMark& mark : page.text.marks) CHECK(mark.line != s.lab().holes().front().first);
  CHECK(page.transport.verdict.find("hole") == std::string::npos);
  s.send(Action::ShowHole);
  CHECK(page_of(s).text.goal == "No hole is left as it was. Run the kernel.");
}

TEST_CASE("the goal names the holes that are still as in the start") {
  LabSession s;
  s.send(ChooseTask{4});
  CHECK(page_of(s).text.goal == "Your task: fill the holes in lines 42 and 45.");
  s.send(Action::ShowHole);
  const LabPage page = page_of(s);
  CHECK(page.text.holes.size() == 2);
  CHECK(page.text.goal.starts_with("Your task: fill the hole in line "));
  CHECK(page.text.goal.find(std::to_string(page.text.holes[1].first)) != std::string::npos);
  s.send(Action::ShowHole);
  CHECK(page_of(s).text.goal == "No hole is left as it was. Run the kernel.");
  s.send(Action::RunKernel);
  CHECK(page_of(s).text.goal == "Your kernel is right, with 2 holes shown.");
  CHECK(page_of(s).text.show_line >= page.text.holes[1].first);  // the text stays where the last hole was
}

TEST_CASE("before a run the visits to come and the ledger's bytes are those of the run of a solution") {
  LabSession s;
  s.send(ChooseTask{5});
  const LabPage before = page_of(s);
  s.send(EditKernel{s.lab().task()->solution});
  s.send(Action::RunKernel);
  const LabPage after = page_of(s);
  REQUIRE(after.transport.good == true);
  REQUIRE(before.transport.visits.size() == after.transport.visits.size());
  for (std::size_t i = 0; i < after.transport.visits.size(); ++i) {
    CHECK(before.transport.visits[i].label == after.transport.visits[i].label);
    CHECK(before.transport.visits[i].group == after.transport.visits[i].group);
  }
  REQUIRE(before.bars.size() == 1);
  CHECK(before.bars[0].bytes == after.bars.back().bytes);
  CHECK(before.numbers.rows.size() == std::size_t(before.matrix.br));
  CHECK_FALSE(after.matrix.before);
  s.send(GoToLabVisit{1});
  const LabMatrixModel first = page_of(s).matrix;
  CHECK(first.weights_title == "P of Q0 × K0");
  CHECK(before.matrix.weights == first.weights);
  CHECK(before.matrix.weights_title.ends_with(first.weights_title));
}

TEST_CASE("every solution's page is right: all its visits, its numbers, and in FA-2's loop the bytes of its ledger") {
  LabSession s;
  for (int number = 1; number <= 12; ++number) {
    s.send(ChooseTask{number});
    s.send(EditKernel{s.lab().task()->solution});
    s.send(Action::RunKernel);
    const LabPage page = page_of(s);
    INFO(page.title);
    CHECK(page.transport.good == true);
    CHECK(page.transport.wrong.empty());
    CHECK(page.tasks[std::size_t(number - 1)].solved);
    CHECK(page.text.says == "compiles · no race · no unfilled read");
    CHECK_FALSE(page.bars.empty());
    for (const LabVisitBox& box : page.transport.visits) CHECK(box.mark == LabMark::Right);
    for (const LabRowModel& row : page.numbers.rows)
      CHECK(std::find(row.wrong.begin(), row.wrong.end(), true) == row.wrong.end());
    if (number == 5) CHECK(page.bars.at(0).bytes == page.bars.at(1).bytes);
  }
}

TEST_CASE("the first wrong visit shows red numbers with the right ones below, and its line") {
  LabSession s;
  s.send(ChooseTask{5});
  s.send(EditKernel{s.wrong("no-rescale-o")});
  s.send(Action::RunKernel);
  LabPage page = page_of(s);
  CHECK(page.transport.wrong == "12 of 16 visits wrong");
  CHECK(page.transport.place == "After tile visit 2 of 16");
  CHECK(page.transport.good == false);
  CHECK(count(page.matrix, LabTile::State::Now) == 1);
  CHECK(count(page.matrix, LabTile::State::Done) == 1);
  CHECK(count(page.matrix, LabTile::State::ToDo) == 14);
  REQUIRE(page.numbers.rows.size() == 4);
  CHECK(page.numbers.rows[0].wrong == std::vector<bool>{false, false, false, false, false, false, true});
  CHECK(page.numbers.rows[0].cells[6] == "1.88");
  CHECK(page.numbers.rows[0].right[6] == "0.02");
  CHECK(page.numbers.sentence == "After tile visit 2, row 0 of O starts with 1.88. Right is 0.02.");
  CHECK(page.numbers.title == "Running max (log2) and sum");  // S beside it is in natural units
  CHECK(page.badge.kind == BadgeKind::Diverged);
  CHECK(page.badge.text == "wrong at visit 2");
  CHECK(page.badge.goes_to == Command{GoToLabVisit{2}});
  CHECK(page.numbers.o_right.size() == 16);
  REQUIRE(s.result().report.judged->first_wrong);
  CHECK(page.text.show_line == s.result().report.judged->first_wrong->line);
  CHECK(std::any_of(page.text.marks.begin(), page.text.marks.end(),
                    [&](const LabLineMark& mark) { return mark.line == page.text.show_line && !mark.warning; }));
  s.send(GoToLabVisit{1});
  page = page_of(s);
  CHECK(page.numbers.o_right.empty());
  CHECK(page.numbers.sentence.find("every number fits") != std::string::npos);
  s.send(GoToLabVisit{6});
  CHECK(count(page_of(s).matrix, LabTile::State::Wrong) == 3);
  s.send(EditKernel{"// launch: grid(1) block(1)\nint x = ;\n"});
  CHECK(page_of(s).text.marks.empty());
  CHECK(page_of(s).transport.verdict.find("Of the text before your last change: ") == 0);
  CHECK(page_of(s).badge.text == "changed since its run");
  s.send(Action::RunKernel);
  page = page_of(s);
  CHECK(page.badge.text == "does not compile");
  CHECK(page.text.says == "1 error");
  REQUIRE(page.text.marks.size() == 1);
  CHECK(page.text.marks[0].line == 2);
  CHECK(page.text.show_line == 2);
  CHECK(page.transport.verdict.starts_with("Line 2: "));  // the error itself stands on the page
  CHECK(page.numbers.sentence == "The text does not compile yet.");
  s.send(EditKernel{"// launch: grid(1) block(1)\n__global__ void attention(const float* Queries) {}\n"});
  s.send(Action::RunKernel);
  page = page_of(s);
  CHECK(page.transport.verdict.starts_with("Line 2: there is no tensor Queries. "));
  CHECK_FALSE(page.transport.verdict.ends_with(".."));
}

TEST_CASE("a task that fills S shows the learner's S, its first wrong number, and what comes next") {
  LabSession s;
  s.send(ChooseTask{1});
  s.send(EditKernel{s.lab().text() + "// tried\n"});
  s.send(Action::RunKernel);
  LabPage page = page_of(s);
  REQUIRE(page.matrix.own);
  CHECK(page.matrix.scores == std::vector<double>(64, 0.0));  // the start stores zeros
  CHECK(page.matrix.wrong_cell == 0);
  CHECK(page.matrix.wrong_cells == std::vector<bool>(64, true));
  CHECK(page.transport.wrong == "64 of 64 elements wrong");
  CHECK(page.verdict.good == false);
  CHECK(page.verdict.figure == "64 of 64 elements wrong");
  CHECK(page.numbers.sentence.find("right is −11.6716.") != std::string::npos);  // one notation at all three places
  CHECK(page.matrix.scale.find("S[0][0] must be −11.6716") != std::string::npos);
  CHECK(page.matrix.scale.starts_with("S: −17.02 to 1.96"));  // of the right S: zeros have their own colour
  CHECK(page.matrix.low == Approx(-17.02).margin(0.01));
  CHECK(page.transport.verdict.find("expected −11.6716, got 0.0000.") != std::string::npos);
  double drawn = 0;
  for (const TrafficPart& part : page.bars.at(0).parts) drawn += part.share;
  CHECK(drawn == Approx(1));  // no ledger is beside it: the bar is full
  // The rows of Q and K that it comes from: a line a term, then their sum.
  CHECK(page.numbers.where == "S[0][0]");
  REQUIRE(page.numbers.rows.size() == 5);
  const lab::LabRunResult& run = *s.lab().result();
  for (std::size_t x = 0; x < 4; ++x) {
    CHECK(page.numbers.rows[x].cells[0] == signed_number(run.inputs.q[x], 4));
    CHECK(page.numbers.rows[x].cells[1] == signed_number(run.inputs.k[x], 4));
  }
  CHECK(page.numbers.rows[4].row == "sum");
  CHECK(page.numbers.sentence ==
        "Your kernel has 0.0000; right is −11.6716. S = SCALE × sum = 0.5 × −23.3433 = −11.6716. ");
  CHECK_FALSE(page.next);
  std::string partly = s.lab().task()->solution;
  const std::string stored = "S[e] = s * SCALE;";
  REQUIRE(partly.find(stored) != std::string::npos);
  s.send(EditKernel{partly.replace(partly.find(stored), stored.size(), "S[e] = r == 2 && c > 4 ? 0.0f : s * SCALE;")});
  s.send(Action::RunKernel);
  page = page_of(s);
  CHECK(page.transport.wrong == "3 of 64 elements wrong");
  CHECK(page.matrix.wrong_cell == 21);
  for (std::size_t at = 0; at < 64; ++at) CHECK(page.matrix.wrong_cells[at] == (at >= 21 && at < 24));
  CHECK(page.numbers.where == "S[2][5]");
  s.send(EditKernel{s.lab().task()->solution});
  s.send(Action::RunKernel);
  page = page_of(s);
  CHECK(page.matrix.wrong_cell == -1);
  CHECK(page.matrix.wrong_cells.empty());
  CHECK(page.numbers.rows.empty());
  CHECK(page.numbers.title == "All 64 right");
  CHECK(page.numbers.sentence.starts_with("Each element of S is within its bound of float64's. See it walk: "));
  CHECK(page.matrix.scores[0] == Approx(-11.671634));
  CHECK(page.next == 2);
  CHECK(page.verdict.good == true);
  CHECK(page.verdict.figure == "Right");
  CHECK(page.verdict.words == page.success.words + ".");
  s.send(Action::First);
  CHECK(page_of(s).matrix.scale == "Nothing is written yet");
}

TEST_CASE("the printed terms of a score add up to the printed sum, whose product with SCALE is the printed score") {
  const auto number = [](std::string text) {
    const bool minus = text.starts_with("−");
    const double size = std::stod(minus ? text.substr(std::string("−").size()) : text);
    return minus ? -size : size;
  };
  LabSession s;
  s.send(ChooseTask{1});
  for (int cell = 0; cell < 64; cell += 5) {
    std::string text = s.lab().task()->solution;
    const std::string stored = "S[e] = s * SCALE;";
    s.send(EditKernel{text.replace(text.find(stored), stored.size(),
                                   "S[e] = e == " + std::to_string(cell) + " ? 99.0f : s * SCALE;")});
    s.send(Action::RunKernel);
    const LabNumbersModel m = page_of(s).numbers;
    REQUIRE(m.rows.size() == 5);
    INFO(m.sentence);
    double sum = 0;
    for (std::size_t x = 0; x < 4; ++x) {
      sum += number(m.rows[x].cells[2]);
      CHECK(number(m.rows[x].cells[2]) ==
            Approx(number(m.rows[x].cells[0]) * number(m.rows[x].cells[1])).margin(0.002));
    }
    CHECK(sum == Approx(number(m.rows[4].cells[2])).margin(0.00026));
    const lab::LabRunResult& run = *s.lab().result();
    const double score = number(m.sentence.substr(m.sentence.rfind("= ") + 2));
    CHECK(run.setup.problem.scale_value() * number(m.rows[4].cells[2]) == Approx(score).margin(0.0002));
  }
}

TEST_CASE("a weight's formula subtracts its max, a negative one with a plus") {
  CHECK(subtracted(3.1) == "− 3.1000");
  CHECK(subtracted(-3.1) == "+ 3.1000");
  LabSession s;
  s.send(ChooseTask{3});
  s.send(Action::RunKernel);
  const std::string sentence = page_of(s).numbers.sentence;
  INFO(sentence);
  CHECK(sentence.find("e^(S − m) / ℓ = e^(") != std::string::npos);
  CHECK(sentence.find("− −") == std::string::npos);
}

TEST_CASE("only a run can say that a kernel called no visit_done") {
  LabSession s;
  s.send(ChooseTask{12});
  s.send(EditKernel{s.lab().task()->solution});
  const auto sentence = [&] { return page_of(s).numbers.sentence; };
  CHECK(sentence().ends_with("Tile visits are listed here after a run that calls visit_done."));
  s.send(Action::RunKernel);
  CHECK(sentence().find("visit_done") == std::string::npos);
  std::string text = s.lab().task()->solution;
  const std::string mark = "visit_done(i, j, sM, sL, sO);";
  REQUIRE(text.find(mark) != std::string::npos);
  s.send(EditKernel{text.replace(text.find(mark), mark.size(), "")});
  s.send(Action::RunKernel);
  CHECK(sentence().ends_with("This run called no visit_done, so no tile visit is listed here."));
}

TEST_CASE("where a kernel fails on another problem alone, that one is walked, and the verdict has its flags") {
  LabSession s;
  s.send(ChooseTask{6});
  std::string text = s.lab().task()->solution;
  const std::string seen = "min(N_KV, first_row + rows)";
  REQUIRE(text.find(seen) != std::string::npos);
  s.send(EditKernel{text.replace(text.find(seen), seen.size(), "first_row + rows")});
  s.send(Action::RunKernel);
  const LabPage page = page_of(s);
  CHECK(page.transport.verdict.starts_with(
      "Right for the task's own problem, but not with --heads 2 --n-q 18 --n-kv 9 --br 8 --bc 2. There: "));
  CHECK(page.matrix.rows == 18);
  CHECK(page.text.says == "compiles · no race · no unfilled read · it stopped early");
  CHECK(page.text.says_good == false);
  REQUIRE(page.text.marks.size() == 1);
  CHECK(page.text.show_line == page.text.marks[0].line);
  CHECK(page.transport.findings.at(0).find("the KV tiles 0 to 4") != std::string::npos);
}

TEST_CASE("after each visit the table has the state before, the tile's own max and the state after") {
  LabSession s;
  s.send(ChooseTask{5});
  CHECK(page_of(s).badge.text == "not run");
  s.send(EditKernel{s.lab().task()->solution});
  s.send(Action::RunKernel);
  CHECK(page_of(s).badge.good);
  std::map<std::string, std::vector<std::string>> kept;  // by row, since its first visit
  for (std::int64_t visit = 1; visit <= 16; ++visit) {
    s.send(GoToLabVisit{visit});
    const LabNumbersModel m = page_of(s).numbers;
    REQUIRE(m.columns.size() == 8);
    for (const LabRowModel& row : m.rows) {
      INFO("visit " << visit << ", row " << row.row);
      REQUIRE(row.cells.size() == 7);
      const auto before = kept.find(row.row);
      CHECK(row.cells[0] == (before == kept.end() ? "–" : before->second[2]));
      CHECK(row.cells[4] == (before == kept.end() ? "–" : before->second[5]));
      CHECK((row.cells[2] == row.cells[0] || row.cells[2] == row.cells[1]));
      kept[row.row] = row.cells;
    }
  }
  CHECK(kept.size() == 16);
}

TEST_CASE("a thread's variables are those of its line, and its line is that of the machine") {
  LabSession s;
  s.send(ChooseTask{5});
  s.send(EditKernel{s.lab().task()->solution});
  s.send(Action::RunKernel);
  s.send(SetLabThread{3});
  s.send(SetLabUnit{LabUnit::Line});
  s.send(GoToLabVisit{6});
  for (int i = 0; i < 30; ++i) {
    s.send(Action::StepForward);
    const LabPage page = page_of(s);
    CHECK(page.thread.title == "Thread 3 of 16, before line " + std::to_string(page.text.line_now));
    const auto found = std::find_if(page.thread.variables.begin(), page.thread.variables.end(),
                                    [](const LabVariable& each) { return each.name == "i"; });
    REQUIRE(found != page.thread.variables.end());
    CHECK(found->value == "1");
  }
}

TEST_CASE("a race is named beside both of its lines") {
  LabSession s;
  s.send(ChooseTask{5});
  s.send(EditKernel{s.wrong("no-barrier-before-refill")});
  s.send(Action::RunKernel);
  const LabPage page = page_of(s);
  CHECK(page.text.says == "compiles · a race · no unfilled read");
  CHECK(page.text.says_good == false);
  CHECK(page.transport.findings.size() == 1);
  CHECK(page.transport.findings[0].find("data race on sV[0][0]") != std::string::npos);
  std::vector<int> lines;
  for (const LabLineMark& mark : page.text.marks) lines.push_back(mark.line);
  CHECK(std::count(lines.begin(), lines.end(), 34) >= 1);
  CHECK(std::count(lines.begin(), lines.end(), 71) >= 1);
}
