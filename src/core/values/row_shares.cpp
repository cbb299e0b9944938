#include "core/values/row_shares.h"

#include <algorithm>

#include "core/values/quantity.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kVisitsAChunk = 2;  // cost of generating a chunk of K and V rows, in tile visits

class RowShares final : public GroupReplay {
 public:
  RowShares(ShareMaker make, const Schedule& schedule, const Inputs& inputs, std::shared_ptr<WorkerPool> workers,
            int shares)
      : make_(make),
        schedule_(schedule),
        inputs_(inputs),
        workers_(std::move(workers)),
        ready_(std::size_t(shares), 0) {
    for (int i = 0; i < shares; ++i) shares_.push_back(make_(schedule, inputs, {i, shares}));
  }

  void open(const QTileId& id) override {
    open_ = id;
    for (const auto& share : shares_) share->open(id);
  }

  void aim(const Step& step) override {
    for (const auto& share : shares_) share->aim(step);
  }

  bool work(std::int64_t max_visits) override {
    if (!make_and_lend(max_visits)) return false;
    const std::function<void(int)> part = [&](int worker) {
      if (worker < int(shares_.size())) ready_[std::size_t(worker)] = shares_[std::size_t(worker)]->work(max_visits);
    };
    workers_->run(part);
    return std::all_of(ready_.begin(), ready_.end(), [](int ready) { return ready; });
  }

  double progress() const override { return shares_.front()->progress(); }

  void fill(State& state) override {
    std::int64_t no_limit = inputs_.problem().shape.n_kv * kVisitsAChunk;
    make_and_lend(no_limit);
    shares_.front()->fill(state);
    for (std::size_t i = 1; i < shares_.size(); ++i) {
      State more;
      shares_[i]->fill(more);
      for (const QuantityRow& row : quantity_ledger()) {
        if (row.shape == QuantityShape::ColByHead) continue;  // sums over rows, which no share has alone
        append(state, more, row.values);
        append(state, more, row.before);
      }
    }
  }

  void begin_walk() override {
    if (!whole_) whole_ = make_(schedule_, inputs_, {});
    whole_->open(open_);
    whole_->begin_walk();
  }

  Slice walk(VisitSink& sink, std::int64_t& max_visits) override { return whole_->walk(sink, max_visits); }

 private:
  using Values = std::vector<float> State::*;
  static void append(State& to, const State& more, Values values) {
    if (values) (to.*values).insert((to.*values).end(), (more.*values).begin(), (more.*values).end());
  }

  // Generates the missing rows of K and V ahead and lends them to every share. False, with nothing lent, if that takes
  // more than `max_visits`; the cost is subtracted from it.
  bool make_and_lend(std::int64_t& max_visits) {
    const Problem& p = inputs_.problem();
    const TileRange ahead = shares_.front()->ahead();
    const std::int64_t begin = ahead.begin * p.tiling.bc, end = std::min(ahead.end * p.tiling.bc, p.shape.n_kv);
    const std::int64_t kv_head = p.shape.kv_head_of(open_.head), workers = workers_->size();
    for (const TensorId id : {TensorId::K, TensorId::V}) {
      const std::int64_t most = std::max(workers, std::min(max_visits / kVisitsAChunk, p.shape.n_kv) * workers);
      const std::int64_t made = inputs_.make({id, open_.batch, kv_head}, begin, end, *workers_, most);
      max_visits -= (made + workers - 1) / workers * kVisitsAChunk;
      if (made > 0 && max_visits <= 0) return false;
    }
    const float* k = inputs_.rows({TensorId::K, open_.batch, kv_head}, 0, 0, no_rows_);
    const float* v = inputs_.rows({TensorId::V, open_.batch, kv_head}, 0, 0, no_rows_);
    for (const auto& share : shares_) share->lend(k, v);
    return true;
  }

  ShareMaker make_;
  const Schedule& schedule_;
  const Inputs& inputs_;
  std::shared_ptr<WorkerPool> workers_;
  std::vector<std::unique_ptr<GroupReplay>> shares_;
  std::unique_ptr<GroupReplay> whole_;  // for walks, which pass whole tiles to the sink
  std::vector<int> ready_;
  std::vector<float> no_rows_;
  QTileId open_;
};

}  // namespace

std::unique_ptr<GroupReplay> share_out_rows(ShareMaker make, const Schedule& schedule, const Inputs& inputs,
                                            const std::shared_ptr<WorkerPool>& workers) {
  const Problem& p = schedule.problem();
  const std::int64_t vectors = padded(std::min(p.tiling.br, p.shape.n_q)) / kLanePad;
  const int shares = !workers || !inputs.keeps_heads() ? 1 : int(std::min<std::int64_t>(workers->size(), vectors));
  if (shares < 2) return make(schedule, inputs, {});
  return std::make_unique<RowShares>(make, schedule, inputs, workers, shares);
}

}  // namespace tilewalk
