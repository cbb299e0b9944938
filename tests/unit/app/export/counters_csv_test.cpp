#include "app/export/counters_csv.h"

#include "core/schedules/registry.h"
#include "files/csv.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

struct CsvTable {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
  std::string cell(std::size_t row, const std::string& head) const {
    const auto at = std::find(heads.begin(), heads.end(), head);
    return at == heads.end() ? "" : rows[row][std::size_t(at - heads.begin())];
  }
};

CsvTable counters_table(const Schedule& schedule) {
  std::string text;
  const auto written = write_counters_csv(
      schedule,
      [&](std::span<const std::byte> bytes) -> Result<Done> {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return Done{};
      },
      [](double) { return true; });
  REQUIRE(written.ok());
  CHECK(*written);
  CsvTable out;
  CsvLines lines(text);
  while (lines.next())
    if (out.heads.empty())
      out.heads = csv_fields(lines.line());
    else
      out.rows.push_back(csv_fields(lines.line()));
  return out;
}

}  // namespace

TEST_CASE("each line has the totals after its step, the last those of the run, in every schedule") {
  for (const ScheduleKind kind : all_schedules()) {
    CAPTURE(name_of(kind));
    Problem p;
    p.schedule = kind;
    p.machine.sram_bytes = 1 << 16;
    p.shape.mask.kind = MaskKind::Causal;
    const auto schedule = make_schedule(p);
    const CsvTable table = counters_table(*schedule);
    REQUIRE(std::int64_t(table.rows.size()) == schedule->step_count());
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      REQUIRE(table.rows[row].size() == table.heads.size());
      const Cost cost = schedule->totals_before(std::int64_t(row) + 1).cost;
      CHECK(table.cell(row, "step") == std::to_string(row + 1));
      CHECK(table.cell(row, "phase") == name_of(schedule->step(std::int64_t(row)).phase));
      CHECK(table.cell(row, "hbm_read_bytes") == std::to_string(cost.hbm_total().read_bytes));
      CHECK(table.cell(row, "hbm_write_bytes") == std::to_string(cost.hbm_total().write_bytes));
      CHECK(table.cell(row, "Q_read_bytes") == std::to_string(cost.of(TensorId::Q).read_bytes));
      CHECK(table.cell(row, "sram_read_bytes") == std::to_string(cost.sram.read_bytes));
      CHECK(table.cell(row, "matmul_flops") == std::to_string(cost.matmul));
    }
  }
}

TEST_CASE("a walk too long for a table is refused, and a stopped or unwritable one ends") {
  Problem p;
  CHECK(why_no_counters_csv(*make_schedule(p)).empty());
  p.shape.n_q = p.shape.n_kv = 1 << 20;
  const Issues issues = why_no_counters_csv(*make_schedule(p));
  REQUIRE(issues.size() == 1);
  CHECK(issues.front().rule.find("1,000,000") != std::string::npos);
  const auto schedule = make_schedule(Problem{});
  int pieces = 0;
  const ByteSink full = [&](std::span<const std::byte>) -> Result<Done> {
    ++pieces;
    return Issue{"csv", "x.csv", "no space left", ""};
  };
  CHECK_FALSE(write_counters_csv(*schedule, full, [](double) { return true; }).ok());
  CHECK(pieces == 1);
  CHECK_FALSE(*write_counters_csv(*schedule, full, [](double) { return false; }));
}
