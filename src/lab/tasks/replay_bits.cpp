// Compares a run with the replay of the schedule that its task follows, bit by bit.
#include "core/replay/replay.h"
#include "lab/run/bit_difference.h"
#include "lab/tasks/kernel_check.h"

namespace tilewalk::lab {
namespace {

// The first visit, row and quantity whose bits differ.
class BitSink : public VisitSink {
 public:
  explicit BitSink(const std::vector<RunVisit>& visits) : visits_(visits) {}

  bool on_visit(const VisitState& expected) override {
    const std::string at = "Q" + std::to_string(expected.q_tile) + " x K" + std::to_string(expected.kv_tile);
    // The replay goes through Q tiles one by one, whatever the order of the schedule's loops.
    const RunVisit* found = nullptr;
    for (const RunVisit& each : visits_)
      if (each.batch == expected.batch && each.head == expected.head && each.q_tile == expected.q_tile &&
          each.kv_tile == expected.kv_tile)
        found = &each;
    ++next_;
    if (!found) return part(at + ": the run has no such visit");
    const RunVisit& got = *found;
    const auto parts = first_difference({expected.m, expected.l, expected.o}, state_of(got), expected.d);
    if (!parts) return true;
    const std::string quantity = parts->quantity;
    return part(parts->in_one_alone
                    ? at + ": the run shows no " + quantity
                    : at + ", row " + std::to_string(parts->row) + " of the tile: the bits of " + quantity + " differ");
  }
  bool on_q_tile(const QTileId& tile, const std::vector<float>& o, const std::vector<float>&) override {
    at_.push_back(tile);
    o_.push_back(o);
    return true;
  }
  bool wants_scores() const override { return false; }

  std::string where() const { return where_; }
  bool all_met() const { return next_ == visits_.size(); }
  const std::vector<QTileId>& tiles() const { return at_; }
  const std::vector<std::vector<float>>& results() const { return o_; }

 private:
  bool part(std::string where) {
    where_ = std::move(where);
    return false;
  }

  const std::vector<RunVisit>& visits_;
  std::size_t next_ = 0;
  std::string where_;
  std::vector<QTileId> at_;
  std::vector<std::vector<float>> o_;
};

std::shared_ptr<const Tensor> tensor_of(std::int64_t batch, std::int64_t heads, std::int64_t rows, std::int64_t cols,
                                        const std::vector<float>& values) {
  return std::make_shared<const Tensor>(Tensor{batch, heads, rows, cols, values});
}

}  // namespace

void KernelCheck::compare_bits() {
  Problem p = setup_.problem;
  p.schedule = *setup_.follows;
  const Shape& s = p.shape;
  FileInputs files;
  files.q = tensor_of(s.batch, s.heads, s.n_q, s.d, values_.q);
  files.k = tensor_of(s.batch, s.kv_heads, s.n_kv, s.d, values_.k);
  files.v = tensor_of(s.batch, s.kv_heads, s.n_kv, s.d, values_.v);
  Replay replay(make_schedule(p), Inputs(p, files));
  BitSink sink(visits_);
  replay.walk(sink);
  std::string where = sink.where();
  if (where.empty() && !sink.all_met()) where = "the run has more visits than the replay";
  const std::vector<float> o = output("O");
  for (std::size_t tile = 0; where.empty() && tile < sink.tiles().size(); ++tile) {
    const QTileId& at = sink.tiles()[tile];
    const std::int64_t first = ((at.batch * s.heads + at.head) * s.n_q + at.q_tile * p.tiling.br) * s.d;
    const std::vector<float>& expected = sink.results()[tile];
    if (first_difference(expected, std::span(o).subspan(std::size_t(first), expected.size())))
      where = "O of Q tile " + std::to_string(at.q_tile) + ": the bits differ";
  }
  report_.first_other_bits = where;
}

}  // namespace tilewalk::lab
