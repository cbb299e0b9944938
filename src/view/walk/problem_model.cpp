#include "view/walk/problem_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "core/chip/real_tiles.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "view/units.h"

namespace tilewalk {

namespace {

std::vector<TileChoice> tile_choices(const Draft& draft, const Problem& on_screen) {
  Draft roomy = draft;  // what does not fit yet may have tiles suggested
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

}  // namespace

ProblemModel build_problem_model(const Draft& draft, const Issues& issues, const Problem& on_screen,
                                 const Inputs& inputs, std::int64_t batch, std::int64_t head) {
  ProblemModel model;
  const Draft before = draft_of(on_screen);
  std::vector<bool> placed(issues.size(), false);
  for (const Field* field : editor_fields()) {
    ProblemField row;
    row.field = field;
    const auto text = draft.find(field->name);
    row.text = text == draft.end() ? "" : text->second;
    row.changed = before.at(field->name) != row.text;
    for (std::size_t i = 0; i < issues.size(); ++i) {
      if (!concerns(issues[i], field->name)) continue;
      // An issue that concerns two fields is written out under the first of them.
      row.issues.push_back(
          placed[i] ? "see above" : issues[i].rule + (issues[i].suggestion.empty() ? "" : ". " + issues[i].suggestion));
      placed[i] = true;
    }
    model.fields.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < issues.size(); ++i)
    if (!placed[i]) model.other_issues.push_back(issues[i].text());
  model.tiles = tile_choices(draft, on_screen);
  const Result<Problem> next = problem_of(draft);
  model.can_apply = issues.empty() && next.ok();
  if (model.can_apply) {
    const auto schedule = make_schedule(*next);
    model.summary = fmt::format("{}, {}, {} of {} on chip", counted(schedule->visit_counts().visited(), "tile visit"),
                                counted(schedule->step_count(), "step"),
                                format_bytes(schedule->sram_peak_bytes()), format_bytes(next->machine.sram_bytes));
  }

  const std::int64_t largest = std::max(on_screen.shape.n_q, on_screen.shape.n_kv) * on_screen.shape.d;
  if (largest > kMostEditableValues) {
    model.values_note = fmt::format("Values can be edited when no tensor of a head has more than {}; here it is {}.",
                                    kMostEditableValues, format_count(largest));
    return model;
  }
  std::vector<TensorId> tensors = {TensorId::Q, TensorId::K, TensorId::V};
  if (row_of(on_screen).family.backward) tensors.push_back(TensorId::dO);
  for (const TensorId id : tensors) {
    const bool by_query = id == TensorId::Q || id == TensorId::dO;
    ValueTable table;
    table.tensor = name_of(id);
    table.rows = by_query ? on_screen.shape.n_q : on_screen.shape.n_kv;
    table.cols = on_screen.shape.d;
    const std::int64_t own_head = by_query ? head : on_screen.shape.kv_head_of(head);
    table.edited.assign(std::size_t(table.rows * table.cols), false);
    for (std::int64_t r = 0; r < table.rows; ++r)
      for (std::int64_t c = 0; c < table.cols; ++c) table.values.push_back(inputs.at(id, batch, own_head, r, c));
    for (const InputEdit& edit : inputs.edits())
      if (edit.tensor == id && edit.batch == batch && edit.head == own_head)
        table.edited[std::size_t(edit.row * table.cols + edit.col)] = true;
    model.values.push_back(std::move(table));
  }
  return model;
}

}  // namespace tilewalk
