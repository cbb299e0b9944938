// The learner's text on the lab's page: its goal, its holes, and the marks that a run leaves beside its lines.
#include <algorithm>

#include "base/units.h"
#include "base/words.h"
#include "pages/lab/lab_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr int kAboveHole = 6;  // lines of the text that are read with a hole

std::vector<LabLineMark> marks_of(const lab::LabRunResult& run) {
  std::vector<LabLineMark> out;
  const lab::LabReport& report = run.report;
  for (const lab::SourceError& each : report.errors) out.push_back({each.place.line, false, text_of_lab_error(each)});
  for (const lab::Finding& each : report.findings) {
    out.push_back({each.at.place.line, is_warning(each.kind), text_of(each)});
    if (each.other.place.line > 0) out.push_back({each.other.place.line, is_warning(each.kind), text_of(each)});
  }
  if (report.judged && report.judged->first_wrong && report.judged->first_wrong->line > 0)
    out.push_back({report.judged->first_wrong->line, false, report.sentence});
  return out;
}

bool found(const lab::LabReport& report, lab::FindingKind kind) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const auto& each) { return each.kind == kind; });
}

// The lines of the holes; of a task whose place is to be found its own words.
std::string goal_of(const LabController& lab) {
  const std::string& to_find = lab.task()->goal;
  if (!to_find.empty() && lab.filled_line() == 0) return "Your task: " + to_find + ".";
  const std::vector<lab::HoleLines> holes = lab.holes();
  std::vector<std::string> lines;
  for (const lab::HoleLines& hole : holes)
    if (hole.open) lines.push_back(format_count(hole.first));
  if (holes.empty()) return {};
  if (holes.size() == 1 && holes[0].first == 1) return "Your task: write the kernel.";
  if (lines.empty()) return "No hole is left as it was. Run the kernel.";
  return lines.size() == 1 ? "Your task: fill the hole in line " + lines[0] + "."
                           : "Your task: fill the holes in lines " + listed(lines, " and ") + ".";
}

// Of the first hole that is still as in the start; of the first where none is.
int open_line(const std::vector<lab::HoleLines>& holes) {
  const auto open = std::find_if(holes.begin(), holes.end(), [](const auto& each) { return each.open; });
  return (open == holes.end() ? holes.begin() : open)->first;
}

}  // namespace

std::string text_of_lab_error(const lab::SourceError& error) {
  return "Line " + std::to_string(error.place.line) + ": " + error.what + "." +
         (error.instead.empty() ? "" : " " + error.instead);
}

bool has_tried(const LabController& lab) {
  const lab::LabRunResult* const run = lab.result();
  return !run || !run->report.compiled || run->report.passed || !lab.of_task().text.empty() || lab.holes().empty() ||
         !lab.task()->goal.empty();
}

std::string lab_sentence(const LabController& lab, const lab::LabReport& report) {
  const std::vector<lab::HoleLines> holes = lab.holes();
  if (has_tried(lab)) return report.sentence;
  return (holes.size() > 1 ? "The holes are still empty. " : "The hole is still empty. ") + report.sentence;
}

LabTextModel build_lab_text(const LabController& lab) {
  LabTextModel out;
  out.text = lab.text();
  if (lab.task()->goal.empty()) out.holes = lab.holes();
  const bool right = lab.is_current() && lab.result()->report.passed;
  const int shown = lab.of_task().shown;
  out.goal = !right  ? goal_of(lab)
             : shown ? "Your kernel is right, with " + counted(shown, "hole") + " shown."
                     : "Your kernel is right.";
  char name[32];
  std::snprintf(name, sizeof name, "%02d-", lab.task()->number);
  out.file =
      lab.watched().empty() ? name + lab.task()->name + ".cu" : lab.watched().substr(lab.watched().rfind('/') + 1);
  out.state = lab.watched().empty() ? lab.of_task().text.empty() ? "the start" : "kept" : "watched";
  if (!lab.is_current()) {
    out.says = "Enter edits · Ctrl+Enter runs";
    out.says_good = std::nullopt;
    if (lab.filled_line() > 0)
      out.show_line = lab.filled_line();
    else if (!out.holes.empty())
      out.show_line = open_line(out.holes);
    out.lines_above = kAboveHole;
    return out;
  }
  const lab::LabRunResult& run = *lab.result();
  out.marks = marks_of(run);
  // A wrong result has no line of its own: it comes from what the task leaves open.
  if (run.report.compiled && !run.report.passed && out.marks.empty() && !out.holes.empty())
    out.marks.push_back({open_line(out.holes), false, lab_sentence(lab, run.report)});
  if (!run.report.compiled) {
    out.says = counted(std::int64_t(run.report.errors.size()), "error");
    out.says_good = false;
    if (!out.marks.empty()) out.show_line = out.marks.front().line;
    return out;
  }
  const bool race = found(run.report, lab::FindingKind::DataRace),
             unfilled = found(run.report, lab::FindingKind::UnfilledRead);
  out.says = std::string("compiles · ") + (race ? "a race" : "no race") +
             (unfilled ? " · an unfilled read" : " · no unfilled read");
  const bool stopped = !run.walked.ended;
  if (stopped) out.says += " · it stopped early";
  out.says_good = !race && !unfilled && !stopped;
  if (lab.machine() && !lab.at_end() && lab.stop() < run.stops.size()) out.line_now = run.stops[lab.stop()].line;
  out.show_line = out.line_now > 0 || !right ? out.line_now : lab.filled_line();
  const auto fault =
      std::find_if(out.marks.begin(), out.marks.end(), [](const LabLineMark& each) { return !each.warning; });
  if (fault != out.marks.end() && lab.at_end()) out.show_line = fault->line;
  const auto& judged = run.walked.judged;
  if (judged && judged->first_wrong && !judged->first_wrong->at_end && judged->first_wrong->line > 0 &&
      lab_visit_now(lab) == std::size_t(judged->first_wrong->visit))
    out.show_line = judged->first_wrong->line;
  return out;
}

}  // namespace tilewalk
