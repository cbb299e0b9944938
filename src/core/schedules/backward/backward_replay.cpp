#include "core/schedules/backward/backward_replay.h"

#include <algorithm>
#include <utility>

#include "core/schedules/rows.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kKeptRowBytes = std::int64_t(32) << 20;

}  // namespace

BackwardReplay::BackwardReplay(const Schedule& schedule, const Inputs& inputs,
                               const std::shared_ptr<WorkerPool>& workers)
    : schedule_(schedule),
      p_(schedule.problem()),
      softmax_(row_of(p_).walk.softmax),
      standard_(softmax_ == SoftmaxKind::Stored),
      results_(p_, inputs, workers),
      row_tile_(p_, inputs),
      column_tile_(p_, inputs),
      columns_(p_, standard_ ? Band{} : p_.shape.band(), Outside::KvTiles, true) {}

void BackwardReplay::aim(const Step& step) {
  aim_ = step;
  open_ = step.q_tile_id();
  row_ready_ = false;
  wanted_ = {};
  const bool whole = !step.in_visit();
  if (standard_) {
    const SectionName section = step.section_name;
    const bool of_column = section == SectionName::GradV || section == SectionName::GradK;
    if (of_column) want_column(step, whole);
    if (section == SectionName::GradQ) wanted_.row_visits = whole ? visits_of_row() : step.visit;
    wanted_.rows = section == SectionName::GradS || (!whole && (of_column || section == SectionName::GradQ));
  } else if (step.section_name == SectionName::Initialise) {
    return settle();
  } else if (step.section_name == SectionName::Dots) {
    wanted_.rows = wanted_.o = true;
  } else if (step.section_name == SectionName::Scale) {
    wanted_.row_visits = visits_of_row();
  } else {
    want_column(step, step.phase == Phase::StoreDKV);
    if (!whole) {
      wanted_.rows = true;
      wanted_.o = softmax_ == SoftmaxKind::FromMaxSum;
      wanted_.row_visits = visit_in_row(step.kv_tile);
    }
  }
  settle();
}

double BackwardReplay::progress() const {
  const double all =
      double(std::max<std::int64_t>(0, wanted_.row_visits) + std::max<std::int64_t>(0, wanted_.column_visits));
  const double done =
      double((wanted_.row_visits > 0 ? row_.visits : 0) + (wanted_.column_visits > 0 ? column_.visits : 0));
  return all == 0 ? 1.0 : std::min(1.0, done / all);
}

Slice BackwardReplay::walk(VisitSink& sink, std::int64_t& max_visits) {
  const std::int64_t visits = visits_of_row();
  for (; row_walked_ <= visits; ++row_walked_) {
    wanted_ = {};
    wanted_.rows = true;
    wanted_.row_visits = std::min(row_walked_ + 1, visits);
    if (row_walked_ < visits) {
      wanted_.kv_tile = kv_tile_of_row(row_walked_);
      wanted_.column_visits = open_.head % p_.shape.head_group() * columns_.visits(wanted_.kv_tile) +
                              columns_.visit_of(wanted_.kv_tile, open_.q_tile) + 1;
    }
    settle();
    if (!work_towards(max_visits)) return Slice::More;
    if (row_walked_ == visits) break;
    open_row();
    row_tile_.complete(wanted_.kv_tile);
    if (!sink.on_visit(visit_state(row_tile_, {open_.batch, open_.head, open_.q_tile, wanted_.kv_tile}, row_.dq,
                                   column_, sink.wants_scores())))
      return Slice::Stopped;
  }
  return sink.on_q_gradient(open_, finished(row_.dq, row_rows())) ? Slice::Whole : Slice::Stopped;
}

void BackwardReplay::begin_kv_walk(const KvTileId& id) {
  const std::int64_t place = columns_.group_at(id.kv_tile);  // its own inverse
  const bool in_part = walked_.column.at.batch >= 0;
  if (in_part || walked_.batch != id.batch || walked_.kv_head != id.kv_head || walked_.place > place)
    start_walk(id.batch, id.kv_head);
  walked_.last = place;
}

Slice BackwardReplay::walk_kv_tile(VisitSink& sink, std::int64_t& max_visits) {
  while (walked_.place <= walked_.last)
    if (const Slice slice = walk_column(walked_.place == walked_.last ? &sink : nullptr, max_visits);
        slice != Slice::Whole)
      return slice;
  if (walked_.place < p_.kv_tiles()) return Slice::Whole;
  for (std::int64_t g = 0; g < p_.shape.head_group(); ++g)
    for (std::int64_t i = 0; i < p_.q_tiles(); ++i)
      if (!sink.on_q_gradient({walked_.batch, walked_.kv_head * p_.shape.head_group() + g, i},
                              finished(walked_.dq[std::size_t(g * p_.q_tiles() + i)], p_.q_tile_rows(i))))
        return Slice::Stopped;
  return Slice::Whole;
}

std::int64_t BackwardReplay::kv_tile_of_row(std::int64_t visit) const {
  const TileRange range = schedule_.visited(open_.q_tile);
  return p_.tiling.order == KvOrder::Reverse ? range.end - 1 - visit : range.begin + visit;
}

std::int64_t BackwardReplay::visit_in_row(std::int64_t kv_tile) const {
  const TileRange range = schedule_.visited(open_.q_tile);
  return p_.tiling.order == KvOrder::Reverse ? range.end - 1 - kv_tile : kv_tile - range.begin;
}

void BackwardReplay::want_column(const Step& step, bool whole) {
  wanted_.kv_tile = step.kv_tile;
  wanted_.column_visits = whole ? step.visits_in_group : std::max<std::int64_t>(0, step.visit);
}

// Selects the wanted row and column, at a position not past the wanted one.
void BackwardReplay::settle() {
  if (wanted_.row_visits >= 0) settle_row();
  if (wanted_.column_visits >= 0) settle_column();
}

void BackwardReplay::settle_row() {
  if (row_.at != open_) {
    const auto key = [&](const QTileId& id) {
      return (id.batch * p_.shape.heads + id.head) * p_.q_tiles() + id.q_tile;
    };
    if (std::int64_t(rows_left_.size() + 1) * p_.tiling.br * padded(p_.shape.d) * 4 > kKeptRowBytes) rows_left_.clear();
    if (row_.at.batch >= 0) rows_left_[key(row_.at)] = std::move(row_);
    const auto found = rows_left_.find(key(open_));
    row_ = found == rows_left_.end() ? Row{} : std::move(found->second);
    if (found != rows_left_.end()) rows_left_.erase(found);
  }
  if (row_.at.batch < 0 || row_.visits > wanted_.row_visits)
    row_ = {open_, 0, std::vector<float>(std::size_t(row_rows() * padded(p_.shape.d)), 0.0f)};
}

void BackwardReplay::settle_column() {
  const KvTileId wanted = {open_.batch, p_.shape.kv_head_of(open_.head), wanted_.kv_tile};
  if (column_.at != wanted) {
    column_ = fresh_column(wanted);
    marks_ = {column_};
  } else if (column_.visits > wanted_.column_visits) {
    column_ = marks_[std::min(std::size_t(wanted_.column_visits / mark_interval()), marks_.size() - 1)];
  }
}

// At least 64 visits, and at most about 256 marks a column.
std::int64_t BackwardReplay::mark_interval() const {
  return 64 * (1 + columns_.visits(column_.at.kv_tile) * p_.shape.head_group() / 16384);
}

BackwardReplay::Column BackwardReplay::fresh_column(const KvTileId& id) const {
  const std::vector<float> zeros(std::size_t(p_.kv_tile_cols(id.kv_tile) * padded(p_.shape.d)), 0.0f);
  return {id, 0, zeros, zeros};
}

bool BackwardReplay::work_towards(std::int64_t& budget) {
  if ((wanted_.rows || wanted_.row_visits > 0) && !results_.work(open_, wanted_.o, budget)) return false;
  if (wanted_.rows || wanted_.row_visits > 0) own_ = results_.at(open_);
  if (wanted_.row_visits > row_.visits) open_row();
  for (; row_.visits < wanted_.row_visits; ++row_.visits, --budget) {
    if (budget <= 0) return false;
    const std::int64_t kv_tile = kv_tile_of_row(row_.visits);
    if (row_tile_.left_out(kv_tile)) continue;
    row_tile_.complete(kv_tile);
    row_tile_.add_dq(kv_tile, row_.dq);
  }
  row_ready_ = true;
  for (; column_.visits < wanted_.column_visits; --budget) {
    const QTileId met = met_by_column(column_);
    if (!results_.work(met, false, budget) || budget <= 0) return false;
    visit_column(column_, met);
    if (column_.visits == std::int64_t(marks_.size()) * mark_interval()) marks_.push_back(column_);
  }
  return true;
}

void BackwardReplay::open_row() { row_tile_.open(open_, own_); }

// The Q tile of the column's next visit.
QTileId BackwardReplay::met_by_column(const Column& column) const {
  const std::int64_t each = columns_.visits(column.at.kv_tile);
  return {column.at.batch, column.at.kv_head * p_.shape.head_group() + column.visits / each,
          columns_.inner_tile(column.at.kv_tile, column.visits % each)};
}

// One more visit of a KV tile; column_tile_ holds it afterwards. Precondition: the forward results of the Q tile are
// there.
void BackwardReplay::visit_column(Column& column, const QTileId& id) {
  column_tile_.open(id, results_.at(id));
  ++column.visits;
  column_tile_.complete(column.at.kv_tile);
  if (column_tile_.left_out(column.at.kv_tile)) return;
  column_tile_.add_dv(column.dv);
  column_tile_.add_dk(column.dk);
}

void BackwardReplay::start_walk(std::int64_t batch, std::int64_t kv_head) {
  walked_ = {.batch = batch, .kv_head = kv_head};
  for (std::int64_t g = 0; g < p_.shape.head_group(); ++g)
    for (std::int64_t i = 0; i < p_.q_tiles(); ++i)
      walked_.dq.emplace_back(std::size_t(p_.q_tile_rows(i) * padded(p_.shape.d)), 0.0f);
}

// Walks the next KV tile, or the rest of it.
Slice BackwardReplay::walk_column(VisitSink* sink, std::int64_t& budget) {
  const std::int64_t kv_tile = columns_.group_at(walked_.place);
  if (walked_.column.at.batch < 0) walked_.column = fresh_column({walked_.batch, walked_.kv_head, kv_tile});
  Column& column = walked_.column;
  const std::int64_t visits = columns_.visits(kv_tile) * p_.shape.head_group();
  for (; column.visits < visits; --budget) {
    const QTileId met = met_by_column(column);
    if (!results_.work(met, false, budget) || budget <= 0) return Slice::More;
    visit_column(column, met);
    std::vector<float>& dq = walked_.dq[std::size_t((met.head % p_.shape.head_group()) * p_.q_tiles() + met.q_tile)];
    if (!column_tile_.left_out(kv_tile)) column_tile_.add_dq(kv_tile, dq);
    const TileId tile = {met.batch, met.head, met.q_tile, kv_tile};
    if (sink && !sink->on_visit(visit_state(column_tile_, tile, dq, column, sink->wants_scores()))) {
      walked_.batch = -1;
      return Slice::Stopped;
    }
  }
  ++walked_.place;
  const Column done = std::exchange(walked_.column, {});
  const std::int64_t cols = p_.kv_tile_cols(kv_tile);
  std::vector<float> dv = packed_rows(done.dv, cols, p_.shape.d, padded(p_.shape.d));
  round(dv);
  return !sink || sink->on_kv_gradients(done.at, finished(done.dk, cols), dv) ? Slice::Whole : Slice::Stopped;
}

VisitState BackwardReplay::visit_state(const BackwardTile& tile, const TileId& id, const std::vector<float>& dq,
                                       const Column& column, bool scores) const {
  VisitState out{id.batch, id.head, id.q_tile, id.kv_tile, tile.rows(), p_.kv_tile_cols(id.kv_tile), p_.shape.d};
  if (scores) {
    if (!standard_) out.s = tile.s();
    const std::vector<float> zeros(std::size_t(out.rows * out.cols), 0.0f);
    const bool left_out = tile.left_out(id.kv_tile);
    out.p = left_out ? zeros : tile.p();
    out.dp = left_out ? zeros : tile.dp();
    out.ds = left_out ? zeros : tile.ds();
    if (standard_) round(out.ds);
  }
  out.dq = packed_rows(dq, out.rows, p_.shape.d, padded(p_.shape.d));
  out.dk = packed_rows(column.dk, out.cols, p_.shape.d, padded(p_.shape.d));
  out.dv = packed_rows(column.dv, out.cols, p_.shape.d, padded(p_.shape.d));
  return out;
}

std::unique_ptr<GroupReplay> make_backward_replay(const Schedule& schedule, const Inputs& inputs,
                                                  const std::shared_ptr<WorkerPool>& workers) {
  return std::make_unique<BackwardReplay>(schedule, inputs, workers);
}

}  // namespace tilewalk
