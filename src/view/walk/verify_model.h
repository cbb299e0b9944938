// The badge of the check. Four states must never look alike (live, recording, not checked, diverged); they differ in
// words and shape as well as colour. Green only where values were compared and equal. Right is of a learner's kernel,
// compared with float64.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "core/values/state.h"
#include "core/walk/schedule.h"
#include "session/command/command.h"
#include "trace/verdict.h"

namespace tilewalk {

// AtRisk: a deliberate mistake makes values differ, and the result is right all the same.
enum class BadgeKind { NotChecked, Running, Recorded, Live, WithinRule, Right, AtRisk, Diverged, NotFinite };

struct VerifyModel {
  BadgeKind kind = BadgeKind::NotChecked;
  bool good = false;       // compared and equal (or within the rule)
  std::string text;        // "equals recording from H200, 2026-11-21 · 0 ULP"
  std::string detail;      // sentences for the tooltip
  std::string short_text;  // for the foot of the timeline: "4 of 10 visits: each value equals the GPU's, bit for bit"
  std::string brief;       // "equals recording · 0 ULP", "4 of 10 visits · 0 ULP", where there is little room
  std::string word;        // "recorded", "4 of 10", where there is hardly any
  bool in_full = false;    // `text` is said wherever it fits, whatever the badge usually says
  std::optional<Command> goes_to;  // the place of the first difference
};

std::string short_gpu(const std::string& gpu);  // "H200" for "NVIDIA H200"

// The tile visits whose values the walk has completed at a cursor. A tile that several passes visit counts in the last;
// before any has, `in_pass` counts those of the pass that has visited tiles, 1 being the first.
struct CompletedVisits {
  std::int64_t done = 0, of = 0;
  int pass = 0;
  std::int64_t in_pass = 0;
  std::int64_t cursor = std::numeric_limits<std::int64_t>::max();  // steps done; of a whole run all
  bool operator==(const CompletedVisits&) const = default;
};
CompletedVisits completed_visits(const Schedule&, const State&);

// The claim is about the visits that the walk has completed: before the first one, nothing is claimed, and the badge
// looks unchecked. A difference is in red only once the walk has come to it. Without `completed` it is about the whole
// run. wrong_already: the values at the cursor are wrong, though the check compares them later; they are in red too.
// output_right: a difference is by a deliberate mistake that leaves the result right.
VerifyModel build_verify_model(const CheckReport&, const std::optional<CompletedVisits>& completed = {},
                               bool wrong_already = false, bool output_right = false);

// The same about a whole run as a heading: "Every value equals the H200's, bit for bit", "Wrong from step 44 on, found
// by the check at step 47", "The result is right, though m differs from step 24 on". wrong_from: the cursor after the
// first wrong step (view/walk/wrong_visits.h); 0: that of the check.
std::string check_title(const CheckReport&, bool output_right = false, std::int64_t wrong_from = 0);

// The result of the check for one tile visit.
enum class VisitCheck { Unknown, Equal, Differs };
VisitCheck check_of_visit(const CheckReport&, std::int64_t visit_index);

}  // namespace tilewalk
