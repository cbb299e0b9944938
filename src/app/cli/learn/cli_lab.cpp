// tilewalk lab: the tasks of the lab, and kernels of one's own: checked, walked, compared.
#include <fmt/format.h>

#include "app/cli/learn/lab_words.h"
#include "app/cli/verbs.h"
#include "app/jobs/signals.h"
#include "core/fields/fields.h"
#include "files/file_io.h"
#include "lab/tasks/lab_run.h"
#include "session/resources.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostKernelBytes = 256 * 1024;

int check_tasks(const std::vector<lab::LabTask>& tasks, bool json) {
  std::vector<std::string> faults;
  std::size_t versions = 0;
  for (const lab::LabTask& each : tasks) {
    if (interrupted()) return interrupted_exit();
    for (std::string& fault : check_task(each)) faults.push_back(std::move(fault));
    versions += each.wrong.size();
  }
  if (json)
    print_json({{"tasks", tasks.size()}, {"wrong_versions", versions}, {"faults", faults}});
  else if (faults.empty())
    say("{} tasks: each start fails as said, {} wrong versions get their diagnosis, each solution passes.\n",
        tasks.size(), versions);
  else
    for (const std::string& fault : faults) say("{}\n", fault);
  return faults.empty() ? kExitOk : kExitDivergence;
}

int check_file(const CommandLine& line, const std::vector<lab::LabTask>& tasks) {
  if (line.words.size() != 2) return refuse({{"lab check", "", "needs one file", "Type tilewalk lab check my.cu"}});
  const Result<LabCall> call = lab_call(line, tasks, line.words[1]);
  if (!call) return refuse(call.issues());
  catch_interrupts();
  std::vector<lab::LabSetup> setups{call->setup};
  setups.insert(setups.end(), call->also.begin(), call->also.end());
  lab::LabReport report;
  std::optional<lab::GpuCheck> gpu;
  std::size_t passed = 0, reported = 0;  // reported: the problem that the report is about
  for (lab::LabSetup& setup : setups) {
    setup.keeps_visits = line.has("gpu");
    lab::KernelCheck check(call->text, setup);
    while (!check.work(5'000'000)) {
      if (interrupted()) return interrupted_exit();
      if (has_status_line())
        show_status(fmt::format("problem {} of {}: {:.0f} %", passed + 1, setups.size(), 100 * check.progress()));
    }
    if (setup.keeps_visits && check.report().compiled && (!gpu || gpu->equal)) add_problem(gpu, lab_on_gpu(check));
    if (interrupted()) return interrupted_exit();
    if (passed == 0 || !check.report().passed) report = check.report(), reported = passed;
    if (!check.report().passed) break;
    ++passed;
  }
  hide_status();
  report.sentence = lab::verdict_over_problems(setups, passed, report.sentence);
  name_task(report.errors, *call, tasks);
  if (line.has("json")) {
    Json json = json_of_report(call->task, report);
    json["problem"] = json_of_sizes(setups[reported].problem);
    json["problems_right"] = passed;
    if (gpu) json["gpu"] = json_of_gpu(*gpu);
    print_json(json);
  } else {
    to_stdout(text_of_report(*call, report, setups[reported], reported > 0) + (gpu ? gpu->sentence + "\n" : ""));
  }
  if (gpu && report.passed) return exit_code_of(*gpu);
  return !report.compiled ? kExitBadInput : report.passed ? kExitOk : kExitDivergence;
}

}  // namespace

Result<LabCall> lab_call(const CommandLine& line, const std::vector<lab::LabTask>& tasks, const std::string& file) {
  LabCall out{.file = file, .text = {}, .task = {}, .setup = {}, .also = {}};
  Issues issues;
  Result<std::string> text = read_text_file(file, kMostKernelBytes);
  if (!text) return text.issues();
  out.text = std::move(*text);
  std::optional<std::string> typed = line.option("task");
  if (!typed) typed = task_in_text(out.text);
  if (typed) {
    const Result<const lab::LabTask*> found = lab_task_of(tasks, *typed);
    if (!found) return found.issues();
    const lab::LabTask* const task = *found;
    out.task = task->number;
    out.setup = task->setup;
    if (!line.problem.any() && !line.option("threads")) out.also = setups_of(*task);
    if (!out.also.empty()) out.also.erase(out.also.begin());
  }
  const auto set = [&](const std::string& name, const std::string& value) {
    const Field* field = find_field(name);
    if (!field) {
      issues.push_back({name, value, "is not used by the lab", "Leave --" + name + " out"});
      return;
    }
    const Result<Done> done = field->set(out.setup.problem, value);
    if (!done)
      append(issues, done.issues());
    else if (!field->in_range(out.setup.problem))
      issues.push_back({name, value, "is out of range", field->way_out});
  };
  for (const auto& [name, value] : line.problem.texts) {
    if (name != "n") {
      set(name, value);
      continue;
    }
    for (const char* each : {"n-q", "n-kv"})
      if (!line.problem.texts.contains(each)) set(each, value);
  }
  if (line.problem.texts.contains("heads") && !line.problem.texts.contains("kv-heads"))
    out.setup.problem.shape.kv_heads = out.setup.problem.shape.heads;
  if (!line.problem.edits.empty()) issues.push_back({"set", "", "is not used by the lab", "Leave --set out"});
  const auto read = [&](const char* name, std::int64_t low, std::int64_t high, const auto& use) {
    const auto given = line.option(name);
    if (!given) return;
    const Result<std::int64_t> number = whole_number(name, *given, low, high);
    if (!number) return append(issues, number.issues());
    use(out.setup, *number);
    for (lab::LabSetup& each : out.also) use(each, *number);
  };
  read("threads", 1, lab::kMostThreads, [](lab::LabSetup& setup, std::int64_t count) { setup.threads = count; });
  read("thread-order", 0, 1'000'000'000,
       [](lab::LabSetup& setup, std::int64_t seed) { setup.seed = std::uint64_t(seed); });
  read("most-instructions", 1, 1'000'000'000'000,
       [](lab::LabSetup& setup, std::int64_t count) { setup.most_steps = count; });
  append(issues, lab::check_lab_problem(out.setup.problem, out.setup.threads));
  if (!issues.empty()) return issues;
  return out;
}

int lab_verb(const CommandLine& line) {
  if (!line.words.empty() && line.words[0] == "gpu-child") return lab_gpu_child(line);
  const Result<std::string> root = find_resource_root();
  if (!root) return refuse(root.issues());
  const Result<std::vector<lab::LabTask>> tasks = lab::load_tasks(*root + "/assets/lab");
  if (!tasks) return refuse(tasks.issues());
  if (line.has("check-tasks")) return check_tasks(*tasks, line.has("json"));
  const std::string kind = line.words.empty() ? "" : line.words[0];
  if (kind == "new") return lab_new(line, *tasks);
  if (kind == "hint") return lab_hint(line, *tasks);
  if (kind == "language") return lab_language(line, *root);
  if (kind == "check") return check_file(line, *tasks);
  if (kind == "walk") return lab_walk(line, *tasks);
  if (kind == "diff") return lab_diff(line, *tasks);
  if (!kind.empty())
    return refuse({{"lab", kind, "is not new, hint, language, check, walk or diff", "Type tilewalk lab --help"}});
  if (line.has("json")) {
    Json list = Json::array();
    for (const lab::LabTask& each : *tasks)
      list.push_back({{"task", each.number},
                      {"name", each.name},
                      {"title", each.title},
                      {"minutes", each.minutes},
                      {"problem", json_of_sizes(each.setup.problem)},
                      {"threads", each.setup.threads},
                      {"hints", each.hints.size()}});
    print_json({{"tasks", std::move(list)}});
  } else {
    to_stdout(text_of_tasks(*tasks));
  }
  return kExitOk;
}

}  // namespace tilewalk
