#include "view/sentence/sentence.h"

#include <regex>
#include <set>

#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "tests/unit/view/view_fixture.h"
#include "view/sentence/named_cell.h"
#include "view/sentence/sentence_parts.h"
#include "view/words/units.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

TEST_CASE("every step of every schedule has a sentence of its own kind, with a full stop") {
  for (const ScheduleKind kind : all_schedules())
    for (const std::int64_t sram : {std::int64_t(70), std::int64_t(1024)}) {
      Problem p = picture(kind);
      p.tiling.br = p.tiling.bc = kind == ScheduleKind::Standard && sram < 1024 ? 1 : 4;
      p.machine.sram_bytes = sram;
      if (!validate(p).empty()) continue;
      Walk walk(p);
      std::set<Phase> phases;
      for (std::int64_t k = 0; k <= walk.schedule->step_count(); ++k) {
        const State& state = walk.at(k);
        const std::string text = step_sentence(*walk.schedule, state);
        INFO(k << ": " << text);
        REQUIRE(text.size() > 20);
        REQUIRE(text.back() == '.');
        REQUIRE(text.find("not a number") == std::string::npos);
        REQUIRE(text.find("{}") == std::string::npos);
        if (state.started && phases.insert(state.step.phase).second)
          CHECK_FALSE(phase_purpose(*walk.schedule, state.step).empty());
      }
      CHECK(phases.size() >= 8);
    }
}

TEST_CASE("the rescale sentence names the row with the smallest alpha, with its old and new max and its alpha") {
  Walk walk(picture());
  const State& state = walk.after(Phase::Rescale);
  const std::int64_t r = spoken_row(walk.problem, state);
  REQUIRE(r >= 0);
  for (std::size_t i = 0; i < state.alpha.size(); ++i) CHECK(state.alpha[std::size_t(r)] <= state.alpha[i]);
  const std::string text = step_sentence(*walk.schedule, state);
  INFO(text);
  CHECK(text.find("Row " + std::to_string(state.step.row_begin + r)) == 0);
  CHECK(text.find(signed_number(display_score(walk.problem, state.m_old[std::size_t(r)]))) != std::string::npos);
  CHECK(text.find(signed_number(display_score(walk.problem, state.m[std::size_t(r)]))) != std::string::npos);
  CHECK(text.find("= " + signed_number(state.alpha[std::size_t(r)])) != std::string::npos);
}

TEST_CASE("the first visit has nothing to rescale, and the sentence says so") {
  Walk walk(picture());
  CHECK(step_sentence(*walk.schedule, walk.after(Phase::Rescale, 2, 0)).find("which are 0, stay 0") !=
        std::string::npos);
}

TEST_CASE("the sentences of a Q tile keep to one row where no other is raised more") {
  Walk walk(picture());
  for (const Phase phase : {Phase::Scores, Phase::RowMax, Phase::Exponentiate, Phase::RowSum, Phase::Accumulate})
    for (const std::int64_t kv_tile : {0, 1, 2}) {
      INFO(kv_tile);
      CHECK(spoken_row(walk.schedule->problem(), walk.after(phase, 2, kv_tile)) == 1);  // row 9
    }
}

TEST_CASE("the sentence keeps to a row that may see two keys of the tile, where there is one") {
  Problem p = picture();
  p.shape.n_kv = 14;
  p.shape.mask = {.kind = MaskKind::CausalBottomRight};
  Walk walk(p);  // row 2 sees key 0, row 3 keys 0 and 1
  CHECK(spoken_row(walk.schedule->problem(), walk.after(Phase::Scores, 0, 0)) == 3);
}

TEST_CASE("before the first step the sentence says what comes first") {
  Walk walk(picture());
  CHECK(step_sentence(*walk.schedule, walk.at(0)) ==
        "Nothing has happened yet. First, Q tile 0 will come from HBM into SRAM.");
  CHECK(spoken_row(walk.problem, walk.at(0)) == -1);
}

TEST_CASE("the sentence says when a row without visible columns is normalised") {
  Problem p = picture();
  p.shape.n_kv = 4;
  p.shape.mask.kind = MaskKind::CausalBottomRight;
  Walk walk(p);
  CHECK(step_sentence(*walk.schedule, walk.after(Phase::Normalise, 0)).find("sees nothing") != std::string::npos);
}

TEST_CASE("the mask sentence counts the masked scores") {
  Walk walk(picture());
  CHECK(step_sentence(*walk.schedule, walk.after(Phase::Mask, 2, 2)).find("6 of the 16 scores become −∞") == 0);
  CHECK(step_sentence(*walk.schedule, walk.after(Phase::Mask, 2, 2)).find("a row sees only keys up to its own") !=
        std::string::npos);
  CHECK(step_sentence(*walk.schedule, walk.after(Phase::Mask, 2, 1)).find("Nothing is masked") == 0);
}

TEST_CASE("the cost line has the bytes that cross to HBM and those that stay on chip") {
  Walk walk(picture());
  CHECK(step_cost_text(*walk.schedule, walk.after(Phase::Rescale)) ==
        "reads 0 B · writes 0 B · 4 exp, 20 other operations · on chip");
  CHECK(step_cost_text(*walk.schedule, walk.after(Phase::LoadKV)) == "reads 128 B · writes 0 B");
}

TEST_CASE("L is written with the logarithm of its base") {
  for (const Base base : {Base::E, Base::Two}) {
    Problem p = test::picture();
    p.numerics.base = base;
    test::Walk walk(p);
    const std::string told = step_sentence(*walk.schedule, walk.after(Phase::Normalise));
    CAPTURE(told);
    CHECK(told.find(base == Base::E ? "L = m + ln ℓ" : "L = m + log₂ ℓ") != std::string::npos);
  }
}

TEST_CASE("the purpose of a step does not contradict its sentence") {
  Problem fa4 = picture(ScheduleKind::FlashV4);
  fa4.tiling.rescale_threshold = 8;
  Walk stale(fa4);
  const auto purpose = [](Walk& walk, Phase phase) { return phase_purpose(*walk.schedule, walk.after(phase).step); };
  CHECK(purpose(stale, Phase::Exponentiate).find("between 0 and 1") == std::string::npos);
  CHECK(purpose(stale, Phase::RowMax).find("threshold") != std::string::npos);
  fa4.tiling.rescale_threshold = 0;
  Walk always(fa4);
  CHECK(purpose(always, Phase::Exponentiate).find("between 0 and 1") != std::string::npos);

  Problem split = picture(ScheduleKind::SplitKv);
  split.tiling.splits = 2;
  Walk walk(split);
  std::set<std::string> normalises;
  for (std::int64_t k = 0; k < walk.schedule->step_count(); ++k)
    if (const Step step = walk.schedule->step(k); step.phase == Phase::Normalise)
      normalises.insert(phase_purpose(*walk.schedule, step));
  CHECK(normalises == std::set<std::string>{"Normalise: a split divides its part of O by its own ℓ.",
                                            "Normalise: the merged O is divided by the sum of the weights."});
}

TEST_CASE("the named cell is the one in the sentence, at every step of every schedule") {
  const std::regex cell("[Rr]ow (\\d+), column (\\d+)"), row("[Rr]ow (\\d+)"),
      quoted("[Rr]ow (\\d+) of \\w+ (then )?starts with");
  int cells = 0, quotes = 0;
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    for (std::int64_t k = 0; k <= walk.schedule->step_count(); ++k) {
      const State& state = walk.at(k);
      const std::string said = step_sentence(*walk.schedule, state);
      INFO(name_of(kind) << ", step " << k << ": " << said);
      const NamedCell named = named_cell(walk.problem, state);
      std::smatch found;
      if (std::regex_search(said, found, cell)) {
        ++cells;
        CHECK(named.row == std::stoll(found[1]));
        CHECK(named.col == std::stoll(found[2]));
      }
      if (std::regex_search(said, found, row)) {
        CHECK(std::max(named.row, named.key) == std::stoll(found[1]));
        CHECK((named.row < 0 || named.key < 0));
      } else {
        CHECK(std::max(named.row, named.key) == -1);  // nothing is ringed that the sentence does not name
      }
      const bool quotes_output = std::regex_search(said, quoted);
      quotes += quotes_output;
      CHECK(quotes_output == (named.head_col == 0));
      if (named.row < 0) CHECK(named.col < 0);
    }
  }
  CHECK(cells > 50);
  CHECK(quotes > 50);
}

TEST_CASE("the sentences of a visit name one row: the one whose max the tile raises most") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::FlashV2, ScheduleKind::FlashV4}) {
    Walk walk(picture(kind));
    std::int64_t row = -1;
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const State& state = walk.at(k);
      if (!state.step.in_visit() || state.step.phase_in_visit == 0) row = -1;
      const NamedCell named = named_cell(walk.problem, state);
      if (!state.step.in_visit() || named.row < 0) continue;
      INFO(name_of(kind) << ", step " << k << ": " << step_sentence(*walk.schedule, state));
      CHECK((row < 0 || named.row == row));
      row = named.row;
    }
  }
  Walk walk(picture());
  for (const Phase phase : {Phase::Scores, Phase::RowMax, Phase::Rescale, Phase::RowSum, Phase::Accumulate})
    CHECK(named_cell(walk.problem, walk.after(phase)).row == 9);
  // Of the row max the sentence quotes a score: its cell is the one with that value.
  CHECK(named_cell(walk.problem, walk.after(Phase::RowMax)).col == 6);
  CHECK(named_cell(walk.problem, walk.after(Phase::Scores)).col == 6);
  // Never a score that the mask takes back.
  CHECK(named_cell(walk.problem, walk.after(Phase::Scores, 2, 2)).col <=
        named_cell(walk.problem, walk.after(Phase::Scores, 2, 2)).row);
  CHECK(named_cell(walk.problem, walk.after(Phase::LoadKV)).row == -1);
  CHECK(named_cell(walk.problem, walk.at(0)).row == -1);
}

TEST_CASE("a result that does not follow from the printed operands has a sign of its own") {
  const std::regex power("e\\^\\(([-0-9.]+)([-+])([0-9.]+)\\) (=|≈) ([0-9.]+)\\.?(?![0-9e])");
  int exact = 0, about = 0;
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const std::string text = std::regex_replace(step_sentence(*walk.schedule, walk.at(k)), std::regex("−"), "-");
      std::smatch found;
      if (!std::regex_search(text, found, power)) continue;
      INFO(name_of(kind) << ", step " << k << ": " << text);
      const double b = std::stod(found[3]), exponent = std::stod(found[1]) + (found[2] == "-" ? -b : b);
      const bool follows = std::fabs(std::exp(exponent) - std::stod(found[5])) <= 0.005;
      CHECK((found[4] == "=") == follows);
      ++(follows ? exact : about);
    }
  }
  CHECK(exact > 10);
  CHECK(about > 0);
}

TEST_CASE("a sum that is written out adds up as it is printed") {
  const std::regex sum("= ([0-9.]+) \\+ ([0-9.]+) (=|≈) ([0-9.]+)\\. ");
  Problem p = picture();
  p.fault = Fault::ForgetRescaleL;
  Walk walk(p);
  int longer = 0, count = 0;
  for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
    const std::string text = step_sentence(*walk.schedule, walk.at(k));
    std::smatch found;
    if (!std::regex_search(text, found, sum)) continue;
    INFO("step " << k << ": " << text);
    CHECK(found[3] == "=");
    CHECK(std::fabs(std::stod(found[1]) + std::stod(found[2]) - std::stod(found[4])) < 1e-9);
    longer += found[4].length() > 4;
    ++count;
  }
  CHECK(longer > 0);
  CHECK(count > longer);
  CHECK(step_sentence(*walk.schedule, walk.after(Phase::RowSum)).find("≈") == std::string::npos);
}

TEST_CASE("a factor is printed with the digits that its product needs") {
  const Problem p = picture();
  CHECK(factor_text(p, 0.6637f, 2.5) == "0.66");
  CHECK(factor_text(p, 0.2971f, 59.74) == "0.297");
  CHECK(factor_text(p, 0.29713f, 200) == "0.2971");
  CHECK(factor_text(p, 1, 1e9) == "1.00");
}

TEST_CASE("with a mistake the sentence says what the kernel does, not what it should do") {
  const auto said = [](Fault fault, Phase phase, std::int64_t q, std::int64_t kv, ScheduleKind kind) {
    Problem p = picture(kind);
    p.fault = fault;
    Walk walk(p);
    return step_sentence(*walk.schedule, walk.after(phase, q, kv));
  };
  const auto flash = [&](Fault fault, Phase phase, std::int64_t q, std::int64_t kv) {
    return said(fault, phase, q, kv, ScheduleKind::FlashV2);
  };
  CHECK(flash(Fault::SkipDiagonal, Phase::Accumulate, 2, 2) ==
        "Skipped by mistake: nothing is added to O tile 2. Row 9 of O still starts with 0.91, not yet divided by ℓ.");
  CHECK(flash(Fault::SkipDiagonal, Phase::Accumulate, 2, 1).find("is added to O tile 2") != std::string::npos);
  for (const Phase phase : {Phase::RowMax, Phase::Rescale, Phase::Exponentiate, Phase::RowSum, Phase::Accumulate})
    for (const ScheduleKind kind : {ScheduleKind::FlashV1, ScheduleKind::FlashV2})
      CHECK(said(Fault::SkipDiagonal, phase, 2, 2, kind).find("Skipped by mistake: ") == 0);
  CHECK(said(Fault::SkipDiagonal, Phase::GradV, 2, 2, ScheduleKind::Backward)
            .find("Skipped by mistake: nothing is added to dV tile 2.") == 0);
  CHECK(flash(Fault::InverseRescale, Phase::Rescale, 2, 1).find("divides O by α, so O grows") != std::string::npos);
  CHECK(flash(Fault::NoMax, Phase::RowMax, 2, 1).find("by mistake m is 0") != std::string::npos);
  CHECK(flash(Fault::NoMax, Phase::Rescale, 2, 1).find("m is 0 at every tile, so α = 1") != std::string::npos);
  CHECK(flash(Fault::NoMax, Phase::Exponentiate, 2, 0).find("none overflows") == std::string::npos);
  CHECK(flash(Fault::MaskOffByOne, Phase::Mask, 2, 2) ==
        "3 of the 16 scores become −∞. By mistake the mask lets 3 more in: it should hide 6.");
}

TEST_CASE("a max that falls by mistake is said to fall, at every step where it does") {
  Problem p = picture();
  p.fault = Fault::TileMax;
  Walk walk(p);
  int falls = 0;
  for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
    const State& state = walk.at(k);
    const std::int64_t r = spoken_row(p, state);
    if (state.step.phase != Phase::RowMax || r < 0 || !(state.m[std::size_t(r)] < state.m_old[std::size_t(r)]))
      continue;
    CHECK(step_sentence(*walk.schedule, state).find("By mistake m falls to") != std::string::npos);
    ++falls;
  }
  CHECK(falls > 0);
}
