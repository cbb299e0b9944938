#include "view/walk/code_model.h"

#include <algorithm>
#include <sstream>

namespace tilewalk {
namespace {

// The phases named by a comment's leading tag: "// [Divide, StoreP] …". Empty if there is none.
std::vector<Phase> tags_of(const std::string& line) {
  std::size_t at = line.find_first_not_of(' ');
  if (at == std::string::npos || line.compare(at, 4, "// [") != 0) return {};
  at += 4;
  const std::size_t end = line.find(']', at);
  if (end == std::string::npos) return {};
  std::istringstream names(line.substr(at, end - at));
  std::vector<Phase> phases;
  for (std::string name; names >> name;) {
    if (name.back() == ',') name.pop_back();
    for (int i = 0; i < kPhaseCount; ++i)
      if (name == tag_of(Phase(i))) phases.push_back(Phase(i));
  }
  return phases;
}

}  // namespace

KernelText parse_kernel(std::string file, const std::string& text) {
  KernelText kernel;
  kernel.file = std::move(file);
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) kernel.lines.push_back(line);

  std::vector<Phase> open;
  std::size_t indent = 0;
  int launch = -1;
  for (std::size_t i = 0; i < kernel.lines.size(); ++i) {
    const std::string& line = kernel.lines[i];
    const std::size_t begin = line.find_first_not_of(' ');
    if (line.starts_with("__global__")) ++launch;
    if (const auto tags = tags_of(line); !tags.empty()) {
      open = tags;
      indent = begin;
    } else if (begin == std::string::npos || begin < indent || line.find("__syncthreads()") != std::string::npos) {
      open.clear();
    }
    for (const Phase phase : open) kernel.lines_of[{launch, phase}].push_back(int(i));
  }
  return kernel;
}

CodeModel build_code_model(const KernelText& text, const State& state) {
  CodeModel model;
  model.title = text.file;
  if (text.lines.empty()) {
    model.title = "Kernel source";
    model.note = "No kernel source for this schedule was found beside the program.";
    return model;
  }
  model.text = &text;
  model.lit.assign(text.lines.size(), false);
  for (const auto& [key, lines] : text.lines_of)
    if (key.first == 0 && (model.open_at == 0 || lines.front() < model.open_at)) model.open_at = lines.front();
  if (!state.started) return model;
  const auto at = text.lines_of.find({state.step.section, state.step.phase});
  if (at == text.lines_of.end()) return model;
  for (const int line : at->second) model.lit[std::size_t(line)] = true;
  model.first_lit = model.open_at = at->second.front();
  model.last_lit = at->second.back();
  return model;
}

std::vector<WrappedLine> wrapped(const std::vector<std::string>& lines, int columns) {
  columns = std::max(columns, 8);
  std::vector<WrappedLine> out;
  const auto shown = [](char c) { return (c & 0xc0) != 0x80; };  // the first byte of a UTF-8 character
  for (int n = 0; n < int(lines.size()); ++n) {
    const std::string& line = lines[std::size_t(n)];
    const std::size_t text = std::min(line.find_first_not_of(' '), line.size());
    const int hang = std::min(int(text) + 2, columns / 2);
    WrappedLine part{n, 0, 0, 0};
    do {
      std::size_t at = part.begin, space = 0;
      for (int width = part.indent; at < line.size() && (width < columns || !shown(line[at])); ++at) {
        width += shown(line[at]);
        if (line[at] == ' ' && at > part.begin && at > text) space = at;
      }
      if (at < line.size() && line[at] != ' ' && space > 0) at = space;
      part.end = at;
      out.push_back(part);
      while (at < line.size() && line[at] == ' ') ++at;
      part = {n, at, at, hang};
    } while (part.begin < line.size());
  }
  return out;
}

}  // namespace tilewalk
