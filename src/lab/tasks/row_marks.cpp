#include "lab/tasks/row_marks.h"

#include <algorithm>
#include <string>

#include "lab/run/bit_difference.h"

namespace tilewalk::lab {

void RowMarks::add(const RunVisit& visit, bool right) {
  const auto first = [](const std::vector<float>& values) { return values.empty() ? 0 : values[0]; };
  const Mark mark{visit.thread, right, first(visit.m), first(visit.l), first(visit.o)};
  const std::array<std::int64_t, 6> key{visit.thread_block, visit.batch,   visit.head,
                                        visit.first_row,    visit.kv_tile, visit.place.line};
  const auto [found, fresh] = marks_.try_emplace(key, mark);
  if (fresh) return;
  const Mark before = std::exchange(found->second, mark);
  const bool same =
      same_bits(before.m, mark.m) && same_bits(before.l, mark.l) && same_bits(before.first_o, mark.first_o);
  if (before.thread == mark.thread && before.right && !same) return;
  if (std::any_of(findings_.begin(), findings_.end(),
                  [&](const Finding& each) { return each.at.place.line == visit.place.line; }))
    return;
  const bool one = before.thread == mark.thread;
  findings_.push_back(
      {.kind = FindingKind::MarkedTwice,
       .at = {visit.place, visit.thread, visit.thread_block},
       .what = "row_done was called twice for row " + std::to_string(visit.first_row) + " and KV tile " +
               std::to_string(visit.kv_tile) +
               (one ? ", both times by this thread." : ", by thread " + std::to_string(before.thread) + " before."),
       .instead = one ? "Call it once, behind the loop over the tile's keys." : "Let one thread of each row call it."});
}

}  // namespace tilewalk::lab
