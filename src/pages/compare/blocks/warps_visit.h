// One tile visit of a thread block, as its warps share it: from the modelled lanes, once their pipeline is full, so
// that loads of later tiles run beside it. Plain values.
//
// Not modelled: the time of exchanges and barriers between warps (core/chip/warps counts them), and differences between
// warps that do the same work.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/chip/timeline.h"

namespace tilewalk {

struct VisitWork {  // of one lane
  double begin = 0,
         end = 0;  // shares of the visit; work that goes on before or after it begins below 0 or ends above 1
  Doing doing = Doing::Waiting;
  std::int64_t tile = -1;  // the KV tile; of a thread block that keeps its KV tile, the Q tile; −1: none
  int part = -1;           // of the rows; −1: all rows
};

struct WarpsVisit {
  std::vector<VisitWork> work;  // empty: no lanes
  double cycles = 0;
};

WarpsVisit warps_visit(const Schedule&);

struct WarpWork {
  Doing doing = Doing::Waiting;
  double share = 0;   // done, 0 to 1
  std::string label;  // "QKᵀ 5"; empty while waiting
};

// The work of one part of the rows at t: a product, and what else it does then, which may run beside the product.
struct WarpMoment {
  WarpWork product, other;
  bool waits() const { return product.label.empty() && other.label.empty(); }
};
WarpMoment warp_moment(const WarpsVisit&, int part, int parts, double t);

// What arrives from global memory at t.
WarpWork load_moment(const WarpsVisit&, Doing load, double t);

}  // namespace tilewalk
