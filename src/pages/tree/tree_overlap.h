// What overlaps inside a thread block of a schedule with warpgroups that take turns (FA-3): the softmax of one
// warpgroup runs under the products of the other. Two visits of the modelled timeline (core/chip/timeline) of one call
// of real size, once its pipeline is full, as plain values.
#pragma once

#include <string>
#include <vector>

#include "core/chip/timeline.h"
#include "core/problem/problem.h"

namespace tilewalk {

struct OverlapBox {
  double x0 = 0, x1 = 0;  // of the visit, 0 to 1
  Doing doing{};
  std::string label;  // "QKᵀ", "P·V", "softmax"
};

struct OverlapRow {
  std::string name;  // "products 0", "softmax 1": of that warpgroup
  bool products = false;
  std::vector<OverlapBox> boxes;
};

struct TreeOverlap {
  std::vector<OverlapRow> rows;  // in pairs: the products of one warpgroup, below them the softmax of the other
  std::string words;             // what a reader sees
};

// Without rows where fewer than two lanes do both at once.
TreeOverlap overlap_of(ScheduleKind);

// The shares of a pair's time in which both of its rows work.
std::vector<OverlapBox> shared_times(const OverlapRow& products, const OverlapRow& softmax);

}  // namespace tilewalk
