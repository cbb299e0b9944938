// The kernel's source file without its comments, with the lines lit that do the work of the current phase. Kernel
// sources have tags such as [RowMax] in comments. A tag's lines end at the next tag, blank line or barrier, or where
// its braces close. The caller reads the file; this code does not access a disk.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "core/walk/step.h"

namespace tilewalk {

struct SourceCode {  // one element for each line that is more than a comment
  std::vector<std::string> lines;
  std::vector<int> numbers;           // in the file, from 0
  std::vector<std::string> comments;  // that before the line and that on it
};

struct KernelText {
  std::string file;  // "03_flash_v2.cu"; empty if there is none
  std::vector<std::string> lines;
  SourceCode code;
  std::map<std::pair<int, Phase>, std::vector<int>>
      lines_of;  // from 0; by launch (the n-th __global__ function) and phase
};

using KernelTexts = std::map<ScheduleKind, KernelText>;

KernelText parse_kernel(std::string file, const std::string& text);

struct CodeModel {
  std::string title;                 // "03_flash_v2.cu"
  const KernelText* text = nullptr;  // null: no file was found
  std::vector<bool> lit;             // one for each line of the code
  int first_lit = -1, last_lit = -1;
  int open_at = 0;  // the first line to show: the first of the phase, else the first of any phase
  std::string note;
};

CodeModel build_code_model(const KernelText&, const State&);

// Lines wrapped at spaces to at most `columns`; continuation lines are indented by two more than their line.
struct WrappedLine {
  int line = 0;                    // of the source
  std::size_t begin = 0, end = 0;  // its part, in bytes
  int indent = 0;                  // columns before it; 0 for the start of the line
};
std::vector<WrappedLine> wrapped(const std::vector<std::string>& lines, int columns);

}  // namespace tilewalk
