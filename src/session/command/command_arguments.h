// The arguments of commands. Each kind is parsed from a word and formatted as a word; parsing a formatted word gives an
// equal value. named_values lists the names of a kind that has names. Parsing accepts other spellings of a name,
// formatting writes the name itself. Internal to session/command_text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "core/schedules/registry.h"
#include "session/command/command.h"
#include "session/command/command_words.h"

namespace tilewalk {

template <class E>
using Named = std::vector<std::pair<std::string, E>>;

Named<StepUnit> named_values(StepUnit);
Named<LabUnit> named_values(LabUnit);
Named<Pace> named_values(Pace);
Named<Compared> named_values(Compared);
Named<Page> named_values(Page);
Named<Dialog> named_values(Dialog);
Named<LaneOption> named_values(LaneOption);
Named<RaceSource> named_values(RaceSource);
Named<RaceMetric> named_values(RaceMetric);
Named<TreeMember> named_values(TreeMember);
Named<ExportKind> named_values(ExportKind);
Named<Quantity> named_values(Quantity);
Named<bool> named_values(bool);
Named<ScheduleKind> named_values(ScheduleKind);
Named<Fault> named_values(Fault);
Named<DType> named_values(DType);
Named<TensorId> named_values(TensorId);

const char* help_of_show_page();  // lists the pages

void read(CommandReader&, const std::string& what, std::string&);
void read(CommandReader&, const std::string& what, std::int64_t&);
void read(CommandReader&, const std::string& what, double&);
void read(CommandReader&, const std::string& what, HandRows&);        // one, all, none, 9, 8-11, 8+10
void read(CommandReader&, const std::string& what, HandQuantities&);  // m+alpha+l
void read(CommandReader&, const std::string& what, HandPlace&);       // alpha:9, s:9:5

template <class E>
void read(CommandReader& words, const std::string& what, E& out) {
  const std::string* word = words.next(what);
  if (!word) return;
  std::vector<std::string> all;
  for (const auto& [name, value] : named_values(E{})) {
    if (name == *word) return void(out = value);
    all.push_back(name);
  }
  if constexpr (std::is_same_v<E, ScheduleKind>) {
    if (const std::optional<ScheduleKind> kind = schedule_from(*word))
      return void(out = *kind);  // as the tab spells it
  }
  for (const auto& [name, value] : named_values(E{}))
    if (spelled_alike(name, *word)) return void(out = value);
  words.refuse_unknown("one for " + what, all);
}

std::string written(const std::string&);
std::string written(std::int64_t);
std::string written(double);
std::string written(const HandRows&);
std::string written(const HandQuantities&);
std::string written(const HandPlace&);

template <class E>
std::string written(E value) {
  for (const auto& [name, each] : named_values(value))
    if (each == value) return name;
  return "";
}

}  // namespace tilewalk
