// Values of flash_v2 (kernels/README.md, "flash_v2, per tile visit"): one method a phase, in the order of the schedule.
// flash_v4 differs in which max it keeps; split_kv uses it to walk shares of the KV range. Internal to core.
#pragma once

#include <algorithm>

#include "core/schedules/registry.h"
#include "core/values/exact_math.h"
#include "core/values/group_replay.h"

namespace tilewalk {

class FlashV2Replay final : public GroupReplay {
  static constexpr std::int64_t kCheckpointVisits = 64;

 public:
  FlashV2Replay(const Schedule& schedule, const Inputs& inputs, RowShare share)
      : schedule_(schedule),
        p_(schedule.problem()),
        keeps_stale_max_(row_of(p_).settings.rescale_threshold),
        tile_(schedule.problem(), inputs, share) {}

  void open(const QTileId& id) override {
    tile_.open(id);
    restart(schedule_.visited(id.q_tile));
  }

  // Starts afresh, with only the given KV tiles of the open Q tile.
  void restart(TileRange share) {
    share_ = share;
    const std::size_t rows = std::size_t(tile_.stride);
    kept_.visits = 0;
    kept_.m.assign(rows, kMinusInfinity);
    kept_.l.assign(rows, 0.0f);
    kept_.o.assign(std::size_t(tile_.rows * tile_.o_stride), 0.0f);
    m_.resize(rows);
    alpha_.assign(rows, 0.0f);
    sum_.resize(rows);
    tile_max_.resize(rows);
    checkpoints_ = {kept_};
  }

  void aim(const Step& step) override {
    aim_ = step;
    needed_ = step.in_visit() ? step.visit : step.phase == Phase::LoadQ ? 0 : share_.count();
    if (needed_ < kept_.visits) {
      std::size_t at = std::size_t(needed_ / kCheckpointVisits);
      kept_ = checkpoints_[std::min(at, checkpoints_.size() - 1)];
    }
    from_ = kept_.visits;
  }

  bool work(std::int64_t max_visits) override {
    for (; kept_.visits < needed_ && max_visits > 0; --max_visits) complete_visit();
    return kept_.visits == needed_;
  }

  double progress() const override {
    return needed_ == from_ ? 1.0 : double(kept_.visits - from_) / double(needed_ - from_);
  }

  TileRange ahead() const override {
    return tiles_of_visits(share_, p_.tiling.order, kept_.visits, std::min(needed_ + 1, share_.count()));
  }

  void lend(const float* k, const float* v) override { tile_.lend(k, v); }

  void fill(State& state) override {
    state.m = first_of(kept_.m, tile_.rows);
    state.l = first_of(kept_.l, tile_.rows);
    if (!aim_.in_visit()) {
      if (aim_.phase == Phase::LoadQ)
        state.o = packed_rows(kept_.o, tile_.rows, p_.shape.d, tile_.o_stride);
      else
        normalised(state.o, state.lse);
      if (aim_.phase == Phase::Store) round_all(p_.numerics.dtype, state.o);
      return;
    }
    fill_visit(state);
  }

  void begin_walk() override { restart(share_); }

  Slice walk(VisitSink& sink, std::int64_t& max_visits) override {
    if (const Slice slice = walk_share(sink, max_visits); slice != Slice::Whole) return slice;
    std::vector<float> o, lse;
    normalised(o, lse);
    round_all(p_.numerics.dtype, o);
    return sink.on_q_tile(tile_.at, o, lse) ? Slice::Whole : Slice::Stopped;
  }

  // Walks the remaining visits of the open share.
  Slice walk_share(VisitSink& sink, std::int64_t& max_visits) {
    for (; kept_.visits < share_.count(); --max_visits) {
      if (max_visits <= 0) return Slice::More;
      const std::int64_t kv_tile = kv_tile_of(kept_.visits);
      complete_visit();
      if (!show_visit(kv_tile, sink)) return Slice::Stopped;
    }
    return Slice::Whole;
  }

  std::int64_t visits() const { return kept_.visits; }
  std::int64_t rows() const { return tile_.rows; }

  // O / l and L after the last visit of the share, in fp32.
  void normalised(std::vector<float>& o, std::vector<float>& lse) const {
    o = packed_rows(kept_.o, tile_.rows, p_.shape.d, tile_.o_stride);
    lse = lse_of(kept_.m, kept_.l, tile_.rows);
    for (std::int64_t i = 0; i < tile_.rows; ++i) {
      const float l = kept_.l[std::size_t(i)];
      for (std::int64_t x = 0; x < p_.shape.d; ++x) {
        float& value = o[std::size_t(i * p_.shape.d + x)];
        value = l == 0.0f ? 0.0f : value / l;
      }
    }
  }

 private:
  // m, l and O between two visits: all that flash_v2 carries from one visit to the next.
  struct Kept {
    std::int64_t visits = 0;
    std::vector<float> m, l, o;
  };

  std::int64_t kv_tile_of(std::int64_t visit) const {
    return p_.tiling.order == KvOrder::Reverse ? share_.end - 1 - visit : share_.begin + visit;
  }

  void row_max() {
    const std::vector<float>* from = &kept_.m;
    if (p_.fault == Fault::TileMax) {
      none_.assign(std::size_t(tile_.stride), kMinusInfinity);
      from = &none_;
    }
    tile_ops().row_max(st_.data(), cols_, tile_.stride, from->data(), m_.data());
    if (p_.fault == Fault::NoMax) std::fill(m_.begin(), m_.end(), 0.0f);
    if (keeps_stale_max_) keep_stale_max();
  }

  // flash_v4: does not follow a max that grew by no more than the threshold; alpha is then exactly 1.
  void keep_stale_max() {
    for (std::size_t i = 0; i < std::size_t(tile_.rows); ++i) {
      const float kept = kept_.m[i];
      if (p_.fault == Fault::TileMax && m_[i] < kept) continue;  // the fault: follows a lower max
      if (kept != kMinusInfinity && !(m_[i] - kept > float(p_.tiling.rescale_threshold))) m_[i] = kept;
    }
  }

  void rescale(std::vector<float>& o) {
    tile_ops().alpha(kept_.m.data(), m_.data(), tile_.stride, alpha_.data());
    if (p_.fault == Fault::ForgetRescaleO) return;
    if (p_.fault == Fault::InverseRescale) {
      sum_ = alpha_;
      for (float& a : sum_) a = a == 0.0f ? 1.0f : 1.0f / a;
      tile_ops().scale_rows(o.data(), tile_.rows, tile_.o_stride, sum_.data());
      return;
    }
    tile_ops().scale_rows(o.data(), tile_.rows, tile_.o_stride, alpha_.data());
  }

  void exponentiate() {
    if (pt_.size() < st_.size()) pt_.resize(st_.size());
    std::fill(sum_.begin(), sum_.end(), 0.0f);
    tile_ops().exponentiate(st_.data(), cols_, tile_.stride, m_.data(), pt_.data(), sum_.data());
  }

  // The tile's sum was made with its weights.
  void row_sum(const std::vector<float>& l_old, std::vector<float>& l) {
    const float* rescaled_by = alpha_.data();
    if (p_.fault == Fault::ForgetRescaleL) {
      ones_.assign(std::size_t(tile_.stride), 1.0f);
      rescaled_by = ones_.data();
    }
    tile_ops().rescale_sum(l_old.data(), rescaled_by, sum_.data(), tile_.stride, l.data());
  }

  void accumulate(std::int64_t kv_tile, std::vector<float>& o) {
    const float* p = pt_.data();
    if (p_.numerics.dtype != DType::Fp32) {
      rounded_.assign(pt_.begin(), pt_.begin() + cols_ * tile_.stride);
      round_all(p_.numerics.dtype, rounded_);
      p = rounded_.data();
    }
    tile_ops().accumulate(p, cols_, tile_.stride, tile_.rows, tile_.v_rows(kv_tile), tile_.o_stride, o.data());
  }

  void complete_visit() {
    const std::int64_t kv_tile = kv_tile_of(kept_.visits);
    cols_ = tile_.cols_of(kv_tile);
    tile_.scores(kv_tile, st_);
    tile_.mask(kv_tile, st_.data());
    if (!tile_.left_out(kv_tile)) {
      row_max();
      rescale(kept_.o);
      exponentiate();
      row_sum(kept_.l, kept_.l);
      accumulate(kv_tile, kept_.o);
      kept_.m = m_;
    }
    ++kept_.visits;
    if (kept_.visits % kCheckpointVisits == 0 && std::int64_t(checkpoints_.size()) == kept_.visits / kCheckpointVisits)
      checkpoints_.push_back(kept_);
  }

  // Computes the phases of the aimed visit up to the aimed one, on copies: the values kept between visits do not
  // change.
  void fill_visit(State& state) {
    const std::int64_t kv_tile = aim_.kv_tile;
    cols_ = tile_.cols_of(kv_tile);
    const std::int64_t rows = tile_.rows, real = p_.kv_tile_cols(kv_tile);
    const bool leave = tile_.left_out(kv_tile);
    const auto reached = [&](Phase phase) { return has_reached(schedule_, aim_, phase); };
    std::vector<float> o = kept_.o, l = kept_.l;
    state.m_old = state.m;
    state.l_old = state.l;
    if (reached(Phase::Scores)) tile_.scores(kv_tile, st_);
    if (reached(Phase::Mask)) tile_.mask(kv_tile, st_.data());
    if (reached(Phase::Scores)) state.s = untransposed(st_.data(), rows, real, tile_.stride);
    if (reached(Phase::RowMax)) {
      none_.assign(std::size_t(tile_.stride), kMinusInfinity);
      tile_ops().row_max(st_.data(), cols_, tile_.stride, none_.data(), tile_max_.data());
      state.tile_max = first_of(tile_max_, rows);
    }
    if (!leave) {
      if (reached(Phase::RowMax)) row_max(), state.m = first_of(m_, rows);
      if (reached(Phase::Rescale)) rescale(o), state.alpha = first_of(alpha_, rows);
      if (reached(Phase::Exponentiate)) exponentiate(), state.p = untransposed(pt_.data(), rows, real, tile_.stride);
      if (reached(Phase::RowSum)) row_sum(kept_.l, l), state.l = first_of(l, rows);
      if (reached(Phase::Accumulate)) accumulate(kv_tile, o);
    }
    state.o = packed_rows(o, rows, p_.shape.d, tile_.o_stride);
  }

  // The sink reads O itself where its rows have no slack, and a copy elsewhere.
  bool show_visit(std::int64_t kv_tile, VisitSink& sink) {
    const bool itself = tile_.o_stride == p_.shape.d;
    VisitState& out = shown_;
    out.batch = tile_.at.batch, out.head = tile_.at.head, out.q_tile = tile_.at.q_tile, out.kv_tile = kv_tile;
    out.rows = tile_.rows, out.cols = p_.kv_tile_cols(kv_tile), out.d = p_.shape.d;
    take_first(kept_.m, tile_.rows, out.m);
    take_first(kept_.l, tile_.rows, out.l);
    take_first(alpha_, tile_.rows, out.alpha);
    out.s.clear(), out.p.clear();
    if (sink.wants_scores()) {
      out.s = untransposed(st_.data(), out.rows, out.cols, tile_.stride);
      out.p = tile_.left_out(kv_tile) ? std::vector<float>(out.s.size(), 0.0f)
                                      : untransposed(pt_.data(), out.rows, out.cols, tile_.stride);
    }
    if (!itself) pack_rows(kept_.o, tile_.rows, p_.shape.d, tile_.o_stride, out.o);
    if (itself) std::swap(out.o, kept_.o);
    const bool goes_on = sink.on_visit(out);
    if (itself) std::swap(out.o, kept_.o);
    return goes_on;
  }

  const Schedule& schedule_;
  const Problem& p_;
  bool keeps_stale_max_;
  QTileValues tile_;
  TileRange share_;
  Kept kept_;
  VisitState shown_;  // to the sink
  std::vector<Kept> checkpoints_;
  Step aim_;
  std::int64_t needed_ = 0, from_ = 0, cols_ = 0;
  std::vector<float> st_, pt_, rounded_, m_, alpha_, sum_, tile_max_, none_, ones_;
};

}  // namespace tilewalk
