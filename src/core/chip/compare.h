// Two schedules on the same problem, side by side: a table of differences, each figure with the transfers behind it,
// and one sentence of verdict. Traffic and FLOPs are counted exactly; DRAM bytes come from core/chip/l2_model and
// cycles from core/chip/waves, and are marked as modelled. "left" is the baseline; a row is better where the right has
// less (or, for SMs, more).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "core/walk/transfers.h"
#include "core/chip/waves.h"

namespace tilewalk {

enum class CompareUnit { Bytes, YesNo, OfSms, Count, Operations, Cycles };

struct CompareRow {
  std::string id;     // "kv-read", for commands and tests
  std::string title;  // "K, V read"
  CompareUnit unit = CompareUnit::Bytes;
  double left = 0, right = 0;
  bool more_is_better = false;
  bool modelled = false;  // an estimate, not a count
  std::vector<Transfer> left_transfers, right_transfers;
};

struct Comparison {
  Problem left, right;
  std::vector<CompareRow> rows;
  int left_sms = 0, right_sms = 0;  // of the devices: a row OfSms is "32 of 132"
  std::string verdict;
};

// Rules for a comparison: the same shapes, mask, type and device. Empty where it may be made.
Issues why_not_comparable(const Problem& left, const Problem& right);

// The problem under another schedule, with settings that the schedule can take: splits enough to fill the device,
// stages that do not deadlock, no fault. Shared memory is raised up to the device's, then tiles are halved, until it is
// valid.
Problem under_schedule(const Problem&, ScheduleKind);

// Precondition: both are valid and comparable.
Comparison build_comparison(const Problem& left, const Problem& right);

}  // namespace tilewalk
