// Reasons why a trace cannot be compared at all.

#include "base/contains.h"
#include "base/units.h"
#include "core/fields/fields.h"
#include "core/schedules/registry.h"
#include "trace/traced.h"
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
  if (trace.visit_count != visits) {
    issues.push_back({"recording", format_count(trace.visit_count) + " tile visits",
                      "must have " + format_count(visits), "Record the trace again"});
    return issues;
  }
  const std::vector<const TracedRow*> arrays = recorded_arrays(row_of(p));
  if (trace.detail == TraceDetail::Hashes) {
    check_size(issues, "hashes", trace.hashes.size(), visits);
    check_size(issues, "out_hashes", trace.out_hashes.size(), heads * p.q_tiles());
    if (has_kv_results(arrays))
      check_size(issues, "kv_hashes", trace.kv_hashes.size(), p.shape.batch * p.shape.kv_heads * p.kv_tiles());
    return issues;
  }
  for (const TracedRow& traced : traced_rows()) {
    if (!traced.array) continue;
    const bool recorded = contains(arrays, &traced);
    std::int64_t needed = recorded ? 1 : 0;
    for (const std::int64_t size : recorded_shape(p, visits, traced)) needed *= size;
    check_size(issues, traced.array, (trace.*traced.recorded).size(), needed);
  }
  return issues;
}

Issues check_inputs(const Trace& trace, std::uint64_t inputs_digest) {
  if (trace.inputs_digest == inputs_digest) return {};
  return {{"recording", "", "was made from other values of Q, K and V", "Check live, or undo the edits"}};
}

}  // namespace tilewalk
