// Approved text: step lists, counters and verify reports of the presets, integers and names only. A missing baseline
// fails. tests/golden/accept writes new ones; a person has to read the difference.
#include <fmt/format.h>

#include <cstdlib>

#include "app/cli/text/which_text.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "core/witness/formulas.h"
#include "kernels/host/kernel_api.h"
#include "session/document/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "trace/verify.h"
#include "view/print/roofline_sheet.h"
#include "view/print/worksheet.h"

using namespace tilewalk;

namespace {

constexpr std::int64_t kSmall = 1000;  // tile visits

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = *load_presets(TILEWALK_SOURCE_DIR);
  return all;
}

const Problem& preset(const std::string& name) {
  for (const Preset& p : presets())
    if (p.name == name) return p.document.problem;
  FAIL("no preset " << name);
  return presets().front().document.problem;
}

void compare(const std::string& name, const std::string& text) {
  const std::string path = std::string(TILEWALK_SOURCE_DIR) + "/tests/golden/baselines/" + name + ".txt";
  REQUIRE(std::count(text.begin(), text.end(), '\n') < 200);
  if (std::getenv("TILEWALK_ACCEPT_GOLDEN")) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    test::write_text(path, text);
  }
  INFO("baseline " << path << "; tests/golden/accept writes a new one");
  REQUIRE(std::filesystem::exists(path));
  CHECK(test::read_text(path) == text);
}

std::string place(std::int64_t tile) { return tile < 0 ? "-" : std::to_string(tile); }

std::string step_list(const Problem& p) {
  const auto schedule = make_schedule(p);
  std::string out = "step pass phase q_tile kv_tile class rows cols read written matmul exp other sram\n";
  for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
    const Step step = schedule->step(k);
    const Cost cost = schedule->cost_of(step);
    std::int64_t resident = 0;
    for (const Resident& r : schedule->residents(step)) resident += r.bytes;
    out += fmt::format("{} {} {} {} {} {} {}-{} {}-{} {} {} {} {} {} {}\n", k, step.section, name_of(step.phase),
                       step.q_tile, place(step.kv_tile), name_of(step.tile_class), step.row_begin, step.row_end,
                       step.col_begin, step.col_end, cost.hbm_total().read_bytes, cost.hbm_total().write_bytes,
                       cost.matmul, cost.exp, cost.other, resident);
  }
  return out;
}

std::shared_ptr<const Trace> cpu_trace(Problem p) {
  p.fault = Fault::None;
  const KernelOutcome outcome = run_kernel(Runner::Cpu, Inputs(p), TraceDetail::State);
  REQUIRE(outcome.result);
  return std::make_shared<const Trace>(*outcome.result->trace);
}

std::string line_of(const CheckReport& report) {
  std::string out = fmt::format("{}; {} visits, {} values, {} differ", name_of(report.verdict), report.tile_visits,
                                report.values, report.differing);
  if (report.first) {
    const Divergence& at = *report.first;
    out += fmt::format("; first at step {} {}, Q tile {}, KV tile {}, row {}, col {}: {}", at.step, name_of(at.phase),
                       at.q_tile, place(at.kv_tile), place(at.row), place(at.col), name_of(at.quantity));
  }
  return out + "\n";
}

}  // namespace

TEST_CASE("the steps of small presets match the approved text") {
  for (const char* name : {"picture", "standard", "reverse", "window", "decode", "fa1", "split", "backward"})
    compare(std::string("steps-") + name, step_list(preset(name)));
}

TEST_CASE("the counters of all presets match the approved text") {
  std::string forward, family, backward;  // family: forward by another schedule than FA-2
  for (const Preset& p : presets()) {
    const ScheduleKind kind = p.document.problem.schedule;
    std::string& out = is_backward(kind) ? backward : kind == ScheduleKind::FlashV2 ? forward : family;
    const auto schedule = make_schedule(p.document.problem);
    const VisitCounts visits = schedule->visit_counts();
    const Cost cost = schedule->totals_before(schedule->step_count()).cost;
    out += fmt::format("{}: {} steps; {} full, {} partial, {} skipped; SRAM {}\n", p.name, schedule->step_count(),
                       visits.full, visits.partial, visits.skipped, schedule->sram_peak_bytes());
    for (int i = 0; i < kTensorCount; ++i) {
      const Traffic& traffic = cost.hbm[std::size_t(i)];
      if (traffic.read_bytes || traffic.write_bytes)
        out += fmt::format("  {} read {} written {}\n", kTensorNames[std::size_t(i)], traffic.read_bytes,
                           traffic.write_bytes);
    }
    const Textbook book = textbook(p.document.problem);
    out += fmt::format("  on chip read {} written {}\n  matmul {} exp {} other {}\n  textbook {} elements {} FLOPs\n",
                       cost.sram.read_bytes, cost.sram.write_bytes, cost.matmul, cost.exp, cost.other,
                       book.hbm_elements, book.flops);
  }
  compare("counters", forward);
  compare("counters-family", family);
  compare("counters-backward", backward);
}

TEST_CASE("every small preset equals the kernel source run on the CPU, over the approved number of values") {
  std::string out;
  for (const Preset& p : presets()) {
    const Problem& problem = p.document.problem;
    std::shared_ptr<const Schedule> schedule = make_schedule(problem);
    if (schedule->visit_counts().visited() > kSmall) continue;
    out += p.name + ": " + line_of(verify(schedule, Inputs(problem), cpu_trace(problem)));
  }
  compare("verify", out);
}

TEST_CASE("every fault is caught at the approved step") {
  std::string out;
  for (const char* name : {"picture", "ragged", "reverse", "standard", "fa1", "fa4", "split-causal"}) {
    const auto trace = cpu_trace(preset(name));
    for (Fault fault : all_faults()) {
      Problem p = preset(name);
      p.fault = fault;
      if (!fault_applies(fault, p.schedule)) continue;
      out += fmt::format("{}, {}: {}", name, name_of(fault), line_of(verify(make_schedule(p), Inputs(p), trace)));
    }
  }
  compare("faults", out);
}

TEST_CASE("a worksheet and its key, as text, match the approved text") {
  for (const char* name : {"paper", "backward", "fa1"}) {
    Problem p = preset("paper");  // small whole numbers
    p.schedule = preset(name).schedule;
    p.machine = preset(name).machine;
    p.numerics.seed = 12;
    const std::shared_ptr<const Schedule> schedule = make_schedule(p);
    const Worksheet made = build_worksheet(schedule, Inputs(p), busiest_q_tile(*schedule));
    compare(std::string("worksheet-") + name, document_text(made.sheet));
    compare(std::string("worksheet-") + name + "-key", document_text(made.key));
  }
}

TEST_CASE("a roofline to draw and its key, as text, match the approved text") {
  const Result<RaceTimes> times = load_race_times(TILEWALK_SOURCE_DIR);
  REQUIRE(times.ok());
  for (const char* name : {"h200", "a100"}) {
    const DeviceModel& device = device_of(name);
    const RooflineSheet made = build_roofline_sheet(device, *times, win_shapes(*times, device), 1);
    compare(std::string("roofline-") + name, document_text(made.sheet));
    compare(std::string("roofline-") + name + "-key", document_text(made.key));
  }
}

TEST_CASE("the text of which attention runs matches the approved text") {
  const Result<std::vector<RuleTable>> tables = load_rule_tables(TILEWALK_SOURCE_DIR);
  REQUIRE(tables.ok());
  const std::pair<const char*, CallWords> asked[] = {
      {"plain", {}},
      {"mask", {{"attn-mask", "float-grad"}, {"training", "on"}, {"n-q", "4096"}, {"d", "128"}}},
      {"none", {{"attn-mask", "bool"}, {"is-causal", "on"}, {"dtype", "fp64"}}},
      {"cpu", {{"on", "cpu"}, {"dropout", "0.1"}}},
      {"way", {{"via", "flash-attn:2.8.3"}, {"device", "a100"}, {"attn-mask", "bool"}}}};
  for (const auto& [name, words] : asked) {
    const Result<Call> call = call_from(words);
    REQUIRE(call.ok());
    const Result<const RuleTable*> table = table_for(*tables, call->torch);
    REQUIRE(table.ok());
    compare(std::string("which-") + name, which_text(build_which_model(*call, **table)));
  }
}
