// The badge of the check. Four states must never look alike (live, recording, not checked, diverged); they differ in
// words and shape as well as colour. Green only where values were compared and equal.
#pragma once

#include <string>

#include "trace/verdict.h"

namespace tilewalk {

enum class BadgeKind { NotChecked, Running, Recorded, Live, WithinRule, Diverged, NotFinite };

struct VerifyModel {
  BadgeKind kind = BadgeKind::NotChecked;
  bool good = false;       // compared and equal (or within the rule)
  std::string text;        // "equals recording from H200, 2026-11-21 · 0 ULP"
  std::string detail;      // sentences for the tooltip
  std::string short_text;  // for the foot of the timeline: "state equals the GPU's, bit for bit"
  std::string brief;       // "equals recording · 0 ULP", where there is little room
  std::string word;        // "equal", where there is hardly any
  std::int64_t step = -1;  // the step that diverged; a click goes there
};

VerifyModel build_verify_model(const CheckReport&);

// The result of the check for one tile visit.
enum class VisitCheck { Unknown, Equal, Differs };
VisitCheck check_of_visit(const CheckReport&, std::int64_t visit_index);

}  // namespace tilewalk
