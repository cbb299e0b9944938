#include "core/chip/waves.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <tuple>

#include "base/units.h"
#include "core/chip/l2_model.h"
#include "core/schedules/registry.h"
#include "core/walk/group_walk.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kReservedBytes = 1024;     // of shared memory, a thread block, by the system
constexpr std::int64_t kGroupsSampled = 1 << 16;  // flash_v1: KV tiles looked at one by one

int threads_of(const Problem& p) {
  const int own = row_of(p).chip.threads;
  return own > 0 ? own : p.shape.d > 128 ? 256 : 128;  // four warps, eight for large heads
}

// The longest time any unit needs for one launch, in cycles, with as many SMs as have a thread block; and one latency.
double launch_limit(const Schedule& schedule, const L2Estimate& l2, int section, std::string* limit = nullptr) {
  const Problem& p = schedule.problem();
  const DeviceModel& device = device_of(p.machine);
  const Cost c = section_cost(schedule, section);
  const Traffic asked = c.hbm_total(), dram = l2.launches[std::size_t(section)].dram_total();
  const bool fp32 = p.numerics.dtype == DType::Fp32;
  const double sms = double(std::min<std::int64_t>(device.sms, thread_blocks(p)));
  const double l2_rate = std::min(device.l2_bytes_per_cycle * device.sms, kSmPortBytesPerCycle * sms);
  const double dram_rate = std::min(device.hbm_bytes_per_cycle(), kSmPortBytesPerCycle * sms);
  const std::pair<double, const char*> times[] = {
      {double(dram.read_bytes + dram.write_bytes) / dram_rate, "DRAM"},
      {double(asked.read_bytes + asked.write_bytes) / l2_rate, "L2"},
      {fp32 ? 0 : double(c.matmul) / (sms * device.matrix16_flop_per_cycle), "tensor cores"},
      {double(c.exp) / (sms * device.exp_per_cycle), "exponential unit"},
      {(double(c.other) + (fp32 ? double(c.matmul) / 2 : 0)) / (sms * device.fp32_lanes), "fp32 lanes"}};
  const auto worst = std::max_element(std::begin(times), std::end(times));
  if (limit) *limit = worst->second;
  return worst->first + device.dram_latency_cycles;
}

struct BlockTime {
  double alone = 0, busiest = 0;
};

// Cycles of each thread block of one (batch, head), by its tile visits.
class BlockTimes {
 public:
  explicit BlockTimes(const Problem& p) : p_(p), group_(p, memory_share(p, device_of(p.machine))) {
    if (row_of(p).walk.block == BlockKind::Head) one_ = whole_head();
    if (!has_lanes(p.schedule)) one_ = share_of_passes();
  }

  BlockTime of(std::int64_t visits) {
    if (one_.alone > 0) return one_;
    return {group_(visits), group_.busiest_unit(visits)};
  }

 private:
  BlockTime whole_head() {
    const GroupWalk walk(p_, p_.shape.band(), Outside::KvTiles);
    const std::int64_t stride = (walk.groups() + kGroupsSampled - 1) / kGroupsSampled;
    BlockTime sum;
    for (std::int64_t g = 0; g < walk.groups(); g += stride) {
      if (!walk.occurs(g)) continue;
      const double weight = double(std::min(stride, walk.groups() - g));
      sum.alone += weight * group_(walk.visits(g));
      sum.busiest += weight * group_.busiest_unit(walk.visits(g));
    }
    return sum;
  }
  BlockTime share_of_passes() const {
    const auto schedule = make_schedule(p_);
    const L2Estimate l2 = estimate_l2(*schedule);
    double sum = 0;
    for (int s = 0; s < schedule->section_count(); ++s) sum += launch_limit(*schedule, l2, s);
    const std::int64_t blocks = thread_blocks(p_), sms = std::min<std::int64_t>(device_of(p_.machine).sms, blocks);
    return {sum * double(sms) / double(blocks), sum * double(sms) / double(blocks)};
  }

  Problem p_;
  GroupCycles group_;
  BlockTime one_;
};

// Of places free at the same time an unused one comes first: a block that ends at once had its place too.
struct Place {
  double free_at = 0;
  int sm = 0, place = 0;
  bool used = false;
  bool operator>(const Place& o) const {
    return std::tie(free_at, used, place, sm) > std::tie(o.free_at, o.used, o.place, o.sm);
  }
};

}  // namespace

Occupancy occupancy(const Problem& p, const DeviceModel& device) {
  Occupancy out;
  out.shared_bytes = peak_bytes(p);
  out.threads = threads_of(p);
  if (out.shared_bytes > device.sram_per_block_bytes) {
    out.limit = "shared memory";
    return out;
  }
  const int by_memory = int(std::min<std::int64_t>(32, device.sram_per_sm_bytes / (out.shared_bytes + kReservedBytes)));
  const int by_threads = device.threads_per_sm / out.threads;
  const bool whole_file = row_of(p).chip.whole_register_file;
  out.blocks_per_sm = std::max(1, whole_file ? 1 : std::min(by_memory, by_threads));
  out.limit = whole_file ? "registers" : by_memory <= by_threads ? "shared memory" : "threads";
  return out;
}

Waves build_waves(const Problem& p, const WavesOptions& options) {
  const DeviceModel& device = device_of(p.machine);
  Waves out;
  out.occupancy = occupancy(p, device);
  out.sms = device.sms;
  out.blocks = thread_blocks(p);
  out.loads.resize(std::size_t(device.sms));
  const std::int64_t each = std::max(1, out.occupancy.blocks_per_sm), at_once = each * device.sms;
  out.waves = (out.blocks + at_once - 1) / at_once;
  out.last_wave_fill = double(out.blocks - (out.waves - 1) * at_once) / double(at_once);
  out.sms_in_first_wave = int(std::min<std::int64_t>(device.sms, out.blocks));

  const ScheduleRow& row = row_of(p);
  const bool whole_heads = row.walk.block == BlockKind::Head;
  const GroupWalk walk(p, row.walk.softmax == SoftmaxKind::WholeRows ? Band{} : p.shape.band(),
                       row.walk.block == BlockKind::Split ? Outside::Splits : Outside::QTiles);
  const std::int64_t groups = whole_heads ? 1 : walk.groups();
  out.bundle = (out.blocks + options.most_blocks - 1) / options.most_blocks;
  const std::int64_t bundles = (out.blocks + out.bundle - 1) / out.bundle;
  const auto visits_of = [&](std::int64_t block) { return whole_heads ? 0 : walk.visits(block % groups); };

  std::vector<std::int64_t> order;  // first-to-last needs none
  if (options.order == BlockOrder::LongestFirst) {
    order.resize(std::size_t(bundles));
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::int64_t> length(order.size());
    for (std::size_t i = 0; i < length.size(); ++i) length[i] = visits_of(std::int64_t(i) * out.bundle);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return length[std::size_t(a)] > length[std::size_t(b)]; });
  }
  BlockTimes times(p);
  const double together = double(std::min(each, (out.blocks + device.sms - 1) / device.sms));
  std::priority_queue<Place, std::vector<Place>, std::greater<Place>> places;
  for (std::int64_t i = 0; i < at_once; ++i) places.push({0, int(i % device.sms), int(i / device.sms)});
  for (std::int64_t i = 0; i < bundles; ++i) {
    const std::int64_t block = (order.empty() ? i : order[std::size_t(i)]) * out.bundle;
    const std::int64_t count = std::min(out.bundle, out.blocks - block), visits = visits_of(block);
    const BlockTime time = times.of(visits);
    Place place = places.top();
    places.pop();
    const double start = place.free_at, end = start + double(count) * std::max(time.alone, together * time.busiest);
    SmLoad& load = out.loads[std::size_t(place.sm)];
    load.blocks += count;
    load.busy += std::max(0.0, end - std::max(start, load.end));
    load.end = std::max(load.end, end);
    load.in_first_wave |= start == 0;
    out.cycles = std::max(out.cycles, end);
    if (std::int64_t(out.spans.size()) < options.most_spans) {
      const std::int64_t head = block / groups, group = block % groups;
      out.spans.push_back({place.sm, place.place, start, end, head / p.shape.heads, head % p.shape.heads,
                           whole_heads ? -1 : walk.outer_tile(group), whole_heads ? 0 : walk.split(group), visits});
    }
    place.free_at = end, place.used = true;
    places.push(place);
  }
  double busy = 0, first_end = out.cycles;
  for (const SmLoad& load : out.loads) {
    busy += load.busy;
    first_end = std::min(first_end, load.end);
  }
  out.tail = out.cycles - first_end;
  out.busy_fraction = out.cycles > 0 ? busy / (out.cycles * device.sms) : 0;
  return out;
}

std::string sentence_of(const Problem& p, const Waves& w) {
  static const char* const numbers[] = {"",           "one wave",   "two waves", "three waves",
                                        "four waves", "five waves", "six waves"};
  std::string text = "batch " + format_count(p.shape.batch) + " × heads " + format_count(p.shape.heads);
  if (row_of(p).walk.block != BlockKind::Head)
    text += " × " + format_count(p.q_tiles()) + (p.q_tiles() == 1 ? " Q tile" : " Q tiles");
  if (row_of(p).walk.block == BlockKind::Split)
    text += " × " + format_count(p.tiling.splits) + (p.tiling.splits == 1 ? " split" : " splits");
  text += " = " + format_count(w.blocks) + (w.blocks == 1 ? " thread block on " : " thread blocks on ") +
          format_count(w.sms) + " SMs";
  if (w.occupancy.blocks_per_sm == 0)
    return text + ": none fits, for it needs " + format_count(w.occupancy.shared_bytes) + " bytes of shared memory.";
  if (w.blocks < w.sms) {
    const std::int64_t idle = w.sms - w.blocks;
    return text + ": " + format_count(idle) + (idle == 1 ? " SM has" : " SMs have") + " nothing to do.";
  }
  if (w.occupancy.blocks_per_sm > 1) text += ", " + std::to_string(w.occupancy.blocks_per_sm) + " at once on each";
  text += ": " + (w.waves <= 6 ? std::string(numbers[w.waves]) : format_count(w.waves) + " waves");
  const int fill = int(std::lround(w.last_wave_fill * 100));
  text += fill == 100 ? (w.waves == 1 ? ", full" : ", the last full")
                      : (w.waves == 1 ? ", " : ", the last ") + std::to_string(fill) + " % full";
  text += "; SMs are busy " + std::to_string(int(std::lround(w.busy_fraction * 100))) + " % of the time.";
  return text;
}

RunCycles run_cycles(const Problem& p) { return run_cycles(p, build_waves(p)); }

RunCycles run_cycles(const Problem& p, const Waves& waves) {
  RunCycles out;
  const auto schedule = make_schedule(p);
  const L2Estimate l2 = estimate_l2(*schedule);
  double worst = -1;
  for (int s = 0; s < schedule->section_count(); ++s) {
    if (s == schedule->visit_section() && has_lanes(p.schedule)) continue;
    std::string limit;
    const double cycles = launch_limit(*schedule, l2, s, &limit);
    out.others += cycles;
    if (cycles > worst) worst = cycles, out.limit = limit;
  }
  if (has_lanes(p.schedule)) out.main = waves.cycles;
  return out;
}

}  // namespace tilewalk
