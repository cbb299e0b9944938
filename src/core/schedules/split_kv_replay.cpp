// Values of split_kv (kernels/README.md, "flash_v3, flash_v4, split_kv"): each split as flash_v2 from a fresh start,
// then the merge by L.
#include "core/schedules/flash_v2_replay.h"
#include "core/schedules/rows.h"

namespace tilewalk {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class SplitKvReplay final : public GroupReplay {
 public:
  SplitKvReplay(const Schedule& schedule, const Inputs& inputs, RowShare rows)
      : schedule_(schedule), p_(schedule.problem()), share_(schedule, inputs, rows) {}

  void open(const QTileId& id) override {
    open_ = id;
    partial_o_.clear();
    partial_l_.clear();
    share_.open(id);
    open_split(0);
  }

  void aim(const Step& step) override {
    aim_ = step;
    if (step.section_name == SectionName::Walk) {
      if (step.split != split_) open_split(step.split);
      share_.aim(step);
    } else if (std::int64_t(partial_o_.size()) < p_.tiling.splits) {
      open_split(std::int64_t(partial_o_.size()));
    }
  }

  bool work(std::int64_t max_visits) override {
    if (aim_.section_name == SectionName::Walk) return share_.work(max_visits);
    while (std::int64_t(partial_o_.size()) < p_.tiling.splits) {
      Step whole;
      whole.phase = Phase::Normalise;
      share_.aim(whole);
      const std::int64_t before = share_.visits();
      if (!share_.work(max_visits)) return false;
      max_visits -= share_.visits() - before;
      keep_split();
    }
    return true;
  }

  double progress() const override {
    return aim_.section_name == SectionName::Walk ? share_.progress()
                                                  : double(partial_o_.size()) / double(p_.tiling.splits);
  }

  TileRange ahead() const override {
    return aim_.section_name == SectionName::Walk ? share_.ahead() : schedule_.visited(open_.q_tile);
  }

  void lend(const float* k, const float* v) override { share_.lend(k, v); }

  void fill(State& state) override {
    if (aim_.section_name == SectionName::Walk) return share_.fill(state);
    merge(state, aim_);
  }

  void begin_walk() override { open(QTileId(open_)); }

  Slice walk(VisitSink& sink, std::int64_t& max_visits) override {
    while (std::int64_t(partial_o_.size()) < p_.tiling.splits) {
      if (const Slice slice = share_.walk_share(sink, max_visits); slice != Slice::Whole) return slice;
      keep_split();
    }
    State state;
    const int last = schedule_.section_count() - 1;
    merge(state, schedule_.step(schedule_.end_step_of_group(last, {open_.batch, open_.head, open_.q_tile}) - 1));
    return sink.on_q_tile(open_, state.o, state.lse) ? Slice::Whole : Slice::Stopped;
  }

 private:
  // Stores the results of the finished split and opens the next one.
  void keep_split() {
    partial_o_.emplace_back();
    partial_l_.emplace_back();
    share_.normalised(partial_o_.back(), partial_l_.back());
    if (std::int64_t(partial_o_.size()) < p_.tiling.splits) open_split(split_ + 1);
  }

  void open_split(std::int64_t split) {
    split_ = split;
    const TileRange all = schedule_.visited(open_.q_tile);
    const std::int64_t begin = std::clamp(split * p_.split_tiles(), all.begin, all.end);
    share_.restart({begin, std::clamp((split + 1) * p_.split_tiles(), begin, all.end)});
  }

  // The phases of the merge up to and including the step's phase.
  void merge(State& state, const Step& step) const {
    const auto reached = [&](Phase phase) { return has_reached(schedule_, step, phase); };
    const std::size_t rows = std::size_t(share_.rows()), d = std::size_t(p_.shape.d);
    if (!reached(Phase::MergeMax)) return;
    std::vector<float> largest(rows, -kInfinity), sum(rows, 0.0f), weights(rows * partial_l_.size(), 0.0f);
    for (const std::vector<float>& l : partial_l_)
      for (std::size_t i = 0; i < rows; ++i)
        if (l[i] != kInfinity) largest[i] = l[i] > largest[i] ? l[i] : largest[i];
    state.m = largest;
    if (!reached(Phase::MergeWeights)) return;
    for (std::size_t s = 0; s < partial_l_.size(); ++s)
      for (std::size_t i = 0; i < rows; ++i) {
        const float l = partial_l_[s][i];
        weights[s * rows + i] = l == kInfinity ? 0.0f : exact::exp2f_exact(l - largest[i]);
        sum[i] = sum[i] + weights[s * rows + i];
      }
    state.l = sum;
    if (!reached(Phase::MergeO)) return;
    state.o.assign(rows * d, 0.0f);
    for (std::size_t s = 0; s < partial_o_.size(); ++s)
      for (std::size_t e = 0; e < rows * d; ++e)
        state.o[e] = exact::fma32(weights[s * rows + e / d], partial_o_[s][e], state.o[e]);
    if (!reached(Phase::Normalise)) return;
    for (std::size_t e = 0; e < rows * d; ++e) state.o[e] = sum[e / d] == 0.0f ? 0.0f : state.o[e] / sum[e / d];
    state.lse.resize(rows);
    for (std::size_t i = 0; i < rows; ++i)
      state.lse[i] = sum[i] == 0.0f ? kInfinity : largest[i] + exact::log2f_exact(sum[i]);
    if (!reached(Phase::Store)) return;
    round_all(p_.numerics.dtype, state.o);
  }

  const Schedule& schedule_;
  const Problem& p_;
  FlashV2Replay share_;
  Step aim_;
  QTileId open_;
  std::int64_t split_ = 0;
  std::vector<std::vector<float>> partial_o_, partial_l_;
};

}  // namespace

std::unique_ptr<GroupReplay> make_split_kv_replay(const Schedule& schedule, const Inputs& inputs, RowShare share) {
  return std::make_unique<SplitKvReplay>(schedule, inputs, share);
}

}  // namespace tilewalk
