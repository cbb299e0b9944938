// The result of a check of values, from the checker to the badge: the verdict, how much was compared, with what, and
// where the first difference is. trace/verify makes it, Session stores it, view/ formulates it.
// Not modelled: which problem on screen it is about (its caller knows), how it looks.
// Nothing is green unless its verdict is Equal or WithinRule, and those are given only when every value was compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/walk/step.h"
#include "trace/trace.h"
#include "trace/traced.h"

namespace tilewalk {

enum class Verdict { NotChecked, Running, Equal, WithinRule, Diverged, NotFinite };
const char* name_of(Verdict);  // "not checked", "running", "equal", "within rule", "diverged", "not finite"

struct Divergence {
  ScheduleKind schedule{};
  // Index in the schedule of the step that computes the quantity. Texts count from 1: the state after that step shows
  // it.
  std::int64_t step = 0;
  Phase phase{};
  std::int64_t batch = 0, head = 0;
  std::int64_t q_tile = 0;        // -1 for final dK and dV
  std::int64_t kv_tile = -1;      // -1 for values computed after the last visit
  std::int64_t row = -1;          // of Q in its head, of K for final dK and dV; -1 where only a hash is known
  std::int64_t col = -1;          // S, P: row of K; O: column of the head; -1 for m, l, alpha, L and hashes
  std::int64_t visit_index = -1;  // Schedule::visit_index, -1 outside visits
  TracedQuantity quantity{};
  std::optional<float> expected, got;
  std::optional<std::int64_t> ulp;  // none for hashes and NaN
  bool finite = true;               // false: fails as "not finite"
  bool operator==(const Divergence&) const = default;
};

enum class CheckAgainst { Nothing, LiveGpu, Recording, EmulatedKernel };

struct CheckReport {
  CheckAgainst against = CheckAgainst::Nothing;
  Verdict verdict = Verdict::NotChecked;
  std::string reason;  // why nothing was checked; a sentence
  Provenance provenance;
  TraceDetail detail = TraceDetail::State;
  std::int64_t tile_visits = 0;  // compared so far
  std::int64_t values = 0;       // compared, one by one or by their hash
  std::int64_t differing = 0;    // values whose bits differ; with hashes, visits and Q tiles
  std::int64_t not_finite = 0;
  std::optional<std::int64_t> max_ulp;  // over differing values; none with hashes
  std::optional<Divergence> first;
  bool operator==(const CheckReport&) const = default;
};

// One sentence: what the check found.
std::string sentence_of(const CheckReport&);

}  // namespace tilewalk
