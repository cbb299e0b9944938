// The table of the race's page: each row's figures, and beside the recorded race's those of the pencil method and the
// model; below it, what bounds each kernel.
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/words.h"
#include "core/problem/device_model.h"
#include "measured/prediction_error.h"
#include "measured/recorded_race.h"
#include "pages/race/race_parts.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

constexpr const char *kOnPaper = "on paper", *kPredicted = "predicted";

std::string or_dash(const std::optional<double>& ms) { return ms ? ms_text(*ms) : "–"; }

void add_predictions(const RaceRow& row, RaceLine& line) {
  const std::optional<Prediction> p =
      row.counts() ? prediction_of(row, *device_named(kRecordedOn)) : std::optional<Prediction>();
  const auto error = p ? error_of(*p, row) : std::nullopt;
  line.cells.push_back(or_dash(p ? p->pencil_ms : std::nullopt));
  line.cells.push_back(or_dash(p ? p->predicted_ms : std::nullopt));
  line.cells.push_back(error ? error_text(*error) : "–");
}

// A column without a figure says nothing. The first one stays: a row without a time says why there.
void drop_empty_columns(RaceModel& model) {
  for (std::size_t column = model.table_heads.size(); column-- > 1;) {
    const auto empty = [&](const RaceLine& line) { return line.cells[column] == "–"; };
    if (!std::all_of(model.table.begin(), model.table.end(), empty)) continue;
    const auto at = std::ptrdiff_t(column);
    model.table_heads.erase(model.table_heads.begin() + at);
    for (RaceLine& line : model.table) line.cells.erase(line.cells.begin() + at);
  }
}

bool has_column(const RaceModel& model, const char* head) { return contains(model.table_heads, head); }

// Bytes moved are on other pages, under the same tensors.
void add_memory_note(RaceModel& model) {
  if (!has_column(model, column_title(RaceMetric::Memory))) return;
  add_to_list(model.table_note,
              "Extra memory is what a kernel allocates beside Q, K, V, O and L, not the bytes that it moves.", " ");
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

std::string slower_instruction(const Race& race, const RaceRow& row) {
  if (!race.recorded || !row.counts() || std::string_view(race.floors(row).highest()) != "FLOPs") return "";
  const DeviceModel card = *device_named(kRecordedOn);
  const std::optional<Prediction> p = prediction_of(row, card);
  if (!p || p->method->backward || !by_mma_sync(*p->method) || card.mma_sync_share >= 1) return "";
  return fmt::format("mma.sync, its instruction, reaches {:.0f} % of the rate of its floor, which FA-3's reaches",
                     100 * card.mma_sync_share);
}

void add_table_of_call(const RaceOfCall& of, const std::vector<const RaceRow*>& rows, const RaceRow* best,
                       RaceModel& model) {
  const bool recorded = !of.recorded.empty();
  model.table_heads = {recorded ? "time" : kPredicted, kOnPaper, "vs naive", "extra memory"};
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
  drop_empty_columns(model);
  model.table_note =
      std::string(recorded ? "Times are recorded where a race of these sizes has them, else predicted. " : "") +
      "Predicted: the whole model of time; for PyTorch's kernels, the time of the kernel here with the same schedule, "
      "times the recorded ratio of the two. On paper: five numbers of the GPU.";
  add_memory_note(model);
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
    for (const char* head : {kOnPaper, kPredicted, "error"}) model.table_heads.push_back(head);
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
  drop_empty_columns(model);
  model.table_note =
      "Its floor is the least time for one part of its work: all bytes, the bytes of S, products or "
      "exponentials; the longest of them binds. ";
  model.table_note +=
      !model.recorded
          ? "Predictions stand beside the recorded race alone: this GPU and this processor are not in the device table."
      : has_column(model, kPredicted)
          ? "Predicted: the whole model of time; its error is the last column. PyTorch's kernels are not modelled."
          : "These kernels are not modelled.";
  if (model.recorded && has_column(model, kOnPaper)) model.table_note += " On paper: five numbers of the GPU.";
  add_memory_note(model);
  for (const RaceRow* row : rows)
    if (const std::string slower = slower_instruction(race, *row); !slower.empty())
      add_to_list(model.table_note, rung_title(row->rung) + ": " + slower + ".", " ");
}

}  // namespace tilewalk
