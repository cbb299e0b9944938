#include "view/present/present_mistake.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/problem/fault_effects.h"
#include "core/schedules/registry.h"
#include "view/scores/tile_values.h"
#include "view/sentence/named_cell.h"
#include "view/sentence/sentence_parts.h"
#include "view/words/units.h"

namespace tilewalk {

void mark_wrong(PresentTile& tile, const PresentTile& right) {
  if (tile.cells.size() != right.cells.size() || tile.quantity != right.quantity) return;
  for (std::size_t i = 0; i < tile.cells.size(); ++i) {
    PresentCell& cell = tile.cells[i];
    cell.wrong = !cell.asked && !cell.text.empty() && cell.text != right.cells[i].text;
  }
}

void mark_wrong(PresentTable& table, const PresentTable& right) {
  if (table.rows.size() != right.rows.size()) return;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    PresentTableRow& row = table.rows[r];
    const std::vector<std::string>& cells = right.rows[r].cells;
    for (std::size_t c = 0; c < row.cells.size(); ++c)
      row.wrong.push_back(c < cells.size() && row.asked != int(c) && row.cells[c] != cells[c]);
  }
}

void add_right_row(PresentTable& table, const PresentTable& right) {
  const auto spoken = std::find_if(table.rows.begin(), table.rows.end(), [](const auto& row) { return row.spoken; });
  if (spoken == table.rows.end() || std::find(spoken->wrong.begin(), spoken->wrong.end(), true) == spoken->wrong.end())
    return;
  PresentTableRow row = right.rows[std::size_t(spoken - table.rows.begin())];
  row.cells[0] += " right";
  row.spoken = row.rescaled = false;
  row.right = true;
  table.rows.push_back(std::move(row));
}

namespace {

constexpr double kLeastDivisor = 0.01;  // of a product whose factor is computed back to two digits

}  // namespace

void explain_wrong(PresentModel& m, const Schedule& schedule, const State& state, const WrongNumber& wrong,
                   bool output_right) {
  const Problem& p = schedule.problem();
  m.wrong = wrong.text;
  m.output_right = output_right;
  m.wrong_why = output_right ? std::string("At risk: ") + risk_of(p.fault) : description_of(p.fault);
  // The sentence of a mistake says it with this step's numbers.
  if (!output_right && !mistake_sentence(schedule, state).empty()) m.wrong_why.clear();
  SentenceBesideWrong beside = sentence_beside(p, state, m.sentence, wrong);
  m.wrong_sentence = std::move(beside.text);
  if (beside.names_wrong) return;
  m.arithmetic = {};
  const std::int64_t r = wrong.row - m.tile.row_begin;
  if (r >= 0 && r < std::ssize(m.tile.rows)) m.tile.spoken = int(r);
  for (PresentTableRow& row : m.table.rows) row.spoken = row.row == wrong.row && !row.right;
}

void explain_still_wrong(PresentModel& m, const Schedule& schedule, const State& state, const State& right) {
  const std::optional<WrongNumber> wrong = still_wrong(schedule, state, right);
  if (!wrong) return;
  m.still_wrong = true;
  m.wrong = wrong->text;
  m.wrong_sentence = sentence_beside(schedule.problem(), state, m.sentence, *wrong).text;
  m.arithmetic = {};
}

std::string mistake_in_strip(const Session& session) {
  const Fault fault = session.problem().fault;
  if (fault == Fault::None) return "";
  const bool no_effect = !session.check().first && session.check().verdict == Verdict::Equal;
  const char* const word = no_effect                     ? "mistake, no effect: "
                           : output_stays_right(session) ? "mistake, O still right: "
                                                         : "mistake: ";
  return std::string(word) + title_of(fault);
}

ArithmeticLine forgotten_product(const Session& session, const State& state, std::int64_t spoken) {
  const Problem& p = session.problem();
  if (p.fault != Fault::ForgetRescaleO || spoken < 0) return {};
  const Made* const made = made_by(row_of(p), state.step, Quantity::O);
  if (!made || made->reads(Quantity::L)) return {};  // FA-1 divides in the same step
  const OperandTile v = operand_at(session.schedule(), session.inputs(), state, TensorId::V);
  const std::size_t row = std::size_t(spoken), cols = std::size_t(state.step.cols());
  if (v.empty() || row >= state.alpha.size() || !(state.alpha[row] < 1)) return {};
  if (state.p.size() < (row + 1) * cols || state.o.size() <= row * std::size_t(p.shape.d)) return {};
  const double added = added_to_output(state, v, spoken);
  const std::size_t first = row * std::size_t(p.shape.d);
  const double alpha = double(state.alpha[row]);
  const State* const right = session.walk().right();
  if (!right || right->o.size() != state.o.size() || alpha < kLeastDivisor) return {};
  // The old value as it should be: after an earlier mistake it is another than the one that was added to.
  const double right_old = (double(right->o[first]) - added) / alpha;
  return {.text = fmt::format("right: O old {} × α {} {} {}", number_in_text(p, right_old),
                              factor_text(p, state.alpha[row], right_old), added < 0 ? "−" : "+",
                              number_in_text(p, std::fabs(added))),
          .result = number_in_text(p, double(right->o[first]))};
}

}  // namespace tilewalk
