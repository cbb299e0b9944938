#include "view/scores/inspector_model.h"

#include <fmt/format.h>

#include <cmath>

#include "core/schedules/registry.h"
#include "core/witness/reference.h"
#include "view/scores/scores_model.h"
#include "view/walk/o_tile_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr const char* kYoursToFind = "yours to find";  // for a field of work by hand, or a number computed from one

std::string with_lines(std::string text, const InspectorModel& m) {
  for (const auto* lines : {&m.from, &m.goes, &m.working})
    for (const std::string& line : *lines) text += "\n" + line;
  return text;
}

}  // namespace

InspectorModel build_inspector_model(const Schedule& schedule, const Inputs& inputs, const SeenState& seen,
                                     std::int64_t row, std::int64_t col, Quantity shown) {
  const State& state = seen.state();
  const Problem& p = schedule.problem();
  const ScheduleRow& about = row_of(p);
  const std::int64_t q_tile = row / p.tiling.br, kv_tile = col / p.tiling.bc;
  const std::int64_t batch = state.started ? state.step.batch : 0, head = state.started ? state.step.head : 0;
  const TileClass tile_class = schedule.tile_class(q_tile, kv_tile);
  const TileState tile = tile_state(schedule, state, q_tile, kv_tile);
  InspectorModel model;
  model.place =
      fmt::format("row {}, column {} · Q tile {} × KV tile {} ({})", row, col, q_tile, kv_tile, name_of(tile_class));
  const bool masked = !p.shape.band().allows(row, col);
  const Step& step = state.step;
  const bool at_hand = state.started && step.q_tile == q_tile && (step.kv_tile == kv_tile || whole_rows_at_hand(state));
  const std::size_t place = at_hand ? std::size_t((row - step.row_begin) * step.cols() + col - step.col_begin) : 0;

  if (tile == TileState::Skipped) {
    model.value = "skipped: the mask hides the whole tile, so it is never loaded";
    return model;
  }
  const bool has_own = at_hand && place < state.s.size();
  const bool computed =
      has_own || tile == TileState::Done || is_given(about, Quantity::P) ||
      (about.memory.scores_in_hbm && state.started && step.section > writing_section(schedule, TensorId::S));
  if (!computed) {
    model.value = masked ? "masked, and not reached yet" : "not computed yet";
  } else if (masked && !(has_own && std::isfinite(state.s[place]))) {
    model.value = fmt::format("S = −∞: row {} may not see column {} ({})", row, col, mask_title(p));
  } else if (seen.hides_score(row, col) || (has_own && seen.hides(Quantity::S, place))) {
    model.value = kYoursToFind;
  } else {
    const float s = has_own ? state.s[place] : scores_of(inputs, {{batch, head}, row, row + 1, col, col + 1}).at(0);
    model.value = fmt::format("S = {}", signed_number(display_score(p, s), 4));
  }
  // The quantity that the cell shows comes first, then S.
  const bool shows_other = at_hand && shown != Quantity::S && place < values_of(state, shown).size();
  if (shows_other) {
    if (computed && !masked && model.value != kYoursToFind) model.from.push_back(model.value);
    const Shown<float> value = seen.at(shown, place);
    model.value = value.hidden() || seen.hides_score(row, col)
                      ? kYoursToFind
                      : fmt::format("{} = {}", ledger_row(shown).letter, signed_number(value.value(), 4));
    if (masked && !value.hidden())
      model.value += fmt::format(": row {} may not see column {} ({})", row, col, mask_title(p));
  }
  const std::int64_t kv_head = p.shape.kv_head_of(head);
  std::string heads = p.shape.heads > 1 || p.shape.batch > 1
                          ? fmt::format(" (batch {}, head {}, KV head {})", batch, head, kv_head)
                          : "";
  const std::string product = fmt::format("from Q[{}] · K[{}], {}, times {}{}", row, col, counted(p.shape.d, "product"),
                                          signed_number(p.scale_value(), 4), heads);
  const bool of_gradients = makes(about, Quantity::DS);  // then P goes into dV and dS, else into O
  if (masked) {
    model.goes.push_back("takes part with weight 0");
  } else if (at_hand && place < state.p.size()) {
    if (const Shown<float> weight = seen.at(Quantity::P, place); !weight.hidden()) {
      const std::string text = fmt::format("weight P = {}", signed_number(weight.value(), 4));
      model.goes.push_back(of_gradients ? fmt::format("{}, for dV[{}] and dS", text, col)
                                        : fmt::format("{} for V[{}] in O[{}]", text, col, row));
    }
    if (place < state.ds.size() && shown != Quantity::DS)
      if (const Shown<float> ds = seen.at(Quantity::DS, place); !ds.hidden())
        model.goes.push_back(fmt::format("dS = {}", signed_number(ds.value(), 4)));
  } else {
    model.goes.push_back(
        of_gradients ? fmt::format("through P and dS into dQ[{}], dK[{}] and dV[{}]", row, col, col)
                     : fmt::format("to the max and the sum of row {}, and as weight of V[{}] in O[{}]", row, col, row));
  }
  model.working = working_of_cell(schedule, inputs, seen, row, col, shown);
  if (model.working.empty()) model.from.push_back(product);  // `working` contains the product otherwise
  for (std::string& line : working_of_sum(schedule, seen, row)) model.working.push_back(std::move(line));
  return model;
}

InspectorModel build_output_inspector(const Schedule& schedule, const Inputs& inputs, const SeenState& seen,
                                      std::int64_t row, std::int64_t col) {
  const State& state = seen.state();
  const Problem& p = schedule.problem();
  InspectorModel model;
  const ShownTile shown = shown_tile(schedule, state);
  model.place = fmt::format("{}[{}][{}]", name_of(shown.tensor), row, col);
  if (shown.tensor != TensorId::O) {
    const std::int64_t r = row - shown.row_begin;
    if (!shown.values || r < 0 || r >= shown.rows || col < 0 || col >= p.shape.d) return model;
    const Shown<float> value = seen.at(shown.quantity, std::size_t(r * p.shape.d + col));
    model.value = value.hidden() ? kYoursToFind : signed_number(value.value(), 6);
    model.from.push_back(shown.tensor == TensorId::dQ   ? "from dS·K over the KV tiles so far"
                         : shown.tensor == TensorId::dK ? "from dSᵀ·Q over the Q tiles so far"
                                                        : "from Pᵀ·dO over the Q tiles so far");
    model.goes.push_back("goes to HBM when it is finished");
    if (shown.tensor == TensorId::dQ && !row_of(p).memory.scores_in_hbm)
      model.goes.back() = "goes to HBM and back at every visit";
    return model;
  }
  if (!state.started || row < state.step.row_begin || row >= state.step.row_end || col < 0 || col >= p.shape.d)
    return model;
  const std::size_t at = std::size_t((row - state.step.row_begin) * p.shape.d + col);
  if (at >= state.o.size()) return model;
  const Shown<float> value = seen.at(Quantity::O, at);
  model.value = value.hidden() ? kYoursToFind : signed_number(value.value(), 6);
  const Made* made = made_by(row_of(p), state.step, Quantity::O);
  const bool stored = schedule.cost_of(state.step).of(TensorId::O).write_bytes > 0 && !(made && made->is_fresh()),
             finished = stored || (made && made->reads(Quantity::L));
  model.from.push_back(finished ? fmt::format("from all P[{}][j] · V[j][{}]", row, col)
                                : fmt::format("from P[{}][j] · V[j][{}] over the columns so far", row, col));
  if (finished && !value.hidden() && p.shape.n_kv * p.shape.d <= (1 << 22)) {
    const double exact = reference_row(inputs, {state.step.batch, state.step.head, row}).o[std::size_t(col)];
    model.from.push_back(fmt::format("float64 says {}: {} apart", signed_number(exact, 6),
                                     exponent_number(std::fabs(double(value.value()) - exact))));
  }
  model.working = working_of_output(schedule, inputs, seen, row, col);
  model.goes.push_back(stored ? "is in HBM now" : "goes to HBM when its rows are finished");
  return model;
}

std::string inspector_text(const InspectorModel& m) { return with_lines(m.value + "\n" + m.place, m); }

std::string words_of_output(const InspectorModel& m) { return with_lines(m.place + " = " + m.value, m); }

void add_texts(ShownTexts& texts, const InspectorModel& m, const std::string& where) {
  texts.say(where, {m.place, m.value});
  texts.say(where, m.from);
  texts.say(where, m.goes);
  texts.say(where, m.working);
}

}  // namespace tilewalk
