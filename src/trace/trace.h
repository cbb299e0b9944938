// A trace: what a kernel recorded, visit by visit, with where and when it ran. Rows of the arrays are indexed by
// Schedule::visit_index. Ragged tiles leave the tail of their row unused (zero).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/problem.h"
#include "core/tensor.h"

namespace tilewalk {

enum class TraceDetail { State, Hashes };

struct Provenance {
  std::string ran_on;         // "gpu" or "cpu": a kernel source run on the CPU is never called GPU
  std::string gpu;            // "NVIDIA H200"; empty for cpu
  std::string driver;         // "580.159.04"
  std::string cuda;           // "13.0"
  std::string date;           // "2026-11-21", UTC
  std::string kernel_file;    // "03_flash_v2.cu"
  std::string kernel_digest;  // SHA-256 over the kernel and all it includes, comments and white space removed
  bool operator==(const Provenance&) const = default;
};

struct Trace {
  Problem problem;
  Provenance provenance;
  TraceDetail detail = TraceDetail::State;
  std::int64_t visit_count = 0;
  // detail State: visit_count rows each.
  std::vector<float> m, l, alpha;  // br per visit (alpha empty for standard)
  std::vector<float> s, p;         // br x bc per visit, row-major with stride bc
  std::vector<float> o;            // br x d per visit
  // detail Hashes: one per visit (trace/state_hash.h).
  std::vector<std::uint64_t> hashes;

  bool operator==(const Trace&) const = default;
};

// What a full-state trace of the problem would take; used to choose Hashes for large ones and refused past 2^40.
std::int64_t full_state_bytes(const Problem&);

}  // namespace tilewalk
