#include "trace/verify.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/contains.h"
#include "base/units.h"
#include "core/schedules/registry.h"
#include "trace/digests.h"
#include "trace/infinities.h"
#include "trace/locate.h"
#include "trace/traced.h"
#include "trace/ulp.h"

namespace tilewalk {

namespace {

std::vector<const TracedRow*> in_walk_order(std::vector<const TracedRow*> arrays) {
  std::stable_sort(arrays.begin(), arrays.end(),
                   [](const TracedRow* a, const TracedRow* b) { return a->quantity < b->quantity; });
  return arrays;
}

}  // namespace

struct Verifier::Impl final : VisitSink {
  std::shared_ptr<const Schedule> schedule;
  std::shared_ptr<const Trace> trace;
  Problem p;
  const ScheduleRow& row;
  const std::vector<const TracedRow*> arrays, hashed;  // of a recording; those that the hash of a visit covers
  const TracedRow& hash;                               // of a visit
  Replay replay;
  CheckReport report;
  std::vector<VisitVerdict> visits;
  std::optional<InputsDigest> digest;  // while it is computed
  std::int64_t group = 0, groups = 0;  // pieces of the walk
  bool usable = false, walking = false;
  bool visit_differs = false;

  Impl(std::shared_ptr<const Schedule> s, Inputs inputs, std::shared_ptr<const Trace> t, const TraceOrigin& origin)
      : schedule(std::move(s)),
        trace(std::move(t)),
        p(schedule->problem()),
        row(row_of(p)),
        arrays(in_walk_order(recorded_arrays(row))),
        hashed(hashed_arrays(row)),
        hash(visit_hash(row)),
        replay(schedule, std::move(inputs)) {
    report.provenance = trace->provenance;
    report.detail = trace->detail;
    refuse(check_trace(*trace, p, origin.kernel_digest));
    if (!usable) return;
    groups = replay.walk_pieces();
    visits.assign(std::size_t(trace->visit_count), VisitVerdict::Unchecked);
    if (origin.inputs_digest)
      refuse(check_inputs(*trace, *origin.inputs_digest));
    else
      digest.emplace(replay.inputs());
  }

  void refuse(const Issues& issues) {
    usable = issues.empty();
    report.reason = text_of(issues);
    if (!usable) groups = 0, visits.clear();
  }

  // False: the digest is not complete.
  bool digest_inputs(std::int64_t& max_visits) {
    constexpr std::int64_t kRowsAVisit = 64;
    while (digest) {
      if (max_visits <= 0) return false;
      std::int64_t rows = kRowsAVisit;
      if (digest->work(rows)) {
        refuse(check_inputs(*trace, digest->value()));
        digest.reset();
      }
      max_visits -= rows < kRowsAVisit ? 1 : 0;
    }
    return true;
  }

  bool hashes() const { return trace->detail == TraceDetail::Hashes; }

  void keep(Divergence at) {
    at.schedule = p.schedule;
    // Where m and l are of whole rows, no single tile is the cause.
    if ((at.quantity == TracedQuantity::M || at.quantity == TracedQuantity::L) &&
        !runs(row, traced_row(at.quantity).quantity))
      at.kv_tile = -1;
    locate(*schedule, at);
    const auto order = [](const Divergence& x) { return std::tuple(x.step, x.row, x.col); };
    if (!report.first || order(at) < order(*report.first)) report.first = at;
    report.verdict = report.first->finite ? Verdict::Diverged : Verdict::NotFinite;
  }

  std::int64_t first_row_of(TracedQuantity quantity, const Divergence& place) const {
    const bool of_keys = ledger_row(traced_row(quantity).quantity).shape == QuantityShape::ColByHead;
    return of_keys ? place.kv_tile * p.tiling.bc : place.q_tile * p.tiling.br;
  }

  // Compares rows x cols values; `stride` is the trace's. `first_col` is -1 for quantities with one value a row. Only
  // the first failure of the array is located: the others of the same array belong to the same step.
  void compare(TracedQuantity quantity, const Divergence& place, const float* expected, const float* got,
               std::int64_t rows, std::int64_t cols, std::int64_t stride, std::int64_t first_col) {
    bool found[2] = {false, false};  // indexed by whether the Mask step made it
    report.values += rows * cols;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < cols; ++j) {
        const float want = expected[i * cols + j], have = got[i * stride + j];
        const bool equal = std::bit_cast<std::uint32_t>(want) == std::bit_cast<std::uint32_t>(have);
        if (equal && std::isfinite(want)) continue;
        Divergence at = place;
        at.row = first_row_of(quantity, place) + i;
        at.col = first_col < 0 ? -1 : first_col + j;
        at.quantity = quantity;
        at.finite = may_be(*schedule, quantity, have, at) && !std::isnan(want);
        if (equal && at.finite) continue;
        visit_differs = true;
        report.not_finite += at.finite ? 0 : 1;
        at.expected = want;
        at.got = have;
        if (!equal) {
          ++report.differing;
          at.ulp = ulp_distance(want, have);
          if (at.ulp) report.max_ulp = std::max(report.max_ulp.value_or(0), *at.ulp);
        }
        bool& seen = found[is_masked(want) != is_masked(have)];
        if (!seen) keep(at);
        seen = true;
      }
    }
  }

  // With hashes there is no value to compare with, but the replay's values must still be finite.
  void check_finite(TracedQuantity quantity, const Divergence& place, const std::vector<float>& values,
                    std::int64_t cols, std::int64_t first_col) {
    for (std::size_t e = 0; e < values.size(); ++e) {
      if (std::isfinite(values[e])) continue;
      Divergence at = place;
      at.row = first_row_of(quantity, place) + std::int64_t(e) / cols;
      at.col = first_col < 0 ? -1 : first_col + std::int64_t(e) % cols;
      at.quantity = quantity;
      at.finite = may_be(*schedule, quantity, values[e], at);
      if (at.finite) continue;
      at.expected = values[e];
      if (report.not_finite++ == 0) keep(at);
      visit_differs = true;
    }
  }

  void compare_hash(TracedQuantity quantity, const Divergence& place, std::uint64_t expected, std::uint64_t got) {
    if (expected == got) return;
    visit_differs = true;
    ++report.differing;
    Divergence at = place;
    at.quantity = quantity;
    keep(at);
  }

  bool on_visit(const VisitState& v) override {
    Divergence place;
    place.batch = v.batch;
    place.head = v.head;
    place.q_tile = v.q_tile;
    place.kv_tile = v.kv_tile;
    place.visit_index = schedule->visit_index(v.tile());
    const std::int64_t at = place.visit_index;
    visit_differs = false;
    for (const TracedRow* traced : arrays)
      if (traced->visit) check_array(*traced, v, place);
    if (hashes()) compare_hash(hash.id, place, digest_of_visit(hashed, v), trace->hashes[std::size_t(at)]);
    visits[std::size_t(at)] = visit_differs ? VisitVerdict::Differs : VisitVerdict::Equal;
    ++report.tile_visits;
    return true;
  }

  // One array of a visit. Scores are the only array without a hash that is checked: P is finite where they are.
  void check_array(const TracedRow& traced, const VisitState& v, const Divergence& place) {
    const QuantityShape shape = ledger_row(traced.quantity).shape;
    const std::vector<float>& expected = v.*traced.visit;
    const TracedTile largest = traced_tile(p, shape);
    const std::int64_t rows = shape == QuantityShape::ColByHead ? v.cols : v.rows,
                       cols = shape == QuantityShape::Cell ? v.cols : largest.cols,
                       first_col = shape == QuantityShape::Cell  ? v.kv_tile * p.tiling.bc
                                   : shape == QuantityShape::Row ? -1
                                                                 : 0;
    if (!hashes())
      return compare(traced.id, place, expected.data(),
                     (trace.get()->*traced.recorded).data() + place.visit_index * largest.rows * largest.cols, rows,
                     cols, largest.cols, first_col);
    const bool is_hashed = contains(hashed, &traced);
    if (is_hashed || traced.id == TracedQuantity::S) check_finite(traced.id, place, expected, cols, first_col);
    if (is_hashed) report.values += rows * cols;
  }

  bool on_kv_gradients(const KvTileId& id, const std::vector<float>& dk, const std::vector<float>& dv) override {
    Divergence place;
    place.batch = id.batch;
    place.head = id.kv_head * p.shape.head_group();
    place.q_tile = -1;
    place.kv_tile = id.kv_tile;
    const std::int64_t cols = p.kv_tile_cols(id.kv_tile), kv = id.batch * p.shape.kv_heads + id.kv_head,
                       first = (kv * p.shape.n_kv + id.kv_tile * p.tiling.bc) * p.shape.d;
    if (hashes()) {
      check_finite(TracedQuantity::FinalDK, place, dk, p.shape.d, 0);
      check_finite(TracedQuantity::FinalDV, place, dv, p.shape.d, 0);
      report.values += 2 * cols * p.shape.d;
      compare_hash(TracedQuantity::KvGradientHash, place, digest_of_kv_gradients(dk.data(), dv.data(), cols, p.shape.d),
                   trace->kv_hashes[std::size_t(kv * p.kv_tiles() + id.kv_tile)]);
    } else {
      compare(TracedQuantity::FinalDK, place, dk.data(), trace->out_dk.data() + first, cols, p.shape.d, p.shape.d, 0);
      compare(TracedQuantity::FinalDV, place, dv.data(), trace->out_dv.data() + first, cols, p.shape.d, p.shape.d, 0);
    }
    return true;
  }

  bool on_q_gradient(const QTileId& id, const std::vector<float>& dq) override {
    Divergence place;
    place.batch = id.batch;
    place.head = id.head;
    place.q_tile = id.q_tile;
    const std::int64_t rows = p.q_tile_rows(id.q_tile), q_head = id.batch * p.shape.heads + id.head;
    if (hashes()) {
      check_finite(TracedQuantity::FinalDQ, place, dq, p.shape.d, 0);
      report.values += rows * p.shape.d;
      compare_hash(TracedQuantity::QGradientHash, place, digest_of_q_gradient(dq.data(), rows, p.shape.d),
                   trace->out_hashes[std::size_t(q_head * p.q_tiles() + id.q_tile)]);
    } else {
      compare(TracedQuantity::FinalDQ, place, dq.data(),
              trace->out_dq.data() + (q_head * p.shape.n_q + id.q_tile * p.tiling.br) * p.shape.d, rows, p.shape.d,
              p.shape.d, 0);
    }
    return true;
  }

  // Until everything is compared, or this many visits are walked. A group counts as at least one, since it may have
  // none.
  void walk(std::int64_t max_visits) {
    while (group < groups && max_visits > 0) {
      if (!walking) replay.begin_piece(group);
      walking = true;
      const std::int64_t before = max_visits;
      if (replay.walk_on(*this, max_visits) == Slice::More) return;
      if (max_visits == before) --max_visits;
      walking = false;
      ++group;
    }
  }

  bool on_q_tile(const QTileId& id, const std::vector<float>& o, const std::vector<float>& lse) override {
    Divergence place;
    place.batch = id.batch;
    place.head = id.head;
    place.q_tile = id.q_tile;
    const std::int64_t rows = p.q_tile_rows(id.q_tile), q_head = id.batch * p.shape.heads + id.head,
                       first = q_head * p.shape.n_q + id.q_tile * p.tiling.br;
    const bool with_lse = makes(row, Quantity::LogSum);
    if (hashes()) {
      check_finite(TracedQuantity::Output, place, o, p.shape.d, 0);
      report.values += rows * p.shape.d + (with_lse ? rows : 0);
      compare_hash(TracedQuantity::OutputHash, place,
                   digest_of_output(o.data(), with_lse ? lse.data() : nullptr, rows, p.shape.d),
                   trace->out_hashes[std::size_t(q_head * p.q_tiles() + id.q_tile)]);
    } else {
      compare(TracedQuantity::Output, place, o.data(), trace->out.data() + first * p.shape.d, rows, p.shape.d,
              p.shape.d, 0);
      if (with_lse) compare(TracedQuantity::Lse, place, lse.data(), trace->lse.data() + first, rows, 1, 1, -1);
    }
    return true;
  }
};

Verifier::Verifier(std::shared_ptr<const Schedule> schedule, Inputs inputs, std::shared_ptr<const Trace> trace,
                   const TraceOrigin& origin)
    : impl_(std::make_unique<Impl>(std::move(schedule), std::move(inputs), std::move(trace), origin)) {}
Verifier::~Verifier() = default;
Verifier::Verifier(Verifier&&) noexcept = default;
Verifier& Verifier::operator=(Verifier&&) noexcept = default;

bool Verifier::work(std::int64_t max_visits) {
  Impl& self = *impl_;
  if (!self.digest_inputs(max_visits)) return false;
  self.walk(max_visits);
  const bool done = self.group == self.groups;
  if (done && self.usable && self.report.verdict == Verdict::NotChecked) {
    const bool all = self.report.tile_visits == self.trace->visit_count;
    self.report.verdict = all ? Verdict::Equal : Verdict::NotChecked;
    if (!all)
      self.report.reason = "The walk met " + format_count(self.report.tile_visits) + " of the trace's " +
                           format_count(self.trace->visit_count) + " tile visits";
    if (all && self.trace->detail == TraceDetail::State) self.report.max_ulp = 0;
  }
  return done;
}

double Verifier::progress() const {
  const Impl& self = *impl_;
  return self.group == self.groups ? 1.0 : double(self.report.tile_visits) / double(self.trace->visit_count);
}
const CheckReport& Verifier::report() const { return impl_->report; }
const std::vector<VisitVerdict>& Verifier::visits() const { return impl_->visits; }

CheckReport verify(std::shared_ptr<const Schedule> schedule, const Inputs& inputs, std::shared_ptr<const Trace> trace,
                   const TraceOrigin& origin) {
  Verifier verifier(std::move(schedule), inputs, std::move(trace), origin);
  verifier.work(std::numeric_limits<std::int64_t>::max());
  return verifier.report();
}

}  // namespace tilewalk
