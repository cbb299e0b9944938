#include "trace/verdict.h"

#include "base/units.h"
#include "core/values/quantity.h"

namespace tilewalk {

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::NotChecked: return "not checked";
    case Verdict::Running: return "running";
    case Verdict::Equal: return "equal";
    case Verdict::WithinRule: return "within rule";
    case Verdict::Diverged: return "diverged";
    case Verdict::NotFinite: return "not finite";
  }
  return "";
}

std::string sentence_of(const CheckReport& r) {
  const std::string counts = format_count(r.values) + " values of " + format_count(r.tile_visits) + " tile visits";
  switch (r.verdict) {
    case Verdict::Equal: return "Equal in every bit: " + counts;
    case Verdict::WithinRule: return "Within the rule: " + counts;
    case Verdict::Running: return "Being checked";
    case Verdict::NotChecked: return r.reason.empty() ? std::string("Not checked") : "Not checked. " + r.reason;
    default: break;
  }
  const Divergence& at = *r.first;
  std::string text = r.verdict == Verdict::NotFinite ? "Not finite: " : "Diverged: ";
  text += std::string(name_of(at.quantity)) + " at step " + format_count(at.step + 1) + " (" + name_of(at.phase) + ")";
  if (at.q_tile >= 0) text += ", Q tile " + std::to_string(at.q_tile);
  if (at.kv_tile >= 0) text += ", KV tile " + std::to_string(at.kv_tile);
  if (at.row >= 0) text += ", row " + std::to_string(at.row);
  if (at.col >= 0) text += ", column " + std::to_string(at.col);
  if (at.expected) text += ": expected " + format_fixed(*at.expected, 6) + " (" + format_bits(*at.expected) + ")";
  if (at.got) text += ", got " + format_fixed(*at.got, 6) + " (" + format_bits(*at.got) + ")";
  if (ledger_row(traced_row(at.quantity).quantity).is_score && (at.expected || at.got)) text += ", in log2 units";
  if (at.ulp) text += ", " + format_count(*at.ulp) + " ULP apart";
  return text;
}

}  // namespace tilewalk
