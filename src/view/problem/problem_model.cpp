#include "view/problem/problem_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parse.h"
#include "base/units.h"
#include "core/chip/real_tiles.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "view/words/units.h"

namespace tilewalk {

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
