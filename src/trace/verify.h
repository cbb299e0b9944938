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
#include "trace/trace.h"

namespace tilewalk {

enum class Verdict { Equal, WithinRule, Diverged, NotFinite, NotChecked };
const char* name_of(Verdict);  // "equal", "within rule", "diverged", "not finite", "not checked"

// The last ones are those of the backward passes: DQ, DK and DV as after a visit, Final* as they leave.
enum class Quantity {
  S, M, Alpha, P, L, O, Output, Lse, VisitHash, OutputHash,
  DP, DS, DQ, DK, DV, FinalDQ, FinalDK, FinalDV, GradientHash, QGradientHash, KvGradientHash
};
const char* name_of(Quantity);  // "S", "m", "alpha", "P", "l", "O", "O", "L", "state hash", "output hash"

struct TraceDivergence {
  ScheduleKind schedule{};
  std::int64_t step = 0;  // index in the schedule of the step that makes the quantity
  Phase phase{};
  std::int64_t batch = 0, head = 0;
  std::int64_t q_tile = 0;        // -1 for dK and dV as they leave
  std::int64_t kv_tile = -1;      // -1 for what is made after the last visit
  std::int64_t row = -1;          // of Q in its head, of K for dK and dV; -1 where only a hash is known
  std::int64_t col = -1;          // S, P: row of K; O: column of the head; -1 for m, l, alpha, L and hashes
  std::int64_t visit_index = -1;  // Schedule::visit_index, -1 outside visits
  Quantity quantity{};
  std::optional<float> expected, got;
  std::optional<std::int64_t> ulp;  // none for hashes and NaN
  bool finite = true;               // false: fails as "not finite"
};

struct VerifyReport {
  Verdict verdict = Verdict::NotChecked;
  std::string reason;  // why nothing was checked; a sentence
  Provenance provenance;
  std::int64_t tile_visits = 0;  // compared so far
  std::int64_t values = 0;       // compared, or under the hashes compared
  std::int64_t differing = 0;    // values whose bits differ; with hashes, visits and Q tiles
  std::int64_t not_finite = 0;
  std::optional<std::int64_t> max_ulp;  // over differing values; none with hashes
  std::optional<TraceDivergence> first;
};

// One sentence: what the check found.
std::string sentence_of(const VerifyReport&);

// Whether the two problems ask for the same values: everything but fault, device and SRAM size.
bool same_values(const Problem&, const Problem&);

// Everything that keeps a trace from being compared at all: another problem, other inputs, arrays that are too short or
// too long, a kernel that has moved on since (`current_digest`, of kernel_registry; empty for a trace made just now).
Issues check_trace(const Trace&, const Inputs&, const std::string& current_digest);

enum class VisitVerdict : std::uint8_t { Unchecked, Equal, Differs };

class Verifier {
 public:
  // The replay may have a fault switched on; the trace never has.
  Verifier(std::shared_ptr<const Schedule>, Inputs, std::shared_ptr<const Trace>,
           const std::string& current_digest = {});
  ~Verifier();
  Verifier(Verifier&&) noexcept;
  Verifier& operator=(Verifier&&) noexcept;

  // Compares whole Q tiles (backward passes: whole KV tiles) until at least max_visits visits were done; true when all is compared. The verdict is
  // NotChecked until then, unless something has already failed.
  bool work(std::int64_t max_visits);
  double progress() const;  // 0 to 1
  const VerifyReport& report() const;
  const std::vector<VisitVerdict>& visits() const;  // by visit_index

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// All at once.
VerifyReport verify(std::shared_ptr<const Schedule>, const Inputs&, std::shared_ptr<const Trace>,
                    const std::string& current_digest = {});

}  // namespace tilewalk
