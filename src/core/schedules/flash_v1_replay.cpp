// Values of flash_v1 (kernels/README.md, "flash_v1, per tile visit"). A Q tile's O, m and l depend only on the KV tiles
// that it visited, so a seek replays that Q tile alone, whatever other Q tiles the walk visited in between.

#include "core/schedules/rows.h"
#include "core/values/exact_math.h"

namespace tilewalk {
namespace {

class FlashV1Replay final : public GroupReplay {
 public:
  FlashV1Replay(const Schedule& schedule, const Inputs& inputs, RowShare share)
      : schedule_(schedule), p_(schedule.problem()), tile_(schedule.problem(), inputs, share) {}

  void open(const QTileId& id) override {
    tile_.open({id.batch, id.head, std::max<std::int64_t>(id.q_tile, 0)});
    restart();
  }

  void aim(const Step& step) override {
    aim_ = step;
    const TileRange range = schedule_.visited(tile_.at.q_tile);
    if (step.in_visit())
      needed_ = p_.tiling.order == KvOrder::Reverse ? range.end - 1 - step.kv_tile : step.kv_tile - range.begin;
    else
      needed_ = step.section_name == SectionName::Output ? range.count() : 0;
    if (needed_ < visits_) restart();
    from_ = visits_;
  }

  bool work(std::int64_t max_visits) override {
    for (; visits_ < needed_ && max_visits > 0; --max_visits) complete_visit();
    return visits_ == needed_;
  }

  double progress() const override {
    return needed_ == from_ ? 1.0 : double(visits_ - from_) / double(needed_ - from_);
  }

  TileRange ahead() const override {
    const TileRange range = schedule_.visited(tile_.at.q_tile);
    return tiles_of_visits(range, p_.tiling.order, visits_, std::min(needed_ + 1, range.count()));
  }

  void lend(const float* k, const float* v) override { tile_.lend(k, v); }

  void fill(State& state) override {
    if (!aim_.in_visit() && aim_.section_name == SectionName::Walk)
      return;  // this step loads a KV tile; there is no current Q tile
    state.m = first_of(row_.m, tile_.rows);
    state.l = first_of(row_.l, tile_.rows);
    state.o = packed(row_.o);
    if (!aim_.in_visit()) {
      if (aim_.section_name == SectionName::Output && aim_.phase == Phase::Store) state.o = rounded_o();
      return;
    }
    const auto reached = [&](Phase phase) { return has_reached(schedule_, aim_, phase); };
    const std::int64_t kv_tile = aim_.kv_tile, rows = tile_.rows, real = p_.kv_tile_cols(kv_tile);
    cols_ = tile_.cols_of(kv_tile);
    state.m_old = state.m;
    state.l_old = state.l;
    if (reached(Phase::Scores)) tile_.scores(kv_tile, st_);
    if (reached(Phase::Mask)) tile_.mask(kv_tile, st_.data());
    if (reached(Phase::Scores)) state.s = untransposed(st_.data(), rows, real, tile_.stride);
    if (tile_.left_out(kv_tile)) return;
    Row next = row_;
    if (reached(Phase::RowMax)) row_max(), state.tile_max = first_of(tile_max_, rows);
    if (reached(Phase::Exponentiate)) exponentiate(), state.p = untransposed(pt_.data(), rows, real, tile_.stride);
    if (reached(Phase::RowSum)) state.tile_l = first_of(tile_l_, rows);
    if (reached(Phase::Rescale)) {
      rescale(next);
      state.m = first_of(next.m, rows);
      state.l = first_of(next.l, rows);
      state.alpha = first_of(alpha_, rows);
      state.beta = first_of(beta_, rows);
    }
    if (reached(Phase::Accumulate)) accumulate(kv_tile), state.pv = packed(w_);
    if (reached(Phase::Normalise)) normalise(next), state.o = packed(next.o);
  }

  void begin_walk() override { restart(); }

  Slice walk(VisitSink& sink, std::int64_t& max_visits) override {
    const TileRange range = schedule_.visited(tile_.at.q_tile);
    for (; visits_ < range.count(); --max_visits) {
      if (max_visits <= 0) return Slice::More;
      const std::int64_t kv_tile = kv_tile_of(visits_);
      complete_visit();
      VisitState out{tile_.at.batch,           tile_.at.head, tile_.at.q_tile, kv_tile, tile_.rows,
                     p_.kv_tile_cols(kv_tile), p_.shape.d};
      out.m = first_of(row_.m, tile_.rows);
      out.l = first_of(row_.l, tile_.rows);
      out.alpha = first_of(alpha_, tile_.rows);
      if (sink.wants_scores()) {
        out.s = untransposed(st_.data(), out.rows, out.cols, tile_.stride);
        out.p = tile_.left_out(kv_tile) ? std::vector<float>(out.s.size(), 0.0f)
                                        : untransposed(pt_.data(), out.rows, out.cols, tile_.stride);
      }
      out.o = packed(row_.o);
      if (!sink.on_visit(out)) return Slice::Stopped;
    }
    return sink.on_q_tile(tile_.at, rounded_o(), lse_of(row_.m, row_.l, tile_.rows)) ? Slice::Whole : Slice::Stopped;
  }

 private:
  // State that a visit reads from HBM and writes back.
  struct Row {
    std::vector<float> m, l, o;
  };

  void restart() {
    const std::size_t rows = std::size_t(tile_.stride);
    visits_ = 0;
    row_.m.assign(rows, kMinusInfinity);
    row_.l.assign(rows, 0.0f);
    row_.o.assign(std::size_t(tile_.rows * tile_.o_stride), 0.0f);
    alpha_.assign(rows, 0.0f);
    ones_.assign(rows, 1.0f);
    beta_.assign(rows, 0.0f);
    tile_max_.resize(rows);
    tile_l_.resize(rows);
  }

  std::int64_t kv_tile_of(std::int64_t visit) const {
    const TileRange range = schedule_.visited(tile_.at.q_tile);
    return p_.tiling.order == KvOrder::Reverse ? range.end - 1 - visit : range.begin + visit;
  }

  void row_max() {
    none_.assign(std::size_t(tile_.stride), kMinusInfinity);
    tile_ops().row_max(st_.data(), cols_, tile_.stride, none_.data(), tile_max_.data());
    if (p_.fault == Fault::NoMax) std::fill(tile_max_.begin(), tile_max_.end(), 0.0f);
  }

  void exponentiate() {
    if (pt_.size() < st_.size()) pt_.resize(st_.size());
    std::fill(tile_l_.begin(), tile_l_.end(), 0.0f);
    tile_ops().exponentiate(st_.data(), cols_, tile_.stride, tile_max_.data(), pt_.data(), tile_l_.data());
  }

  // m and l after the visit, and the weight of the old O in the new one.
  void rescale(Row& row) {
    const std::size_t rows = std::size_t(tile_.rows);
    m_new_.assign(row.m.begin(), row.m.end());
    for (std::size_t i = 0; i < rows; ++i)
      m_new_[i] = p_.fault == Fault::TileMax || tile_max_[i] > row.m[i] ? tile_max_[i] : row.m[i];
    tile_ops().alpha(row.m.data(), m_new_.data(), tile_.stride, alpha_.data());
    tile_ops().alpha(tile_max_.data(), m_new_.data(), tile_.stride, beta_.data());
    old_weight_.resize(rows);
    tile_part_.resize(beta_.size());
    for (std::size_t i = 0; i < beta_.size(); ++i) tile_part_[i] = beta_[i] * tile_l_[i];
    for (std::size_t i = 0; i < rows; ++i) {
      const float l = row.l[i];
      old_weight_[i] = l * alpha_[i];
      if (p_.fault == Fault::ForgetRescaleO) old_weight_[i] = l;
      if (p_.fault == Fault::InverseRescale) old_weight_[i] = alpha_[i] == 0.0f ? 0.0f : l / alpha_[i];
    }
    const bool forget = p_.fault == Fault::ForgetRescaleL;
    const std::vector<float>& rescaled_by = forget ? ones_ : alpha_;
    tile_ops().rescale_sum(row.l.data(), rescaled_by.data(), tile_part_.data(), tile_.stride, row.l.data());
    row.m = m_new_;
  }

  void accumulate(std::int64_t kv_tile) {
    const float* p = pt_.data();
    if (p_.numerics.dtype != DType::Fp32) {
      rounded_.assign(pt_.begin(), pt_.begin() + cols_ * tile_.stride);
      round_all(p_.numerics.dtype, rounded_);
      p = rounded_.data();
    }
    w_.assign(row_.o.size(), 0.0f);
    tile_ops().accumulate(p, cols_, tile_.stride, tile_.rows, tile_.v_rows(kv_tile), tile_.o_stride, w_.data());
  }

  void normalise(Row& row) {
    tile_ops().blend_rows(row.o.data(), w_.data(), tile_.rows, tile_.o_stride, old_weight_.data(), beta_.data(),
                          row.l.data());
  }

  void complete_visit() {
    const std::int64_t kv_tile = kv_tile_of(visits_++);
    cols_ = tile_.cols_of(kv_tile);
    tile_.scores(kv_tile, st_);
    tile_.mask(kv_tile, st_.data());
    if (tile_.left_out(kv_tile)) return;
    row_max();
    exponentiate();
    rescale(row_);
    accumulate(kv_tile);
    normalise(row_);
  }

  std::vector<float> packed(const std::vector<float>& o) const {
    return packed_rows(o, tile_.rows, p_.shape.d, tile_.o_stride);
  }

  std::vector<float> rounded_o() const {
    std::vector<float> o = packed(row_.o);
    round_all(p_.numerics.dtype, o);
    return o;
  }

  const Schedule& schedule_;
  const Problem& p_;
  QTileValues tile_;
  Step aim_;
  std::int64_t visits_ = 0, needed_ = 0, from_ = 0, cols_ = 0;
  Row row_;
  std::vector<float> m_new_, w_, st_, pt_, rounded_, tile_max_, tile_l_, tile_part_, alpha_, beta_, none_, ones_,
      old_weight_;
};

}  // namespace

std::unique_ptr<GroupReplay> make_flash_v1_replay(const Schedule& schedule, const Inputs& inputs, RowShare share) {
  return std::make_unique<FlashV1Replay>(schedule, inputs, share);
}

}  // namespace tilewalk
