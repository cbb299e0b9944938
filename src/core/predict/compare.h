// Two schedules on the same problem, side by side: figures, each with the transfers behind it. Traffic and FLOPs are
// counted exactly; DRAM bytes come from core/chip/l2_model and time from core/predict/run_time, and are marked as
// modelled. "left" is the baseline; a row is better where the right has less (or, for SMs, more). Where launches may
// set both times, the runs are too small to tell which is faster. Words for all this are in view/compare/verdict.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "core/predict/run_time.h"
#include "core/walk/transfers.h"

namespace tilewalk {

enum class CompareUnit { Bytes, YesNo, OfSms, Count, Operations, Milliseconds };

struct CompareRow {
  std::string id;  // "kv-read", for commands and tests
  CompareUnit unit = CompareUnit::Bytes;
  double left = 0, right = 0;
  bool more_is_better = false;
  bool modelled = false;  // an estimate, not a count
  std::vector<Transfer> left_transfers{}, right_transfers{};
};

struct ComparedRun {
  RunTime time{};
  std::int64_t hbm_bytes = 0, dram_bytes = 0;  // asked of global memory; from and to DRAM
  double ledger_bytes = 0;                     // by the papers' ledgers, without a mask
  std::int64_t rescales_in_hbm = 0;            // visits that fetch O from HBM and put it back rescaled
  double ms() const { return time.seconds * 1e3; }
};

struct Comparison {
  Problem left, right;
  std::vector<CompareRow> rows;
  ComparedRun left_run, right_run;  // of backward passes nothing is modelled
  bool too_small() const { return left_run.time.by_processor && right_run.time.by_processor; }  // to tell by time
};

// Rules for a comparison: the same shapes, mask, dtype and device. Empty where the two may be compared.
Issues why_not_comparable(const Problem& left, const Problem& right);

// The problem under another schedule, with settings that the schedule allows: enough splits to fill the device, stages
// that do not deadlock, no fault. Shared memory is raised up to the device's limit, then tiles are halved until the
// problem is valid: first the side that leaves its traffic unchanged (Bc; for FA-1 Br), down to 16 rows.
Problem under_schedule(const Problem&, ScheduleKind);

// Precondition: both problems are valid, forward and comparable.
Comparison build_comparison(const Schedule& left, const Schedule& right, const RunTime& of_left,
                            const RunTime& of_right);

}  // namespace tilewalk
