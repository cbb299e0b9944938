#include "view/walk/code_model.h"

#include <algorithm>
#include <initializer_list>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/words.h"

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

// The words of a comment, without its slashes and tags.
std::string_view words_of(std::string_view comment) {
  while (!comment.empty() && comment.front() == '/') comment.remove_prefix(1);
  comment = trimmed_view(comment);
  if (comment.starts_with("[") && comment.find(']') != std::string_view::npos)
    comment = trimmed_view(comment.substr(comment.find(']') + 1));
  return comment;
}

SourceCode code_of(const std::vector<std::string>& lines) {
  SourceCode code;
  std::string comment;
  const auto add = [&](std::string_view more) {
    if (!more.empty()) comment.append(comment.empty() ? "" : " ").append(more);
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const std::size_t at = std::min(line.find("//"), line.size());
    std::string_view own = line.substr(0, at);
    while (!own.empty() && own.back() == ' ') own.remove_suffix(1);
    if (at < line.size()) add(words_of(line.substr(at)));
    if (own.empty() && at < line.size()) continue;
    if (own.empty()) comment.clear();  // a comment belongs to the lines right after it
    if (own.empty() && (code.lines.empty() || code.lines.back().empty())) continue;
    code.lines.emplace_back(own);
    code.numbers.push_back(int(i));
    code.comments.push_back(std::exchange(comment, {}));
  }
  return code;
}

// What follows the head of a loop or a condition: "acc = a * b;" of "for (…) acc = a * b;".
std::string_view after_head(std::string_view code) {
  if (!code.starts_with("for (") && !code.starts_with("if (")) return code;
  int depth = 0;
  for (std::size_t i = code.find('('); i < code.size(); ++i) {
    depth += code[i] == '(' ? 1 : code[i] == ')' ? -1 : 0;
    if (depth == 0) return trimmed_view(code.substr(i + 1));
  }
  return {};
}

bool assigns(std::string_view code) {
  for (std::size_t i = 1; i + 1 < code.size(); ++i)
    if (code[i] == '=' && code[i + 1] != '=' && std::string_view("=!<>").find(code[i - 1]) == std::string_view::npos)
      return true;
  return false;
}

bool contains(std::string_view code, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return code.find(word) != std::string_view::npos; });
}

// True for a line that makes or moves a number: no brace, no head of a loop, no index, no barrier, nothing recorded.
bool acts(std::string_view line) {
  const std::string_view code = after_head(trimmed_view(line));
  if (code.find(';') == std::string_view::npos || contains(code, {"record.", "kTraced", "__syncthreads", "return"}))
    return false;
  for (const std::string_view type : {"const ", "float ", "int ", "long ", "bool ", "double ", "T "})
    if (code.starts_with(type)) return contains(code, {"exp2f", "fma32(", "max("});
  return assigns(code) || code.find('(') != std::string_view::npos;
}

}  // namespace

KernelText parse_kernel(std::string file, const std::string& text) {
  KernelText kernel;
  kernel.file = std::move(file);
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) kernel.lines.push_back(line);

  kernel.code = code_of(kernel.lines);

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
  const std::vector<int>& numbers = text.code.numbers;
  const auto from = [&](int number) {  // the first line of code there or below
    return int(std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin());
  };
  const int last = int(numbers.size()) - 1;
  model.lit.assign(numbers.size(), false);
  int open_at = 0;
  for (const auto& [key, lines] : text.lines_of)
    if (key.first == 0 && (open_at == 0 || lines.front() < open_at)) open_at = lines.front();
  model.open_at = std::clamp(from(open_at), 0, std::max(0, last));
  if (!state.started) return model;
  const auto at = text.lines_of.find({state.step.section, state.step.phase});
  if (at == text.lines_of.end()) return model;
  std::vector<int> of_phase, acting;
  for (const int number : at->second) {
    const int line = from(number);
    if (line > last || numbers[std::size_t(line)] != number) continue;
    const std::string& code = text.code.lines[std::size_t(line)];
    if (trimmed_view(code).empty()) continue;
    of_phase.push_back(line);
    if (acts(code)) acting.push_back(line);
  }
  if (of_phase.empty()) return model;
  const std::vector<int>& lit = acting.empty() ? of_phase : acting;
  for (const int line : lit) model.lit[std::size_t(line)] = true;
  model.open_at = of_phase.front();
  model.first_lit = lit.front();
  model.last_lit = lit.back();
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
