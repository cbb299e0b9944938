#include "view/problem/race_cell_of.h"

namespace tilewalk {

RaceCell race_cell_of(const Call& c) {
  return {.pass = "forward",
          .dtype = name_of(c.type),
          .n = c.n_q,
          .d = c.d,
          .heads = c.heads,
          .batch = c.batch,
          .causal = c.is_causal};
}

}  // namespace tilewalk
