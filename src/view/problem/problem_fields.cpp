#include "view/problem/problem_fields.h"

#include <algorithm>

#include "core/problem/device_model.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr std::pair<FieldGroup, const char*> kGroups[] = {
    {FieldGroup::Schedule, "Schedule"}, {FieldGroup::Shape, "Shape"},     {FieldGroup::Tiling, "Tiles"},
    {FieldGroup::Numerics, "Numbers"},  {FieldGroup::Machine, "Machine"}, {FieldGroup::Lanes, "Warps"},
    {FieldGroup::Fault, "Mistake"}};

std::string text_in(const Draft& draft, const char* field) {
  const auto found = draft.find(field);
  return found == draft.end() ? "" : found->second;
}

// The name on tabs and pages.
std::string said(const Field& field, const std::string& choice) {
  if (field.group == FieldGroup::Schedule)
    if (const auto kind = schedule_from(choice)) return title_of(*kind);
  if (field.name == std::string_view("device"))
    for (const DeviceModel& device : device_models())
      if (device.name == choice) return device.title;
  if (field.group == FieldGroup::Fault)
    if (const auto fault = fault_from(choice); fault && *fault != Fault::None) return title_of(*fault);
  return choice;
}

struct MaskWord {
  const char *spelling, *label;
  bool windowed;
};
constexpr MaskWord kMasks[] = {{"none", "None", false},
                               {"causal", "Causal", false},
                               {"causal-bottom-right", "Causal, bottom right", false},
                               {"window", "Window", true},
                               {"window-bottom-right", "Window, bottom right", true}};

}  // namespace

std::vector<FieldsOfGroup> fields_of_draft(const Draft& draft, const Issues& issues, const Problem& on_screen,
                                           std::vector<std::string>& others) {
  const Draft before = draft_of(on_screen);
  const ScheduleKind schedule = schedule_from(text_in(draft, "schedule")).value_or(on_screen.schedule);
  std::vector<bool> placed(issues.size(), false);
  std::vector<FieldsOfGroup> groups;
  for (const auto& [group, title] : kGroups) groups.push_back({title, group, {}});
  for (const Field* field : editor_fields()) {
    if (!field->matters(schedule)) continue;
    ProblemField row;
    row.field = field;
    row.text = text_in(draft, field->name);
    row.changed = before.at(field->name) != row.text;
    for (const std::string& choice : field->choices)
      row.choices.push_back({choice, said(*field, choice), choice == row.text});
    for (std::size_t i = 0; i < issues.size(); ++i) {
      if (!concerns(issues[i], field->name)) continue;
      // An issue that concerns two fields is written under the first of them.
      row.issues.push_back(
          placed[i] ? "see above" : issues[i].rule + (issues[i].suggestion.empty() ? "" : ". " + issues[i].suggestion));
      placed[i] = true;
    }
    for (FieldsOfGroup& each : groups) {
      if (each.group != field->group) continue;
      each.fields.push_back(std::move(row));
      break;
    }
  }
  std::erase_if(groups, [](const FieldsOfGroup& g) { return g.fields.empty(); });
  for (std::size_t i = 0; i < issues.size(); ++i)
    if (!placed[i]) others.push_back(issues[i].text());
  return groups;
}

std::string MaskEditor::with(const std::string& l, const std::string& r) const { return spelling + ":" + l + ":" + r; }

MaskEditor mask_editor(const Draft& draft) {
  const std::string text = text_in(draft, "mask");
  const std::size_t first = text.find(':'), second = first == std::string::npos ? first : text.find(':', first + 1);
  MaskEditor out;
  out.spelling = text.substr(0, first);
  if (second != std::string::npos) {
    out.windowed = true;
    out.left = text.substr(first + 1, second - first - 1);
    out.right = text.substr(second + 1);
  }
  for (const MaskWord& word : kMasks) {
    const bool chosen = out.spelling == word.spelling;
    Problem small;  // fewer queries than keys, so that the two alignments differ
    small.shape.n_q = 5;
    small.shape.n_kv = 7;
    small.tiling.br = small.tiling.bc = 1;
    const std::string own = word.spelling + std::string(word.windowed ? ":2:0" : "");
    if (const auto mask = mask_from(own)) small.shape.mask = *mask;
    const bool keeps = word.windowed && out.windowed;
    out.choices.push_back({chosen  ? text
                           : keeps ? word.spelling + (":" + out.left) + ":" + out.right
                                   : own,
                           word.label, build_grid_picture(small), chosen});
  }
  return out;
}

}  // namespace tilewalk
