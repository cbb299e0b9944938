#include "view/problem/problem_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse.h"
#include "base/units.h"
#include "core/chip/real_tiles.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "view/words/units.h"

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

namespace {

std::vector<TileChoice> tile_choices(const Draft& draft, const Problem& on_screen) {
  Draft roomy = draft;  // so that tiles can be suggested for a problem that does not fit
  roomy["sram"] = std::to_string(std::int64_t(1) << 40);
  roomy["br"] = roomy["bc"] = "1";
  Result<Problem> typed = problem_of(roomy);
  Problem p = typed ? *typed : on_screen;
  p.machine.sram_bytes = on_screen.machine.sram_bytes;
  if (const Result<Problem> whole = problem_of(draft)) p.machine.sram_bytes = whole->machine.sram_bytes;
  std::vector<TileChoice> out;
  for (const NamedTile& each : named_tiles(p)) {
    TileChoice choice;
    choice.br = std::to_string(each.tile.br), choice.bc = std::to_string(each.tile.bc);
    choice.label = fmt::format("{} {}×{}", each.title, choice.br, choice.bc);
    choice.tip = fmt::format("Br {} and Bc {}, as in {}", choice.br, choice.bc, each.tile.source);
    if (!each.tile.note.empty()) choice.tip += ": " + each.tile.note;
    if (p.numerics.dtype == DType::Fp32 && each.name != "paper")
      choice.tip += ". Those of fp16 and bf16: released kernels have no fp32, which needs twice the SRAM";
    const auto is = [&](const char* field, const std::string& text) {
      return draft.contains(field) && draft.at(field) == text;
    };
    choice.chosen = is("br", choice.br) && is("bc", choice.bc);
    out.push_back(std::move(choice));
  }
  return out;
}

// The typed problem with unlimited SRAM.
Result<Problem> with_room(Draft draft) {
  draft["sram"] = std::to_string(std::int64_t(1) << 40);
  return problem_of(draft);
}

std::string what_changes(const Schedule& before, const Problem& next) {
  const auto after = make_schedule(next);
  const auto change = [](const char* what, const std::string& from, const std::string& to) {
    return fmt::format("{} {}{}", what, from == to ? "" : from + " → ", to);
  };
  const auto moved = [](const Schedule& s) {
    return format_bytes(s.totals_before(s.step_count()).cost.hbm_total().bytes());
  };
  return change("Tile visits", format_count(before.visit_counts().visited()),
                format_count(after->visit_counts().visited())) +
         " · " + change("steps", format_count(before.step_count()), format_count(after->step_count())) + " · " +
         change("HBM", moved(before), moved(*after));
}

void set_fit(const Draft& draft, ProblemModel& model) {
  const Result<Problem> whole = problem_of(draft), typed = whole ? whole : with_room(draft);
  const auto sram = parse_integer(draft.at("sram"));
  if (!typed || !sram) return;
  const std::int64_t needs = peak_bytes(*typed);
  model.fits = needs <= *sram;
  model.fit = model.fits
                  ? fmt::format("{} of {} on chip", format_bytes(needs), format_bytes(*sram))
                  : fmt::format("needs {} on chip: {} too much", format_bytes(needs), format_bytes(needs - *sram));
}

}  // namespace

ProblemModel build_problem_model(const Draft& draft, const Issues& issues, const Schedule& schedule,
                                 const Inputs& inputs, const HeadId& head) {
  const Problem& on_screen = schedule.problem();
  ProblemModel model;
  model.groups = fields_of_draft(draft, issues, on_screen, model.other_issues);
  model.mask = mask_editor(draft);
  model.tiles = tile_choices(draft, on_screen);
  const Result<Problem> next = problem_of(draft);
  model.can_apply = issues.empty() && next.ok();
  model.changed = draft != draft_of(on_screen);
  if (model.can_apply) model.summary = what_changes(schedule, *next);
  set_fit(draft, model);

  const std::int64_t largest = std::max(on_screen.shape.n_q, on_screen.shape.n_kv) * on_screen.shape.d;
  if (largest > kMostEditableValues) {
    model.values_note = fmt::format("Values can be edited when no tensor of a head has more than {}; here it is {}.",
                                    kMostEditableValues, format_count(largest));
    return model;
  }
  for (const TensorId id : inputs_of(row_of(on_screen))) {
    ValueTable table;
    table.tensor = name_of(id);
    table.rows = is_by_query(id) ? on_screen.shape.n_q : on_screen.shape.n_kv;
    table.cols = on_screen.shape.d;
    const InputHead own_head = input_head(on_screen, id, head);
    table.edited.assign(std::size_t(table.rows * table.cols), false);
    for (std::int64_t r = 0; r < table.rows; ++r)
      for (std::int64_t c = 0; c < table.cols; ++c) table.values.push_back(inputs.at(own_head, r, c));
    for (const InputEdit& edit : inputs.edits())
      if (edit.tensor == id && edit.batch == own_head.batch && edit.head == own_head.head)
        table.edited[std::size_t(edit.row * table.cols + edit.col)] = true;
    model.values.push_back(std::move(table));
  }
  return model;
}

}  // namespace tilewalk
