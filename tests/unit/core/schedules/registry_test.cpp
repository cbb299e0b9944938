// Every schedule has one row, complete and unique; and other code asks the row rather than the kind.
#include "core/schedules/registry.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "core/fields/validate.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Problem small(ScheduleKind kind, DType dtype = DType::Fp16) {
  Problem p;
  p.schedule = kind;
  p.numerics.dtype = dtype;
  p.machine.sram_bytes = 1 << 20;
  return p;
}

// Code alone: without comments.
std::string code_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string code;
  for (std::string line; std::getline(file, line);) code += line.substr(0, line.find("//")) + "\n";
  return code;
}

}  // namespace

TEST_CASE("a phase that computes has a row in the ledger of phases") {
  for (const ScheduleKind kind : all_schedules())
    for (const std::int64_t sram : {std::int64_t(64), std::int64_t(1) << 20}) {  // the least: rows of S do not fit
      Problem p;
      p.schedule = kind;
      p.tiling.br = p.tiling.bc = 2;
      p.machine.sram_bytes = std::max(sram, peak_bytes(p));
      const auto schedule = make_schedule(p);
      for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
        const Step step = schedule->step(k);
        const Cost cost = schedule->cost_of(step);
        if (cost.matmul + cost.exp + cost.other == 0) continue;
        INFO(name_of(kind) << ", " << tag_of(step.phase));
        REQUIRE_FALSE(made_by(schedule_row(kind), step.section_name, step.phase).empty());
      }
    }
}

TEST_CASE("every kind of schedule has exactly one row, found by its kind and by its id", "[unit]") {
  REQUIRE(all_schedules().size() == std::size_t(ScheduleKind::Backward) + 1);
  std::set<ScheduleKind> kinds;
  std::set<std::string> ids, titles, tabs;
  for (const ScheduleKind kind : all_schedules()) {
    const ScheduleIdentity& who = schedule_row(kind).identity;
    CAPTURE(who.id);
    CHECK(who.kind == kind);
    CHECK(kinds.insert(kind).second);
    CHECK(ids.insert(who.id).second);
    CHECK(titles.insert(who.title).second);
    CHECK(tabs.insert(std::string(who.tab) + (is_backward(kind) ? " backward" : "")).second);
    CHECK(schedule_from(name_of(kind)) == kind);
    CHECK(std::string(title_of(kind)).starts_with(who.tab));
  }
  CHECK_FALSE(schedule_from("flash_v0").has_value());
  CHECK(std::is_partitioned(all_schedules().begin(), all_schedules().end(),
                            [](auto kind) { return !is_backward(kind); }));
}

TEST_CASE("the related schedules of a row exist and have its direction", "[unit]") {
  for (const ScheduleKind kind : all_schedules()) {
    const ScheduleFamily& family = schedule_row(kind).family;
    CAPTURE(name_of(kind));
    CHECK(family.before != kind);
    for (const ScheduleKind other : {family.before, family.naive, family.tiled})
      CHECK(is_backward(other) == family.backward);
    CHECK(schedule_row(family.naive).family.naive == family.naive);
    CHECK((family.tiled == kind) == (family.naive != kind));
    CHECK_FALSE(is_backward(family.forward));
    CHECK((family.forward == kind) == !family.backward);
  }
}

TEST_CASE("every row is complete", "[unit]") {
  for (const ScheduleKind kind : all_schedules()) {
    const ScheduleRow& row = schedule_row(kind);
    CAPTURE(row.identity.id);
    CHECK(row.walk.plan);
    CHECK(row.walk.replay);
    CHECK(row.formulas.textbook);
    CHECK(row.formulas.whole_run);
    CHECK_FALSE(row.memory.tensors.empty());
    CHECK(validate(small(kind)).empty());
    CHECK((row.walk.block == BlockKind::Split) == row.settings.splits);
    CHECK((row.lanes.why_deadlock != nullptr) == row.settings.stages);
    if (row.released.name) {
      CHECK(row.released.tile);
      CHECK(row.released.why_not);
    }
    const bool scores_kept = std::any_of(row.memory.tensors.begin(), row.memory.tensors.end(), [](const HbmTensor& t) {
      return t.width == Width::Scores && t.life != Life::Never;
    });
    CHECK(scores_kept == row.memory.scores_in_hbm);
  }
}

TEST_CASE("sections have the names in their row, each once, and a phase is once in a section", "[unit]") {
  for (const ScheduleKind kind : all_schedules())
    for (const DType dtype : {DType::Fp32, DType::Fp16}) {
      const auto schedule = make_schedule(small(kind, dtype));
      const std::span<const SectionRow> rows = schedule_row(kind).walk.sections;
      CAPTURE(name_of(kind), name_of(dtype));
      REQUIRE(std::size_t(schedule->section_count()) <= rows.size());
      std::set<std::string> names;
      for (const SectionRow& row : rows) {
        CHECK(names.insert(name_of(row.name)).second);
        CHECK(row.code_bytes > 0);
      }
      for (int section = 0; section < schedule->section_count(); ++section) {
        const SectionPlan& plan = schedule->section(section);
        CHECK(plan.name == rows[std::size_t(section)].name);
        CHECK(std::set<Phase>(plan.visit.begin(), plan.visit.end()).size() == plan.visit.size());
        std::set<Phase> edges(plan.prologue.begin(), plan.prologue.end());
        edges.insert(plan.epilogue.begin(), plan.epilogue.end());
        CHECK(edges.size() == plan.prologue.size() + plan.epilogue.size());
      }
    }
}

TEST_CASE("a step has reached its own phase and the earlier ones of its visit, and no later one", "[unit]") {
  for (const ScheduleKind kind : all_schedules()) {
    const auto schedule = make_schedule(small(kind));
    for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
      const Step step = schedule->step(k);
      const SectionPlan& plan = schedule->section(step.section);
      std::vector<Phase> edges = plan.prologue;
      edges.insert(edges.end(), plan.epilogue.begin(), plan.epilogue.end());
      const std::vector<Phase>& phases = step.in_visit() ? plan.visit : edges;
      REQUIRE(step.section_name == plan.name);
      REQUIRE(phases[std::size_t(step.phase_in_visit)] == step.phase);
      for (std::size_t at = 0; at < phases.size(); ++at)
        REQUIRE(has_reached(*schedule, step, phases[at]) == (int(at) <= step.phase_in_visit));
    }
  }
}

TEST_CASE("tensors in HBM are written and read as their row says", "[unit]") {
  for (const ScheduleKind kind : all_schedules()) {
    const auto schedule = make_schedule(small(kind));
    const Cost walk = section_cost(*schedule, schedule->visit_section());
    for (const HbmTensor& t : schedule_row(kind).memory.tensors) {
      CAPTURE(name_of(kind), name_of(t.id));
      CHECK((writing_section(*schedule, t.id) < 0) == (t.life == Life::Given || t.life == Life::Never));
      const Traffic& moved = walk.of(t.id);
      CHECK((moved.read_bytes > 0 && moved.write_bytes > 0) == (t.life == Life::Travels));
    }
    for (const RowState& each : schedule_row(kind).memory.reread) CHECK(walk.of(each.id).read_bytes > 0);
  }
}

// A branch on the kind outside the schedules is knowledge that belongs to a row.
TEST_CASE("at most eight files outside the schedules name a kind of schedule", "[unit]") {
  const std::filesystem::path src = std::filesystem::path(TILEWALK_SOURCE_DIR) / "src";
  const std::regex naming(R"(ScheduleKind::[A-Z]|\bis_backward\()");
  std::vector<std::string> files;
  for (const auto& each : std::filesystem::recursive_directory_iterator(src)) {
    const std::string path = each.path().lexically_relative(src).generic_string(), ext = each.path().extension();
    if ((ext != ".h" && ext != ".cpp") || path.starts_with("core/schedules/")) continue;
    if (std::regex_search(code_of(each.path()), naming)) files.push_back(path);
  }
  CAPTURE(files);
  CHECK(files.size() <= 8);
}

TEST_CASE("naive with narrow scores writes and reads S in the problem's type, in counters and closed formula alike") {
  for (const std::int64_t sram : {std::int64_t(1) << 20, std::int64_t(64)}) {  // a row of S fits, or is read twice
    Problem p = small(ScheduleKind::Standard);
    p.machine.sram_bytes = sram;
    const Cost wide = whole_run_cost(p);
    p.numerics.narrow_scores = true;
    const auto schedule = make_schedule(p);
    const Cost cost = schedule->totals_before(schedule->step_count()).cost;
    CHECK(cost == whole_run_cost(p));
    CHECK(2 * cost.of(TensorId::S).bytes() == wide.of(TensorId::S).bytes());
    CHECK(cost.of(TensorId::P) == wide.of(TensorId::P));
    CHECK(bytes_a_row(p, Width::Scores) == bytes_a_row(p, Width::Weights));
    p.numerics.dtype = DType::Fp32;  // nothing is narrower
    Problem plain = p;
    plain.numerics.narrow_scores = false;
    CHECK(whole_run_cost(p) == whole_run_cost(plain));
  }
}
