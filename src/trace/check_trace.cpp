// What keeps a trace from being compared at all, and what a finished comparison says.
#include "base/units.h"
#include "core/problem/fields.h"
#include "trace/digests.h"
#include "trace/verify.h"

namespace tilewalk {
namespace {

void check_size(Issues& issues, const char* name, std::size_t size, std::int64_t needed) {
  if (std::int64_t(size) == needed) return;
  issues.push_back({std::string("trace array ") + name, format_count(std::int64_t(size)) + " values",
                    "must have " + format_count(needed), "Record the trace again"});
}

}  // namespace

bool same_values(const Problem& a, const Problem& b) {
  Problem right = a;
  right.fault = b.fault;  // made in the replay alone
  return !changes_between(right, b).values;
}

Issues check_trace(const Trace& trace, const Inputs& inputs, const std::string& current_digest) {
  const Problem& p = inputs.problem();
  Issues issues;
  if (!same_values(trace.problem, p)) {
    issues.push_back(
        {"recording", "", "was made of another problem", "Choose the recording of this problem, or check live"});
    return issues;
  }
  if (!current_digest.empty() && trace.provenance.kernel_digest != current_digest) {
    issues.push_back({"recording", trace.provenance.kernel_file,
                      "is stale: the kernel source has changed since it was recorded",
                      "Record it again, or check live"});
    return issues;
  }
  const std::int64_t visits = make_schedule(p)->visit_counts().visited(), heads = p.shape.batch * p.shape.heads;
  const std::int64_t rows = trace_rows(p), cols = trace_cols(p);
  const bool standard = p.schedule == ScheduleKind::Standard;
  if (trace.visit_count != visits) {
    issues.push_back({"recording", format_count(trace.visit_count) + " tile visits",
                      "must have " + format_count(visits), "Record the trace again"});
    return issues;
  }
  if (trace.detail == TraceDetail::Hashes) {
    check_size(issues, "hashes", trace.hashes.size(), visits);
    check_size(issues, "out_hashes", trace.out_hashes.size(), heads * p.q_tiles());
    if (is_backward(p.schedule))
      check_size(issues, "kv_hashes", trace.kv_hashes.size(), p.shape.batch * p.shape.kv_heads * p.kv_tiles());
  } else if (is_backward(p.schedule)) {
    const bool scores = p.schedule != ScheduleKind::BackwardStandard;  // which reads P and makes none
    check_size(issues, "s", trace.s.size(), scores ? visits * rows * cols : 0);
    check_size(issues, "p", trace.p.size(), visits * rows * cols);
    check_size(issues, "dp", trace.dp.size(), visits * rows * cols);
    check_size(issues, "ds", trace.ds.size(), visits * rows * cols);
    check_size(issues, "dq", trace.dq.size(), visits * rows * p.shape.d);
    check_size(issues, "dk", trace.dk.size(), visits * cols * p.shape.d);
    check_size(issues, "dv", trace.dv.size(), visits * cols * p.shape.d);
    check_size(issues, "out_dq", trace.out_dq.size(), heads * p.shape.n_q * p.shape.d);
    check_size(issues, "out_dk", trace.out_dk.size(), p.shape.batch * p.shape.kv_heads * p.shape.n_kv * p.shape.d);
    check_size(issues, "out_dv", trace.out_dv.size(), p.shape.batch * p.shape.kv_heads * p.shape.n_kv * p.shape.d);
  } else {
    check_size(issues, "m", trace.m.size(), visits * rows);
    check_size(issues, "l", trace.l.size(), visits * rows);
    check_size(issues, "alpha", trace.alpha.size(), standard ? 0 : visits * rows);
    check_size(issues, "s", trace.s.size(), visits * rows * cols);
    check_size(issues, "p", trace.p.size(), visits * rows * cols);
    check_size(issues, "o", trace.o.size(), visits * rows * p.shape.d);
    check_size(issues, "out", trace.out.size(), heads * p.shape.n_q * p.shape.d);
    check_size(issues, "lse", trace.lse.size(), standard ? 0 : heads * p.shape.n_q);
  }
  if (issues.empty() && trace.inputs_digest != digest_of_inputs(inputs)) {
    issues.push_back({"recording", "", "was made from other values of Q, K and V", "Check live, or undo the edits"});
  }
  return issues;
}

std::string sentence_of(const VerifyReport& r) {
  const std::string counts = format_count(r.values) + " values of " + format_count(r.tile_visits) + " tile visits";
  switch (r.verdict) {
    case Verdict::Equal: return "Equal in every bit: " + counts;
    case Verdict::WithinRule: return "Within the rule: " + counts;
    case Verdict::NotChecked: return r.reason.empty() ? std::string("Not checked") : "Not checked. " + r.reason;
    default: break;
  }
  const TraceDivergence& at = *r.first;
  std::string text = r.verdict == Verdict::NotFinite ? "Not finite: " : "Diverged: ";
  text += std::string(name_of(at.quantity)) + " at step " + format_count(at.step) + " (" + name_of(at.phase) +
          ")";
  if (at.q_tile >= 0) text += ", Q tile " + std::to_string(at.q_tile);
  if (at.kv_tile >= 0) text += ", KV tile " + std::to_string(at.kv_tile);
  if (at.row >= 0) text += ", row " + std::to_string(at.row);
  if (at.col >= 0) text += ", column " + std::to_string(at.col);
  if (at.expected) text += ": expected " + format_fixed(*at.expected, 6) + " (" + format_bits(*at.expected) + ")";
  if (at.got) text += ", got " + format_fixed(*at.got, 6) + " (" + format_bits(*at.got) + ")";
  const bool is_score = at.quantity == Quantity::S || at.quantity == Quantity::M || at.quantity == Quantity::Lse;
  if (is_score && (at.expected || at.got)) text += ", in log2 units";
  if (at.ulp) text += ", " + format_count(*at.ulp) + " ULP apart";
  return text;
}

}  // namespace tilewalk
