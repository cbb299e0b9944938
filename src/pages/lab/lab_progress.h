// A person's texts and progress in the lab, stored in $XDG_STATE_HOME/tilewalk/lab.toml, or
// ~/.local/state/tilewalk/lab.toml. It locks nothing, and can be deleted.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/user_file.h"

namespace tilewalk {

inline constexpr std::size_t kMostKernelText = 64 * 1024;  // bytes of a text

struct LabTaskProgress {
  std::string text;    // empty: as the task starts
  std::string before;  // the text that a reset replaced; empty: none
  int runs = 0, hints = 0;
  int shown = 0;  // holes that were filled by Show me
  bool solved = false;
  bool operator==(const LabTaskProgress&) const = default;
};

struct LabProgress {
  int task = 1;                                  // the last one open
  std::map<std::string, LabTaskProgress> tasks;  // by name
  bool operator==(const LabProgress&) const = default;
};

std::string lab_progress_path();  // empty: the system names no home folder
Result<LabProgress> parse_lab_progress(std::string_view text, const std::string& name);
std::string lab_progress_text(const LabProgress&);               // the whole file
Result<LabProgress> load_lab_progress(const std::string& path);  // empty where there is no file
// Writes what changed between `before` and `now`; keeps the tasks that another program wrote since.
Result<KeptFile> save_lab_progress(const LabProgress& before, const LabProgress& now, const std::string& path);
LabProgress merged_lab_progress(const LabProgress& before, const LabProgress& now, LabProgress there);

}  // namespace tilewalk
