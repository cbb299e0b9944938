// One family of facts for lessons: its words, and the function that computes it. There is one table of families for the
// problem, the walk, times, pages.
#pragma once

#include <string>
#include <vector>

#include "core/walk/step.h"
#include "session/lesson/facts.h"

namespace tilewalk {

using FactWords = std::vector<std::string>;

struct AskedFact {
  const FactSources& of;
  const Problem& problem;  // the current one, or a changed one
  const FactPath& path;

  const std::string& word(std::size_t i) const { return path.words[i].word; }
  std::int64_t at(std::size_t i) const { return path.words[0].at[i]; }
  Issue issue(const char* rule, const char* way_out) const { return {"", path.text(), rule, way_out}; }
};

struct FactFamily {
  FactWords names;                                 // the first word
  std::size_t numbers = 0;                         // how many numbers follow it
  FactWords second = {}, third = {}, fourth = {};  // words that may follow; the fourth is optional
  bool of_problem = false;                         // can be computed for a changed problem
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
