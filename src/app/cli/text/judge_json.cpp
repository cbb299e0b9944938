#include "app/cli/text/judge_json.h"

namespace tilewalk {
namespace {

Json first_wrong_json(const JudgeReport& report) {
  if (!report.first_wrong) return nullptr;
  const WrongValue& w = *report.first_wrong;
  const bool lse = w.at_end && w.quantity != LabQuantity::O;
  return {{"at_end", w.at_end},
          {"visit", w.at_end ? Json(nullptr) : Json(w.visit)},
          {"batch", w.batch},
          {"head", w.head},
          {"q_tile", w.q_tile},
          {"kv_tile", w.at_end ? Json(nullptr) : Json(w.kv_tile)},
          {"row", w.row},
          {"column", or_null(w.column)},
          {"quantity", lse ? "lse" : name_of(w.quantity)},
          {"expected", json_number(w.expected)},
          {"got", json_number(w.got)},
          {"bound", json_number(w.bound)},
          {"line", w.line > 0 ? Json(w.line) : Json(nullptr)}};
}

}  // namespace

Json diagnosis_json(const std::optional<Diagnosis>& diagnosis) {
  if (!diagnosis) return nullptr;
  return {{"name", diagnosis->name.empty() ? Json(nullptr) : Json(diagnosis->name)}, {"sentence", diagnosis->sentence}};
}

Json judge_json(const JudgeReport& report) {
  return {{"passed", report.passed},
          {"visits", report.visits},
          {"visits_wrong", report.visits_wrong},
          {"first_wrong", first_wrong_json(report)},
          {"diagnosis", diagnosis_json(report.diagnosis)},
          {"second", diagnosis_json(report.second)},
          {"complaints", report.complaints}};
}

}  // namespace tilewalk
