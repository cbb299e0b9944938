#include "app/cli/learn/lab_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/text/judge_json.h"

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
    out += fmt::format("{:>3}  {:<18} {:>2} min  {}\n", each.number, each.name, each.minutes, each.title);
  return out + "\nTo begin one: tilewalk lab new 5 my.cu, then tilewalk lab check my.cu --task 5\n";
}

std::string text_of_report(const std::string& file, const std::string& text, const lab::LabReport& report) {
  std::string out;
  for (const lab::SourceError& each : report.errors) out += text_of_error(file, text, each);
  if (!report.compiled) return out;
  if (!report.printed.empty()) out += report.printed + (report.printed.ends_with('\n') ? "" : "\n");
  for (const lab::Finding& each : report.findings)
    out += fmt::format("{}: {}{}\n", file, is_warning(each.kind) ? "note: " : "", text_of(each));
  out += report.sentence + "\n";
  if (report.first_other_bits)
    out += report.first_other_bits->empty() ? "The bits equal the schedule's, at each visit.\n"
                                            : "The bits part from the schedule's: " + *report.first_other_bits + "\n";
  if (report.judged)
    for (const std::string& each : report.judged->complaints) out += each + "\n";
  out += "\n";
  for (const lab::TensorBytes& each : report.bytes)
    out += fmt::format("  {:<6} {:>12} bytes read {:>12} written{}\n", each.name, each.read, each.written,
                       each.ledger_read || each.ledger_written
                           ? fmt::format("   (FlashAttention: {}, {})", each.ledger_read, each.ledger_written)
                           : "");
  if (report.banks)
    out += fmt::format("  shared memory's banks: {} accesses of a warp in {} turns\n", report.banks->accesses,
                       report.banks->turns);
  const lab::RunCounters& c = report.totals;
  out += fmt::format("  shared memory {} bytes a block; {} bytes read, {} written; {} barriers, {} steps\n",
                     report.shared_bytes, c.shared_read_bytes, c.shared_write_bytes, c.barriers, c.steps);
  return out +
         fmt::format("  {} FLOPs: {} fused, {} sums, {} products, {} divisions, {} exponentials, {} comparisons\n",
                     c.flops(), c.fused, c.additions, c.products, c.divisions, c.exponentials, c.comparisons);
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
              {"steps", c.steps},
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
