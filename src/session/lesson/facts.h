// The facts of a lesson, by name: of the problem (tiles.visited, traffic.flash_v2.total, needs.this), of times
// (predicted.flash_v2, recorded.naive, ceiling.bytes), of the current state of the walk (cursor, step.phase, row
// 9.alpha, s 9 6), of pages (which.choice, roofline.n). Facts of the problem and of times can be computed for another
// problem: [n=8192 br=64] tiles.visited. Scores, max and L are in the units of the screen, traffic in bytes, work in
// FLOPs, times in milliseconds. A value that the walk has not computed yet, or no longer stores, is an issue.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "pages/compare/compare_controller.h"
#include "pages/roofline/roofline_controller.h"
#include "pages/tree/tree_controller.h"
#include "pages/which/which_controller.h"
#include "session/controllers/walk_controller.h"
#include "session/lesson/figure.h"
#include "session/wins/sampled_win.h"

namespace tilewalk {

struct FactWord {
  std::string word;
  std::vector<std::int64_t> at;  // row 9: {9}
};

using ProblemChanges = std::vector<std::pair<std::string, std::string>>;  // fields of the problem and their values

struct FactPath {
  ProblemChanges changes;
  std::vector<FactWord> words;
  std::string text() const;
};

// True if any problem can produce this fact: checks its names and the count of numbers, not their values.
Result<Done> check_fact(const FactPath&, const std::string& where);

struct FactSources {
  const Document& document;
  const WalkController& walk;
  const CompareController& compare;
  const RooflineController& roofline;
  const WhichController& which;
  const TreeController& tree;
  std::optional<SampledWin> sampled = {};  // the recorded win that this screen of a lesson asks for
  Guesses guesses = {};                    // of such screens, so far
  std::optional<double> guess = {};        // the number that is typed or slid to, in the task's unit, not yet checked
};

class Facts {
 public:
  explicit Facts(FactSources of) : of_(std::move(of)) {}
  void set(std::optional<SampledWin> sampled) { of_.sampled = sampled; }
  void set_guess(std::optional<double> guess) { of_.guess = guess; }
  void set(Guesses guesses) { of_.guesses = std::move(guesses); }
  Result<Figure> of(const FactPath&) const;  // precondition: check_fact succeeds

 private:
  FactSources of_;
};

}  // namespace tilewalk
