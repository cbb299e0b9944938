#include "pages/race/race_rows.h"

#include <algorithm>

#include "base/words.h"
#include "view/words/race_row_text.h"

namespace tilewalk {
namespace {

bool is_of_curve(const RaceRow& row, const RaceCell& cell) {
  return row.pass == cell.pass && row.d == cell.d && row.causal == cell.causal;
}

std::vector<const RaceRow*> rows_at(const Race& race, const RaceCell& cell) {
  std::vector<const RaceRow*> rows;
  for (const RaceRow& row : race.rows)
    if (is_of_curve(row, cell) && row.n == cell.n) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const RaceRow* a, const RaceRow* b) { return order_of_rung(a->rung) < order_of_rung(b->rung); });
  return rows;
}

class RacedRows : public RaceRows {
 public:
  RacedRows(const Race& race, const RaceCell& cell, Differences differs, const CallOfWindow& window)
      : race_(race), cell_(cell), differs_(std::move(differs)), window_(window) {}

  const Race& race() const override { return race_; }
  std::vector<const RaceRow*> rows() const override { return rows_at(race_, cell_); }
  bool are_of_call() const override { return false; }
  bool is_predicted(const RaceRow&) const override { return false; }
  bool all_predicted() const override { return false; }
  std::string detail(const RaceRow& row) const override {
    const std::string slower = slower_instruction(race_, row);
    return detail_of(race_, row) + (slower.empty() ? "" : "\n" + capitalized(slower));
  }
  std::string no_memory(const RaceRow& row) const override { return no_memory_words(row); }
  const RaceRow* mark_of(const std::string&) const override { return nullptr; }

  void add_table(const std::vector<const RaceRow*>& rows, const RaceRow* best, RaceModel& model) const override {
    tilewalk::add_table(race_, rows, best, model);
  }

  void add_headline(const std::vector<const RaceRow*>& rows, RaceModel& model) const override {
    add_no_memory_later(rows, model);
    model.differs = !differs_.words.empty();
    tilewalk::add_headline(race_, rows, differs_.words, window_, model);
    if (model.differs && model.figure.empty()) model.raced_with = "Raced with " + differs_.words + ".";
  }

 private:
  // Of each contender with a bar here, the shortest N beyond this one for which memory was too small.
  void add_no_memory_later(const std::vector<const RaceRow*>& rows, RaceModel& model) const {
    for (const RaceRow* here : rows) {
      const RaceRow* first = nullptr;
      for (const RaceRow& row : race_.rows)
        if (is_of_curve(row, cell_) && row.rung == here->rung && row.n > here->n &&
            row.outcome() == RaceOutcome::OutOfMemory && (!first || row.n < first->n))
          first = &row;
      if (here->outcome() == RaceOutcome::OutOfMemory || !first) continue;
      model.no_memory_later.push_back({.title = rung_title(first->rung),
                                       .look = look_of(first->rung),
                                       .value = no_memory_words(*first, here),
                                       .counts = false,
                                       .no_memory = true,
                                       .detail = detail_of(race_, *first)});
    }
  }

  const Race& race_;
  RaceCell cell_;
  Differences differs_;
  const CallOfWindow& window_;
};

class PredictedRows : public RaceRows {
 public:
  PredictedRows(RaceOfCall of, const Race& raced, const RaceCell& cell, std::string names, const CallOfWindow& window)
      : of_(std::move(of)), raced_(raced), cell_(cell), names_(std::move(names)), window_(window) {
    if (of_.recorded_card) of_.race.provenance = raced.provenance;
  }

  const Race& race() const override { return of_.race; }
  std::vector<const RaceRow*> rows() const override {
    std::vector<const RaceRow*> rows;
    for (const RaceRow& row : of_.race.rows) rows.push_back(&row);
    return rows;
  }
  bool are_of_call() const override { return true; }
  bool is_predicted(const RaceRow& row) const override { return !of_.recorded.contains(row.rung); }
  bool all_predicted() const override { return of_.recorded.empty(); }
  std::string detail(const RaceRow& row) const override { return detail_of_call(of_, row); }
  std::string no_memory(const RaceRow& row) const override { return "out of memory: " + row.note(); }

  // Where the call is of the curves' head size and mask, on their card.
  const RaceRow* mark_of(const std::string& rung) const override {
    if (!of_.recorded_card) return nullptr;
    for (const RaceRow& row : of_.race.rows)
      if (row.rung == rung && row.counts() && row.d == cell_.d && row.causal == cell_.causal) return &row;
    return nullptr;
  }

  void add_table(const std::vector<const RaceRow*>& rows, const RaceRow* best, RaceModel& model) const override {
    add_table_of_call(of_, rows, best, model);
  }

  void add_headline(const std::vector<const RaceRow*>&, RaceModel& model) const override {
    add_headline_of_call(of_, raced_, {rows_at(raced_, cell_), names_}, window_, model);
  }

 private:
  RaceOfCall of_;
  const Race& raced_;
  RaceCell cell_;
  std::string names_;
  const CallOfWindow& window_;
};

}  // namespace

int order_of_rung(const std::string& rung) {
  const ContenderRow* const contender = contender_named(rung);
  return contender ? int(contender->who) : int(std::size(kContenders));
}

std::unique_ptr<RaceRows> raced_rows(const Race& race, const RaceCell& cell, Differences differs,
                                     const CallOfWindow& window) {
  return std::make_unique<RacedRows>(race, cell, std::move(differs), window);
}

std::unique_ptr<RaceRows> predicted_rows(RaceOfCall of, const Race& raced, const RaceCell& cell, std::string names,
                                         const CallOfWindow& window) {
  return std::make_unique<PredictedRows>(std::move(of), raced, cell, std::move(names), window);
}

}  // namespace tilewalk
