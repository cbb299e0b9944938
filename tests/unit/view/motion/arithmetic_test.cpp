#include "view/motion/arithmetic.h"

#include <cmath>
#include <regex>

#include "base/typed_number.h"
#include "core/schedules/registry.h"
#include "session/hand/hand_asked.h"
#include "tests/unit/view/view_fixture.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

namespace {

struct WorkedStep {
  State after;
  Motion motion;
  Arithmetic arithmetic;
};

WorkedStep worked_step(Walk& walk, std::int64_t cursor) {
  const State before = walk.at(cursor - 1);
  WorkedStep out{walk.at(cursor), {}, {}};
  out.motion = build_motion(*walk.schedule, before, out.after);
  out.arithmetic = build_arithmetic(*walk.schedule, walk.replay.inputs(), out.after, &out.motion);
  return out;
}

WorkedStep worked_at(Walk& walk, Phase phase) { return worked_step(walk, walk.after(phase).cursor); }

std::vector<std::string> lines_at(const Arithmetic& all, double t) {
  std::vector<std::string> out;
  for (const ArithmeticLine& line : all.lines)
    if (std::string text = line.at(t); !text.empty()) out.push_back(std::move(text));
  return out;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("the arithmetic of a visit has the numbers of the row that its sentences name") {
  Walk walk(picture());
  const auto at_end = [&](Phase phase) { return lines_at(worked_at(walk, phase).arithmetic, 1); };
  CHECK(worked_at(walk, Phase::Scores).arithmetic.title == "Row 9, column 6 · rounded");
  CHECK(at_end(Phase::Scores) ==
        Lines{"−0.96 · −0.73", "0.05 · −0.01", "−1.57 · −0.11", "−0.95 · −1.03", "Σ × 0.500 = 0.92"});
  CHECK(at_end(Phase::RowMax) == Lines{"tile max = the largest of −0.48, −0.44, 0.92, 0.17 = 0.92",
                                       "m new = the larger of 0.51 and 0.92 = 0.92"});
  CHECK(at_end(Phase::Rescale) == Lines{"α = e^(0.51 − 0.92) = 0.66", "O new = 0.66 × 0.44 = 0.29"});
  CHECK(at_end(Phase::Exponentiate) == Lines{"P = e^(0.17 − 0.92) = 0.47"});
  CHECK(at_end(Phase::RowSum) == Lines{"ℓ new = 0.66 × 2.50 + 0.25 + 0.26 + 1.00 + 0.47 = 3.63"});
  CHECK(at_end(Phase::Accumulate) ==
        Lines{"O rescaled 0.29", "0.25 · −0.21", "0.26 · 0.83", "1.00 · 0.01", "0.47 · 0.95", "Σ = 0.91"});
  CHECK(at_end(Phase::LoadKV).empty());
  CHECK(at_end(Phase::Mask) == Lines{"all 16 scores stay"});
  const Arithmetic bars = worked_at(walk, Phase::Exponentiate).arithmetic;
  REQUIRE(bars.bars.size() == 4);
  CHECK(bars.bars[0].power == "e^(−1.40)");
  CHECK(bars.bars[0].result == "0.25");
  CHECK(bars.bars[3].named);
  CHECK(bars.bars[2].weight == 1);
}

TEST_CASE("the title names the column whose bar grows, and the cell that is ringed meanwhile") {
  Walk walk(picture());
  const WorkedStep step = worked_at(walk, Phase::Exponentiate);
  const MovingValues& p = *step.motion.of(Quantity::P);
  CHECK(step.arithmetic.title_at(0) == "Row 9, column 7 · rounded");
  for (const ArithmeticBar& bar : step.arithmetic.bars) {
    const double t = (bar.span.begin + bar.span.end) / 2;
    INFO("column " << bar.col);
    CHECK(step.arithmetic.title_at(t) == "Row 9, column " + std::to_string(bar.col) + " · rounded");
    CHECK(p.ringed(t) == std::pair<std::int64_t, std::int64_t>{9, bar.col});
  }
  CHECK(step.arithmetic.title_at(1) == "Row 9, column 7 · rounded");
}

TEST_CASE("the arithmetic is printed while its numbers are on their way, and its results as they land") {
  Walk walk(picture());
  const WorkedStep scores = worked_at(walk, Phase::Scores);
  CHECK(lines_at(scores.arithmetic, 0).empty());
  const Span span = scores.motion.of(Quantity::S)->of(9, 6);
  CHECK(lines_at(scores.arithmetic, span.begin).empty());  // the first two factors leave
  const ArithmeticLine& first = scores.arithmetic.lines[0];
  CHECK(first.span.begin == span.begin);
  CHECK(first.span.is_under_way((first.span.begin + first.span.end) / 2));
  CHECK(first.makes == Quantity::S);
  CHECK(first.index == 0);
  CHECK(first.sum == "Σ 0.70");
  CHECK(scores.arithmetic.lines[1].span.is_under_way(first.span.end));  // and the next two before those have met
  CHECK(lines_at(scores.arithmetic, first.span.end) == Lines{"−0.96 · −0.73"});
  CHECK(lines_at(scores.arithmetic, span.end - 0.01).size() == 3);  // with the fourth product the score is there
  CHECK(lines_at(scores.arithmetic, span.end).back() == "Σ × 0.500 = 0.92");
  const WorkedStep max = worked_at(walk, Phase::RowMax);
  CHECK(max.arithmetic.on_one_line(0.6) == "m new = the larger of 0.51 and 0.92");
  const WorkedStep shrink = worked_at(walk, Phase::Rescale);
  CHECK(shrink.arithmetic.on_one_line(0.7) == "O new = 0.66 × 0.44");  // the sentence has α
  CHECK(shrink.arithmetic.on_one_line(1) == "O new = 0.66 × 0.44 = 0.29");
  CHECK(lines_at(shrink.arithmetic, 1).size() == 2);
  const WorkedStep sum = worked_at(walk, Phase::Accumulate);
  CHECK(sum.arithmetic.title == "O: row 9, column 0 · rounded");
  CHECK(sum.motion.of(Quantity::O)->ringed(0.4) == std::pair<std::int64_t, std::int64_t>{9, 0});
  std::vector<std::string> so_far;
  for (const ArithmeticLine& line : sum.arithmetic.lines)
    if (line.makes) so_far.push_back(line.sum);
  CHECK(so_far == std::vector<std::string>{"0.24", "0.45", "0.47", "0.91"});
  CHECK(sum.arithmetic.on_one_line(1) == "O rescaled 0.29 + 0.25·−0.21 + 0.26·0.83 + 1.00·0.01 + 0.47·0.95 = 0.91");
}

TEST_CASE("in every schedule the last product lands with the element and with the sum that is printed") {
  int sums = 0;
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const WorkedStep step = worked_step(walk, k);
      for (std::size_t i = 1; i < step.arithmetic.lines.size(); ++i) {
        const ArithmeticLine &product = step.arithmetic.lines[i - 1], &sum = step.arithmetic.lines[i];
        if (!product.makes || sum.is_product()) continue;
        const MovingValues& v = *step.motion.of(*product.makes);
        INFO(name_of(kind) << ", step " << k);
        const double lands = v.of(v.named_row, v.named_col).end;
        CHECK(product.span.end == lands);
        CHECK(sum.span.begin == lands);
        CHECK(sum.span.end == lands);
        ++sums;
      }
    }
  }
  CHECK(sums > 100);
}

TEST_CASE("in every schedule formulas are filled with numbers, and sums with what they add up") {
  int products = 0, formulas = 0;
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const WorkedStep step = worked_step(walk, k);
      const NamedCell named = named_cell(walk.problem, step.after);
      INFO(name_of(kind) << ", step " << k << ": " << step.arithmetic.on_one_line(1));
      CHECK(lines_at(step.arithmetic, 0).empty());
      const bool masks = !step.motion.values.empty() && step.motion.values.front().masks();  // of each row
      if (named.row < 0 && named.key < 0) CHECK(step.arithmetic.empty() != masks);
      for (const ArithmeticLine& line : step.arithmetic.lines) {
        const std::string text = line.at(1);
        CHECK(text.find('{') == std::string::npos);
        ++(line.is_product() ? products : formulas);
        if (line.is_product() || text.find("whole row") != std::string::npos) continue;  // of more than eight
        const std::string right = text.substr(text.find('=') + 1);
        CHECK_FALSE(std::regex_search(right, std::regex(" old| before|tile max|tile ℓ|[SDO] ")));
      }
    }
  }
  CHECK(products > 300);
  CHECK(formulas > 300);
}

TEST_CASE("the arithmetic of dS is of its own cell, not a sum over the row") {
  Walk walk(picture(ScheduleKind::Backward));
  const Arithmetic of_ds = worked_at(walk, Phase::GradS).arithmetic;
  REQUIRE(of_ds.lines.size() == 1);
  CHECK_FALSE(of_ds.lines[0].is_product());
  CHECK(std::regex_match(of_ds.lines[0].at(1), std::regex(R"(dS = [−.\d]+ × \([−.\d]+ [−+] [.\d]+\) = [−.\d]+)")));
}

TEST_CASE("in every schedule products add up to the number that is printed below them") {
  int sums = 0;
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const std::vector<ArithmeticLine> lines = worked_step(walk, k).arithmetic.lines;
      for (std::size_t i = 1; i < lines.size(); ++i) {
        if (!lines[i - 1].is_product() || lines[i].is_product()) continue;
        const std::string& sum = lines[i - 1].sum;
        const auto number = [](std::string text) { return typed_number(text.substr(text.rfind(' ') + 1)).value(); };
        INFO(name_of(kind) << ", step " << k << ": " << sum << ", " << lines[i].at(1));
        const double scale = lines[i].text.find("×") == std::string::npos ? 1 : number(lines[i].text);
        CHECK(std::fabs(number(sum) * scale - number(lines[i].result)) < 0.011);
        ++sums;
      }
    }
  }
  CHECK(sums > 100);
}

TEST_CASE("the arithmetic leaves out hidden numbers, large products and deliberate mistakes") {
  Walk walk(picture());
  const State state = walk.after(Phase::RowSum);
  const HiddenAnswers hidden(*walk.schedule, state.step, {HandKey{state.step.index, {Quantity::L, 9, 0}}});
  CHECK(build_arithmetic(*walk.schedule, walk.replay.inputs(), SeenState(state, hidden), nullptr).empty());
  Problem large = picture();
  large.shape.n_q = large.shape.n_kv = 64, large.shape.d = 16;
  large.tiling.br = large.tiling.bc = 16;
  large.machine.sram_bytes = 1 << 16;
  Walk other(large);
  CHECK(worked_at(other, Phase::Scores).arithmetic.empty());
  CHECK(lines_at(worked_at(other, Phase::Rescale).arithmetic, 1).front().starts_with("α = e^("));
  Problem wrong = picture();
  wrong.fault = Fault::ForgetRescaleO;
  Walk mistaken(wrong);
  CHECK(worked_at(mistaken, Phase::Rescale).arithmetic.empty());
}
