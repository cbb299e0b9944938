// Facts of the current state of the walk: the cursor, the traffic of its step, its values, the selection.
#include "core/fields/fields.h"
#include "core/problem/format_value.h"
#include "core/schedules/registry.h"
#include "core/values/quantity.h"
#include "session/document/words.h"
#include "session/lesson/fact_family.h"

namespace tilewalk {

namespace {

Issue not_made(const AskedFact& asked) {
  return asked.issue("has no value here: the walk has not computed it yet, or no longer stores it",
                     "Go to the step that computes it");
}

Result<Figure> step_of(const AskedFact& asked, const Step& step) {
  const std::string& what = asked.word(1);
  if (what == "phase") return Figure::word(name_of(step.phase));
  if (what == "section") return Figure::word(name_of(step.section_name));
  if (what == "q_tile") return whole_figure(step.q_tile);
  if (what == "kv_tile") return whole_figure(step.kv_tile);
  return direction_figure(asked.of.walk.schedule().cost_of(step).hbm_total(), what);
}

Result<Figure> step_done(const AskedFact& asked) {
  if (asked.of.walk.cursor() == 0) return not_made(asked);
  return step_of(asked, asked.of.walk.schedule().step(asked.of.walk.cursor() - 1));
}

Result<Figure> step_to_come(const AskedFact& asked) {
  if (asked.of.walk.cursor() >= asked.of.walk.schedule().step_count()) return not_made(asked);
  return step_of(asked, asked.of.walk.schedule().step(asked.of.walk.cursor()));
}

Result<Figure> so_far(const AskedFact& asked) {
  const Totals totals = asked.of.walk.schedule().totals_before(asked.of.walk.cursor());
  if (asked.word(1) == "visits") return whole_figure(totals.visits_done);
  return direction_figure(totals.cost.hbm_total(), asked.word(1));
}

// Names of facts that differ from the ledger's names.
struct RowFact {
  const char* name;
  Quantity quantity;
  bool before = false;  // its value before the visit
};
constexpr RowFact kRowFacts[] = {{"m_old", Quantity::M, true},
                                 {"tile_max", Quantity::TileMax},
                                 {"l_old", Quantity::L, true},
                                 {"tile_l", Quantity::TileSum},
                                 {"D", Quantity::D}};

Result<Figure> value_of(const AskedFact& asked, Quantity quantity, bool before, std::int64_t row, std::int64_t col) {
  const State& state = asked.of.walk.state();
  if (!state.started || asked.of.walk.busy()) return not_made(asked);
  const Problem& p = asked.of.walk.schedule().problem();
  const QuantityRow& of = ledger_row(quantity);
  const auto value = value_at(state, of.shape, state.*(before ? of.before : of.values), row, col, p.shape.d);
  if (!value) return not_made(asked);
  return Figure::of(of.is_score ? display_score(p, *value) : double(*value));
}

Result<Figure> row_value(const AskedFact& asked) {
  for (const RowFact& fact : kRowFacts)
    if (asked.word(1) == fact.name) return value_of(asked, fact.quantity, fact.before, asked.at(0), 0);
  return value_of(asked, *quantity_from(asked.word(1)), false, asked.at(0), 0);
}

Result<Figure> tile_value(const AskedFact& asked) {
  return value_of(asked, *quantity_from(asked.word(0)), false, asked.at(0), asked.at(1));
}

Result<Figure> input(const AskedFact& asked) {
  const Problem& p = asked.of.walk.schedule().problem();
  const std::string& what = asked.word(0);
  const TensorId tensor = what == "q"   ? TensorId::Q
                          : what == "k" ? TensorId::K
                          : what == "v" ? TensorId::V
                                        : TensorId::dO;
  if (asked.at(0) >= (is_by_query(tensor) ? p.shape.n_q : p.shape.n_kv) || asked.at(1) >= p.shape.d)
    return asked.issue("lies outside the tensor", "Rows count from 0, and so do columns");
  const HeadId head = {asked.of.walk.batch_in_view(), asked.of.walk.head_in_view()};
  return Figure::of(asked.of.walk.inputs().at(input_head(p, tensor, head), asked.at(0), asked.at(1)));
}

Result<Figure> selected(const AskedFact& asked) {
  const std::optional<Selection>& selection = asked.of.walk.selection();
  if (asked.word(1) == "any") return Figure::truth(selection.has_value());
  if (!selection) return asked.issue("is not known: nothing is selected", "Click a cell of the matrix");
  return whole_figure(asked.word(1) == "row" ? selection->row : selection->col);
}

}  // namespace

std::vector<FactFamily> walk_facts() {
  return {
      {.names = {"cursor"},
       .figure = [](const AskedFact& a) -> Result<Figure> { return whole_figure(a.of.walk.cursor()); }},
      {.names = {"steps"},
       .figure = [](const AskedFact& a) -> Result<Figure> { return whole_figure(a.of.walk.schedule().step_count()); }},
      {.names = {"finished"},
       .figure = [](const AskedFact& a) -> Result<Figure> {
         return Figure::truth(a.of.walk.cursor() == a.of.walk.schedule().step_count());
       }},
      {.names = {"step"},
       .second = {"phase", "section", "q_tile", "kv_tile", "read", "write", "total"},
       .figure = step_done},
      {.names = {"next"},
       .second = {"phase", "section", "q_tile", "kv_tile", "read", "write", "total"},
       .figure = step_to_come},
      {.names = {"so_far"}, .second = {"read", "write", "total", "visits"}, .figure = so_far},
      {.names = {"row"},
       .numbers = 1,
       .second = {"m_old", "m", "tile_max", "alpha", "beta", "l_old", "l", "tile_l", "lse", "D"},
       .figure = row_value},
      {.names = {"s", "p", "dp", "ds", "o", "dq", "dk", "dv"}, .numbers = 2, .figure = tile_value},
      {.names = {"q", "k", "v", "do"}, .numbers = 2, .figure = input},
      {.names = {"selected"}, .second = {"any", "row", "col"}, .figure = selected},
      {.names = {"schedule"},
       .figure = [](const AskedFact& a) -> Result<Figure> { return Figure::word(name_of(a.problem.schedule)); }},
      {.names = {"schedule_title"},
       .figure = [](const AskedFact& a) -> Result<Figure> { return Figure::word(title_of(a.problem.schedule)); }},
      {.names = {"fault"},
       .figure = [](const AskedFact& a) -> Result<Figure> { return Figure::word(name_of(a.problem.fault)); }},
      {.names = {"page"},
       .figure = [](const AskedFact& a) -> Result<Figure> {
         return Figure::word(kPageWords[int(a.of.document.view.page)]);
       }},
  };
}

}  // namespace tilewalk
