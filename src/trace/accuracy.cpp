#include "trace/accuracy.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "core/witness/reference.h"
#include "core/replay/replay.h"

namespace tilewalk {
namespace {

using GoOn = std::function<bool(double)>;
constexpr std::int64_t kMostTiles = 16;

// Grows to the distance, and to NaN for good once there is one; an infinity on one side alone is a distance of
// infinity.
void widen(double& largest, float got, double exact) {
  if (double(got) == exact) return;
  const double distance = std::fabs(double(got) - exact);
  if (!(distance <= largest)) largest = std::isnan(largest) ? largest : distance;
}

Problem plain_attention(Problem p) {
  p.schedule = row_of(p).family.naive;
  p.fault = Fault::None;
  p.tiling.splits = 1;
  p.machine.sram_bytes = std::numeric_limits<std::int64_t>::max() / 4;  // where its rows lie changes none of its bits
  return p;
}

// Rows of one Q tile, or gradients of one KV head, as a walk leaves them; asks go_on at every visit.
struct Kept : VisitSink {
  const Problem& p;
  const GoOn& go_on;
  double progress = 0;
  std::vector<float> o{}, dq{}, dk{}, dv{};

  Kept(const Problem& problem, const GoOn& asked, double at) : p(problem), go_on(asked), progress(at) {}
  bool wants_scores() const override { return false; }
  bool on_visit(const VisitState&) override { return !go_on || go_on(progress); }
  bool on_q_tile(std::int64_t, std::int64_t, std::int64_t, const std::vector<float>& rows,
                 const std::vector<float>&) override {
    o = rows;
    return true;
  }
  bool on_kv_gradients(std::int64_t, std::int64_t, std::int64_t kv_tile, const std::vector<float>& k,
                       const std::vector<float>& v) override {
    put(dk, p.shape.n_kv, kv_tile * p.tiling.bc, k);
    put(dv, p.shape.n_kv, kv_tile * p.tiling.bc, v);
    return true;
  }
  bool on_q_gradient(std::int64_t, std::int64_t head, std::int64_t q_tile, const std::vector<float>& q) override {
    put(dq, p.shape.head_group() * p.shape.n_q, (head % p.shape.head_group()) * p.shape.n_q + q_tile * p.tiling.br, q);
    return true;
  }
  void put(std::vector<float>& all, std::int64_t rows, std::int64_t row, const std::vector<float>& part) const {
    all.resize(std::size_t(rows * p.shape.d));
    std::copy(part.begin(), part.end(), all.begin() + std::ptrdiff_t(row * p.shape.d));
  }
};

class Measurement {
 public:
  Measurement(const Inputs& inputs, const Inputs& plain_inputs, const AccuracyOptions& options, const GoOn& go_on)
      : p_(inputs.problem()),
        inputs_(inputs),
        own_(make_schedule(p_), inputs),
        plain_(make_schedule(plain_inputs.problem()), plain_inputs),
        options_(options),
        go_on_(go_on) {}

  AccuracyReport take() {
    const bool finished = row_of(p_).family.backward ? backward() : forward();
    if (!finished) {
      report_.quantities.clear();
      if (report_.reason.empty()) report_.reason = "The comparison with float64 was stopped.";
      return report_;
    }
    report_.verdict = Verdict::WithinRule;
    for (QuantityError& q : report_.quantities) {
      q.bound = 2 * q.plain + rule_floor(p_.numerics.dtype);
      if (!std::isfinite(q.error) || !std::isfinite(q.plain))
        report_.verdict = Verdict::NotFinite;
      else if (!q.within() && report_.verdict == Verdict::WithinRule)
        report_.verdict = Verdict::Diverged;
    }
    return report_;
  }

 private:
  bool too_long(double products, double most, const char* what) {
    if (products <= most) return false;
    report_.reason = std::string("Not compared with float64: ") + what + " is too long here. Make the lengths smaller.";
    return true;
  }
  bool ask(double progress) const { return !go_on_ || go_on_(progress); }

  bool forward() {
    const double row_products = 2 * double(p_.shape.n_kv) * double(p_.shape.d);
    if (too_long(row_products, options_.most_row_products, "a single row")) return false;
    const std::int64_t heads = p_.shape.batch * p_.shape.heads, all_tiles = heads * p_.q_tiles(),
                       all_rows = heads * p_.shape.n_q;
    const auto affordable = std::int64_t(std::max(1.0, options_.reference_products / row_products));
    const bool every = all_rows <= affordable;
    const std::int64_t tiles =
        every ? all_tiles : std::clamp<std::int64_t>(affordable / p_.tiling.br, 1, std::min(kMostTiles, all_tiles));
    const std::int64_t rows_each = every ? p_.tiling.br : std::clamp<std::int64_t>(affordable / tiles, 1, p_.tiling.br);
    QuantityError out{TensorId::O, 0, 0, 0, 0, all_rows};
    for (std::int64_t t = 0; t < tiles; ++t) {
      // Spread from the first tile to the last; a single one is the last, which has met most keys.
      const std::int64_t at = tiles == 1 ? all_tiles - 1 : t * (all_tiles - 1) / (tiles - 1);
      const std::int64_t q_tile = at % p_.q_tiles(), head = at / p_.q_tiles() % p_.shape.heads,
                         batch = at / p_.q_tiles() / p_.shape.heads;
      const double done = double(t) / double(tiles);
      Kept own(p_, go_on_, done), plain(p_, go_on_, done);
      if (!own_.walk_q_tile(batch, head, q_tile, own) || !plain_.walk_q_tile(batch, head, q_tile, plain)) return false;
      const std::int64_t rows = p_.q_tile_rows(q_tile), take = std::min(rows, rows_each);
      for (std::int64_t n = 0; n < take; ++n) {
        const std::int64_t row = take == rows ? n : n * rows / take;
        if (!ask(done + double(n) / double(take * tiles))) return false;
        const ReferenceRow exact = reference_row(inputs_, batch, head, q_tile * p_.tiling.br + row);
        for (std::int64_t x = 0; x < p_.shape.d; ++x) {
          widen(out.error, own.o[std::size_t(row * p_.shape.d + x)], exact.o[std::size_t(x)]);
          widen(out.plain, plain.o[std::size_t(row * p_.shape.d + x)], exact.o[std::size_t(x)]);
        }
        ++out.rows;
      }
    }
    report_.quantities = {out};
    return true;
  }

  bool backward() {
    const double head_products =
        5 * double(p_.shape.head_group()) * double(p_.shape.n_q) * double(p_.shape.n_kv) * double(p_.shape.d);
    if (too_long(head_products, options_.most_head_products, "a single head's backward pass")) return false;
    const std::int64_t all = p_.shape.batch * p_.shape.kv_heads;
    const std::int64_t heads =
        std::clamp<std::int64_t>(std::int64_t(options_.reference_products / head_products), 1, all);
    const std::int64_t q_rows = p_.shape.head_group() * p_.shape.n_q;
    QuantityError dq{TensorId::dQ, 0, 0, 0, heads * q_rows, all * q_rows},
        dk{TensorId::dK, 0, 0, 0, heads * p_.shape.n_kv, all * p_.shape.n_kv}, dv = dk;
    dv.tensor = TensorId::dV;
    for (std::int64_t n = 0; n < heads; ++n) {
      const std::int64_t at = heads == 1 ? 0 : n * (all - 1) / (heads - 1), batch = at / p_.shape.kv_heads,
                         kv_head = at % p_.shape.kv_heads;
      Kept own(p_, go_on_, double(n) / double(heads)), plain(p_, go_on_, double(n) / double(heads));
      for (auto [replay, kept] : {std::pair(&own_, &own), std::pair(&plain_, &plain)})
        for (std::int64_t j = 0; j < p_.kv_tiles(); ++j) {
          const std::int64_t kv_tile = p_.tiling.order == KvOrder::Reverse ? p_.kv_tiles() - 1 - j : j;
          if (!replay->walk_kv_tile(batch, kv_head, kv_tile, *kept)) return false;
        }
      const ReferenceGradients exact = reference_gradients(inputs_, batch, kv_head);
      const auto compare = [](QuantityError& q, const std::vector<float>& a, const std::vector<float>& b,
                              const std::vector<double>& e) {
        for (std::size_t i = 0; i < e.size(); ++i) {
          widen(q.error, a[i], e[i]);
          widen(q.plain, b[i], e[i]);
        }
      };
      compare(dq, own.dq, plain.dq, exact.dq);
      compare(dk, own.dk, plain.dk, exact.dk);
      compare(dv, own.dv, plain.dv, exact.dv);
    }
    report_.quantities = {dq, dk, dv};
    return true;
  }

  const Problem& p_;
  const Inputs& inputs_;
  Replay own_, plain_;
  const AccuracyOptions options_;
  const GoOn& go_on_;
  AccuracyReport report_;
};

}  // namespace

double rule_floor(DType dtype) {
  return (dtype == DType::Fp32 ? 0x1p-23 : dtype == DType::Fp16 ? 0x1p-10 : 0x1p-7) / 4;
}

AccuracyReport measure_accuracy(const Inputs& inputs, const AccuracyOptions& options, const GoOn& go_on) {
  return Measurement(inputs, inputs.under(plain_attention(inputs.problem())), options, go_on).take();
}

std::string sentence_of(const Problem& p, const AccuracyReport& report) {
  if (report.quantities.empty()) return report.reason;
  std::string text;
  for (const QuantityError& q : report.quantities) {
    char line[200];
    std::snprintf(line, sizeof line, "%s%s %.2g from float64, plain attention's %.2g (rule: at most %.2g)",
                  text.empty() ? "" : "; ", name_of(q.tensor), q.error, q.plain, q.bound);
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
