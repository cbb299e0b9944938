// The checker: walks the replay and holds every tile visit of a trace against it, bit for bit.
//
// Where a trace holds state, each value counts; where it holds hashes, a differing visit counts once and no value can
// be named. NaN, and an infinity where the contract has none, fail even if both sides agree on them: -inf is in order
// only for a masked score and for the max of a row that has seen nothing, +inf only for L of a row that sees nothing.
// (An infinity in the replay alone, as some faults make it, is a divergence like any other.) The first divergence is
// the one with the smallest step of the schedule, then row, then column. A quantity belongs to the step of the phase
// that makes it; O is recorded once a visit, after its product, so a slip in the rescale of O shows there. Nothing here
// throws, prints or knows of GPUs. Work comes in slices, so that a window can stay responsive.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "trace/verdict.h"

namespace tilewalk {

// Whether the two problems ask for the same values: everything but fault, device and SRAM size.
bool same_values(const Problem&, const Problem&);

// What a trace must have been made from, where that is known. Digests of large inputs take a while, so whoever has one
// hands it along.
struct TraceOrigin {
  std::string kernel_digest = {};                   // of kernel_registry; empty for a trace made just now
  std::optional<std::uint64_t> inputs_digest = {};  // digest_of_inputs; without it, it is made
};

// Everything that keeps a trace from being compared at all: another problem, arrays that are too short or too long, a
// kernel that has moved on since; and other inputs.
Issues check_trace(const Trace&, const Problem&, const std::string& kernel_digest);
Issues check_inputs(const Trace&, std::uint64_t inputs_digest);

enum class VisitVerdict : std::uint8_t { Unchecked, Equal, Differs };

class Verifier {
 public:
  // The replay may have a fault switched on; the trace never has.
  Verifier(std::shared_ptr<const Schedule>, Inputs, std::shared_ptr<const Trace>, const TraceOrigin& = {});
  ~Verifier();
  Verifier(Verifier&&) noexcept;
  Verifier& operator=(Verifier&&) noexcept;

  // A slice of it, true when all is compared: at most max_visits visits of the replay, of which those that only lead up
  // to others are not compared. Inputs are digested first, 64 rows for a visit. The verdict is NotChecked until the
  // end, unless something has already failed.
  bool work(std::int64_t max_visits);
  double progress() const;  // 0 to 1
  const CheckReport& report() const;
  const std::vector<VisitVerdict>& visits() const;  // by visit_index

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// All at once.
CheckReport verify(std::shared_ptr<const Schedule>, const Inputs&, std::shared_ptr<const Trace>,
                   const TraceOrigin& = {});

}  // namespace tilewalk
