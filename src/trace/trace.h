// A trace: what a kernel recorded, visit by visit, with where and when it ran. Rows of the arrays are indexed by
// Schedule::visit_index. Ragged tiles leave the end of their row unused (zero). Below, br and bc are the size of the
// largest tile: trace_rows and trace_cols.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/problem/problem.h"

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
  std::vector<float> out;          // final O, batch x heads x n_q x d, as rounded to the dtype
  std::vector<float> lse;          // L, batch x heads x n_q (empty for standard, which has none)
  // detail Hashes: one per visit, and one of final O and L per (batch, head, Q tile) (trace/state_hash.h).
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint64_t> out_hashes;
  std::uint64_t inputs_digest = 0;  // of the bits of Q, K and V, and dO in a backward pass (trace/digests.h)
  // The backward passes. State: s and p above with these, m, l, alpha, o, out and lse empty (backward_standard: s too);
  // hashes: of p and of these, out_hashes of final dQ per (batch, head, Q tile), kv_hashes of final dK and dV per
  // (batch, KV head, KV tile).
  std::vector<float> dp, ds;                  // br x bc per visit
  std::vector<float> dq;                      // br x d per visit: not yet times g
  std::vector<float> dk, dv;                  // bc x d per visit, likewise
  std::vector<float> out_dq, out_dk, out_dv;  // final gradients, shaped as Q, K and V, as rounded to the dtype
  std::vector<std::uint64_t> kv_hashes;

  bool operator==(const Trace&) const = default;
};

inline std::int64_t trace_rows(const Problem& p) { return p.tiling.br < p.shape.n_q ? p.tiling.br : p.shape.n_q; }
inline std::int64_t trace_cols(const Problem& p) { return p.tiling.bc < p.shape.n_kv ? p.tiling.bc : p.shape.n_kv; }

// Bytes of a full-state trace of the problem; used to choose Hashes for large ones. At most kMaxStateBytes are
// recorded.
inline constexpr std::int64_t kMaxStateBytes = std::int64_t(1) << 34;
std::int64_t full_state_bytes(const Problem&);

}  // namespace tilewalk
