#include "view/print/worksheet.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/units.h"
#include "core/problem/mask.h"
#include "core/replay/replay.h"
#include "core/schedules/registry.h"
#include "view/scores/tile_values.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// A quantity with its numbers after a step.
struct Written {
  Quantity quantity{};
  std::string letter, formula;  // no formula: it is given
  Step step;
  std::vector<float> values;
  bool earlier = false;  // its value before this visit
  bool given() const { return formula.empty(); }
  const QuantityRow& row() const { return ledger_row(quantity); }
};

struct Part {  // a visit, or the steps before or after a group's visits
  Step step;   // its first step
  std::vector<Written> written;
};

std::vector<std::string> counting(std::int64_t begin, std::int64_t end) {
  std::vector<std::string> out;
  for (std::int64_t i = begin; i < end; ++i) out.push_back(std::to_string(i));
  return out;
}

class Author {
 public:
  Author(const std::shared_ptr<const Schedule>& schedule, const Inputs& inputs, std::int64_t q_tile)
      : schedule_(*schedule), p_(schedule_.problem()), inputs_(inputs), q_tile_(q_tile) {
    Replay replay(schedule, inputs);
    for (const auto& [begin, end] : ranges())
      for (std::int64_t k = begin; k < end; ++k) take(replay, k);
    std::erase_if(parts_, [](const Part& part) { return part.written.empty(); });
    for (Part& part : parts_) widen(part);
  }

  PrintDocument document(bool key) const {
    const std::string title = fmt::format("{} by hand: Q tile {}", title_of(p_.schedule), q_tile_);
    PrintDocument out{.title = key ? "Key · " + title : title,
                      .label = fmt::format("{}seed {}", key ? "key · " : "", p_.numerics.seed),
                      .foot = problem_titles(p_)[1],  // without the seed
                      .blocks = {}};
    out.blocks.push_back(PrintLines{{problem_line()}});
    if (!key) {
      out.blocks.push_back(PrintFields{{"Name", "Date"}});
      out.blocks.push_back(PrintHeading{"Given", ""});
      out.blocks.push_back(PrintTables{given_tables()});
      out.blocks.push_back(PrintHeading{"Formulas", "in the order in which they are used"});
      out.blocks.push_back(PrintLines{formulas(), true});
    }
    std::int64_t visit = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const bool starts = i == 0 || parts_[i].step.section != parts_[i - 1].step.section ||
                          parts_[i].step.split != parts_[i - 1].step.split;
      visit = starts ? 0 : visit;
      out.blocks.push_back(heading(parts_[i], parts_[i].step.in_visit() ? ++visit : 0));
      out.blocks.push_back(PrintTables{tables_of(parts_[i], key)});
    }
    return out;
  }

 private:
  // The steps of the Q tile, in the order of the walk.
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges() const {
    std::vector<std::pair<std::int64_t, std::int64_t>> out;
    for (int s = 0; s < schedule_.section_count(); ++s) {
      const SectionPlan& section = schedule_.section(s);
      const std::int64_t shares = section.splits ? p_.tiling.splits : 1;
      for (std::int64_t i = 0; !section.kv_outside && i < shares; ++i)
        out.push_back({schedule_.first_step_of_group(s, {.group = q_tile_ * shares + i}),
                       schedule_.end_step_of_group(s, {.group = q_tile_ * shares + i})});
      for (std::int64_t j = 0; section.kv_outside && j < p_.kv_tiles(); ++j)
        if (const std::int64_t first = schedule_.first_step_of_visit(s, {.q_tile = q_tile_, .kv_tile = j}); first >= 0)
          out.push_back({first, schedule_.end_step_of_visit(s, {.q_tile = q_tile_, .kv_tile = j})});
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  void take(Replay& replay, std::int64_t k) {
    const Step step = schedule_.step(k);
    if (parts_.empty() || !same_part(parts_.back().step, step)) parts_.push_back({step, {}});
    std::vector<Written>& written = parts_.back().written;
    const State after = replay.at(k + 1);
    for (const Made& made : made_by(row_of(p_), step.section_name, step.phase)) {
      const auto values = ledger_row(made.quantity).values;
      if (!values || !(made.given || made.printed)) continue;
      const Written now{.quantity = made.quantity,
                        .letter = letter_of(made, Notation::Print),
                        .formula = formula_of(p_, made, Notation::Print),
                        .step = step,
                        .values = after.*values};
      if (now.row().shape == QuantityShape::ColByHead && step.visit > 0) {
        Written earlier = now;
        earlier.letter += " before", earlier.formula.clear();
        earlier.values = replay.at(k).*values, earlier.earlier = true;
        written.insert(written.begin(), std::move(earlier));
      }
      put(written, now);
    }
  }

  static bool same_part(const Step& a, const Step& b) {
    return a.section == b.section && a.group == b.group && a.visit == b.visit;
  }

  // A quantity that a part computes twice, such as S by the mask, is written once, with its last values.
  static void put(std::vector<Written>& written, Written next) {
    if (next.values.empty()) return;
    const auto same = std::find_if(written.begin(), written.end(),
                                   [&](const Written& each) { return each.letter == next.letter && !each.earlier; });
    if (same == written.end())
      written.push_back(std::move(next));
    else
      *same = std::move(next);
  }

  // Given quantities come first.
  static void widen(Part& part) {
    std::stable_partition(part.written.begin(), part.written.end(), [](const Written& w) { return w.given(); });
  }

  std::string problem_line() const {
    std::string line = problem_title(p_);
    if (p_.shape.batch * p_.shape.heads > 1) line += " · of batch 0, head 0";
    return line;
  }

  std::string number(const Written& written, std::size_t at) const {
    const float value = written.values[at];
    const bool is_score = written.row().is_score;
    if (written.given() && !is_score) return exact_or_hand(value);
    return hand_number(p_, double(is_score ? display_score(p_, value) : value));
  }
  std::string exact_or_hand(float value) const {
    const std::string hand = hand_number(p_, double(value));
    return hand.find('.') == std::string::npos ? hand : exact_number(value);
  }

  std::vector<PrintTable> given_tables() const {
    std::vector<PrintTable> out;
    const auto add = [&](TensorId id, std::int64_t tile, std::int64_t begin, std::int64_t rows) {
      std::vector<float> scratch;
      const float* from = inputs_.rows({id}, begin, rows, scratch);
      PrintTable table{.caption = fmt::format("{}{}", name_of(id), tile),
                       .columns = {},
                       .rows = counting(begin, begin + rows),
                       .cells = {},
                       .given = true,
                       .widest = "",
                       .hue = id};
      for (std::int64_t r = 0; r < rows; ++r) {
        table.cells.emplace_back();
        for (std::int64_t x = 0; x < p_.shape.d; ++x)
          table.cells.back().push_back(exact_number(from[std::size_t(r * p_.shape.d + x)]));
      }
      out.push_back(std::move(table));
    };
    const std::int64_t first = q_tile_ * p_.tiling.br;
    add(TensorId::Q, q_tile_, first, p_.q_tile_rows(q_tile_));
    if (has_input(row_of(p_), TensorId::dO)) add(TensorId::dO, q_tile_, first, p_.q_tile_rows(q_tile_));
    for (const std::int64_t tile : met())
      for (const TensorId id : {TensorId::K, TensorId::V}) add(id, tile, tile * p_.tiling.bc, p_.kv_tile_cols(tile));
    return out;
  }

  std::vector<std::int64_t> met() const {  // visited KV tiles, in the order of the visits
    std::vector<std::int64_t> out;
    for (const Part& part : parts_)
      if (part.step.kv_tile >= 0 && !contains(out, part.step.kv_tile)) out.push_back(part.step.kv_tile);
    return out;
  }

  std::vector<std::string> formulas() const {
    std::vector<std::string> out;
    for (const Part& part : parts_)
      for (const Written& each : part.written) {
        if (each.given()) continue;
        if (!contains(out, each.formula)) out.push_back(each.formula);
      }
    if (p_.shape.mask.kind != MaskKind::None)
      out.push_back("masked: S is −∞ where the mask hides the column, so P is 0 there");
    if (p_.numerics.dtype != DType::Fp32)
      out.push_back(
          fmt::format("before a product, and at the end, numbers are rounded to {}", name_of(p_.numerics.dtype)));
    return out;
  }

  PrintHeading heading(const Part& part, std::int64_t visit) const {
    const Step& step = part.step;
    std::string note =
        schedule_.section_count() > 1
            ? fmt::format("pass {} of {}, {}", step.section + 1, schedule_.section_count(), name_of(step.section_name))
            : "";
    if (schedule_.section(step.section).splits)
      note += fmt::format(", split {} of {}", step.split + 1, p_.tiling.splits);
    if (!step.in_visit()) return {after_visits(step) ? "After the last visit" : "The whole Q tile", note};
    std::int64_t visits = 0;
    for (const Part& each : parts_)
      visits += each.step.in_visit() && each.step.section == step.section && each.step.split == step.split;
    const std::string of = fmt::format("visit {} of {}", visit, visits);
    return {fmt::format("Q{} meets K{} and V{}", step.q_tile, step.kv_tile, step.kv_tile),
            note.empty() ? of : of + " · " + note};
  }
  bool after_visits(const Step& step) const {
    return !schedule_.section(step.section).visit.empty() &&
           schedule_.section(step.section).place_on_edge(step.phase) >=
               int(schedule_.section(step.section).prologue.size());
  }

  // Consecutive quantities with one number a row share a table.
  std::vector<PrintTable> tables_of(const Part& part, bool key) const {
    std::vector<PrintTable> out;
    bool joins = false;
    for (const Written& each : part.written) {
      const bool row = each.row().shape == QuantityShape::Row;
      if (row && joins && out.back().given == each.given())
        join(out.back(), each, key);
      else if (row)
        join(out.emplace_back(row_table(each)), each, key);
      else
        add_tables(out, each, key);
      joins = row;
    }
    for (PrintTable& table : out)
      if (table.caption.empty() && table.columns.size() == 1) {
        table.caption = table.columns.front();
        table.columns.clear();
      } else if (table.caption.empty())
        table.caption = table.given ? "of the forward pass" : "of each row";
    return out;
  }

  static PrintTable row_table(const Written& each) {
    return {.caption = "",  // one letter, or a caption for several
            .columns = {},
            .rows = counting(each.step.row_begin, each.step.row_end),
            .cells = std::vector<std::vector<std::string>>(std::size_t(each.step.rows())),
            .given = each.given(),
            .widest = "",
            .hue = TensorId::m};
  }

  void join(PrintTable& table, const Written& each, bool key) const {
    table.columns.push_back(each.letter);
    for (std::size_t r = 0; r < table.cells.size(); ++r) put_cell(table, table.cells[r], each, r, key);
  }

  void put_cell(PrintTable& table, std::vector<std::string>& row, const Written& each, std::size_t at, bool key) const {
    const std::string text = at < each.values.size() ? number(each, at) : "";
    if (text.size() > table.widest.size()) table.widest = text;
    row.push_back(key || each.given() ? text : "");
  }

  // One table, or for whole rows one for each tile of columns.
  void add_tables(std::vector<PrintTable>& out, const Written& each, bool key) const {
    const Step& step = each.step;
    const QuantityShape shape = each.row().shape;
    const bool scores = shape == QuantityShape::Cell, columns = shape == QuantityShape::ColByHead;
    const std::int64_t rows = columns ? step.cols() : step.rows(), first = columns ? step.col_begin : step.row_begin;
    const std::int64_t all = scores ? step.cols() : p_.shape.d, most = scores ? p_.tiling.bc : all;
    for (std::int64_t begin = 0; begin < all; begin += most) {
      const std::int64_t end = std::min(begin + most, all);
      PrintTable table{.caption = each.letter,
                       .columns = {},
                       .rows = counting(first, first + rows),
                       .cells = {},
                       .given = each.given(),
                       .widest = "",
                       .hue = hue_of(each.quantity)};
      if (scores) table.columns = counting(step.col_begin + begin, step.col_begin + end);
      for (std::int64_t r = 0; r < rows; ++r) {
        table.cells.emplace_back();
        for (std::int64_t c = begin; c < end; ++c)
          put_cell(table, table.cells.back(), each, std::size_t(r * all + c), key);
      }
      out.push_back(std::move(table));
    }
  }

  // Scores have no tensor's hue; rows of P V have O's.
  static std::optional<TensorId> hue_of(Quantity quantity) {
    const QuantityRow& row = ledger_row(quantity);
    if (row.shape == QuantityShape::Cell) return std::nullopt;
    return row.tensor ? row.tensor : TensorId::O;
  }

  const Schedule& schedule_;
  const Problem& p_;
  const Inputs& inputs_;
  std::int64_t q_tile_;
  std::vector<Part> parts_;
};

}  // namespace

Issues why_no_worksheet(const Problem& p) {
  Issues issues;
  const auto at_most = [&](const char* field, std::int64_t value, std::int64_t most, const char* what) {
    if (value > most)
      issues.push_back({field, format_count(value), fmt::format("must be at most {} on a worksheet: {}", most, what),
                        fmt::format("Try --{} {}, or --preset paper", field, std::min<std::int64_t>(most, 4))});
  };
  const char* pencil = "each number of a tile is written with a pencil";
  at_most("br", p.tiling.br, kMostByHand, pencil);
  at_most("bc", p.tiling.bc, kMostByHand, pencil);
  at_most("d", p.shape.d, kMostByHand, pencil);
  at_most("n-q", p.shape.n_q, kMostWorksheetRows, "it is a few pages long");
  at_most("n-kv", p.shape.n_kv, kMostWorksheetRows, "it is a few pages long");
  if (p.fault != Fault::None)
    issues.push_back({"fault", name_of(p.fault), "would make a key of wrong numbers", "Leave it out"});
  return issues;
}

std::int64_t busiest_q_tile(const Schedule& schedule) {
  const Problem& p = schedule.problem();
  const auto seen = [&](std::int64_t i) {
    const std::int64_t begin = i * p.tiling.br;
    return visited_kv_tiles(p.shape.band(), begin, begin + p.q_tile_rows(i), p.shape.n_kv, p.tiling.bc).count();
  };
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < p.q_tiles(); ++i)
    if (seen(i) > seen(best)) best = i;
  return best;
}

Worksheet build_worksheet(const std::shared_ptr<const Schedule>& schedule, const Inputs& inputs, std::int64_t q_tile) {
  const Author author(schedule, inputs, q_tile);
  return {author.document(false), author.document(true)};
}

}  // namespace tilewalk
