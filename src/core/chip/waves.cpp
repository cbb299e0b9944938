#include "core/chip/waves.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/chip/l2_model.h"
#include "core/chip/sm_places.h"
#include "core/chip/visit_pace.h"
#include "core/schedules/registry.h"
#include "core/walk/group_walk.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kReservedBytes = 1024;  // of shared memory, per thread block, reserved by the system
constexpr int kRegistersOfSm = 65536;

// Cycles of one launch, with as many SMs as have a thread block: the slowest of DRAM, L2 and the units (which work one
// after the other where the schedule's warps do), and one latency.
double launch_limit(const Schedule& schedule, const DeviceModel& device, const L2Estimate& l2, int section,
                    std::string* limit = nullptr) {
  const Problem& p = schedule.problem();
  const Cost c = section_cost(schedule, section);
  const Traffic asked = c.hbm_total(), dram = l2.launches[std::size_t(section)].dram_total();
  const bool fp32 = p.numerics.dtype == DType::Fp32;
  const double sms = double(std::min<std::int64_t>(device.sms, thread_blocks(p)));
  const double l2_rate = std::min(device.l2_bytes_per_cycle * device.sms, kSmPortBytesPerCycle * sms);
  const double reached = device.reached_bytes_per_s() / device.reached_clock_hz();
  const double dram_rate = std::min(reached, kSmPortBytesPerCycle * sms);
  const UnitShares share = unit_shares(p, product_rate(p, device), thread_blocks(p) > device.sms ? 2 : 1);
  const double products = double(c.matmul) / (sms * product_rate(p, device) * share.products);
  const double exponentials = double(c.exp) / (sms * device.exp_per_cycle * share.softmax);
  const double others = double(c.other) / (sms * device.fp32_lanes);
  const std::pair<double, const char*> times[] = {{double(dram.bytes()) / dram_rate, "DRAM"},
                                                  {double(asked.bytes()) / l2_rate, "L2"},
                                                  {products, fp32 ? "fp32 lanes" : "tensor cores"},
                                                  {exponentials, "exponential unit"},
                                                  {others, "fp32 lanes"}};
  const auto worst = std::max_element(std::begin(times), std::end(times));
  if (limit) *limit = worst->second;
  const double in_turn = row_of(p).chip.softmax_beside_products ? 0 : products + exponentials;
  return std::max(worst->first, in_turn) + device.dram_latency_cycles;
}

// Of a schedule without lanes: a thread block's share of all passes.
double share_of_passes(const Schedule& schedule, const DeviceModel& device) {
  const Problem& p = schedule.problem();
  if (has_lanes(p.schedule)) return 0;
  const L2Estimate l2 = estimate_l2(schedule);
  double sum = 0;
  for (int s = 0; s < schedule.section_count(); ++s) sum += launch_limit(schedule, device, l2, s);
  const std::int64_t blocks = thread_blocks(p), sms = std::min<std::int64_t>(device.sms, blocks);
  return sum * double(sms) / double(blocks);
}

// Order among places that are free at the same time: unused places first, since a block that ends at once had its place
// too; then by place and SM, which `order` combines in one number.
struct Place {
  std::int64_t visited = 0;
  std::uint32_t order = 0;  // place x SMs + SM
  bool used = false;
  bool operator<(const Place& o) const {
    if (visited != o.visited) return visited < o.visited;
    if (used != o.used) return !used;
    return order < o.order;
  }
};

// The places as a heap with the next place first. The only operations remove the first place and insert it again later.
class Places {
 public:
  explicit Places(std::int64_t count) : heap_(std::size_t(count)) {
    for (std::size_t i = 0; i < heap_.size(); ++i) heap_[i].order = std::uint32_t(i);  // sorted, and so a heap
  }
  const Place& next() const { return heap_.front(); }
  void put_back(std::int64_t later) {
    Place moved = heap_.front();
    moved.visited += later, moved.used = true;
    const std::size_t size = heap_.size();
    std::size_t at = 0;
    for (std::size_t child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap_[child + 1] < heap_[child]) ++child;
      if (!(heap_[child] < moved)) break;
      heap_[at] = heap_[child], at = child;
    }
    heap_[at] = moved;
  }

 private:
  std::vector<Place> heap_;
};

// Where heads do not divide evenly, the first sections have one head more.
std::int64_t section_of(std::int64_t head, std::int64_t heads, std::int64_t sections) {
  const std::int64_t few = heads / sections, in_larger = heads % sections * (few + 1);
  return head < in_larger ? head / (few + 1) : heads % sections + (head - in_larger) / few;
}

}  // namespace

namespace {

Occupancy occupancy_with(const Problem& p, const DeviceModel& device, std::int64_t shared_bytes) {
  Occupancy out;
  out.shared_bytes = shared_bytes;
  out.threads = threads_of_block(p);
  if (out.shared_bytes > device.sram_per_block_bytes) {
    out.limit = "shared memory";
    return out;
  }
  const int by_memory = int(std::min<std::int64_t>(32, device.sram_per_sm_bytes / (out.shared_bytes + kReservedBytes)));
  const int by_threads = device.threads_per_sm / out.threads;
  const int by_registers =
      row_of(p).chip.whole_register_file ? 1 : std::max(1, kRegistersOfSm / (registers_of_thread(p) * out.threads));
  const int fewest = std::min({by_memory, by_threads, by_registers});
  out.blocks_per_sm = std::max(1, fewest);
  out.limit = by_registers == fewest ? "registers" : by_memory == fewest ? "shared memory" : "threads";
  return out;
}

}  // namespace

Occupancy occupancy(const Problem& walked, const DeviceModel& device) {
  const Problem p = built_for(walked);
  const auto shared_bytes = row_of(p).chip.shared_bytes;
  const std::int64_t bytes = shared_bytes ? shared_bytes(p, device) : peak_bytes(p);
  return occupancy_with(p, device, bytes <= device.sram_per_block_bytes ? bytes : peak_bytes(p));
}

Occupancy their_occupancy(const Problem& p, const DeviceModel& device) {
  return occupancy_with(p, device, peak_bytes(p));
}

Waves build_waves(const Schedule& schedule, const WavesOptions& options) {
  const Problem& p = schedule.problem();
  const DeviceModel& device = options.device ? *options.device : device_of(p.machine);
  Waves out;
  out.occupancy = occupancy(p, device);
  out.sms = device.sms;
  const fast::PartsPlan plan = options.build ? options.build->plan : fast::PartsPlan{};
  if (options.build) out.occupancy.blocks_per_sm = options.build->build.blocks;
  out.blocks = plan.in_stretches() ? plan.blocks
               : plan.divided()    ? plan.whole + std::int64_t(plan.tiles) * plan.each
                                   : thread_blocks(p);
  out.loads.resize(std::size_t(device.sms));
  const std::int64_t each = std::max(1, out.occupancy.blocks_per_sm), at_once = each * device.sms;
  out.waves = (out.blocks + at_once - 1) / at_once;
  out.last_wave_fill = double(out.blocks - (out.waves - 1) * at_once) / double(at_once);
  out.sms_in_first_wave = int(std::min<std::int64_t>(device.sms, out.blocks));

  const ScheduleRow& row = row_of(p);
  const bool whole_heads = row.walk.block == BlockKind::Head;
  const GroupWalk walk(p, schedule.plan().visits_masked_tiles ? Band{} : p.shape.band(),
                       row.walk.block == BlockKind::Split ? Outside::Splits : Outside::QTiles);
  const std::int64_t groups = whole_heads ? 1 : walk.groups();
  out.bundle = (out.blocks + options.most_blocks - 1) / options.most_blocks;
  const std::int64_t bundles = (out.blocks + out.bundle - 1) / out.bundle;
  std::vector<std::int64_t> visits_of_group;  // of the groups of every head, where heads are many
  if (!whole_heads && bundles >= 2 * groups)
    for (std::int64_t g = 0; g < groups; ++g) visits_of_group.push_back(walk.visits(g));
  const auto visits_of = [&](std::int64_t block) {
    if (whole_heads) return std::int64_t(0);
    return visits_of_group.empty() ? walk.visits(block % groups) : visits_of_group[std::size_t(block % groups)];
  };

  std::vector<std::int64_t> order;  // empty for first-to-last
  const bool causal = is_causal(p.shape.mask.kind);
  if (!plan.divided() && options.order == BlockOrder::LongestFirst) {
    order.resize(std::size_t(bundles));
    std::iota(order.begin(), order.end(), 0);
    struct Rank {
      std::int64_t section = 0, shorter = 0;
      auto operator<=>(const Rank&) const = default;
    };
    std::vector<Rank> rank(order.size());
    for (std::size_t i = 0; i < rank.size(); ++i) {
      const std::int64_t block = std::int64_t(i) * out.bundle;
      rank[i] = {section_of(block / groups, out.blocks / groups, options.sections), -visits_of(block)};
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return rank[std::size_t(a)] < rank[std::size_t(b)]; });
  }
  const int most = int(std::min(each, (out.blocks + device.sms - 1) / device.sms));
  const BlockCosts costs(p, device, most, share_of_passes(schedule, device), options.build);
  struct ShownSpan {
    std::uint32_t place = 0;
    std::size_t at = 0;  // in its queue
  };
  Places places(each * device.sms);
  std::vector<std::vector<QueuedBlock>> queues(std::size_t(each * device.sms));  // by SM, then place
  std::vector<ShownSpan> shown_spans;
  const auto queue_of = [&](std::uint32_t place) -> std::vector<QueuedBlock>& {
    const auto sms = std::uint32_t(device.sms);
    return queues[std::size_t(place % sms) * std::size_t(each) + place / sms];
  };
  struct Drawn {
    std::int64_t block = 0, count = 1, visits = 0, part = 0;
  };
  const auto drawn = [&](std::int64_t taken) {
    if (!plan.divided()) {
      const std::int64_t block = (order.empty() ? taken : order[std::size_t(taken)]) * out.bundle;
      return Drawn{block, std::min(out.bundle, out.blocks - block), visits_of(block)};
    }
    // As in kernels/fast/work_items.h and forward_args.h: tiles are numbered head by head, under a causal mask the
    // longest of all heads first. A stretch begins in its first head, and may have more of the next ones.
    if (plan.in_stretches()) {
      const std::int64_t of_head = visits_of(0), all = of_head * plan.tiles;
      const std::int64_t first = all * taken / plan.blocks, end = all * (taken + 1) / plan.blocks;
      return Drawn{first / of_head, 1, end - first, first % of_head};
    }
    const std::int64_t slot = taken - plan.whole;
    const std::int64_t tile = slot < 0 ? plan.whole_first + taken : plan.first + slot / plan.each;
    const std::int64_t heads = p.shape.heads * p.shape.batch;
    const std::int64_t block = causal ? tile % heads * groups + groups - 1 - tile / heads : tile;
    if (slot < 0) return Drawn{block, 1, visits_of(block)};
    const std::int64_t part = slot % plan.each, all = visits_of(block);
    return Drawn{block, 1, (all - part + plan.each - 1) / plan.each, part};
  };
  const auto rows_of = [&](std::int64_t block) {
    if (whole_heads) return p.tiling.br;
    return std::min(p.tiling.br, p.shape.n_q - walk.outer_tile(block % groups) * p.tiling.br);
  };
  for (std::int64_t taken = 0; taken < bundles; ++taken) {
    const std::uint32_t place = places.next().order;
    const auto [block, count, visits, part] = drawn(taken);
    std::vector<QueuedBlock>& queue = queue_of(place);
    if (taken < options.most_spans) shown_spans.push_back({place, queue.size()});
    queue.push_back(costs.block(count, visits, rows_of(block)));
    out.loads[place % std::uint32_t(device.sms)].blocks += count;
    places.put_back(queue.back().size);
  }
  for (int sm = 0; sm < device.sms; ++sm) {
    const std::span of_sm = std::span(queues).subspan(std::size_t(sm) * std::size_t(each), std::size_t(each));
    run_on_sm(of_sm, costs);
    SmLoad& load = out.loads[std::size_t(sm)];
    for (const std::vector<QueuedBlock>& queue : of_sm)
      if (!queue.empty()) load.end = std::max(load.end, queue.back().end), load.in_first_wave = true;
    load.busy = load.end;  // no place waits between two blocks
    out.cycles = std::max(out.cycles, load.end);
  }
  for (std::size_t taken = 0; taken < shown_spans.size(); ++taken) {
    const auto [place, at] = shown_spans[taken];
    const QueuedBlock& ran = queue_of(place)[at];
    const auto [block, count, visits, part] = drawn(std::int64_t(taken));
    const std::int64_t head = block / groups, group = block % groups;
    out.spans.push_back({int(place % std::uint32_t(device.sms)), int(place) / device.sms, ran.start, ran.end,
                         head / p.shape.heads, head % p.shape.heads, whole_heads ? -1 : walk.outer_tile(group),
                         whole_heads ? 0 : walk.split(group) + part, visits});
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

RunCycles run_cycles(const Schedule& schedule, const DeviceModel& device, const Waves& waves) {
  RunCycles out;
  const bool lanes = has_lanes(schedule.problem().schedule);
  const L2Estimate l2 = estimate_l2(schedule);
  double worst = -1;
  for (int s = 0; s < schedule.section_count(); ++s) {
    if (s == schedule.visit_section() && lanes) continue;
    std::string limit;
    const double cycles = launch_limit(schedule, device, l2, s, &limit);
    out.others += cycles;
    if (cycles > worst) worst = cycles, out.limit = limit;
  }
  if (lanes) out.main = waves.cycles;
  return out;
}

}  // namespace tilewalk
