#include "app/cli/learn/lab_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/text/judge_json.h"
#include "core/schedules/registry.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

Json json_of(const lab::WrongElement& w) {
  return {{"at_end", true},
          {"visit", nullptr},
          {"batch", w.batch},
          {"head", w.head},
          {"q_tile", nullptr},
          {"kv_tile", nullptr},
          {"row", w.row},
          {"column", w.column},
          {"quantity", w.tensor},
          {"expected", json_number(w.expected)},
          {"got", json_number(w.got)},
          {"bound", nullptr},
          {"line", nullptr}};
}

// "N_Q 16, N_KV 16, D 4, tiles of 4 and 4 rows, 16 threads", and what else is not usual.
std::string sizes_of(const lab::LabSetup& setup) {
  const Shape& s = setup.problem.shape;
  std::string out = fmt::format("N_Q {}, N_KV {}, D {}, BR {}, BC {}, THREADS {}", s.n_q, s.n_kv, s.d,
                                setup.problem.tiling.br, setup.problem.tiling.bc, setup.threads);
  if (s.batch > 1) out += fmt::format(", BATCH {}", s.batch);
  if (s.heads > 1) out += fmt::format(", HEADS {}, KV_HEADS {}", s.heads, s.kv_heads);
  return out + (s.mask.kind == MaskKind::Causal ? ", causal" : "");
}

// Tensors that such a kernel has.
bool is_of(const lab::LabSetup& setup, const lab::TensorBytes& row) {
  if (row.read > 0 || row.written > 0) return true;
  const bool scores = setup.judging == lab::LabJudging::Scores || setup.judging == lab::LabJudging::Weights;
  if (scores || setup.judging == lab::LabJudging::Sums)
    for (const char* other : {"V", "O", "L"})
      if (row.name == other && (scores || row.name != "L")) return false;
  return true;
}

std::string text_of_counts(const lab::LabReport& report, const lab::LabSetup& setup, bool other) {
  const lab::RunCounters& c = report.totals;
  const char* const title = title_of(setup.ledger.value_or(Problem{}.schedule));
  std::string out = other ? "Counted with " + sizes_of(setup) + ":\n" : "";
  for (const lab::TensorBytes& each : report.bytes)
    if (is_of(setup, each))
      out += fmt::format("  {:<6} {:>12} bytes read {:>12} written{}\n", each.name, each.read, each.written,
                         each.ledger_read || each.ledger_written
                             ? fmt::format("   ({}: {}, {})", title, each.ledger_read, each.ledger_written)
                             : "");
  if (report.banks)
    out += fmt::format("  shared memory's banks: {} accesses of a warp in {} turns\n", report.banks->accesses,
                       report.banks->turns);
  out += fmt::format("  shared memory: {} bytes a block; {} bytes read, {} written; {}\n", report.shared_bytes,
                     c.shared_read_bytes, c.shared_write_bytes, counted(c.barriers, "barrier"));
  return out + fmt::format(
                   "  {} FLOPs: {} fmaf (two each), {} + and -, {} *, {} /, {} exp, {} max and min\n"
                   "  {} instructions of the lab's machine, all threads together\n",
                   c.flops(), c.fused, c.additions, c.products, c.divisions, c.exponentials, c.comparisons, c.steps);
}

// Where a kernel that passes has other bits than the walk.
std::string text_of_bits(const lab::LabReport& report, const lab::LabSetup& setup) {
  if (!report.passed || !report.first_other_bits || !setup.follows) return "";
  const std::string walk = std::string("of this program's walk of ") + title_of(*setup.follows);
  if (report.first_other_bits->empty()) return "Its bits are those " + walk + ", at each visit.\n";
  return "Its last bits are not those " + walk + ", first at " + *report.first_other_bits +
         ". That is allowed. fmaf(a, b, c) in place of a * b + c gives its bits.\n";
}

}  // namespace

Json json_of_finding(const lab::Finding& each) {
  Json out = {{"line", each.at.place.line}, {"column", each.at.place.column},  {"what", each.what},
              {"kind", name_of(each.kind)}, {"thread", each.at.thread},        {"block", each.at.block},
              {"element", each.element},    {"warning", is_warning(each.kind)}};
  if (each.other.place.line > 0) {
    out["other_line"] = each.other.place.line;
    out["other_thread"] = each.other.thread;
  }
  return out;
}

Json json_of_errors(const std::vector<lab::SourceError>& errors) {
  Json out = Json::array();
  for (const lab::SourceError& each : errors)
    out.push_back({{"line", each.place.line},
                   {"column", each.place.column},
                   {"what", each.what},
                   {"instead", each.instead},
                   {"thread", nullptr}});
  return out;
}

std::string text_of_tasks(const std::vector<lab::LabTask>& tasks) {
  std::string out;
  for (const lab::LabTask& each : tasks)
    out += fmt::format("{:>3}  {:<18} {:>2} min  {}\n{:>33}{}\n", each.number, each.name, each.minutes, each.title, "",
                       sizes_of(each.setup));
  return out +
         "\nTo begin one: tilewalk lab new 5 my.cu, then tilewalk lab check my.cu.\n"
         "Hints: tilewalk lab hint 5. What a kernel may use: tilewalk lab language.\n";
}

std::string text_of_report(const LabCall& call, const lab::LabReport& report, const lab::LabSetup& setup, bool other) {
  std::string out;
  for (const lab::SourceError& each : report.errors) out += text_of_error(call.file, call.text, each);
  if (!report.compiled) return out;
  if (!report.printed.empty()) out += report.printed + (report.printed.ends_with('\n') ? "" : "\n");
  for (const lab::Finding& each : report.findings)
    out += fmt::format("{}: {}{}\n", call.file, is_warning(each.kind) ? "note: " : "", text_of(each));
  if (report.judged)
    for (const std::string& each : report.judged->complaints)
      if (report.sentence.find(each) == std::string::npos) out += each + "\n";
  return out + (out.empty() ? "" : "\n") + text_of_counts(report, setup, other) + "\n" + text_of_bits(report, setup) +
         report.sentence + "\n";
}

void name_task(std::vector<lab::SourceError>& errors, const LabCall& call, const std::vector<lab::LabTask>& tasks) {
  if (call.task) return;
  for (lab::SourceError& error : errors) {
    if (error.unknown_tensor.empty()) continue;
    const auto has_it = [&](const lab::LabTask& task) {
      const std::vector<lab::MemoryObject> tensors = lab::check_setup(task.setup).tensors;
      return std::any_of(tensors.begin(), tensors.end(),
                         [&](const lab::MemoryObject& each) { return each.name == error.unknown_tensor; });
    };
    const auto task = std::find_if(tasks.begin(), tasks.end(), has_it);
    if (task != tasks.end())
      error.instead += fmt::format(" Task {0} has {1}: add --task {0}, or write // task: {0} as the first line.",
                                   task->number, error.unknown_tensor);
  }
}

Json json_of_report(const std::optional<int>& task, const lab::LabReport& report) {
  Json errors = json_of_errors(report.errors), races = Json::array(), warnings = Json::array(), hbm = Json::object(),
       ledger = Json::object();
  for (const lab::Finding& each : report.findings)
    (is_warning(each.kind)                     ? warnings
     : each.kind == lab::FindingKind::DataRace ? races
                                               : errors)
        .push_back(json_of_finding(each));
  for (const lab::TensorBytes& each : report.bytes) {
    hbm[each.name] = {{"read_bytes", each.read}, {"write_bytes", each.written}};
    ledger[each.name] = {{"read_bytes", each.ledger_read}, {"write_bytes", each.ledger_written}};
  }
  Json out = {{"passed", report.passed}, {"task", or_null(task)}, {"verdict", report.sentence}};
  out.update(judge_json(report.judged.value_or(JudgeReport{})));
  out["passed"] = report.passed;
  if (report.wrong_element) out["first_wrong"] = json_of(*report.wrong_element);
  if (report.diagnosis) out["diagnosis"] = diagnosis_json(report.diagnosis);
  const lab::RunCounters& c = report.totals;
  out.update({{"errors", std::move(errors)},
              {"races", std::move(races)},
              {"warnings", std::move(warnings)},
              {"hbm", std::move(hbm)},
              {"ledger", std::move(ledger)},
              {"sram_bytes", report.shared_bytes},
              {"barriers", c.barriers},
              {"flops",
               {{"total", c.flops()},
                {"fused", c.fused},
                {"additions", c.additions},
                {"products", c.products},
                {"divisions", c.divisions},
                {"exponentials", c.exponentials},
                {"logarithms", c.logarithms},
                {"comparisons", c.comparisons}}},
              {"bank_turns", report.banks ? Json(report.banks->turns) : Json()},
              {"warp_accesses", report.banks ? Json(report.banks->accesses) : Json()},
              {"instructions", c.steps},
              {"bits", report.first_other_bits ? Json(report.first_other_bits->empty()) : Json()},
              {"gpu", nullptr}});
  return out;
}

Json json_of_sizes(const Problem& p) {
  return {{"batch", p.shape.batch}, {"heads", p.shape.heads}, {"kv_heads", p.shape.kv_heads},
          {"n_q", p.shape.n_q},     {"n_kv", p.shape.n_kv},   {"d", p.shape.d},
          {"br", p.tiling.br},      {"bc", p.tiling.bc},      {"mask", name_of(p.shape.mask)}};
}

}  // namespace tilewalk
