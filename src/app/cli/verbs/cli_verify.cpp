// tilewalk verify: compares the replay with recordings, with this machine's GPU, or with the kernel source run on the
// CPU.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/cli/kernel_on_terminal.h"
#include "app/cli/output.h"
#include "app/cli/text/walk_text.h"
#include "app/cli/verbs.h"
#include "app/jobs/check_problem.h"
#include "app/jobs/long_work.h"
#include "app/streams.h"
#include "base/units.h"
#include "base/words.h"
#include "core/fields/fields.h"
#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "session/document/session_file.h"
#include "session/resources.h"
#include "trace/recording.h"
#include "trace/verdict.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostVisitsOfAll = 200'000;  // a preset larger than this is checked only when named

struct Check {
  Problem problem;  // with the fault, if one was requested
  CheckReport report;
  std::optional<AccuracyReport> accuracy{};  // distance from float64; for single checks, or on request

  std::string title() const { return problem_title(problem); }
};

struct Outcome {
  std::vector<Check> checks;
  std::vector<std::string> left_out;  // sentences
  std::optional<int> exit;            // set if it ended early: the exit code
};

CheckRequest request_for(const Opening& opened, CheckAgainst against) {
  return {.problem = opened.document.problem,
          .files = opened.read.tensors,
          .edits = opened.document.edits,
          .against = against,
          .recordings = {}};
}

CheckOutcome check_on_terminal(const CheckRequest& request) {
  const auto words = [&](CheckStage stage) {
    return stage == CheckStage::Comparing ? "Comparing" : kernel_words(runner_for(request.against));
  };
  CheckStage shown = request.against == CheckAgainst::Recording ? CheckStage::Comparing : CheckStage::Kernel;
  Progress progress(words(shown));
  return check_problem(request, [&](CheckStage stage, double fraction) {
    if (shown != stage) progress.say(words(stage));
    shown = stage;
    return progress.update(fraction);
  });
}

void measure(Check& check, const Inputs& inputs) {
  Progress progress("Comparing with float64");
  check.accuracy = measure_accuracy(inputs, {}, [&](double at) { return progress.update(at); });
}

// The recording's problem with the requested fault.
Opening opened_like(const Trace& trace, Fault fault) {
  Opening opened;
  opened.document.problem = trace.problem;
  opened.document.problem.fault = fault;
  opened.schedule = make_schedule(opened.document.problem);
  return opened;
}

// True if the recording matches the flags. Fields that change no values do not matter, nor does the fault: it is in the
// replay.
bool selected(const Problem& recorded, const ProblemArgs& args) {
  const auto has = [&](std::string_view flag, const std::string& text) {
    const Field* field = find_field(flag);
    return field && (!field->changes.values || flag == "fault" || field->text(recorded) == text);
  };
  return std::all_of(args.texts.begin(), args.texts.end(), [&](const auto& given) {
    const auto& [flag, text] = given;
    return flag == "n" ? has("n-q", text) && has("n-kv", text) : has(flag, text);
  });
}

int no_recording(const std::string& what) {
  complain("there is no recording " + what +
           ". tilewalk verify --live checks on a GPU, --cpu against the kernel source run on the CPU.");
  return kExitNoDevice;
}

Outcome check_recordings(const CommandLine& line, const std::string& folder) {
  Outcome outcome;
  const bool by_name = line.problem.texts.contains("preset") || line.problem.texts.contains("session");
  if (!line.has("all") || by_name) {
    const Result<Opening> opened = open_problem(line.problem);
    if (!opened) return {{}, {}, refuse(opened.issues())};
    const Problem& problem = opened->document.problem;
    CheckRequest request = request_for(*opened, CheckAgainst::Recording);
    request.recordings = folder;
    CheckOutcome checked = check_on_terminal(request);
    if (checked.no_recording) {
      Problem right = problem;
      right.fault = Fault::None;
      return {{}, {}, no_recording("of this problem (" + problem_title(right) + ")")};
    }
    if (!checked.bad_recording.empty()) return {{}, {}, refuse(checked.bad_recording)};
    outcome.checks.push_back({problem, std::move(checked.report)});
    measure(outcome.checks.back(), opened->inputs());
    return outcome;
  }
  if (!line.problem.edits.empty())
    return {{},
            {},
            refuse({{"edit", line.problem.edits.front(), "does not go with --all, whose problems are recorded",
                     "Leave it out"}})};
  const auto fault_text = line.problem.texts.find("fault");
  const std::optional<Fault> fault =
      fault_text == line.problem.texts.end() ? Fault::None : fault_from(fault_text->second);
  if (!fault)
    return {{}, {}, refuse({{"fault", fault_text->second, "is not one of the names", find_field("fault")->way_out}})};
  for (const std::string& path : recording_paths(folder)) {
    Result<Trace> trace = load_recording(path);
    if (!trace) return {{}, {}, refuse(trace.issues())};
    if (!selected(trace->problem, line.problem) || !fault_applies(*fault, trace->problem.schedule)) continue;
    const auto kept = std::make_shared<const Trace>(std::move(*trace));
    const Opening opened = opened_like(*kept, *fault);
    if (Issues issues = validate(opened.document.problem); !issues.empty()) return {{}, {}, refuse(issues)};
    CheckRequest request = request_for(opened, CheckAgainst::Recording);
    request.recording = kept;
    outcome.checks.push_back({opened.document.problem, check_on_terminal(request).report});
    if (line.has("float64")) measure(outcome.checks.back(), opened.inputs());
    if (interrupted()) return outcome;
  }
  if (outcome.checks.empty()) outcome.exit = no_recording("that fits these flags");
  return outcome;
}

Outcome check_kernels(const CommandLine& line, CheckAgainst against, const std::string& root) {
  Outcome outcome;
  std::vector<ProblemArgs> wanted;
  if (!line.has("all")) {
    wanted.push_back(line.problem);
  } else {
    const Result<std::vector<Preset>> presets = load_presets(root);
    if (!presets) return {{}, {}, refuse(presets.issues())};
    for (const Preset& preset : *presets) {
      wanted.push_back(line.problem);
      wanted.back().texts["preset"] = preset.name;
      const std::int64_t visits = preset.schedule->visit_counts().visited();
      if (visits <= kMostVisitsOfAll) continue;
      wanted.pop_back();
      outcome.left_out.push_back(fmt::format("Preset {} is left out for its {} tile visits; --preset {} checks it.",
                                             preset.name, format_count(visits), preset.name));
    }
  }
  for (const ProblemArgs& args : wanted) {
    const Result<Opening> opened = open_problem(args);
    if (!opened) return {{}, {}, refuse(opened.issues())};
    CheckOutcome checked = check_on_terminal(request_for(*opened, against));
    if (checked.kernel_failure) return {{}, {}, kernel_failure_exit(*checked.kernel_failure)};
    outcome.checks.push_back({opened->document.problem, std::move(checked.report)});
    if (wanted.size() == 1 || line.has("float64")) measure(outcome.checks.back(), opened->inputs());
    if (interrupted()) return outcome;
  }
  return outcome;
}

int severity(Verdict verdict) {
  switch (verdict) {
    case Verdict::Equal: return 0;
    case Verdict::WithinRule: return 1;
    case Verdict::NotChecked:
    case Verdict::Running: return 2;
    case Verdict::Diverged: return 3;
    case Verdict::NotFinite: return 4;
  }
  return 4;
}

// A distance from float64 that breaks the rule fails like a differing bit; an unknown one changes nothing.
int severity(const Check& check) {
  const int distance = check.accuracy ? severity(check.accuracy->verdict) : 0;
  return std::max(severity(check.report.verdict), distance >= severity(Verdict::Diverged) ? distance : 0);
}

Json value_json(const Problem& p, TracedQuantity quantity, const std::optional<float>& value) {
  if (!value) return nullptr;
  const bool score = quantity == TracedQuantity::S || quantity == TracedQuantity::M || quantity == TracedQuantity::Lse;
  return json_number(score ? display_score(p, *value) : *value);
}

Json divergence_json(const Check& check) {
  if (!check.report.first) return nullptr;
  const Divergence& at = *check.report.first;
  auto or_null = [](std::int64_t index) { return index < 0 ? Json(nullptr) : Json(index); };
  return {{"schedule", name_of(at.schedule)},
          {"step", at.step},
          {"phase", name_of(at.phase)},
          {"batch", at.batch},
          {"head", at.head},
          {"q_tile", at.q_tile},
          {"kv_tile", or_null(at.kv_tile)},
          {"row", or_null(at.row)},
          {"col", or_null(at.col)},
          {"quantity", name_of(at.quantity)},
          {"expected", value_json(check.problem, at.quantity, at.expected)},
          {"got", value_json(check.problem, at.quantity, at.got)},
          {"ulp", at.ulp ? Json(*at.ulp) : Json(nullptr)},
          {"expected_bits", at.expected ? Json(format_bits(*at.expected)) : Json(nullptr)},
          {"got_bits", at.got ? Json(format_bits(*at.got)) : Json(nullptr)}};
}

Json max_ulp_json(const Check& check) {
  if (check.report.detail == TraceDetail::Hashes) return nullptr;
  return check.report.differing == 0 ? Json(0) : check.report.max_ulp ? Json(*check.report.max_ulp) : Json(nullptr);
}

struct Sums {
  std::int64_t visits = 0, values = 0, differing = 0;
};
Sums sums_of(const std::vector<Check>& checks) {
  Sums sums;
  for (const Check& check : checks) {
    sums.visits += check.report.tile_visits;
    sums.values += check.report.values;
    sums.differing += check.report.differing;
  }
  return sums;
}

Json json_of(const std::vector<Check>& checks, const std::string& against) {
  const Check& worst = *std::max_element(checks.begin(), checks.end(), [](const Check& a, const Check& b) {
    return severity(a.report.verdict) < severity(b.report.verdict);
  });
  std::set<std::string> gpus;
  Json max_ulp = nullptr, each = Json::array();
  for (const Check& check : checks) {
    const CheckReport& report = check.report;
    if (!report.provenance.gpu.empty()) gpus.insert(report.provenance.gpu);
    const Json ulp = max_ulp_json(check);
    if (!ulp.is_null() && (max_ulp.is_null() || ulp > max_ulp)) max_ulp = ulp;
    each.push_back({{"problem", check.title()},
                    {"schedule", name_of(check.problem.schedule)},
                    {"verdict", name_of(report.verdict)},
                    {"gpu", report.provenance.gpu},
                    {"date", report.provenance.date},
                    {"tile_visits", report.tile_visits},
                    {"values", report.values},
                    {"differing", report.differing},
                    {"max_ulp", ulp},
                    {"first_divergence", divergence_json(check)},
                    {"reason", report.reason}});
    if (check.accuracy) each.back()["float64"] = json_accuracy(*check.accuracy);
  }
  std::string gpu;
  for (const std::string& name : gpus) add_to_list(gpu, name);
  const Sums sums = sums_of(checks);
  Json json = {{"against", against},
               {"gpu", gpu},
               {"problems", checks.size()},
               {"tile_visits", sums.visits},
               {"values", sums.values},
               {"differing", sums.differing},
               {"max_ulp", max_ulp},
               {"verdict", name_of(worst.report.verdict)},
               {"first_divergence", divergence_json(worst)},
               {"checks", each}};
  if (checks.size() == 1 && checks.front().accuracy) json["float64"] = json_accuracy(*checks.front().accuracy);
  return json;
}

std::string accuracy_text(const Check& check) {
  return check.accuracy ? fmt::format("      {}\n", sentence_of(check.problem, *check.accuracy)) : "";
}

std::string fault_text(const Check& check) {
  return check.problem.fault == Fault::None
             ? ""
             : fmt::format("      fault {}: {}\n", name_of(check.problem.fault), description_of(check.problem.fault));
}

}  // namespace

int verify_verb(const CommandLine& line) {
  if (line.option("trace")) {
    const Issues issues = not_beside("--trace, whose problem is in the file", line, {"trace"});
    return issues.empty() ? verify_trace(line) : refuse(issues);
  }
  if (line.has("fast")) {
    const Issues issues = not_beside("--fast, whose problems are the recorded ones", line, {"fast"});
    return issues.empty() ? verify_fast(line) : refuse(issues);
  }
  if (int(line.has("recorded")) + int(line.has("live")) + int(line.has("cpu")) > 1)
    return refuse({{"verify", "", "takes one of --recorded, --live and --cpu", ""}});
  const Result<std::string> root = find_resource_root();
  if (!root) return refuse(root.issues());
  catch_interrupts();
  const bool kernels = line.has("live") || line.has("cpu");
  const CheckAgainst kernel = line.has("live") ? CheckAgainst::LiveGpu : CheckAgainst::EmulatedKernel;
  const Outcome outcome =
      kernels ? check_kernels(line, kernel, *root) : check_recordings(line, *root + "/assets/recordings");
  if (outcome.exit) return *outcome.exit;
  if (interrupted()) return interrupted_exit();

  if (line.has("json")) {
    print_json(json_of(outcome.checks, line.has("live") ? "live" : line.has("cpu") ? "cpu" : "recording"));
  } else {
    for (const Check& check : outcome.checks)
      say("{:<11} {} · {}\n      {}\n{}{}", name_of(check.report.verdict), title_of(check.problem.schedule),
          check.title(), sentence_of(check.report), accuracy_text(check), fault_text(check));
    if (const Sums sums = sums_of(outcome.checks); outcome.checks.size() > 1)
      say("{} problems, {} tile visits, {} values: {} differ\n", outcome.checks.size(), format_count(sums.visits),
          format_count(sums.values), format_count(sums.differing));
  }
  for (const std::string& sentence : outcome.left_out) to_stderr(sentence + "\n");
  int worst = 0;
  for (const Check& check : outcome.checks) worst = std::max(worst, severity(check));
  return worst >= 3 ? kExitDivergence : worst == 2 ? kExitNoDevice : kExitOk;
}

}  // namespace tilewalk
