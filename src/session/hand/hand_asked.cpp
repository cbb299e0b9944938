#include "session/hand/hand_asked.h"

#include <algorithm>

#include "base/contains.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

using Letter = Quantity;

constexpr std::int64_t kMostColumns = 16;  // of a whole row of P

bool contains(const HandQuantities& all, Letter quantity) { return contains(all, quantity); }

// The places of the quantity in a row; for a gradient one element.
std::vector<HandPlace> places_of(const Problem& p, const Step& step, Letter quantity, std::int64_t row, bool first) {
  std::vector<HandPlace> out;
  const Band band = p.shape.band();
  const std::int64_t begin = std::max(step.col_begin, band.first_col(row)),
                     end = std::min(step.col_end, band.end_col(row, p.shape.n_kv));
  switch (ledger_row(quantity).shape) {
    case QuantityShape::Cell:
      for (std::int64_t col = begin; col < std::min(end, begin + kMostColumns); ++col)
        out.push_back({quantity, row, col});
      return out;
    case QuantityShape::Row: return {{quantity, row, -1}};
    case QuantityShape::RowByHead: {  // all of O, one element of a gradient
      const std::int64_t most = !first ? 0 : quantity == Letter::O ? p.shape.d : 1;
      for (std::int64_t x = 0; x < most; ++x) out.push_back({quantity, row, x});
      return out;
    }
    case QuantityShape::ColByHead:
      if (first && begin < end) out.push_back({quantity, begin, 0});
      return out;
    case QuantityShape::RowBySplit:
      for (std::int64_t split = 0; split < p.tiling.splits; ++split) out.push_back({quantity, row, split});
      return out;
  }
  return out;
}

}  // namespace

HandUnit unit_of(const Schedule& schedule, const Step& step) {
  const SectionPlan& section = schedule.section(step.section);
  std::int64_t place = step.phase_in_visit, count = std::int64_t(section.visit.size());
  if (!step.in_visit()) {
    count = std::int64_t(section.prologue.size());
    if (place >= count) place -= count, count = std::int64_t(section.epilogue.size());
  }
  return {step.index - place, step.index - place + count};
}

HandQuantities asked_of(const Problem& p, const Step& step) {
  HandQuantities out;
  for (const Made& made : made_by(row_of(p), step.section_name, step.phase))
    if (made.asked) out.push_back(made.quantity);
  return out;
}

std::vector<HandKey> asked_at(const Schedule& schedule, const Step& at, const std::vector<std::int64_t>& rows,
                              const HandQuantities& wanted) {
  const Problem& p = schedule.problem();
  const HandUnit unit = unit_of(schedule, at);
  const bool looks_ahead = !wanted.empty() && !contains(wanted, Letter::P);
  std::vector<HandKey> out;
  bool table_begun = false;
  for (std::int64_t k = unit.first; k < unit.end; ++k) {
    const Step step = schedule.step(k);
    for (const Letter quantity : asked_of(p, step)) {
      if (!wanted.empty() && !contains(wanted, quantity)) continue;
      const bool made = k <= at.index, in_table = ledger_row(quantity).shape == QuantityShape::Row;
      table_begun = table_begun || (made && in_table);
      if (!made && !(looks_ahead && table_begun && in_table)) continue;
      for (const std::int64_t row : rows)
        for (const HandPlace& place : places_of(p, step, quantity, row, row == rows.front())) out.push_back({k, place});
    }
  }
  return out;
}

}  // namespace tilewalk
