#include "lab/tasks/task.h"

namespace tilewalk::lab {

std::vector<LabSetup> setups_of(const LabTask& task) {
  std::vector<LabSetup> out{task.setup};
  for (const std::string& fields : task.also)
    if (const Result<Problem> problem = with_fields(task.setup.problem, fields, "also")) {
      out.push_back(task.setup);
      out.back().problem = *problem;
    }
  return out;
}

std::vector<std::string> check_task(const LabTask& task) {
  std::vector<std::string> out;
  const auto wrong = [&](const std::string& what) {
    out.push_back("task " + std::to_string(task.number) + ": " + what);
  };
  const auto text_with_errors = [](const LabReport& report, const std::string& text) {
    std::string all;
    for (const SourceError& each : report.errors) all += text_of_error("text", text, each);
    for (const Finding& each : report.findings)
      if (is_warning(each.kind)) all += text_of(each) + "\n";
    return all + verdict_text(report);
  };
  const LabReport start = check_kernel(task.start, task.setup);
  const std::string start_text = text_with_errors(start, task.start);
  if (start.passed) wrong("the start passes");
  if (task.start_says.empty() || start_text.find(task.start_says) == std::string::npos)
    wrong("the start gets: " + start_text);
  for (const WrongVersion& each : task.wrong) {
    LabReport report;
    for (const LabSetup& setup : setups_of(task)) {  // as a learner's kernel is checked: up to the first that fails
      report = check_kernel(each.text, setup);
      if (!report.passed) break;
    }
    const std::string text = text_with_errors(report, each.text);
    if (report.passed) wrong(each.name + " passes");
    if (text.find(each.says) == std::string::npos) wrong(each.name + " gets: " + text);
  }
  for (LabSetup setup : setups_of(task))
    for (const std::uint64_t seed : {0, 1}) {
      setup.seed = seed;
      const LabReport report = check_kernel(task.solution, setup);
      const Shape& shape = setup.problem.shape;
      const std::string with = ", with n-q=" + std::to_string(shape.n_q) + " n-kv=" + std::to_string(shape.n_kv);
      if (!report.passed) wrong("the solution gets" + with + ": " + text_with_errors(report, task.solution));
      if (setup.follows && report.first_other_bits.value_or("was not compared") != "")
        wrong("the solution's bits" + with + ": " + report.first_other_bits.value_or("were not compared"));
    }
  if (task.hints.size() != 3) wrong("there are not three hints");
  return out;
}

}  // namespace tilewalk::lab
