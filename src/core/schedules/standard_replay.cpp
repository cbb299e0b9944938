// Values of standard attention (kernels/README.md, "standard"): S by tiles, then each row's max, exponentials, sum and
// quotient over all columns, then O by tiles in the order of visits. With Numerics::narrow_scores S is rounded where
// StoreS writes it, and a State has the rounded scores from that step on: a kernel reads no others.

#include "core/schedules/row_fits.h"
#include "core/schedules/rows.h"
#include "core/values/exact_math.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kKeptScoreBytes = std::int64_t(33) << 20;  // a wider row of tiles is recomputed in each pass

class StandardReplay final : public GroupReplay {
 public:
  StandardReplay(const Schedule& schedule, const Inputs& inputs, RowShare share)
      : p_(schedule.problem()), tile_(schedule.problem(), inputs, share) {}

  void open(const QTileId& id) override {
    tile_.open(id);
    const std::size_t rows = std::size_t(tile_.stride);
    m_.assign(rows, kMinusInfinity);
    l_.assign(rows, 0.0f);
    keeps_scores_ = p_.kv_tiles() * p_.tiling.bc * padded(tile_.tile_rows) * 4 <= kKeptScoreBytes;
    const std::int64_t kept = keeps_scores_ ? p_.kv_tiles() * p_.tiling.bc * tile_.stride : 0;
    if (kept > kept_size_) kept_ = std::make_unique_for_overwrite<float[]>(std::size_t(kept)), kept_size_ = kept;
    max_done_ = sum_done_ = 0;
    restart_product();
  }

  void aim(const Step& step) override {
    aim_ = step;
    const bool product = step.section_name == SectionName::Output;
    needs_stats_ = step.section_name != SectionName::Scores;
    needed_ = !product ? 0 : step.in_visit() ? step.visit : step.phase == Phase::Store ? p_.kv_tiles() : 0;
    if (needed_ < product_done_) restart_product();
  }

  bool work(std::int64_t max_visits) override {
    const bool ready = absorb_rows(max_visits);
    for (; ready && product_done_ < needed_ && max_visits > 0; --max_visits) absorb_product();
    return ready && product_done_ == needed_;
  }

  double progress() const override {
    const std::int64_t tiles = needs_stats_ ? p_.kv_tiles() : 0;
    const std::int64_t all = 2 * tiles + needed_;
    return all == 0
               ? 1.0
               : double(std::min(max_done_, tiles) + std::min(sum_done_, tiles) + std::min(product_done_, needed_)) /
                     double(all);
  }

  TileRange ahead() const override {
    if (aim_.section_name != SectionName::Scores) return {0, p_.kv_tiles()};
    return aim_.in_visit() ? TileRange{aim_.kv_tile, aim_.kv_tile + 1} : TileRange{};
  }

  void lend(const float* k, const float* v) override { tile_.lend(k, v); }

  void fill(State& state) override {
    if (aim_.section_name == SectionName::Scores) return fill_scores(state);
    if (aim_.section_name == SectionName::Softmax) return fill_softmax(state);
    fill_product(state);
  }

  void begin_walk() override {
    open(tile_.at);
    Step last;
    last.section_name = SectionName::Output;
    last.phase = Phase::Store;
    aim(last);
    needed_ = 0;
  }

  Slice walk(VisitSink& sink, std::int64_t& max_visits) override {
    if (!absorb_rows(max_visits)) return Slice::More;
    for (; product_done_ < p_.kv_tiles(); --max_visits) {
      if (max_visits <= 0) return Slice::More;
      const std::int64_t kv_tile = kv_tile_of(product_done_);
      absorb_product();
      VisitState out{tile_.at.batch,           tile_.at.head, tile_.at.q_tile, kv_tile, tile_.rows,
                     p_.kv_tile_cols(kv_tile), p_.shape.d};
      out.m = first_of(m_, tile_.rows);
      out.l = first_of(l_, tile_.rows);
      if (sink.wants_scores()) {
        out.s = untransposed(score_tile(kv_tile), out.rows, out.cols, tile_.stride);
        out.p = untransposed(pt_.data(), out.rows, out.cols, tile_.stride);
      }
      out.o = packed_rows(o_, tile_.rows, p_.shape.d, tile_.o_stride);
      if (!sink.on_visit(out)) return Slice::Stopped;
    }
    return sink.on_q_tile(tile_.at, stored_o(), lse_of(m_, l_, tile_.rows)) ? Slice::Whole : Slice::Stopped;
  }

 private:
  std::int64_t kv_tile_of(std::int64_t visit) const {
    return p_.tiling.order == KvOrder::Reverse ? p_.kv_tiles() - 1 - visit : visit;
  }

  void restart_product() {
    product_done_ = 0;
    o_.assign(std::size_t(tile_.rows * tile_.o_stride), 0.0f);
  }

  // Computes max and sum of whole rows, where they are needed; true when they are complete.
  bool absorb_rows(std::int64_t& max_visits) {
    const std::int64_t tiles = needs_stats_ ? p_.kv_tiles() : 0;
    for (; max_done_ < tiles && max_visits > 0; --max_visits, ++max_done_) absorb_max(max_done_);
    for (; max_done_ >= tiles && sum_done_ < tiles && max_visits > 0; --max_visits, ++sum_done_) absorb_sum(sum_done_);
    return max_done_ >= tiles && sum_done_ >= tiles;
  }

  // Pass 2 shows whole rows of s and p where they are not too wide.
  bool shows_rows() const { return tile_.tile_rows * p_.shape.n_kv <= kShownRowElements; }

  // Where a tile's scores are kept.
  float* kept(std::int64_t kv_tile) { return kept_.get() + kv_tile * p_.tiling.bc * tile_.stride; }

  void make_scores(std::int64_t kv_tile, float* st) {
    tile_.scores(kv_tile, st);
    tile_.mask(kv_tile, st);
    store_scores(kv_tile, st);
  }

  // S as it is in HBM.
  void store_scores(std::int64_t kv_tile, float* st) const {
    if (p_.numerics.narrow_scores) round_all(p_.numerics.dtype, st, tile_.cols_of(kv_tile) * tile_.stride);
  }

  // Stored scores of a tile, [col][stride].
  const float* score_tile(std::int64_t kv_tile) {
    if (keeps_scores_ && kv_tile < max_done_) return kept(kv_tile);
    st_.resize(std::size_t(tile_.cols_of(kv_tile) * tile_.stride));
    make_scores(kv_tile, st_.data());
    return st_.data();
  }

  void absorb_max(std::int64_t kv_tile) {
    if (keeps_scores_) make_scores(kv_tile, kept(kv_tile));
    const float* st = keeps_scores_ ? kept(kv_tile) : score_tile(kv_tile);
    tile_ops().row_max(st, tile_.cols_of(kv_tile), tile_.stride, m_.data(), m_.data());
    if (p_.fault == Fault::NoMax) std::fill(m_.begin(), m_.end(), 0.0f);
  }

  // Exponentials of a tile into pt_, added to `sum`.
  void exponentials(std::int64_t kv_tile, float* sum = nullptr) {
    const std::int64_t cols = tile_.cols_of(kv_tile);
    pt_.resize(std::size_t(cols * tile_.stride));
    tile_ops().exponentiate(score_tile(kv_tile), cols, tile_.stride, m_.data(), pt_.data(), sum);
  }

  void divide(std::int64_t kv_tile) {
    tile_ops().divide_rows(pt_.data(), tile_.cols_of(kv_tile), tile_.stride, l_.data());
    round_all(p_.numerics.dtype, pt_);
  }

  void absorb_sum(std::int64_t kv_tile) { exponentials(kv_tile, l_.data()); }

  void absorb_product() {
    const std::int64_t kv_tile = kv_tile_of(product_done_);
    exponentials(kv_tile);
    divide(kv_tile);
    tile_ops().accumulate(pt_.data(), tile_.cols_of(kv_tile), tile_.stride, tile_.rows, tile_.v_rows(kv_tile),
                          tile_.o_stride, o_.data());
    ++product_done_;
  }

  std::vector<float> stored_o() const {
    std::vector<float> o = packed_rows(o_, tile_.rows, p_.shape.d, tile_.o_stride);
    round_all(p_.numerics.dtype, o);
    return o;
  }

  void fill_scores(State& state) {
    if (!aim_.in_visit() || aim_.phase == Phase::LoadK) return;
    tile_.scores(aim_.kv_tile, st_);
    if (aim_.phase != Phase::Scores) tile_.mask(aim_.kv_tile, st_.data());
    if (aim_.phase == Phase::StoreS) store_scores(aim_.kv_tile, st_.data());
    state.s = untransposed(st_.data(), tile_.rows, p_.kv_tile_cols(aim_.kv_tile), tile_.stride);
  }

  void fill_softmax(State& state) {
    const bool has_max = aim_.phase != Phase::LoadS;
    const bool has_exp = has_max && aim_.phase != Phase::RowMax && aim_.phase != Phase::LoadSAgain;
    const bool has_sum = has_exp && aim_.phase != Phase::Exponentiate;
    const bool divided = has_sum && aim_.phase != Phase::RowSum && standard_row_fits(p_);
    if (has_max) state.m = first_of(m_, tile_.rows);
    if (has_sum) state.l = first_of(l_, tile_.rows);
    if (!shows_rows()) return;
    state.s.resize(std::size_t(tile_.rows * p_.shape.n_kv));
    if (has_exp) state.p.resize(state.s.size());
    for (std::int64_t j = 0; j < p_.kv_tiles(); ++j) {
      copy_columns(score_tile(j), j, state.s);
      if (!has_exp) continue;
      exponentials(j);
      if (divided) divide(j);
      copy_columns(pt_.data(), j, state.p);
    }
  }

  void copy_columns(const float* st, std::int64_t kv_tile, std::vector<float>& rows_of_all) const {
    const std::int64_t cols = p_.kv_tile_cols(kv_tile), first = kv_tile * p_.tiling.bc;
    for (std::int64_t j = 0; j < cols; ++j)
      for (std::int64_t i = 0; i < tile_.rows; ++i)
        rows_of_all[std::size_t(i * p_.shape.n_kv + first + j)] = st[j * tile_.stride + i];
  }

  void fill_product(State& state) {
    state.m = first_of(m_, tile_.rows);
    state.l = first_of(l_, tile_.rows);
    if (!aim_.in_visit()) {
      state.o = aim_.phase == Phase::Store ? stored_o() : packed_rows(o_, tile_.rows, p_.shape.d, tile_.o_stride);
      return;
    }
    const std::int64_t cols = p_.kv_tile_cols(aim_.kv_tile);
    exponentials(aim_.kv_tile);
    if (standard_row_fits(p_) || aim_.phase != Phase::LoadPV) divide(aim_.kv_tile);
    state.p = untransposed(pt_.data(), tile_.rows, cols, tile_.stride);
    std::vector<float> o = o_;
    if (aim_.phase == Phase::Accumulate)
      tile_ops().accumulate(pt_.data(), tile_.cols_of(aim_.kv_tile), tile_.stride, tile_.rows,
                            tile_.v_rows(aim_.kv_tile), tile_.o_stride, o.data());
    state.o = packed_rows(o, tile_.rows, p_.shape.d, tile_.o_stride);
  }

  const Problem& p_;
  QTileValues tile_;
  Step aim_;
  bool needs_stats_ = false, keeps_scores_ = false;
  std::int64_t needed_ = 0, max_done_ = 0, sum_done_ = 0, product_done_ = 0;
  std::unique_ptr<float[]> kept_;  // reused from one Q tile to the next
  std::int64_t kept_size_ = 0;
  std::vector<float> st_, pt_, m_, l_, o_;
};

}  // namespace

std::unique_ptr<GroupReplay> make_standard_replay(const Schedule& schedule, const Inputs& inputs, RowShare share) {
  return std::make_unique<StandardReplay>(schedule, inputs, share);
}

}  // namespace tilewalk
