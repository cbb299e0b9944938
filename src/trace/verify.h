// The checker: walks the replay and compares every tile visit of a trace with it, bit for bit.
//
// Where a trace has full state, each value counts; where it has hashes, a differing visit counts once and no single
// value can be named. NaN, and an infinity that the contract does not require, fail even if both sides agree on them:
// -inf is right only for a masked score and for the max of a row that has seen no column so far, +inf only for L of a
// row without visible columns. (An infinity in the replay alone, as some faults cause it, is a divergence like any
// other.) The first divergence is the one with the smallest step of the schedule, then row, then column. A quantity
// belongs to the step of the phase that computes it; O is recorded once a visit, after its product, so an error in the
// rescale of O appears there. Nothing here throws, prints or depends on GPUs. Work is done in slices, so that a window
// stays responsive.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "trace/verdict.h"

namespace tilewalk {

// True if the two problems have the same values: everything is equal but fault, device and SRAM size.
bool same_values(const Problem&, const Problem&);

// What is known about a trace's origin. Digests of large inputs take a while, so a caller that already has one passes
// it.
struct TraceOrigin {
  std::string kernel_digest = {};                   // of kernel_registry; empty for a trace made just now
  std::optional<std::uint64_t> inputs_digest = {};  // digest_of_inputs; without it, the verifier computes it
};

// Every reason why a trace cannot be compared at all: another problem, arrays that are too short or too long, a kernel
// that has changed since; and other inputs.
Issues check_trace(const Trace&, const Problem&, const std::string& kernel_digest);
Issues check_inputs(const Trace&, std::uint64_t inputs_digest);

enum class VisitVerdict : std::uint8_t { Unchecked, Equal, Differs };

class Verifier {
 public:
  // The replay may have a fault; the trace never has one.
  Verifier(std::shared_ptr<const Schedule>, Inputs, std::shared_ptr<const Trace>, const TraceOrigin& = {});
  ~Verifier();
  Verifier(Verifier&&) noexcept;
  Verifier& operator=(Verifier&&) noexcept;

  // Does a slice of the check; true when everything is compared. At most max_visits visits of the replay; visits that
  // only lead up to others are not compared. First digests the inputs, 64 rows for a visit. The verdict is NotChecked
  // until the end, unless something has already failed.
  bool work(std::int64_t max_visits);
  double progress() const;  // 0 to 1
  const CheckReport& report() const;
  const std::vector<VisitVerdict>& visits() const;  // by visit_index

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The whole check in one call.
CheckReport verify(std::shared_ptr<const Schedule>, const Inputs&, std::shared_ptr<const Trace>,
                   const TraceOrigin& = {});

}  // namespace tilewalk
