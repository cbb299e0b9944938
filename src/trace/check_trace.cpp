// Reasons why a trace cannot be compared at all.
#include "base/units.h"
#include "core/schedules/fields/fields.h"
#include "core/schedules/registry.h"
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
  right.fault = b.fault;  // the fault is in the replay alone
  return !changes_between(right, b).values;
}

Issues check_trace(const Trace& trace, const Problem& p, const std::string& kernel_digest) {
  Issues issues;
  if (!same_values(trace.problem, p)) {
    issues.push_back(
        {"recording", "", "was made of another problem", "Choose the recording of this problem, or check live"});
    return issues;
  }
  if (!kernel_digest.empty() && trace.provenance.kernel_digest != kernel_digest) {
    issues.push_back({"recording", trace.provenance.kernel_file,
                      "is stale: the kernel source has changed since it was recorded",
                      "Record it again, or check live"});
    return issues;
  }
  const std::int64_t visits = make_schedule(p)->visit_counts().visited(), heads = p.shape.batch * p.shape.heads;
  const std::int64_t rows = trace_rows(p), cols = trace_cols(p);
  const ScheduleRow& row = row_of(p);
  if (trace.visit_count != visits) {
    issues.push_back({"recording", format_count(trace.visit_count) + " tile visits",
                      "must have " + format_count(visits), "Record the trace again"});
    return issues;
  }
  if (trace.detail == TraceDetail::Hashes) {
    check_size(issues, "hashes", trace.hashes.size(), visits);
    check_size(issues, "out_hashes", trace.out_hashes.size(), heads * p.q_tiles());
    if (row.family.backward)
      check_size(issues, "kv_hashes", trace.kv_hashes.size(), p.shape.batch * p.shape.kv_heads * p.kv_tiles());
  } else if (row.family.backward) {
    check_size(issues, "s", trace.s.size(), row.trace.scores ? visits * rows * cols : 0);
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
    check_size(issues, "alpha", trace.alpha.size(), row.trace.alpha ? visits * rows : 0);
    check_size(issues, "s", trace.s.size(), visits * rows * cols);
    check_size(issues, "p", trace.p.size(), visits * rows * cols);
    check_size(issues, "o", trace.o.size(), visits * rows * p.shape.d);
    check_size(issues, "out", trace.out.size(), heads * p.shape.n_q * p.shape.d);
    check_size(issues, "lse", trace.lse.size(), row.trace.alpha ? heads * p.shape.n_q : 0);
  }
  return issues;
}

Issues check_inputs(const Trace& trace, std::uint64_t inputs_digest) {
  if (trace.inputs_digest == inputs_digest) return {};
  return {{"recording", "", "was made from other values of Q, K and V", "Check live, or undo the edits"}};
}

}  // namespace tilewalk
