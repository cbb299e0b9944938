// The facts that a lesson may speak of, by name: of the problem (tiles.visited, traffic.flash_v2.total, needs.this),
// and of the walk as it stands (cursor, step.phase, row 9.alpha, s 9 6). Facts of the problem can be asked of another
// one: [n=8192 br=64] tiles.visited. Scores, max and L are in the units of the screen; bytes are bytes, FLOPs are
// FLOPs. Not told: what the walk has not made yet, or no longer holds.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "session/desks/walk_desk.h"
#include "session/lesson/figure.h"

namespace tilewalk {

struct FactWord {
  std::string word;
  std::vector<std::int64_t> at;  // row 9: {9}
};

struct FactPath {
  std::vector<std::pair<std::string, std::string>> changes;  // fields of the problem, by name
  std::vector<FactWord> words;
  std::string text() const;
};

// Whether somebody could ever have it: names and how many numbers follow them. Values are not looked at.
Result<Done> check_fact(const FactPath&, const std::string& where);

class Facts {
 public:
  Facts(const Document& document, const WalkDesk& walk) : document_(document), walk_(walk) {}
  Result<Figure> of(const FactPath&) const;  // precondition: check_fact finds nothing wrong

 private:
  const Document& document_;
  const WalkDesk& walk_;
};

}  // namespace tilewalk
