#include "lab/tasks/holes.h"

#include <algorithm>

#include "base/words.h"

namespace tilewalk::lab {
namespace {

using Lines = std::vector<std::string>;
constexpr std::size_t kNoLine = ~std::size_t(0);
constexpr std::size_t kMostAligned = 2000;  // lines of a text whose holes are looked for

Lines lines_of(const std::string& text) {
  Lines out;
  std::size_t from = 0;
  for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1)
    out.push_back(text.substr(from, end - from));
  if (from < text.size()) out.push_back(text.substr(from));
  return out;
}

bool alike(const std::string& a, const std::string& b) { return trimmed(a) == trimmed(b); }

// For each line of `a` the line of `b` that it equals in the longest common subsequence, or kNoLine.
template <class Equal>
std::vector<std::size_t> aligned(const Lines& a, const Lines& b, const Equal& equal) {
  std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i][j] = equal(a[i], b[j]) ? 1 + common[i + 1][j + 1] : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<std::size_t> out(a.size(), kNoLine);
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (equal(a[i], b[j]))
      out[i++] = j++;
    else if (common[i + 1][j] >= common[i][j + 1])
      ++i;
    else
      ++j;
  }
  return out;
}

}  // namespace

TaskHoles::TaskHoles(const std::string& start, const std::string& solution) : start_(lines_of(start)) {
  const Lines wanted = lines_of(solution);
  const std::vector<std::size_t> to = aligned(start_, wanted, std::equal_to<>());
  std::size_t at = 0, next = 0;  // the lines of both that are still to come
  while (at < start_.size() || next < wanted.size()) {
    Hole hole{.first = at, .end = at, .solution = {}};
    while (hole.end < start_.size() && to[hole.end] == kNoLine) ++hole.end;
    const std::size_t end = hole.end < start_.size() ? to[hole.end] : wanted.size();
    hole.solution.assign(wanted.begin() + std::ptrdiff_t(next), wanted.begin() + std::ptrdiff_t(end));
    at = hole.end + 1, next = end + 1;
    if (hole.end > hole.first || !hole.solution.empty()) holes_.push_back(std::move(hole));
    if (at > start_.size()) break;
  }
  const std::size_t shared = start_.size() - std::size_t(std::count(to.begin(), to.end(), kNoLine));
  if (2 * shared < wanted.size()) holes_ = {{.first = 0, .end = start_.size(), .solution = wanted}};
}

std::vector<TaskHoles::Place> TaskHoles::places(const Lines& lines) const {
  std::vector<Place> out;
  if (lines.size() > kMostAligned) return out;
  const std::vector<std::size_t> to = aligned(start_, lines, alike);
  for (const Hole& each : holes_) {
    const std::size_t before = each.first == 0 ? kNoLine : to[each.first - 1];
    const std::size_t after = each.end == start_.size() ? lines.size() : to[each.end];
    if (after == kNoLine || (each.first > 0 && before == kNoLine)) continue;
    out.push_back({&each, each.first == 0 ? 0 : before + 1, after});
  }
  return out;
}

std::optional<std::string> TaskHoles::fill_next(const std::string& text) const {
  Lines lines = lines_of(text);
  for (const Place& each : places(lines)) {
    const Lines& solution = each.hole->solution;
    const auto first = lines.begin() + std::ptrdiff_t(each.first), end = lines.begin() + std::ptrdiff_t(each.end);
    if (std::equal(first, end, solution.begin(), solution.end(), alike)) continue;
    lines.insert(lines.erase(first, end), solution.begin(), solution.end());
    std::string out;
    for (const std::string& line : lines) out += line + "\n";
    return out;
  }
  return std::nullopt;
}

std::vector<HoleLines> TaskHoles::find(const std::string& text) const {
  std::vector<HoleLines> out;
  const Lines lines = lines_of(text);
  for (const Place& each : places(lines)) {
    const auto at = [](const Lines& of, std::size_t line) { return of.begin() + std::ptrdiff_t(line); };
    const bool open = std::equal(at(lines, each.first), at(lines, each.end), at(start_, each.hole->first),
                                 at(start_, each.hole->end), alike);
    out.push_back({int(each.first) + 1, int(each.end), open});
  }
  return out;
}

}  // namespace tilewalk::lab
