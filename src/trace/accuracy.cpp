#include "trace/accuracy.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

#include "base/units.h"
#include "core/replay/replay.h"
#include "core/schedules/registry.h"
#include "core/witness/reference.h"

namespace tilewalk {
namespace {

using GoOn = std::function<bool(double)>;
constexpr std::int64_t kMostTiles = 16;
constexpr std::int64_t kVisitsAtOnce = 2;

// Raises `largest` to the distance, and to NaN permanently once there is one; an infinity on one side alone is a
// distance of infinity.
void widen(double& largest, float got, double exact) {
  if (double(got) == exact) return;
  const double distance = std::fabs(double(got) - exact);
  if (!(distance <= largest)) largest = std::isnan(largest) ? largest : distance;
}

void compare(QuantityError& q, float own, float plain, double exact) {
  widen(q.error, own, exact);
  widen(q.plain, plain, exact);
}

Problem plain_attention(Problem p) {
  p.schedule = row_of(p).family.naive;
  p.fault = Fault::None;
  p.tiling.splits = 1;
  p.numerics.narrow_scores = false;
  p.machine.sram_bytes = std::numeric_limits<std::int64_t>::max() / 4;  // the SRAM size changes no bit of its results
  return p;
}

Roundings roundings_of(const Problem& p) {
  const ScheduleRow& row = row_of(p);
  const Made* weights = last_made(row, Quantity::P);
  const bool from_l = weights && weights->subtrahend() == Quantity::LogSum;
  return {.dtype = p.numerics.dtype,
          .visits = double(p.kv_tiles() + (row.settings.splits ? p.tiling.splits : 0)),
          .lag = row.settings.rescale_threshold ? p.tiling.rescale_threshold : 0,
          .weights_from_lse = from_l || (row.settings.splits && p.tiling.splits > 1),
          .narrow_scores = p.numerics.narrow_scores};
}

}  // namespace

// Rows of one Q tile, or gradients of one KV head, after a walk; calls go_on at every visit.
struct AccuracyWork::Kept : VisitSink {
  const Problem& p;
  GoOn go_on;
  double progress = 0;
  std::vector<float> o{}, dq{}, dk{}, dv{};

  Kept(const Problem& problem, const GoOn& asked, double at) : p(problem), go_on(asked), progress(at) {}
  bool wants_scores() const override { return false; }
  bool on_visit(const VisitState&) override { return !go_on || go_on(progress); }
  bool on_q_tile(const QTileId&, const std::vector<float>& rows, const std::vector<float>&) override {
    o = rows;
    return true;
  }
  bool on_kv_gradients(const KvTileId& id, const std::vector<float>& k, const std::vector<float>& v) override {
    put(dk, p.shape.n_kv, id.kv_tile * p.tiling.bc, k);
    put(dv, p.shape.n_kv, id.kv_tile * p.tiling.bc, v);
    return true;
  }
  bool on_q_gradient(const QTileId& id, const std::vector<float>& q) override {
    put(dq, p.shape.head_group() * p.shape.n_q,
        (id.head % p.shape.head_group()) * p.shape.n_q + id.q_tile * p.tiling.br, q);
    return true;
  }
  Slice walk_on(Replay& replay, const GoOn& asked) {
    std::int64_t visits = kVisitsAtOnce;
    go_on = asked;
    return replay.walk_on(*this, visits);
  }
  void put(std::vector<float>& all, std::int64_t rows, std::int64_t row, const std::vector<float>& part) const {
    all.resize(std::size_t(rows * p.shape.d));
    std::copy(part.begin(), part.end(), all.begin() + std::ptrdiff_t(row * p.shape.d));
  }
};

struct AccuracyWork::Measured {
  Measured(const Inputs& of, const AccuracyOptions& with)
      : inputs(of),
        plain_inputs(of.under(plain_attention(of.problem()))),
        p(inputs.problem()),
        own(make_schedule(p), inputs),
        plain(make_schedule(plain_inputs.problem()), plain_inputs),
        options(with),
        roundings(roundings_of(p)) {}

  bool too_long(double products, double most, const char* what) {
    if (products <= most) return false;
    report.reason = std::string("Not compared with float64: ") + what + " is too long here. Make the lengths smaller.";
    return true;
  }
  void end(Slice how);

  const Inputs& inputs;
  const Inputs plain_inputs;
  const Problem& p;
  Replay own, plain;
  const AccuracyOptions options;
  const Roundings roundings;
  AccuracyReport report;
  bool whole = false;
  std::unique_ptr<Forward> forward;
  std::unique_ptr<Backward> backward;
};

void AccuracyWork::Measured::end(Slice how) {
  whole = true;
  if (how == Slice::Stopped) {
    report.quantities.clear();
    if (report.reason.empty()) report.reason = "The comparison with float64 was stopped.";
    return;
  }
  report.verdict = Verdict::WithinRule;
  for (QuantityError& q : report.quantities) {
    q.bound = 2 * q.plain + q.floor;
    if (!std::isfinite(q.error))
      report.verdict = Verdict::NotFinite;
    else if (!std::isfinite(q.plain))
      report.reason = std::string("Not compared with float64: naive attention's ") + name_of(q.tensor) +
                      " is not finite in " + name_of(p.numerics.dtype) + ", though this one is.";
    else if (!q.within() && report.verdict == Verdict::WithinRule)
      report.verdict = Verdict::Diverged;
  }
  if (report.verdict != Verdict::WithinRule || report.reason.empty()) return;
  report.verdict = Verdict::NotChecked;
  report.quantities.clear();
}

// Q tiles spread over batch, heads and rows: walks each under both schedules, then compares its rows with float64.
class AccuracyWork::Forward {
 public:
  explicit Forward(Measured& m) : m_(m) {
    const Problem& p = m_.p;
    const double row_products = 2 * double(p.shape.n_kv) * double(p.shape.d);
    too_long_ = m_.too_long(row_products, m_.options.most_row_products, "a single row");
    const std::int64_t heads = p.shape.batch * p.shape.heads, all_rows = heads * p.shape.n_q;
    all_tiles_ = heads * p.q_tiles();
    const auto affordable = std::int64_t(std::max(1.0, m_.options.reference_products / row_products));
    const bool every = all_rows <= affordable;
    tiles_ =
        every ? all_tiles_ : std::clamp<std::int64_t>(affordable / p.tiling.br, 1, std::min(kMostTiles, all_tiles_));
    rows_each_ = every ? p.tiling.br : std::clamp<std::int64_t>(affordable / tiles_, 1, p.tiling.br);
    out_.of_rows = all_rows;
  }

  Slice work(const GoOn& go_on) {
    if (too_long_) return Slice::Stopped;
    const Problem& p = m_.p;
    // Spread from the first tile to the last; a single one is the last, which visits most keys.
    const std::int64_t at = tiles_ == 1 ? all_tiles_ - 1 : tile_ * (all_tiles_ - 1) / (tiles_ - 1);
    const std::int64_t q_tile = at % p.q_tiles(), head = at / p.q_tiles() % p.shape.heads,
                       batch = at / p.q_tiles() / p.shape.heads;
    const double done = double(tile_) / double(tiles_);
    for (auto [replay, rows] : {std::pair(&m_.own, &own_), std::pair(&m_.plain, &plain_)})
      if (rows->empty()) {
        if (!walked_) {
          walked_.emplace(p, go_on, done);
          replay->begin_q_tile({.batch = batch, .head = head, .q_tile = q_tile});
        }
        const Slice slice = walked_->walk_on(*replay, go_on);
        if (slice != Slice::Whole) return slice;
        *rows = std::move(walked_->o);
        if (rows == &own_ && m_.options.alter_results) m_.options.alter_results(TensorId::O, own_);
        walked_.reset();
        return Slice::More;
      }
    const std::int64_t rows = p.q_tile_rows(q_tile), take = std::min(rows, rows_each_);
    for (const std::int64_t end = std::min(take, row_ + kRowsAtOnce); row_ < end; ++row_) {
      const std::int64_t row = take == rows ? row_ : row_ * rows / take;
      if (go_on && !go_on(done + double(row_) / double(take * tiles_))) return Slice::Stopped;
      const ReferenceRow exact = reference_row(m_.inputs, {batch, head, q_tile * p.tiling.br + row}, &m_.roundings);
      out_.floor = std::max(out_.floor, exact.o_rounding);
      for (std::int64_t x = 0; x < p.shape.d; ++x) {
        const std::size_t at_x = std::size_t(row * p.shape.d + x);
        compare(out_, own_[at_x], plain_[at_x], exact.o[std::size_t(x)]);
      }
      ++out_.rows;
    }
    if (row_ < take) return Slice::More;
    row_ = 0;
    own_.clear(), plain_.clear();
    if (++tile_ < tiles_) return Slice::More;
    m_.report.quantities = {out_};
    return Slice::Whole;
  }

 private:
  static constexpr std::int64_t kRowsAtOnce = 4;
  Measured& m_;
  bool too_long_ = false;
  std::int64_t all_tiles_ = 0, tiles_ = 0, rows_each_ = 0, tile_ = 0, row_ = 0;
  std::vector<float> own_, plain_;  // empty: not yet walked
  std::optional<Kept> walked_;      // the current walk
  QuantityError out_;
};

// Whole KV heads: walks every KV tile under both schedules, then compares the gradients with float64.
class AccuracyWork::Backward {
 public:
  explicit Backward(Measured& m) : m_(m) {
    const Problem& p = m_.p;
    const double head_products =
        5 * double(p.shape.head_group()) * double(p.shape.n_q) * double(p.shape.n_kv) * double(p.shape.d);
    too_long_ = m_.too_long(head_products, m_.options.most_head_products, "a single head's backward pass");
    all_ = p.shape.batch * p.shape.kv_heads;
    heads_ = std::clamp<std::int64_t>(std::int64_t(m_.options.reference_products / head_products), 1, all_);
    const std::int64_t q_rows = p.shape.head_group() * p.shape.n_q;
    dq_ = {.tensor = TensorId::dQ, .rows = heads_ * q_rows, .of_rows = all_ * q_rows};
    dk_ = {.tensor = TensorId::dK, .rows = heads_ * p.shape.n_kv, .of_rows = all_ * p.shape.n_kv};
    dv_ = dk_;
    dv_.tensor = TensorId::dV;
  }

  Slice work(const GoOn& go_on) {
    if (too_long_) return Slice::Stopped;
    const Problem& p = m_.p;
    const std::int64_t at = heads_ == 1 ? 0 : head_ * (all_ - 1) / (heads_ - 1), batch = at / p.shape.kv_heads,
                       kv_head = at % p.shape.kv_heads;
    const double done = double(head_) / double(heads_);
    if (walked_ < 2 * p.kv_tiles()) {
      const bool first = walked_ < p.kv_tiles();
      const std::int64_t j = walked_ % p.kv_tiles(),
                         kv_tile = p.tiling.order == KvOrder::Reverse ? p.kv_tiles() - 1 - j : j;
      std::optional<Kept>& kept = first ? own_ : plain_;
      if (!kept) kept.emplace(p, go_on, done);
      Replay& replay = first ? m_.own : m_.plain;
      if (!walking_) replay.begin_kv_tile({.batch = batch, .kv_head = kv_head, .kv_tile = kv_tile});
      const Slice slice = kept->walk_on(replay, go_on);
      walking_ = slice == Slice::More;
      if (slice == Slice::Stopped) return slice;
      if (slice == Slice::Whole) ++walked_;
      return Slice::More;
    }
    if (!exact_) exact_.emplace(m_.inputs, batch, kv_head, m_.roundings);
    if (go_on && !go_on(done + exact_->progress() / double(heads_))) return Slice::Stopped;
    if (!exact_->work()) return Slice::More;
    const ReferenceGradients& exact = exact_->gradients();
    if (m_.options.alter_results)
      for (auto [id, values] :
           {std::pair(TensorId::dQ, &own_->dq), std::pair(TensorId::dK, &own_->dk), std::pair(TensorId::dV, &own_->dv)})
        m_.options.alter_results(id, *values);
    compare_all(dq_, own_->dq, plain_->dq, exact.dq, exact.dq_rounding);
    compare_all(dk_, own_->dk, plain_->dk, exact.dk, exact.dk_rounding);
    compare_all(dv_, own_->dv, plain_->dv, exact.dv, exact.dv_rounding);
    own_.reset(), plain_.reset(), exact_.reset();
    walked_ = 0;
    if (++head_ < heads_) return Slice::More;
    m_.report.quantities = {dq_, dk_, dv_};
    return Slice::Whole;
  }

 private:
  static void compare_all(QuantityError& q, const std::vector<float>& own, const std::vector<float>& plain,
                          const std::vector<double>& exact, double rounding) {
    for (std::size_t i = 0; i < exact.size(); ++i) compare(q, own[i], plain[i], exact[i]);
    q.floor = std::max(q.floor, rounding);
  }

  Measured& m_;
  bool too_long_ = false, walking_ = false;
  // walked_: KV tiles, first of one schedule, then of the other
  std::int64_t all_ = 0, heads_ = 0, head_ = 0, walked_ = 0;
  std::optional<Kept> own_, plain_;
  std::optional<ReferenceBackward> exact_;
  QuantityError dq_, dk_, dv_;
};

AccuracyWork::AccuracyWork(const Inputs& inputs, const AccuracyOptions& options)
    : measured_(std::make_unique<Measured>(inputs, options)) {
  if (row_of(measured_->p).family.backward)
    measured_->backward = std::make_unique<Backward>(*measured_);
  else
    measured_->forward = std::make_unique<Forward>(*measured_);
}

AccuracyWork::~AccuracyWork() = default;
const AccuracyReport& AccuracyWork::report() const { return measured_->report; }

bool AccuracyWork::work(const GoOn& go_on) {
  Measured& m = *measured_;
  if (m.whole) return true;
  const Slice slice = m.forward ? m.forward->work(go_on) : m.backward->work(go_on);
  if (slice != Slice::More) m.end(slice);
  return m.whole;
}

AccuracyReport measure_accuracy(const Inputs& inputs, const AccuracyOptions& options, const GoOn& go_on) {
  AccuracyWork work(inputs, options);
  while (!work.work(go_on)) {
  }
  return work.report();
}

std::string sentence_of(const Problem& p, const AccuracyReport& report) {
  if (report.quantities.empty()) return report.reason;
  std::string text;
  for (const QuantityError& q : report.quantities) {
    char line[200];
    std::snprintf(line, sizeof line,
                  "%s%s %.2g from float64, naive attention's%s %.2g (rule: at most twice that and %.2g, %.2g)",
                  text.empty() ? "" : "; ", name_of(q.tensor), q.error,
                  p.numerics.narrow_scores ? " with S in fp32" : "", q.plain, q.floor, q.bound);
    text += line;
  }
  const QuantityError& first = report.quantities.front();
  text += std::string(", both in ") + name_of(p.numerics.dtype) + ": ";
  text += report.verdict == Verdict::WithinRule ? "within FlashAttention's rule"
          : report.verdict == Verdict::Diverged ? "beyond FlashAttention's rule"
                                                : "not finite";
  return text + ". Compared: " + format_count(first.rows) + " of " + format_count(first.of_rows) + " rows.";
}

}  // namespace tilewalk
