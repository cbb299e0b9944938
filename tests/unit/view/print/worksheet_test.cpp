#include "view/print/worksheet.h"

#include "core/schedules/registry.h"
#include "tests/unit/view/view_fixture.h"
#include "view/print/class_set.h"
#include "view/words/units.h"

using namespace tilewalk;

namespace {

Problem sheet_problem(ScheduleKind kind) {
  Problem p;
  p.schedule = kind;
  p.shape.n_q = p.shape.n_kv = 8;
  p.shape.d = 2;
  p.shape.mask.kind = MaskKind::Causal;
  p.numerics.base = Base::Two;
  p.numerics.scale = 1.0;
  p.numerics.distribution = Distribution::Integers;
  p.numerics.seed = 12;
  p.tiling.splits = row_of(p).settings.splits ? 2 : 1;
  p.machine.sram_bytes = 4096;
  return p;
}

Worksheet worksheet_of(const Problem& p) {
  const std::shared_ptr<const Schedule> schedule = make_schedule(p);
  return build_worksheet(schedule, Inputs(p), busiest_q_tile(*schedule));
}

std::vector<PrintTable> tables_of(const PrintDocument& document) {
  std::vector<PrintTable> out;
  for (const PrintBlock& block : document.blocks)
    if (const auto* tables = std::get_if<PrintTables>(&block))
      out.insert(out.end(), tables->tables.begin(), tables->tables.end());
  return out;
}

const PrintTable& table_called(const std::vector<PrintTable>& tables, std::string_view caption) {
  for (auto at = tables.rbegin(); at != tables.rend(); ++at)
    if (at->caption == caption) return *at;
  FAIL("no table " << caption);
  return tables.front();
}

}  // namespace

TEST_CASE("a sheet has a blank where its key has a number, in every schedule") {
  for (const ScheduleKind kind : all_schedules()) {
    CAPTURE(name_of(kind));
    const Worksheet made = worksheet_of(sheet_problem(kind));
    std::vector<PrintTable> blank = tables_of(made.sheet), key = tables_of(made.key);
    REQUIRE(blank.size() > key.size());
    blank.erase(blank.begin(), blank.end() - std::ptrdiff_t(key.size()));  // Q, K and V are only on the sheet
    for (std::size_t i = 0; i < key.size(); ++i) {
      CAPTURE(key[i].caption);
      CHECK(blank[i].caption == key[i].caption);
      CHECK(blank[i].columns == key[i].columns);
      CHECK(blank[i].widest == key[i].widest);
      REQUIRE(blank[i].cells.size() == key[i].cells.size());
      CHECK(key[i].cells.size() == key[i].rows.size());
      for (std::size_t r = 0; r < key[i].cells.size(); ++r) {
        REQUIRE(blank[i].cells[r].size() == key[i].cells[r].size());
        for (std::size_t c = 0; c < key[i].cells[r].size(); ++c) {
          CHECK(!key[i].cells[r][c].empty());
          CHECK(blank[i].cells[r][c] == (key[i].given ? key[i].cells[r][c] : ""));
        }
      }
    }
  }
}

TEST_CASE("the last numbers of a key are the replay's results") {
  for (const ScheduleKind kind : all_schedules()) {
    const Problem p = sheet_problem(kind);
    if (is_backward(kind)) continue;
    CAPTURE(name_of(kind));
    test::Walk walk(p);
    struct Last final : VisitSink {
      std::vector<float> o;
      bool on_visit(const VisitState&) override { return true; }
      bool on_q_tile(const QTileId&, const std::vector<float>& out, const std::vector<float>&) override {
        o = out;
        return true;
      }
    } last;
    walk.replay.walk_q_tile({.q_tile = 1}, last);
    const std::vector<PrintTable> tables = tables_of(worksheet_of(p).key);
    const bool normalises = row_of(p).walk.softmax == SoftmaxKind::Online;
    const PrintTable& o = table_called(tables, normalises ? "final O" : "O");
    REQUIRE(o.cells.size() == 4);
    for (std::size_t i = 0; i < last.o.size(); ++i) CHECK(o.cells[i / 2][i % 2] == hand_number(p, double(last.o[i])));
  }
}

TEST_CASE("sums that other Q tiles add to are given as they old value the visit") {
  const std::vector<PrintTable> tables = tables_of(worksheet_of(sheet_problem(ScheduleKind::Backward)).sheet);
  CHECK(table_called(tables, "dV before").given);
  CHECK_FALSE(table_called(tables, "dV").given);
  CHECK(table_called(tables, "final dQ").cells.size() == 4);
}

TEST_CASE("every quantity on a sheet has its formula there") {
  for (const ScheduleKind kind : all_schedules()) {
    const PrintDocument sheet = worksheet_of(sheet_problem(kind)).sheet;
    std::string formulas;
    for (const PrintBlock& block : sheet.blocks)
      if (const auto* lines = std::get_if<PrintLines>(&block); lines && lines->formulas)
        for (const std::string& line : lines->lines) formulas += "\n" + line;
    for (const PrintTable& table : tables_of(sheet)) {
      if (table.given) continue;
      CAPTURE(name_of(kind), table.caption);
      const bool several = table.caption == "of each row";
      for (const std::string& letter : several ? table.columns : std::vector{table.caption})
        CHECK(formulas.find("\n" + letter + " = ") != std::string::npos);
    }
  }
}

TEST_CASE("a problem too large for a pencil, or with a fault, is refused by field") {
  Problem p = sheet_problem(ScheduleKind::FlashV2);
  CHECK(why_no_worksheet(p).empty());
  p.tiling.br = 9;
  p.shape.d = 16;
  p.shape.n_kv = 65;
  p.fault = Fault::NoMax;
  std::vector<std::string> fields;
  for (const Issue& issue : why_no_worksheet(p)) {
    fields.push_back(issue.field);
    CHECK_FALSE(issue.suggestion.empty());
  }
  CHECK(fields == std::vector<std::string>{"br", "d", "n-kv", "fault"});
}

TEST_CASE("a class set has a seed for each sheet, and all keys at its end") {
  Opening opening;
  opening.document.problem = sheet_problem(ScheduleKind::FlashV2);
  opening.schedule = make_schedule(opening.document.problem);
  const auto set = build_class_set(opening, {.count = 3, .key = true, .q_tile = -1});
  REQUIRE(set.ok());
  std::vector<std::string> labels;
  for (const PrintDocument& document : *set) labels.push_back(document.label);
  CHECK(labels ==
        std::vector<std::string>{"seed 12", "seed 13", "seed 14", "key · seed 12", "key · seed 13", "key · seed 14"});
  CHECK(document_text((*set)[0]) != document_text((*set)[1]));
  CHECK_FALSE(build_class_set(opening, {.count = kMostSheets + 1, .key = false, .q_tile = -1}).ok());
  CHECK_FALSE(build_class_set(opening, {.count = 1, .key = false, .q_tile = 2}).ok());
  int asked = 0;
  const auto cut =
      build_class_set(opening, {.count = 3, .key = false, .q_tile = -1}, [&](double) { return ++asked < 2; });
  CHECK(cut->size() == 1);
}
