// One kind of fact that a lesson may speak of: its words, and who knows it. Kinds stand in tables by what they are of:
// the problem, the walk, times, pages.
#pragma once

#include <string>
#include <vector>

#include "core/walk/step.h"
#include "session/lesson/facts.h"

namespace tilewalk {

using FactWords = std::vector<std::string>;

struct AskedFact {
  const FactSources& of;
  const Problem& problem;  // as it stands, or changed
  const FactPath& path;

  const std::string& word(std::size_t i) const { return path.words[i].word; }
  std::int64_t at(std::size_t i) const { return path.words[0].at[i]; }
  Issue issue(const char* rule, const char* way_out) const { return {"", path.text(), rule, way_out}; }
};

struct FactFamily {
  FactWords names;                                 // the first word
  std::size_t numbers = 0;                         // how many follow it
  FactWords second = {}, third = {}, fourth = {};  // what may follow; the fourth may be left out
  bool of_problem = false;                         // may be asked of a changed problem
  Result<Figure> (*figure)(const AskedFact&) = nullptr;
};

std::vector<FactFamily> problem_facts();
std::vector<FactFamily> walk_facts();
std::vector<FactFamily> time_facts();
std::vector<FactFamily> page_facts();

inline Figure bytes_figure(std::int64_t n) { return Figure::of(double(n), Counts::Bytes); }
inline Figure whole_figure(std::int64_t n) { return Figure::of(double(n), Counts::Whole); }
inline Figure flops_figure(std::int64_t n) { return Figure::of(double(n), Counts::Flops); }
Figure direction_figure(const Traffic&, const std::string& direction);  // "read", "write", else both

}  // namespace tilewalk
