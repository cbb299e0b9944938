#include "session/lesson/facts.h"

#include <algorithm>
#include <optional>

#include "base/nearest.h"
#include "core/fields/fields.h"
#include "core/fields/validate.h"
#include "session/document/problem_draft.h"
#include "session/lesson/fact_family.h"

namespace tilewalk {

namespace {

const std::vector<FactFamily>& families() {
  static const std::vector<FactFamily> all = [] {
    std::vector<FactFamily> out;
    for (auto* const of : {problem_facts, walk_facts, time_facts, page_facts})
      for (FactFamily& family : of()) out.push_back(std::move(family));
    return out;
  }();
  return all;
}

const FactFamily* family_of(const std::string& word) {
  for (const FactFamily& family : families())
    if (std::find(family.names.begin(), family.names.end(), word) != family.names.end()) return &family;
  return nullptr;
}

// Checks that the word at `place` is one of `among`; empty: no word is allowed there.
std::optional<Issue> unknown_word(const FactPath& path, std::size_t place, const FactWords& among, bool needed,
                                  const std::string& where) {
  const std::string said = path.text();
  if (place >= path.words.size()) {
    if (among.empty() || !needed) return std::nullopt;
    return Issue{where, said, "is not finished", "Such as " + said + "." + among.front()};
  }
  const std::string& word = path.words[place].word;
  if (among.empty()) return Issue{where, said, "has nothing called " + word, "Take ." + word + " off"};
  if (std::find(among.begin(), among.end(), word) != among.end()) return std::nullopt;
  return Issue{where, said, "has nothing called " + word, "The nearest is " + nearest(word, among)};
}

}  // namespace

std::string FactPath::text() const {
  std::string out;
  for (const auto& [field, value] : changes) out += (out.empty() ? "[" : " ") + field + "=" + value;
  if (!out.empty()) out += "] ";
  for (std::size_t i = 0; i < words.size(); ++i) {
    out += (i ? "." : "") + words[i].word;
    for (const std::int64_t place : words[i].at) out += " " + std::to_string(place);
  }
  return out;
}

Result<Done> check_fact(const FactPath& path, const std::string& where) {
  const std::string said = path.text();
  const FactWord& first = path.words.front();
  const FactFamily* family = family_of(first.word);
  if (!family) {
    FactWords names;
    for (const FactFamily& each : families()) names.insert(names.end(), each.names.begin(), each.names.end());
    return Issue{where, said, "is not a fact of a lesson", "The nearest is " + nearest(first.word, names)};
  }
  if (first.at.size() != family->numbers)
    return Issue{where, said, first.word + " takes " + std::to_string(family->numbers) + " whole numbers",
                 family->numbers ? "Such as " + first.word + (family->numbers == 1 ? " 9" : " 9 6") : "Take them off"};
  for (std::size_t i = 1; i < path.words.size(); ++i)
    if (!path.words[i].at.empty()) return Issue{where, said, "has a number where none is allowed", "Take it off"};
  if (auto issue = unknown_word(path, 1, family->second, true, where)) return *issue;
  if (auto issue = unknown_word(path, 2, family->third, true, where)) return *issue;
  if (auto issue = unknown_word(path, 3, family->fourth, false, where)) return *issue;
  if (path.words.size() > 4) return Issue{where, said, "has too many parts", "Leave the last ones out"};
  if (!path.changes.empty() && !family->of_problem)
    return Issue{where, said, "is a fact of the walk, and another problem does not have it", "Leave the brackets out"};
  for (const auto& [field, value] : path.changes)
    if (field != kBothLengths && !find_field(field)) {
      FactWords names = {kBothLengths};
      for (const Field& each : fields()) names.push_back(each.name);
      return Issue{where, said, field + " is not a field of the problem", "The nearest is " + nearest(field, names)};
    }
  return Done{};
}

Result<Figure> Facts::of(const FactPath& path) const {
  Problem p = of_.document.problem;
  for (const auto& [name, value] : path.changes)
    for (const char* field : {name == kBothLengths ? "n-q" : name.c_str(), name == kBothLengths ? "n-kv" : ""})
      if (*field)
        if (const Result<Done> set = find_field(field)->set(p, value); !set) return set.issues();
  if (!path.changes.empty())
    if (const Issues issues = validate(p); !issues.empty()) return issues;
  return family_of(path.words.front().word)->figure({of_, p, path});
}

}  // namespace tilewalk
