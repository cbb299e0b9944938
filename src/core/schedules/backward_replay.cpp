// Values of the three backward passes (kernels/README.md, "Backward"). dQ of a Q tile depends on the KV tiles it has met
// alone; dK and dV of a KV tile on the Q tiles it has met, over the query heads that share it. So a seek replays one row
// and one column of score tiles, after the forward pass of the rows among them (schedules/forward_results.h).
#include <algorithm>
#include <limits>

#include "core/group_walk.h"
#include "core/schedules/forward_results.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kShownRowElements = std::int64_t(1) << 22;  // pass 3 of the standard one shows rows up to this many values
constexpr std::int64_t kNoBudget = std::numeric_limits<std::int64_t>::max();

class BackwardReplay final : public GroupReplay {
 public:
  BackwardReplay(const Schedule& schedule, const Inputs& inputs)
      : schedule_(schedule), p_(schedule.problem()), standard_(p_.schedule == ScheduleKind::BackwardStandard), results_(p_, inputs),
        row_tile_(p_, inputs), column_tile_(p_, inputs),
        columns_(p_, standard_ ? Band{} : p_.band(), Outside::KvTiles, true) {}

  void open(std::int64_t batch, std::int64_t head, std::int64_t q_tile) override {
    batch_ = batch;
    head_ = head;
    q_tile_ = q_tile;
  }

  void aim(const Step& step) override {
    aim_ = step;
    batch_ = step.batch;
    head_ = step.head;
    q_tile_ = step.q_tile;
    wanted_ = {};
    const bool whole = !step.in_visit();
    if (standard_) {
      wanted_.rows = step.section == 2;
      if (step.section == 0 || step.section == 4) want_column(step, whole);
      if (step.section == 0 && !whole) wanted_.rows = true;
      if (step.section >= 3 && !whole) wanted_.rows = true;
      if (step.section == 3) wanted_.row_visits = whole ? visits_of_row() : step.visit;
    } else if (step.section == 0) {
      wanted_.rows = wanted_.o = step.phase != Phase::Initialise;
    } else if (step.section == 2) {
      wanted_.row_visits = visits_of_row();
    } else {
      want_column(step, step.phase == Phase::StoreDKV);
      if (!whole) {
        wanted_.rows = true;
        wanted_.o = p_.schedule == ScheduleKind::BackwardV1;
        wanted_.row_visits = visit_in_row(step.kv_tile);
      }
    }
    settle();
  }

  bool work(std::int64_t max_visits) override { return work_towards(max_visits); }

  double progress() const override {
    const double all = double(std::max<std::int64_t>(0, wanted_.row_visits) + std::max<std::int64_t>(0, wanted_.column_visits));
    const double done = double((wanted_.row_visits > 0 ? row_.visits : 0) + (wanted_.column_visits > 0 ? column_.visits : 0));
    return all == 0 ? 1.0 : std::min(1.0, done / all);
  }

  void fill(State& state) override {
    if (standard_) return fill_standard(state);
    if (aim_.section == 0) return fill_start(state);
    if (aim_.section == 2) {
      state.dq = packed_rows(row_.dq, row_rows(), p_.d, padded(p_.d));
      if (aim_.phase != Phase::LoadDQ) scale(state.dq);
      if (aim_.phase == Phase::StoreDQ) round(state.dq);
      return;
    }
    if (aim_.in_visit()) return fill_visit(state);
    state.dk = packed_column(column_.dk);
    state.dv = packed_column(column_.dv);
    if (aim_.phase == Phase::StoreDKV) scale(state.dk), round(state.dk), round(state.dv);
  }

  bool walk(VisitSink& sink) override {
    const std::int64_t batch = batch_, head = head_, q_tile = q_tile_, visits = visits_of_row();
    for (std::int64_t v = 0; v <= visits; ++v) {
      wanted_ = {};
      batch_ = batch, head_ = head, q_tile_ = q_tile;
      wanted_.rows = true;
      wanted_.row_visits = std::min(v + 1, visits);
      if (v < visits) {
        wanted_.kv_tile = kv_tile_of_row(v);
        wanted_.column_visits = head % p_.head_group() * columns_.visits(wanted_.kv_tile) + columns_.visit_of(wanted_.kv_tile, q_tile) + 1;
      }
      settle();
      work_towards(kNoBudget);
      if (v == visits) break;
      open_row();
      row_tile_.complete(wanted_.kv_tile);
      if (!sink.on_visit(visit_state(row_tile_, batch, head, q_tile, wanted_.kv_tile, row_.dq, column_, sink.wants_scores()))) return false;
    }
    return sink.on_q_gradient(batch, head, q_tile, finished(row_.dq, p_.q_tile_rows(q_tile)));
  }

  bool walk_kv_tile(std::int64_t batch, std::int64_t kv_head, std::int64_t kv_tile, VisitSink& sink) override {
    const std::int64_t place = columns_.group_at(kv_tile);  // its own inverse
    if (walked_.batch != batch || walked_.kv_head != kv_head || walked_.place > place) start_walk(batch, kv_head);
    while (walked_.place < place) walk_column(columns_.group_at(walked_.place), nullptr);
    if (!walk_column(kv_tile, &sink)) return false;
    if (walked_.place < p_.kv_tiles()) return true;
    for (std::int64_t g = 0; g < p_.head_group(); ++g)
      for (std::int64_t i = 0; i < p_.q_tiles(); ++i)
        if (!sink.on_q_gradient(batch, kv_head * p_.head_group() + g, i, finished(walked_.dq[std::size_t(g * p_.q_tiles() + i)], p_.q_tile_rows(i))))
          return false;
    return true;
  }

 private:
  // dQ of one Q tile after some of its KV tiles; dK and dV of one KV tile after some of its visits.
  struct Row {
    std::int64_t batch = -1, head = 0, q_tile = 0, visits = 0;
    std::vector<float> dq;
  };
  struct Column {
    std::int64_t batch = -1, kv_head = 0, kv_tile = 0, visits = 0;
    std::vector<float> dk, dv;
  };
  // All of dQ that one KV head's query heads write, as the walk goes.
  struct Walked {
    std::int64_t batch = -1, kv_head = 0, place = 0;
    std::vector<std::vector<float>> dq;
  };
  // What a state is made of; -1: not wanted.
  struct Wanted {
    bool rows = false, o = false;
    std::int64_t row_visits = -1, column_visits = -1, kv_tile = -1;
  };

  std::int64_t visits_of_row() const { return schedule_.visited(q_tile_).count(); }
  std::int64_t row_rows() const { return p_.q_tile_rows(q_tile_); }
  std::int64_t kv_tile_of_row(std::int64_t visit) const {
    const TileRange range = schedule_.visited(q_tile_);
    return p_.order == KvOrder::Reverse ? range.end - 1 - visit : range.begin + visit;
  }
  std::int64_t visit_in_row(std::int64_t kv_tile) const {
    const TileRange range = schedule_.visited(q_tile_);
    return p_.order == KvOrder::Reverse ? range.end - 1 - kv_tile : kv_tile - range.begin;
  }

  void want_column(const Step& step, bool whole) {
    wanted_.kv_tile = step.kv_tile;
    wanted_.column_visits = whole ? step.visits_in_group : std::max<std::int64_t>(0, step.visit);
  }

  // Forgets the row or the column at hand where it is another one or has gone past what is wanted.
  void settle() {
    if (wanted_.row_visits >= 0 && (row_.batch != batch_ || row_.head != head_ || row_.q_tile != q_tile_ || row_.visits > wanted_.row_visits))
      row_ = {batch_, head_, q_tile_, 0, std::vector<float>(std::size_t(row_rows() * padded(p_.d)), 0.0f)};
    const std::int64_t kv_head = p_.kv_head_of(head_), kv_tile = wanted_.kv_tile;
    if (wanted_.column_visits >= 0 &&
        (column_.batch != batch_ || column_.kv_head != kv_head || column_.kv_tile != kv_tile || column_.visits > wanted_.column_visits))
      column_ = fresh_column(batch_, kv_head, kv_tile);
  }

  Column fresh_column(std::int64_t batch, std::int64_t kv_head, std::int64_t kv_tile) const {
    const std::vector<float> zeros(std::size_t(p_.kv_tile_cols(kv_tile) * padded(p_.d)), 0.0f);
    return {batch, kv_head, kv_tile, 0, zeros, zeros};
  }

  bool work_towards(std::int64_t budget) {
    if ((wanted_.rows || wanted_.row_visits > 0) && !results_.work(batch_, head_, q_tile_, wanted_.o, budget)) return false;
    if (wanted_.row_visits > row_.visits) open_row();
    for (; row_.visits < wanted_.row_visits; ++row_.visits, --budget) {
      if (budget <= 0) return false;
      const std::int64_t kv_tile = kv_tile_of_row(row_.visits);
      if (row_tile_.left_out(kv_tile)) continue;
      row_tile_.complete(kv_tile);
      row_tile_.add_dq(kv_tile, row_.dq);
    }
    for (; column_.visits < wanted_.column_visits; --budget) {
      const auto [head, q_tile] = met_by_column(column_.kv_head, column_.kv_tile, column_.visits);
      if (!results_.work(column_.batch, head, q_tile, false, budget) || budget <= 0) return false;
      visit_column(column_, head, q_tile);
    }
    return true;
  }

  void open_row() { row_tile_.open(batch_, head_, q_tile_, results_.at(batch_, head_, q_tile_)); }

  std::pair<std::int64_t, std::int64_t> met_by_column(std::int64_t kv_head, std::int64_t kv_tile, std::int64_t visit) const {
    const std::int64_t each = columns_.visits(kv_tile);
    return {kv_head * p_.head_group() + visit / each, columns_.inner_tile(kv_tile, visit % each)};
  }

  // One more visit of a KV tile; column_tile_ holds it afterwards. Precondition: the forward results of the Q tile are there.
  void visit_column(Column& column, std::int64_t head, std::int64_t q_tile) {
    column_tile_.open(column.batch, head, q_tile, results_.at(column.batch, head, q_tile));
    ++column.visits;
    column_tile_.complete(column.kv_tile);
    if (column_tile_.left_out(column.kv_tile)) return;
    column_tile_.add_dv(column.dv);
    column_tile_.add_dk(column.dk);
  }

  void start_walk(std::int64_t batch, std::int64_t kv_head) {
    walked_ = {batch, kv_head, 0, {}};
    for (std::int64_t g = 0; g < p_.head_group(); ++g)
      for (std::int64_t i = 0; i < p_.q_tiles(); ++i) walked_.dq.emplace_back(std::size_t(p_.q_tile_rows(i) * padded(p_.d)), 0.0f);
  }

  bool walk_column(std::int64_t kv_tile, VisitSink* sink) {
    Column column = fresh_column(walked_.batch, walked_.kv_head, kv_tile);
    const std::int64_t visits = columns_.visits(kv_tile) * p_.head_group();
    while (column.visits < visits) {
      const auto [head, q_tile] = met_by_column(column.kv_head, kv_tile, column.visits);
      std::int64_t budget = kNoBudget;
      results_.work(column.batch, head, q_tile, false, budget);
      visit_column(column, head, q_tile);
      std::vector<float>& dq = walked_.dq[std::size_t((head % p_.head_group()) * p_.q_tiles() + q_tile)];
      if (!column_tile_.left_out(kv_tile)) column_tile_.add_dq(kv_tile, dq);
      if (sink && !sink->on_visit(visit_state(column_tile_, column.batch, head, q_tile, kv_tile, dq, column, sink->wants_scores()))) {
        walked_.batch = -1;
        return false;
      }
    }
    ++walked_.place;
    const std::int64_t cols = p_.kv_tile_cols(kv_tile);
    std::vector<float> dv = packed_rows(column.dv, cols, p_.d, padded(p_.d));
    round(dv);
    return !sink || sink->on_kv_gradients(column.batch, column.kv_head, kv_tile, finished(column.dk, cols), dv);
  }

  VisitState visit_state(const BackwardTile& tile, std::int64_t batch, std::int64_t head, std::int64_t q_tile, std::int64_t kv_tile,
                         const std::vector<float>& dq, const Column& column, bool scores) const {
    VisitState out{batch, head, q_tile, kv_tile, tile.rows(), p_.kv_tile_cols(kv_tile), p_.d, {}, {}, {}, {}, {}, {}};
    if (scores) {
      if (!standard_) out.s = tile.s();
      const std::vector<float> zeros(std::size_t(out.rows * out.cols), 0.0f);
      const bool left_out = tile.left_out(kv_tile);
      out.p = left_out ? zeros : tile.p();
      out.dp = left_out ? zeros : tile.dp();
      out.ds = left_out ? zeros : tile.ds();
      if (standard_) round(out.ds);
    }
    out.dq = packed_rows(dq, out.rows, p_.d, padded(p_.d));
    out.dk = packed_rows(column.dk, out.cols, p_.d, padded(p_.d));
    out.dv = packed_rows(column.dv, out.cols, p_.d, padded(p_.d));
    return out;
  }

  void scale(std::vector<float>& values) const {
    const float g = p_.gradient_factor();
    for (float& x : values) x = x * g;
  }
  void round(std::vector<float>& values) const {
    for (float& x : values) x = round_to(p_.dtype, x);
  }
  std::vector<float> finished(const std::vector<float>& sums, std::int64_t rows) const {
    std::vector<float> out = packed_rows(sums, rows, p_.d, padded(p_.d));
    scale(out);
    round(out);
    return out;
  }
  std::vector<float> packed_column(const std::vector<float>& sums) const {
    return packed_rows(sums, p_.kv_tile_cols(column_.kv_tile), p_.d, padded(p_.d));
  }

  void fill_start(State& state) {
    const std::vector<float> zeros(std::size_t(row_rows() * p_.d), 0.0f);
    if (aim_.phase == Phase::Initialise || aim_.phase == Phase::StoreD) state.dq = zeros;
    if (aim_.phase == Phase::Initialise) return;
    state.o = results_.o();
    if (aim_.phase != Phase::LoadOutputs) state.D = first_of(results_.at(batch_, head_, q_tile_).D, row_rows());
  }

  // The phases of the aimed visit up to the aimed one, on copies.
  void fill_visit(State& state) {
    const bool v1 = p_.schedule == ScheduleKind::BackwardV1;
    const std::int64_t kv_tile = aim_.kv_tile, rows = row_rows();
    const int upto = aim_.phase_in_visit, exponent = 3, grad_v = v1 ? 5 : 4, grad_p = grad_v + 1, grad_s = v1 ? 8 : 6;
    open_row();
    const ForwardRows& left = row_tile_.left();
    if (v1) {
      state.o = results_.o();
      state.m = first_of(left.m, rows);
      state.l = first_of(left.l, rows);
    } else state.lse = first_of(left.lse, rows);
    if (!v1 || upto >= grad_p + 1) state.D = first_of(left.D, rows);
    std::vector<float> dq = row_.dq, dk = column_.dk, dv = column_.dv;
    if (upto >= 1) row_tile_.scores(kv_tile);
    if (upto >= 2) row_tile_.mask(kv_tile);
    if (upto >= 1) state.s = row_tile_.s();
    if (!row_tile_.left_out(kv_tile)) {
      if (upto >= exponent) row_tile_.exponentiate();
      if (v1 && upto >= exponent + 1) row_tile_.divide();
      if (upto >= exponent) state.p = row_tile_.p();
      if (upto >= grad_v) row_tile_.add_dv(dv);
      if (upto >= grad_p) row_tile_.grad_p(kv_tile), state.dp = row_tile_.dp();
      if (upto >= grad_s) row_tile_.grad_s(), state.ds = row_tile_.ds();
      if (upto >= grad_s + 1) row_tile_.add_dq(kv_tile, dq);
      if (upto >= grad_s + 3) row_tile_.add_dk(dk);
    }
    state.dq = packed_rows(dq, rows, p_.d, padded(p_.d));
    state.dk = packed_column(dk);
    state.dv = packed_column(dv);
  }

  void fill_standard(State& state) {
    if (wanted_.rows) open_row();
    switch (aim_.section) {
      case 0:
      case 4: return fill_standard_column(state);
      case 1:
        if (aim_.phase != Phase::GradP && aim_.phase != Phase::StoreDP) return;
        row_tile_.open(batch_, head_, q_tile_, {});
        row_tile_.grad_p(aim_.kv_tile);
        state.dp = row_tile_.dp();
        return;
      case 2: return fill_standard_rows(state);
      default: break;
    }
    std::vector<float> dq = row_.dq;
    if (aim_.in_visit()) {
      row_tile_.complete(aim_.kv_tile);
      state.ds = row_tile_.ds();
      round(state.ds);
      if (aim_.phase == Phase::GradQ) row_tile_.add_dq(aim_.kv_tile, dq);
    }
    state.dq = aim_.in_visit() ? packed_rows(dq, row_rows(), p_.d, padded(p_.d)) : finished(dq, row_rows());
  }

  void fill_standard_column(State& state) {
    std::vector<float> sum = aim_.section == 0 ? column_.dv : column_.dk;
    if (!aim_.in_visit()) {
      (aim_.section == 0 ? state.dv : state.dk) = packed_column(sum);
      if (aim_.section == 4) scale(state.dk);
      round(aim_.section == 0 ? state.dv : state.dk);
      return;
    }
    if (aim_.section == 0) {
      row_tile_.probabilities(aim_.kv_tile);
      state.p = row_tile_.p();
      if (aim_.phase == Phase::GradV) row_tile_.add_dv(sum);
      state.dv = packed_column(sum);
    } else {
      row_tile_.complete(aim_.kv_tile);
      state.ds = row_tile_.ds();
      round(state.ds);
      if (aim_.phase == Phase::GradK) row_tile_.add_dk(sum);
      state.dk = packed_column(sum);
    }
  }

  // Whole rows of P, dP and dS.
  void fill_standard_rows(State& state) {
    const std::int64_t rows = row_rows();
    const bool made = aim_.phase == Phase::GradS || aim_.phase == Phase::StoreDS;
    if (aim_.phase != Phase::LoadPDP) state.D = first_of(row_tile_.left().D, rows);
    if (rows * p_.n_kv > kShownRowElements) return;
    state.p.resize(std::size_t(rows * p_.n_kv));
    state.dp.resize(state.p.size());
    if (made) state.ds.resize(state.p.size());
    for (std::int64_t j = 0; j < p_.kv_tiles(); ++j) {
      row_tile_.complete(j);
      copy_columns(row_tile_.p(), j, state.p);
      copy_columns(row_tile_.dp(), j, state.dp);
      if (made) copy_columns(row_tile_.ds(), j, state.ds);
    }
    if (aim_.phase == Phase::StoreDS) round(state.ds);
  }

  void copy_columns(const std::vector<float>& tile, std::int64_t kv_tile, std::vector<float>& rows_of_all) const {
    const std::int64_t cols = p_.kv_tile_cols(kv_tile);
    for (std::int64_t i = 0; i * cols < std::int64_t(tile.size()); ++i)
      std::copy_n(tile.begin() + i * cols, cols, rows_of_all.begin() + i * p_.n_kv + kv_tile * p_.bc);
  }

  const Schedule& schedule_;
  const Problem& p_;
  bool standard_;
  ForwardResults results_;
  BackwardTile row_tile_, column_tile_;
  GroupWalk columns_;
  Step aim_;
  Wanted wanted_;
  Row row_;
  Column column_;
  Walked walked_;
  std::int64_t batch_ = 0, head_ = 0, q_tile_ = 0;
};

}  // namespace

std::unique_ptr<GroupReplay> make_backward_replay(const Schedule& schedule, const Inputs& inputs) {
  return std::make_unique<BackwardReplay>(schedule, inputs);
}

}  // namespace tilewalk
