// Reads a file of tile visits that a person's kernel recorded: assets/lab/trace/README.md has the
// layout, assets/lab/tilewalk_trace.py writes it. Every length is checked before memory is allocated for it, and the
// work of judging is limited.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "files/safetensors.h"
#include "lab/judge/visit.h"

namespace tilewalk {

struct VisitTrace {
  Problem problem;  // schedule, seed and machine mean nothing; tile sizes are the largest among the visits
  JudgeRules rules;
  std::vector<float> q, k, v;
  std::vector<LabVisit> visits;
  std::vector<float> o, lse;  // results at the end; empty: not recorded

  AttentionInputs inputs() const { return {q, k, v}; }
};

inline constexpr const char* kVisitTraceFormat = "tilewalk-visits";  // of the metadata
inline constexpr std::int64_t kMostTraceVisits = 1 << 20;
inline constexpr std::int64_t kMostTraceHeadSize = 1024;
inline constexpr double kMostTraceProducts = 1ll << 36;  // multiply-adds of all visits: rows x keys x d

// Messages use `name` for the file.
Result<VisitTrace> visit_trace_from(const SafetensorsReader&, const std::string& name);
Result<VisitTrace> load_visit_trace(const std::string& path);

// Judges all visits and the results. Calls `go_on` with the progress, 0 to 1, before each visit; where it returns
// false, the report covers the visits so far, and is not passed.
JudgeReport judge_trace(const VisitTrace&, const std::function<bool(double)>& go_on = {});

}  // namespace tilewalk
