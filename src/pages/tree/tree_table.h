// The family of attention kernels: who came when, what each changed, and where it comes from. One table; the page of
// the tree and `tilewalk tree` read it. A parent is told only where a source names it. Not told: speeds that no source
// here has, and programs that only call one of these.
// Invariant: a row for every TreeMember, in that order; years do not fall; parents are not younger.
#pragma once

#include <vector>

#include "session/command/command.h"

namespace tilewalk {

enum class TreeBranch { Softmax, Tiles, Loops, Overlap, AnyMask, Splitting, Paging, Format };  // what a member changed

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
  const char* years;  // "2023 on", where one year is not all; else empty
  TreeBranch branch;
  const char* changes;
  const char* result;  // of a speed or a size, with what it was measured on; may be empty
  bool exact;          // but for rounding; false: approximate by intent
  const char* exact_note;
  const char* runs_on;
  std::optional<ScheduleKind> schedule;  // which shows it, or what of it can be shown
  const char* source;
  std::vector<TreeMember> after = {};  // what it was built on
};
const std::vector<MemberRow>& tree_table();
const MemberRow& member_row(TreeMember);

}  // namespace tilewalk
