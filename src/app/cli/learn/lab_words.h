// What tilewalk lab prints: the list of tasks, a report as text and as JSON; and its kinds.
#pragma once

#include <string>
#include <vector>

#include "app/cli/args.h"
#include "app/cli/output.h"
#include "lab/gpu/gpu_check.h"
#include "lab/tasks/task.h"

namespace tilewalk {

std::string text_of_tasks(const std::vector<lab::LabTask>&);
Json json_of_report(const std::optional<int>& task, const lab::LabReport&);
Json json_of_sizes(const Problem&);
Json json_of_finding(const lab::Finding&);
Json json_of_errors(const std::vector<lab::SourceError>&);

// --gpu: the same text on a GPU, by a child process. Precondition: the check is whole, and the text compiles.
lab::GpuCheck lab_on_gpu(const lab::KernelCheck&);
Json json_of_gpu(const lab::GpuCheck&);
int lab_gpu_child(const CommandLine&);  // the child: "gpu-child JOB RESULT"
// Where the kernel passes: 1 if the GPU has other numbers, 3 if nothing ran on one.
int exit_code_of(const lab::GpuCheck&);

Result<const lab::LabTask*> lab_task_of(const std::vector<lab::LabTask>&, const std::string& typed);
// What the first line of a kernel's text says, as lab new writes it: "// task: 5".
std::optional<std::string> task_in_text(const std::string&);

int lab_new(const CommandLine&, const std::vector<lab::LabTask>&);
int lab_hint(const CommandLine&, const std::vector<lab::LabTask>&);
int lab_language(const CommandLine&, const std::string& resource_root);
int lab_walk(const CommandLine&, const std::vector<lab::LabTask>&);
int lab_diff(const CommandLine&, const std::vector<lab::LabTask>&);

// The task and the problem of the flags; the first word after the verb is the kind, the second a file.
struct LabCall {
  std::string file, text;
  std::optional<int> task;
  lab::LabSetup setup;
  std::vector<lab::LabSetup> also;  // other problems of the task, where no flag changes its own
};
// other: this is not the first problem of the task. The verdict is the last line.
std::string text_of_report(const LabCall&, const lab::LabReport&, const lab::LabSetup&, bool other);
// Where a parameter is no tensor and no task was named: which task has it.
void name_task(std::vector<lab::SourceError>&, const LabCall&, const std::vector<lab::LabTask>&);

Result<LabCall> lab_call(const CommandLine&, const std::vector<lab::LabTask>&, const std::string& file);

}  // namespace tilewalk
