// The family of attention kernels: the year, the change and the source of each. One table for the page of the tree and
// for `tilewalk tree`. A parent is given only where a source names it. Not included: speeds without a source here, and
// programs that only call one of these kernels. Invariants: one row for every TreeMember, in that order; years do not
// decrease; parents are not younger.
#pragma once

#include <vector>

#include "core/problem/contender.h"
#include "session/command/command.h"

namespace tilewalk {

// The kind of change, in the order of the page's lanes: in it no two lines from parents to children cross.
enum class TreeBranch { Softmax, Splitting, Tiles, Loops, Overlap, AnyMask, Paging, Format };

struct BranchRow {
  TreeBranch branch;
  const char* title;
  const char* meaning;  // one sentence
};
const std::vector<BranchRow>& tree_branches();

struct MemberRow {
  TreeMember member;
  const char* name;        // "FlashAttention-2"
  const char* short_name;  // "FA-2"
  int year;
  const char* years;  // "2023 on", where it covers more than one year; else empty
  TreeBranch branch;
  const char* changes;
  const char* result;  // a speed or a size, with its machine; may be empty
  const char* brief;   // of `result`, else of `changes`: for a card without a recorded time
  bool exact;          // up to rounding; false: approximate by design
  const char* exact_note;
  const char* runs_on;
  std::optional<ScheduleKind> schedule;  // the schedule that shows it, in whole or in part
  const char* source;
  std::vector<TreeMember> after = {};                // its parents
  std::optional<Contender> raced_as = std::nullopt;  // in the shipped races
};
const std::vector<MemberRow>& tree_table();
const MemberRow& member_row(TreeMember);

}  // namespace tilewalk
