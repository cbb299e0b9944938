// Facts of the walk as it stands: where it is, what its step moves, values at hand, what is selected.
#include "core/problem/paper_number.h"
#include "core/schedules/fields/fields.h"
#include "core/schedules/registry.h"
#include "session/lesson/fact_family.h"
#include "session/words.h"

namespace tilewalk {

namespace {

Issue not_made(const AskedFact& asked) {
  return asked.issue("is not known here: the walk has not made it, or no longer holds it",
                     "Go to the step that makes it");
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

Result<Figure> value_in(const AskedFact& asked, const std::vector<float>& values, std::int64_t row, std::int64_t col,
                        std::int64_t cols, bool score) {
  if (asked.of.walk.busy() || row < 0 || col < 0 || col >= cols || row * cols + col >= std::int64_t(values.size()))
    return not_made(asked);
  const float value = values[std::size_t(row * cols + col)];
  return Figure::of(score ? display_score(asked.of.walk.schedule().problem(), value) : double(value));
}

Result<Figure> row_value(const AskedFact& asked) {
  const State& state = asked.of.walk.state();
  const std::string& what = asked.word(1);
  const std::int64_t row = asked.at(0) - state.step.row_begin;
  if (!state.started) return not_made(asked);
  const auto of = [&](const std::vector<float>& values, bool score) {
    return value_in(asked, values, row, 0, 1, score);
  };
  if (what == "m_old") return of(state.m_old, true);
  if (what == "m") return of(state.m, true);
  if (what == "tile_max") return of(state.tile_max, true);
  if (what == "lse") return of(state.lse, true);
  if (what == "alpha") return of(state.alpha, false);
  if (what == "beta") return of(state.beta, false);
  if (what == "l_old") return of(state.l_old, false);
  if (what == "l") return of(state.l, false);
  if (what == "tile_l") return of(state.tile_l, false);
  return of(state.D, false);
}

Result<Figure> tile_value(const AskedFact& asked) {
  const State& state = asked.of.walk.state();
  if (!state.started) return not_made(asked);
  const Step& step = state.step;
  const std::string& what = asked.word(0);
  const std::int64_t row = asked.at(0) - step.row_begin, col = asked.at(1) - step.col_begin;
  const std::int64_t d = asked.of.walk.schedule().problem().shape.d;
  if (what == "o") return value_in(asked, state.o, row, asked.at(1), d, false);
  if (what == "dq") return value_in(asked, state.dq, row, asked.at(1), d, false);
  const std::int64_t kv_row = asked.at(0) - step.col_begin;
  if (what == "dk") return value_in(asked, state.dk, kv_row, asked.at(1), d, false);
  if (what == "dv") return value_in(asked, state.dv, kv_row, asked.at(1), d, false);
  if (what == "s") return value_in(asked, state.s, row, col, step.cols(), true);
  const std::vector<float>& values = what == "p" ? state.p : what == "dp" ? state.dp : state.ds;
  return value_in(asked, values, row, col, step.cols(), false);
}

Result<Figure> input(const AskedFact& asked) {
  const Problem& p = asked.of.walk.schedule().problem();
  const std::string& what = asked.word(0);
  const TensorId tensor = what == "q"   ? TensorId::Q
                          : what == "k" ? TensorId::K
                          : what == "v" ? TensorId::V
                                        : TensorId::dO;
  const bool by_query = tensor == TensorId::Q || tensor == TensorId::dO;
  if (asked.at(0) >= (by_query ? p.shape.n_q : p.shape.n_kv) || asked.at(1) >= p.shape.d)
    return asked.issue("lies outside the tensor", "Rows count from 0, and so do columns");
  const std::int64_t head = asked.of.walk.head_in_view();
  return Figure::of(asked.of.walk.inputs().at(tensor, asked.of.walk.batch_in_view(),
                                              by_query ? head : p.shape.kv_head_of(head), asked.at(0), asked.at(1)));
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
