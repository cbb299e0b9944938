// Converts stamps to lanes and to phases: the second half of measured/chip_timeline.
#include <algorithm>
#include <tuple>

#include "base/median.h"
#include "measured/chip_timeline.h"
#include "measured/recorded_race.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kGroupRows = 64;
constexpr double kProductRate = 4096;  // bf16 operations of one multiprocessor in a cycle: core/problem/device_model

const ChipLane* lane_named(const ChipBlock& block, const std::string& role) {
  for (const ChipLane& lane : block.lanes)
    if (lane.role == role) return &lane;
  return nullptr;
}

class LaneDrawer {
 public:
  LaneDrawer(Timeline& out, int lane, bool two_rows, double product_cycles)
      : out_(out), lane_(lane), arithmetic_(two_rows ? 1 : 0), product_cycles_(product_cycles) {}

  void consumer(const ChipLane& lane) {
    for (const ChipStamp& s : lane.stamps) {
      switch (s.what) {
        case Stamp::WorkTile: wait(s, WaitFor::Nothing); break;
        case Stamp::QWait:
        case Stamp::KWait: wait(s, WaitFor::Tile); break;
        case Stamp::Turn: wait(s, WaitFor::Turn); break;
        case Stamp::Skip: wait(s, WaitFor::Partner); break;
        case Stamp::KRefill:
        case Stamp::VRefill: refill(s); break;
        case Stamp::ScoresIssued: scores_from_ = before_; break;
        case Stamp::VWait:
          if (scores_from_ < 0) wait(s, WaitFor::Tile);
          break;
        case Stamp::OutputIssued: output_from_ = before_; break;
        case Stamp::Scores:
          work(Doing::Scores, 0, scores_from_ < 0 ? before_ : scores_from_, s);
          scores_from_ = -1;
          break;
        case Stamp::Softmax: work(Doing::Exponentiate, arithmetic_, before_, s); break;
        case Stamp::Output:
          work(Doing::Accumulate, 0, output_from_ < 0 ? before_ : output_from_, s);
          output_from_ = -1;
          break;
        case Stamp::Correct: work(Doing::Rescale, arithmetic_, before_, s); break;
        case Stamp::Store: work(Doing::Store, arithmetic_, before_, s, false); break;
        default: break;
      }
      before_ = s.at;
    }
  }

  // A tile's load is drawn from its issue, or from the end of the previous tile's load if that is later, until its own
  // end.
  void producer(const ChipLane& issued, const ChipLane& landed) {
    std::vector<const ChipStamp*> ready, done;
    for (const ChipStamp& s : issued.stamps)
      if (s.what == Stamp::KWait || s.what == Stamp::VWait || s.what == Stamp::QWait) ready.push_back(&s);
    for (const ChipStamp& s : landed.stamps)
      if (s.what == Stamp::KLoad || s.what == Stamp::VLoad || s.what == Stamp::QLoad) done.push_back(&s);
    double reached = 0;
    for (std::size_t i = 0; i < std::min(ready.size(), done.size()); ++i) {
      if (done[i]->at <= reached) continue;
      const double start = std::max(reached, ready[i]->at);
      if (start > reached) add(Doing::Waiting, 0, reached, start, -1, WaitFor::Stage);
      const Stamp what = done[i]->what;
      add(what == Stamp::KLoad   ? Doing::LoadK
          : what == Stamp::VLoad ? Doing::LoadV
                                 : Doing::LoadQ,
          0, start, done[i]->at, what == Stamp::QLoad ? -1 : done[i]->tile, WaitFor::Nothing);
      reached = done[i]->at;
    }
  }

  void loads_lane(int lane) { loads_lane_ = lane; }

 private:
  void add(Doing doing, int row, double start, double end, std::int64_t tile, WaitFor why, int lane = -1) {
    if (!(end > start)) return;
    Segment s;
    s.lane = lane < 0 ? lane_ : lane;
    s.row = row;
    s.start = start;
    s.end = end;
    s.doing = doing;
    s.wait = why;
    s.kv_tile = tile;
    if (doing == Doing::Scores || doing == Doing::Accumulate) s.work[int(LaneResource::TensorCores)] = product_cycles_;
    out_.segments.push_back(s);
  }
  // Products of a warpgroup run one after the other, so none begins before the row is free.
  void work(Doing doing, int row, double start, const ChipStamp& s, bool of_tile = true) {
    add(doing, row, std::max(start, row_free_[row]), s.at, of_tile ? s.tile : -1, WaitFor::Nothing);
    row_free_[row] = s.at;
  }
  void wait(const ChipStamp& s, WaitFor why) { add(Doing::Waiting, 0, std::max(before_, row_free_[0]), s.at, -1, why); }
  // The thread that loads between its own products occupies its warpgroup for that time.
  void refill(const ChipStamp& s) {
    if (loads_lane_ >= 0)
      add(s.what == Stamp::KRefill ? Doing::LoadK : Doing::LoadV, 0, before_, s.at, -1, WaitFor::Nothing, loads_lane_);
    if (scores_from_ < 0 && output_from_ < 0) wait(s, WaitFor::Stage);
  }

  Timeline& out_;
  int lane_, arithmetic_, loads_lane_ = -1;
  double product_cycles_, before_ = 0, scores_from_ = -1, output_from_ = -1;
  double row_free_[2] = {0, 0};
};

// The recording has a fixed number of stamps a lane. Up to the end of the first consumer's stamps, all lanes are
// complete.
ChipBlock known_part(ChipBlock block) {
  double end = -1;
  for (const ChipLane& lane : block.lanes)
    if (lane.is_consumer()) end = end < 0 ? lane.stamps.back().at : std::min(end, lane.stamps.back().at);
  for (ChipLane& lane : block.lanes)
    std::erase_if(lane.stamps, [&](const ChipStamp& s) { return end >= 0 && s.at > end; });
  return block;
}

void add_totals(Timeline& out) {
  double products = 0;
  std::vector<double> reached(out.lanes.size(), 0);
  std::vector<const Segment*> by_start;
  for (const Segment& s : out.segments) by_start.push_back(&s);
  std::stable_sort(by_start.begin(), by_start.end(),
                   [](const Segment* a, const Segment* b) { return a->start < b->start; });
  for (const Segment* s : by_start) {
    out.simulated_cycles = std::max(out.simulated_cycles, s->end);
    products += s->work[int(LaneResource::TensorCores)];
    if (s->doing == Doing::Waiting) continue;
    TimelineLane& lane = out.lanes[std::size_t(s->lane)];
    double& at = reached[std::size_t(s->lane)];
    if (at > 0 && s->start > at) lane.stall += s->start - at;
    lane.busy += std::max(0.0, s->end - std::max(at, s->start));
    at = std::max(at, s->end);
  }
  out.cycles = out.simulated_cycles;
  out.busy[int(LaneResource::TensorCores)] = std::min(products, out.cycles);
  out.product_utilisation = out.cycles > 0 ? products / out.cycles : 0;
}

}  // namespace

Problem recorded_problem(const ChipRun& run) {
  Problem p;
  p.schedule = ScheduleKind::FlashV3;
  p.shape.batch = run.batch;
  p.shape.heads = p.shape.kv_heads = run.heads;
  p.shape.n_q = p.shape.n_kv = run.n;
  p.shape.d = run.d;
  p.tiling.br = run.rows();
  p.tiling.bc = ChipRun::kKeys;
  p.shape.mask.kind = run.causal ? MaskKind::Causal : MaskKind::None;
  p.numerics.dtype = DType::Bf16;
  p.machine.device = kRecordedOn;
  p.machine.sram_bytes = 232448;
  p.tiling.order = KvOrder::Reverse;
  p.tiling.stages = 4;  // two of K, two of V
  p.lanes.warp_specialised = run.specialised();
  p.lanes.ping_pong = run.ping_pong();
  p.lanes.overlap = run.overlap();
  return p;
}

Timeline timeline_of(const ChipRun& run, const ChipBlock& whole) {
  Timeline out;
  const ChipBlock block = known_part(whole);
  out.lanes.push_back({run.specialised() ? "producer" : "loads", false, 0, 0});
  const double product = 2.0 * double(kGroupRows * ChipRun::kKeys * run.d) / kProductRate;
  const ChipLane *issued = lane_named(block, "producer"), *landed = lane_named(block, "landed");
  if (issued && landed) LaneDrawer(out, 0, false, product).producer(*issued, *landed);
  for (const ChipLane& lane : block.lanes) {
    if (!lane.is_consumer()) continue;
    out.lanes.push_back({lane.role, run.overlap(), 0, 0});
    LaneDrawer drawer(out, int(out.lanes.size()) - 1, run.overlap(), product);
    if (!run.specialised()) drawer.loads_lane(0);
    drawer.consumer(lane);
    std::int64_t visits = 0;
    for (const ChipStamp& s : lane.stamps) visits += s.what == Stamp::Scores;
    out.visits = std::max(out.visits, visits);
  }
  out.simulated_visits = out.visits;
  std::stable_sort(out.segments.begin(), out.segments.end(), [](const Segment& a, const Segment& b) {
    return std::tie(a.lane, a.row, a.start) < std::tie(b.lane, b.row, b.start);
  });
  add_totals(out);
  return out;
}

ChipPhases phases_of(const ChipBlock& block) {
  ChipPhases out;
  std::map<Stamp, std::vector<double>> took;
  std::vector<double> scores, tiles, periods;
  for (const ChipLane& lane : block.lanes) {
    if (!lane.is_consumer()) continue;
    double before = 0, issued = 0, landing = 0, last = -1;
    for (const ChipStamp& s : lane.stamps) {
      if (s.what != Stamp::Start) took[s.what].push_back(s.at - before);
      if (s.what == Stamp::ScoresIssued) issued = before;
      if (s.what == Stamp::KWait) landing = s.at - before;
      if (s.what == Stamp::VWait) tiles.push_back(s.at - before + landing);
      if (s.what == Stamp::Scores) {
        scores.push_back(s.at - issued);
        if (last >= 0) periods.push_back(s.at - last);
        last = s.at;
        ++out.visits;
      }
      if (s.what == Stamp::Store) last = -1;
      before = s.at;
    }
  }
  out.scores = median(scores);
  out.softmax = median(took[Stamp::Softmax]);
  out.wait_output = median(took[Stamp::Output]);
  out.correct = median(took[Stamp::Correct]);
  out.turn = median(took[Stamp::Turn]);
  out.tiles = median(tiles);
  out.period = median(periods);
  return out;
}

}  // namespace tilewalk
