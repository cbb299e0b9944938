#include "pages/walk/fault_model.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/walk/wrong_and_right.h"
#include "view/words/units.h"

namespace tilewalk {

std::optional<FaultModel> build_fault_model(const Session& session) {
  const Problem& p = session.problem();
  if (p.fault == Fault::None) return std::nullopt;
  FaultModel model;
  model.title = std::string("Mistake: ") + title_of(p.fault);
  model.about = description_of(p.fault);
  model.harm = harm_of(p.fault);
  const CheckReport& check = session.check();
  if (check.first) {
    model.first_step = check.first->step + 1;
    model.so_far = fmt::format("The check finds it at step {}: {}.", model.first_step, name_of(check.first->quantity));
  } else if (check.verdict == Verdict::Equal) {
    model.so_far = "On this problem it changes nothing: no row comes to where it matters.";
  }
  model.output_right = output_stays_right(session);
  if (check.first && model.output_right)
    add_to_list(model.so_far, "What leaves the kernel is right all the same.", " ");
  else if (output_is_wrong(session))
    add_to_list(model.so_far, "What leaves the kernel is wrong.", " ");
  if (const State* right = session.walk().right()) {
    const ShownTile is = shown_tile(session.schedule(), session.state()),
                    should = shown_tile(session.schedule(), *right);
    if (is.values && should.values && is.values->size() == should.values->size() && *is.values != *should.values)
      model.right_o = *should.values;
  }
  return model;
}

std::optional<MistakeRow> build_mistake_row(const OTileModel& wrong, const std::vector<float>& right,
                                            const char* letter, std::int64_t named_row) {
  if (!wrong.numbers || right.empty() || right.size() != wrong.values.size()) return std::nullopt;
  const auto differs = [&](std::size_t i) { return differs_in_print(wrong.values[i], right[i]); };
  std::optional<std::int64_t> shown;
  for (std::int64_t r = 0; r < wrong.rows; ++r)
    for (std::int64_t c = 0; c < wrong.cols; ++c)
      if (differs(std::size_t(r * wrong.cols + c)) && (!shown || wrong.tensor_row(r) == named_row)) shown = r;
  if (!shown) return std::nullopt;
  MistakeRow out;
  out.row = wrong.tensor_row(*shown);
  out.title = fmt::format("Row {} of {}", out.row, letter);
  const auto as_printed = [](float v) { return std::abs(v) < 100 ? std::round(double(v) * 100) / 100 : double(v); };
  double largest = 0;
  for (std::int64_t c = 0; c < wrong.cols; ++c) {
    const std::size_t i = std::size_t(*shown * wrong.cols + c);
    const double by = as_printed(wrong.values[i]) - as_printed(right[i]);
    out.wrong.push_back(compact_number(wrong.values[i]));
    out.right.push_back(compact_number(right[i]));
    out.difference.push_back((by > 0 ? "+" : "") + compact_number(by));
    out.share.push_back(by);
    if (std::isfinite(by)) largest = std::max(largest, std::abs(by));
  }
  for (double& share : out.share) share = std::isfinite(share) && largest > 0 ? share / largest : 1;
  return out;
}

void add_count(FaultModel& model, const Problem& p, const WrongVisits& wrong, const CompletedVisits& completed) {
  const std::int64_t count = std::int64_t(wrong.ends.size());
  if (count == 0 || wrong.healing) return;
  const char* const are_wrong =
      model.output_right ? (count == 1 ? "differs" : "differ") : (count == 1 ? "is wrong" : "are wrong");
  model.count =
      p.shape.batch * p.shape.heads > 1
          ? fmt::format("{} of this head {}", counted(count, "tile visit"), are_wrong)
          : fmt::format("{} of {} so far {}", format_count(count), counted(completed.done, "tile visit"), are_wrong);
}

void mark_wrong(SoftmaxModel& model, const SoftmaxModel& right) {
  if (model.rows.size() != right.rows.size() || model.columns != right.columns) return;
  std::vector<SoftmaxRow> rows;
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    SoftmaxRow row = std::move(model.rows[r]), should = right.rows[r];
    row.wrong.assign(row.cells.size(), false);
    bool any = false;
    for (std::size_t c = 1; c < row.cells.size() && c < should.cells.size(); ++c) {
      row.wrong[c] = row.cells[c] != should.cells[c];
      any = any || row.wrong[c];
      if (!row.wrong[c]) should.cells[c].clear(), should.brief[c].clear();
    }
    rows.push_back(std::move(row));
    if (!any) continue;
    should.cells[0] = should.brief[0] = "right";
    should.is_right = true;
    should.rescaled = should.spoken = false;
    rows.push_back(std::move(should));
  }
  model.rows = std::move(rows);
  model.most_rows *= 2;
}

void mark_wrong(ScoresModel& model, const State& state, const State& right) {
  if (model.choices.empty()) return;
  const std::vector<float>& is = values_of(state, model.shown);
  const std::vector<float>& should = values_of(right, model.shown);
  if (is.size() != should.size()) return;
  for (const ScoreTile& tile : model.tiles) {
    if (tile.state != TileState::Now) continue;
    for (std::int64_t i = 0; i < tile.rows; ++i)
      for (std::int64_t j = 0; j < tile.cols; ++j) {
        const std::size_t at = std::size_t((tile.row_begin - state.step.row_begin + i) * state.step.cols() +
                                           tile.col_begin - state.step.col_begin + j);
        model.cells[tile.first_cell + std::size_t(i * tile.cols + j)].wrong = differs_in_print(is[at], should[at]);
      }
  }
}

}  // namespace tilewalk
