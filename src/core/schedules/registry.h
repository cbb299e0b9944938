// Every schedule, one row each: all other code asks here what a schedule is, has and does. To add one: its enumerator,
// a file with its row (core/schedules/rows.h), and a line in registry.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/schedules/schedule_row.h"

namespace tilewalk {

const ScheduleRow& schedule_row(ScheduleKind);
inline const ScheduleRow& row_of(const Problem& p) { return schedule_row(p.schedule); }
const std::vector<ScheduleKind>& all_schedules();  // in display order: forward, then backward, oldest first

const char* name_of(ScheduleKind);                                   // in the command line and in files
const char* title_of(ScheduleKind);                                  // in sentences: "Naive", "FA-2"
std::optional<ScheduleKind> schedule_from(const std::string& name);  // by name or title, in upper or lower case
bool is_backward(ScheduleKind);
std::vector<ScheduleKind> same_pass(ScheduleKind);  // all forward or all backward passes, in display order
Problem forward_of(Problem);  // the forward pass whose results a backward pass reads: without fault, with enough SRAM
bool fault_applies(Fault, ScheduleKind);
bool may_have_narrow_scores(const Problem&);  // Numerics::narrow_scores may be true: the schedule's, and 16 bits
// Why a fault does not apply to a schedule, a part of a sentence: "never rescales or skips".
const char* no_fault_reason(ScheduleKind);

// The FLOPs and bytes of the FlashAttention paper's formulas, and the whole run counted from the mask's geometry alone
// (core/witness/formulas).
Textbook textbook(const Problem&);
Cost whole_run_cost(const Problem&);

// True if its thread blocks have a timeline: standard attention and the backward passes have only a limit.
bool has_lanes(ScheduleKind);
// Why this many stages would make lanes wait for each other for ever; null if they would not. The tests compare it with
// the simulation of core/chip/timeline.
const char* why_stages_deadlock(const Problem&);

std::int64_t thread_blocks(const Problem&);  // of the run's main launch
std::int64_t splits_of(const Problem&);      // thread blocks that share a Q tile's keys: 1 but in split_kv
std::int64_t bytes_a_row(const Problem&, Width);

// The largest working set that the schedule needs at once, by resident.
std::vector<Resident> peak_residents(const Problem&);
std::int64_t peak_bytes(const Problem&);  // of SRAM, all residents together

}  // namespace tilewalk
