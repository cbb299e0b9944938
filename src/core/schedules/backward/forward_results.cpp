#include "core/schedules/backward/forward_results.h"

#include <algorithm>

#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kKeptRows = std::int64_t(1) << 21;

}  // namespace

ForwardResults::ForwardResults(const Problem& p, const Inputs& inputs, const std::shared_ptr<WorkerPool>& workers)
    : forward_problem_(forward_of(p)),
      p_(p),
      standard_(row_of(p).walk.softmax == SoftmaxKind::Stored),
      schedule_(make_schedule(forward_problem_)),
      forward_(row_of(forward_problem_).walk.replay(*schedule_, inputs, workers)),
      tile_(p, inputs) {}

std::int64_t ForwardResults::key(std::int64_t batch, std::int64_t head, std::int64_t q_tile) const {
  return (batch * p_.shape.heads + head) * p_.q_tiles() + q_tile;
}

const ForwardRows& ForwardResults::at(std::int64_t batch, std::int64_t head, std::int64_t q_tile) const {
  return kept_.at(key(batch, head, q_tile));
}

bool ForwardResults::work(std::int64_t batch, std::int64_t head, std::int64_t q_tile, bool with_o,
                          std::int64_t& budget) {
  const std::int64_t wanted = key(batch, head, q_tile);
  if (kept_.count(wanted) && (!with_o || o_of_ == wanted)) return true;
  if (making_ != wanted) {
    forward_->open(batch, head, q_tile);
    Step left;  // the last step of a Q tile, in any launch; the standard pass needs only m and l
    left.section_name = SectionName::Output;
    left.phase = standard_ ? Phase::LoadL : Phase::Store;
    forward_->aim(left);
    tile_.open(batch, head, q_tile, {});
    making_ = wanted;
    forwarded_ = false;
  }
  if (!forwarded_ && !run_forward(q_tile, with_o, budget)) return false;
  if (standard_ && !make_row_dots(budget)) return false;
  if (kept_rows_ > std::max(kKeptRows, p_.shape.n_q * p_.shape.head_group())) {
    kept_.clear();
    kept_rows_ = 0;
  }
  if (!kept_.count(wanted)) kept_rows_ += tile_.rows();
  kept_[wanted] = made_;
  making_ = -1;
  return true;
}

bool ForwardResults::run_forward(std::int64_t q_tile, bool with_o, std::int64_t& budget) {
  if (budget <= 0) return false;
  if (!forward_->work(budget)) {
    budget = 0;
    return false;
  }
  const std::int64_t visits = schedule_->visited(q_tile).count() * (standard_ ? 2 : 1);
  budget -= std::min(budget, visits);  // an earlier budget may have paid for some of them
  State state;
  forward_->fill(state);
  auto padded_rows = [](std::vector<float> rows) {
    rows.resize(std::size_t(padded(std::int64_t(rows.size()))), 0.0f);
    return rows;
  };
  made_ = {padded_rows(state.lse), padded_rows(state.m), padded_rows(state.l), {}};
  if (standard_) {
    tile_.open(making_ / p_.q_tiles() / p_.shape.heads, making_ / p_.q_tiles() % p_.shape.heads, q_tile, made_);
    made_.D.assign(made_.m.size(), 0.0f);
  } else
    made_.D = tile_.output_dot(state.o);
  if (with_o) {
    o_ = std::move(state.o);
    o_of_ = making_;
  }
  tiles_dotted_ = 0;
  forwarded_ = true;
  return true;
}

// rowsum(P o dP), increasing column over all KV tiles.
bool ForwardResults::make_row_dots(std::int64_t& budget) {
  for (; tiles_dotted_ < p_.kv_tiles(); ++tiles_dotted_, --budget) {
    if (budget <= 0) return false;
    tile_.probabilities(tiles_dotted_);
    tile_.grad_p(tiles_dotted_);
    tile_.add_row_dot(made_.D);
  }
  return true;
}

}  // namespace tilewalk
