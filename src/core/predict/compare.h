// Compares two schedules on the same problem: a table of differences, each figure with the transfers that make it up,
// and one sentence of verdict, which agrees with the table about time and bytes. Traffic and FLOPs are counted exactly;
// DRAM bytes come from core/chip/l2_model and time from core/predict/run_time, and are marked as modelled. "left" is
// the baseline; a row is better where the right has less (or, for SMs, more). Where launches may set both times, the
// runs are too small for a verdict on time.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "core/predict/run_time.h"
#include "core/walk/transfers.h"

namespace tilewalk {

enum class CompareUnit { Bytes, YesNo, OfSms, Count, Operations, Milliseconds };

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
  int left_sms = 0, right_sms = 0;   // of the devices: a row OfSms is "32 of 132"
  double left_ms = 0, right_ms = 0;  // modelled time
  std::string verdict;
  bool too_small = false;  // modelled time cannot say which is faster
};

// Rules for a comparison: the same shapes, mask, dtype and device. Empty where the two may be compared.
Issues why_not_comparable(const Problem& left, const Problem& right);

// The problem under another schedule, with settings that the schedule allows: enough splits to fill the device, stages
// that do not deadlock, no fault. Shared memory is raised up to the device's limit, then tiles are halved until the
// problem is valid: first the side that leaves its traffic unchanged (Bc; for FA-1 Br), down to 16 rows.
Problem under_schedule(const Problem&, ScheduleKind);

// A schedule's title beside a time: "FA-2", or "Naive (S in fp32)". The naive of races uses cuBLAS with S in 16 bits
// and is another contender.
std::string run_title(const Problem&);

// The right figure relative to the left, as table and verdict write it: "−41 %", "+3.2 %", "2.3×", "same".
std::string change_text(double left, double right);

// Precondition: both are valid and comparable.
Comparison build_comparison(const Problem& left, const Problem& right);
Comparison build_comparison(const Problem& left, const Problem& right, const RunTime& of_left, const RunTime& of_right);

}  // namespace tilewalk
