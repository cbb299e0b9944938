// The table of the race's page: each row's figures, and beside the recorded race's those of the pencil method and the
// model; below it, what bounds each kernel.
#include <fmt/format.h>

#include "core/problem/device_model.h"
#include "measured/prediction_error.h"
#include "measured/recorded_race.h"
#include "pages/race/race_parts.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

std::string or_dash(const std::optional<double>& ms) { return ms ? ms_text(*ms) : "–"; }

void add_predictions(const RaceRow& row, RaceLine& line) {
  const std::optional<Prediction> p =
      row.counts() ? prediction_of(row, *device_named(kRecordedOn)) : std::optional<Prediction>();
  const auto error = p ? error_of(*p, row) : std::nullopt;
  line.cells.push_back(or_dash(p ? p->pencil_ms : std::nullopt));
  line.cells.push_back(or_dash(p ? p->predicted_ms : std::nullopt));
  line.cells.push_back(error ? error_text(*error) : "–");
}

// What bounds each of Tilewalk's own rungs. Other libraries' kernels are not explained.
void add_reason(const Race& race, const RaceRow& row, RaceModel& model) {
  if (!row.counts() || row.rung.starts_with("torch_")) return;
  const std::string why = why_slow(race, row), floor = highest_floor_text(race, row);
  if (!why.empty())
    model.reasons.push_back(fmt::format("{}, {}: {}.", rung_title(row.rung), milliseconds_text(row.median_ms()), why));
  else if (!floor.empty() && race.times_the_floor(row) >= 1)
    model.reasons.push_back(
        fmt::format("{}, {}: {}.", rung_title(row.rung), milliseconds_text(row.median_ms()), floor));
}

}  // namespace

void add_table_of_call(const RaceOfCall& of, const std::vector<const RaceRow*>& rows, const RaceRow* best,
                       RaceModel& model) {
  const bool recorded = !of.recorded.empty();
  model.table_heads = {recorded ? "time" : "predicted", "on paper", "vs naive", "extra memory"};
  for (const RaceRow* row : rows) {
    const auto times = of.race.times_as_fast_as_naive(*row);
    const auto paper = of.on_paper.find(row->rung);
    RaceLine line{rung_title(row->rung), look_of(row->rung), row == best, {}};
    line.cells = {row->counts() ? ms_text(row->median_ms()) : name_of(row->outcome()),
                  or_dash(paper == of.on_paper.end() ? std::nullopt : std::optional(paper->second)),
                  times ? figure_text(RaceMetric::VsNaive, *times) : "–",
                  row->extra_bytes ? figure_text(RaceMetric::Memory, double(*row->extra_bytes)) : "–"};
    model.table.push_back(std::move(line));
    add_reason(of.race, *row, model);
  }
  model.table_note =
      std::string(recorded ? "Times are recorded where a race of these sizes has them, else predicted. " : "") +
      "Predicted: the whole model of time; for PyTorch's kernels, the time of the kernel here with the same schedule, "
      "times the recorded ratio of the two. On paper: five numbers of the GPU.";
}

void add_table(const Race& race, const std::vector<const RaceRow*>& rows, const RaceRow* best, RaceModel& model) {
  std::vector<RaceMetric> columns;
  for (const RaceTag& tag : model.metrics.tags)
    if (const RaceMetric metric = *tag.choice.metric; metric != RaceMetric::Rate && metric != RaceMetric::Share)
      columns.push_back(metric);
  if (columns.empty()) columns = {RaceMetric::Rate};
  for (const RaceMetric column : columns) {
    model.table_heads.push_back(column_title(column));
    if (column == RaceMetric::OverFloor) model.table_heads.push_back("floor");
  }
  if (model.recorded)
    for (const char* head : {"on paper", "predicted", "error"}) model.table_heads.push_back(head);
  for (const RaceRow* row : rows) {
    RaceLine line{rung_title(row->rung), look_of(row->rung), row == best, {}};
    for (const RaceMetric column : columns) {
      const auto value = figure(race, *row, column);
      line.cells.push_back(value ? figure_text(column, *value) : "–");
      const auto floor = race.floors(*row).highest_ms();
      if (column == RaceMetric::OverFloor)
        line.cells.push_back(value && floor ? fmt::format("{} {}", highest_floor_word(race, *row), ms_text(*floor))
                                            : "–");
    }
    if (!row->counts()) line.cells.front() = name_of(row->outcome());
    if (model.recorded) add_predictions(*row, line);
    model.table.push_back(std::move(line));
    add_reason(race, *row, model);
  }
  model.table_note =
      "Its floor is the least time for one part of its work: all bytes, the bytes of S, products or "
      "exponentials; the longest of them binds. ";
  model.table_note +=
      model.recorded
          ? "On paper: five numbers of the GPU. Predicted: the whole model of time; its error is the last column. "
            "PyTorch's kernels are not modelled."
          : "Predictions stand beside the recorded race alone: this GPU and this processor are not "
            "in the device table.";
}

}  // namespace tilewalk
