#include "core/replay/replay.h"

#include <limits>
#include <optional>

#include "core/schedules/registry.h"
#include "core/values/tile_ops.h"

namespace tilewalk {

struct Replay::Impl {
  Impl(std::shared_ptr<const Schedule> s, Inputs in, const std::shared_ptr<WorkerPool>& workers)
      : schedule(std::move(s)),
        inputs(std::move(in)),
        group(row_of(schedule->problem()).walk.replay(*schedule, inputs, workers)) {}

  void open(const QTileId& id) {
    if (opened == id) return;
    group->open(id);
    opened = id;
  }

  std::shared_ptr<const Schedule> schedule;
  Inputs inputs;
  std::unique_ptr<GroupReplay> group;
  std::optional<QTileId> opened;
  bool walks_kv_tile = false;
  State target_state() const {
    State at_target;
    at_target.cursor = target;
    at_target.started = true;
    at_target.step = target_step;
    return at_target;
  }

  State state;
  std::optional<State> early;
  std::int64_t target = 0;
  Step target_step;
  bool ready = true;
};

Replay::Replay(std::shared_ptr<const Schedule> schedule, Inputs inputs, const std::shared_ptr<WorkerPool>& workers)
    : impl_(std::make_unique<Impl>(std::move(schedule), std::move(inputs), workers)) {}
Replay::~Replay() = default;
Replay::Replay(Replay&&) noexcept = default;
Replay& Replay::operator=(Replay&&) noexcept = default;

const Schedule& Replay::schedule() const { return *impl_->schedule; }
const Inputs& Replay::inputs() const { return impl_->inputs; }
const State& Replay::state() const { return impl_->state; }
double Replay::progress() const { return impl_->ready ? 1.0 : impl_->group->progress(); }

void Replay::begin(std::int64_t cursor) {
  Impl& i = *impl_;
  i.target = cursor;
  i.early.reset();
  if (cursor == 0) {
    i.state = State{};
    i.ready = true;
    return;
  }
  i.target_step = i.schedule->step(cursor - 1);
  i.open(i.target_step.q_tile_id());
  i.group->aim(i.target_step);
  i.ready = false;
}

bool Replay::work(std::int64_t max_visits) {
  Impl& i = *impl_;
  if (i.ready) return true;
  if (!i.group->work(max_visits)) return false;
  State next = i.target_state();
  i.group->fill(next);
  i.state = std::move(next);
  i.ready = true;
  return true;
}

const State* Replay::early_state() {
  Impl& i = *impl_;
  if (i.ready || !i.group->shows_early()) return nullptr;
  if (!i.early) {
    i.early = i.target_state();
    i.group->fill(*i.early);
    i.early->dk.clear();
    i.early->dv.clear();
    i.early->sums_pending = true;
  }
  return &*i.early;
}

const State& Replay::at(std::int64_t cursor) {
  begin(cursor);
  work(std::numeric_limits<std::int64_t>::max());
  return impl_->state;
}

std::int64_t Replay::walk_pieces() const {
  const Problem& p = impl_->schedule->problem();
  return p.shape.batch * (row_of(p).family.backward ? p.shape.kv_heads * p.kv_tiles() : p.shape.heads * p.q_tiles());
}

void Replay::begin_piece(std::int64_t piece) {
  const Problem& p = impl_->schedule->problem();
  if (!row_of(p).family.backward) {
    const std::int64_t head = piece / p.q_tiles();
    return begin_q_tile({head / p.shape.heads, head % p.shape.heads, piece % p.q_tiles()});
  }
  const std::int64_t head = piece / p.kv_tiles(), place = piece % p.kv_tiles();
  begin_kv_tile({head / p.shape.kv_heads, head % p.shape.kv_heads,
                 p.tiling.order == KvOrder::Reverse ? p.kv_tiles() - 1 - place : place});
}

bool Replay::walk(VisitSink& sink) {
  for (std::int64_t piece = 0; piece < walk_pieces(); ++piece) {
    begin_piece(piece);
    std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
    if (walk_on(sink, no_limit) != Slice::Whole) return false;
  }
  return true;
}

bool Replay::walk_q_tile(const QTileId& id, VisitSink& sink) {
  begin_q_tile(id);
  std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
  return walk_on(sink, no_limit) == Slice::Whole;
}

bool Replay::walk_kv_tile(const KvTileId& id, VisitSink& sink) {
  begin_kv_tile(id);
  std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
  return walk_on(sink, no_limit) == Slice::Whole;
}

void Replay::begin_q_tile(const QTileId& id) {
  impl_->group->open(id);
  impl_->opened.reset();
  impl_->walks_kv_tile = false;
  impl_->group->begin_walk();
}

void Replay::begin_kv_tile(const KvTileId& id) {
  impl_->walks_kv_tile = true;
  impl_->group->begin_kv_walk(id);
}

Slice Replay::walk_on(VisitSink& sink, std::int64_t& max_visits) {
  return impl_->walks_kv_tile ? impl_->group->walk_kv_tile(sink, max_visits) : impl_->group->walk(sink, max_visits);
}

std::vector<float> scores_of(const Inputs& inputs, const ScoreRectangle& part) {
  const Problem& p = inputs.problem();
  const Band band = p.shape.band();
  const std::int64_t rows = part.row_end - part.row_begin, cols = part.col_end - part.col_begin, stride = padded(rows);
  std::vector<float> scratch, qt(std::size_t(p.shape.d * stride), 0.0f), st(std::size_t(cols * stride));
  const float* q = inputs.rows(input_head(p, TensorId::Q, part.head), part.row_begin, rows, scratch);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t x = 0; x < p.shape.d; ++x) qt[std::size_t(x * stride + r)] = q[r * p.shape.d + x];
  const float* k = inputs.rows(input_head(p, TensorId::K, part.head), part.col_begin, cols, scratch);
  tile_ops().scores(k, cols, qt.data(), stride, p.shape.d, p.score_factor(), st.data());
  std::vector<float> out = untransposed(st.data(), rows, cols, stride);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols; ++c)
      if (!band.allows(part.row_begin + r, part.col_begin + c))
        out[std::size_t(r * cols + c)] = -std::numeric_limits<float>::infinity();
  return out;
}

}  // namespace tilewalk
