// Watches calls of row_done: one for each row and KV tile. A second call by another thread, with the same state, or
// behind a state that was wrong is found. A later pass over the keys is not: its state is another one.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "lab/run/finding.h"
#include "lab/run/visit.h"

namespace tilewalk::lab {

class RowMarks {
 public:
  // Precondition: the visit is of a row.
  void add(const RunVisit&, bool right);
  const std::vector<Finding>& findings() const { return findings_; }  // the first of each line

 private:
  struct Mark {
    std::int64_t thread = -1;
    bool right = true;
    float m = 0, l = 0, first_o = 0;
  };
  std::map<std::array<std::int64_t, 6>, Mark> marks_;  // thread block, batch, head, row, KV tile, line
  std::vector<Finding> findings_;
};

}  // namespace tilewalk::lab
