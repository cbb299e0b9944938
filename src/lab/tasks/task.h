// The lab's tasks, read from assets/lab/NN-name/: task.md, start.cu, solution.cu, and named wrong versions with the
// diagnosis that each must get. A task block at the top of task.md has its numbers (TOML), as in a lesson.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lab/tasks/kernel_check.h"

namespace tilewalk::lab {

struct WrongVersion {
  std::string name;  // "no-rescale"
  std::string text;
  std::string says;  // a part of the verdict that it must get
};

struct LabTask {
  int number = 0;
  std::string name, title, folder;
  int minutes = 0;
  std::string prose;  // Markdown, without the block
  std::vector<std::string> hints;
  std::string goal;  // of a task that asks for the place: what to write there; its holes are not shown
  std::string start, start_says, solution;
  std::vector<WrongVersion> wrong;
  LabSetup setup;
  std::vector<std::string> also;  // other problems that the solution must solve: "n-q=13 n-kv=11"
};

// In order of their numbers. Issues name the file.
Result<std::vector<LabTask>> load_tasks(const std::string& folder);

// The problems that a kernel must solve to pass the task: its own, then those of `also`. So a kernel that is right for
// one size alone does not pass.
std::vector<LabSetup> setups_of(const LabTask&);

// The problem with fields changed: "n-q=13 mask=causal".
Result<Problem> with_fields(Problem, const std::string& fields, const std::string& from);

// Plays a task: the start fails as said, each wrong version gets its diagnosis, the solution passes, with the bits of
// the schedule that it follows. Returns the differences.
std::vector<std::string> check_task(const LabTask&);

}  // namespace tilewalk::lab
