#include "core/chip/l2_model.h"

#include <algorithm>
#include <cmath>

#include "core/chip/waves.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

Traffic sum_of(const std::array<Traffic, kTensorCount>& all) {
  Traffic total;
  for (const Traffic& t : all) total += t;
  return total;
}

// Bytes of K (or V) that at least one row sees, whole tiles, over all batches and KV heads.
std::int64_t kv_bytes_once(const Schedule& s) {
  const Problem& p = s.problem();
  std::int64_t first = p.kv_tiles(), end = 0;
  for (std::int64_t i = 0; i < p.q_tiles(); ++i) {
    const TileRange range = s.visited(i);
    if (range.count() == 0) continue;
    first = std::min(first, range.begin);
    end = std::max(end, range.end);
  }
  if (end <= first) return 0;
  return p.shape.batch * p.shape.kv_heads * (std::min(p.shape.n_kv, end * p.tiling.bc) - first * p.tiling.bc) *
         p.shape.d * p.numerics.element_bytes();
}

// Bytes of instructions and constants that a launch of the teaching kernels reads, measured on an H200.
std::int64_t instruction_bytes(const Problem& p, SectionName name) {
  for (const SectionRow& section : row_of(p).walk.sections)
    if (section.name == name) return section.code_bytes;
  return 0;
}

struct Model {
  const Schedule& schedule;
  const L2Options& options;
  std::int64_t l2, usable, at_once;
  const Problem& p = schedule.problem();
  std::span<const RowState> reread = row_of(p).memory.reread;
  std::array<std::int64_t, kTensorCount> written{};  // by earlier launches
  std::int64_t kv_once = kv_bytes_once(schedule);

  // Bytes of K or V in a launch in which each Q tile reads them: once for each wave of a head's Q tiles, where repeated
  // reads miss.
  std::int64_t kv_reads(std::int64_t asked, double hits) const {
    const double blocks_of_head = double(p.q_tiles()) * double(p.shape.heads / p.shape.kv_heads);
    const double waves = std::max(1.0, blocks_of_head / double(at_once));
    const double again = std::min(double(asked), double(kv_once) * waves) - double(kv_once);
    return std::min(asked, kv_once + std::int64_t(std::llround(std::max(0.0, again) * (1 - hits))));
  }

  // K and V of the heads that run together, and the tile that each thread block loads.
  std::int64_t tiled_working_set(int tensors_of_kv) const {
    const std::int64_t blocks_of_head = p.q_tiles() * (p.shape.heads / p.shape.kv_heads) * splits_of(p);
    const std::int64_t running = std::min(at_once, thread_blocks(p));
    const std::int64_t heads = std::min(p.shape.batch * p.shape.kv_heads,
                                        (running + blocks_of_head - 1) / blocks_of_head + (blocks_of_head > 1 ? 1 : 0));
    return heads * tensors_of_kv * p.shape.n_kv * p.shape.d * p.numerics.element_bytes() +
           running * 2 * std::min(p.tiling.br, p.shape.n_q) * p.shape.d * p.numerics.element_bytes();
  }

  // Bytes that an earlier launch left in L2, or 0 where L2 is emptied in between.
  double carried(std::int64_t bytes) const { return options.cold_launches ? 0 : l2_hit_share(bytes, usable); }

  // True if thread blocks walk whole heads and each takes several query heads in turn.
  bool shares_heads() const { return schedule.section(schedule.visit_section()).shares_heads; }
  std::int64_t walkers() const { return p.shape.batch * (shares_heads() ? p.shape.kv_heads : p.shape.heads); }
  std::int64_t heads_in_turn() const { return shares_heads() ? p.shape.heads / p.shape.kv_heads : 1; }

  // Bytes of the cycle between two visits of a Q tile: the state of all rows that the KV tile visits, for the heads
  // that run together, and the KV tile.
  std::int64_t cycle_bytes(std::int64_t rows, std::int64_t cols) const {
    std::int64_t per_row = 0;
    for (const RowState& each : reread) per_row += bytes_a_row(p, each.width);
    return std::min(at_once, walkers()) *
           (heads_in_turn() * rows * per_row + 2 * cols * p.shape.d * p.numerics.element_bytes());
  }

  // The share of a Q tile's visits whose cycle is larger than this much of L2.
  double cycle_miss_share(std::int64_t cached_bytes) const {
    const Band band = p.shape.band();
    double missed = 0, all = 0;
    for (std::int64_t j = 0; j < p.kv_tiles(); ++j) {
      const std::int64_t first = std::max<std::int64_t>(0, j * p.tiling.bc - band.high) / p.tiling.br;
      const std::int64_t last_row = std::min(p.shape.n_q - 1, j * p.tiling.bc + p.kv_tile_cols(j) - 1 - band.low);
      if (last_row < first * p.tiling.br) continue;
      const std::int64_t rows = std::min(p.shape.n_q, (last_row / p.tiling.br + 1) * p.tiling.br) - first * p.tiling.br;
      all += double(rows);
      if (cycle_bytes(rows, p.kv_tile_cols(j)) > cached_bytes) missed += double(rows);
    }
    return all > 0 ? missed / all : 0;
  }

  // flash_v1, backward and backward_v1: every visit reads its Q tile's state again and writes part of it.
  void walk_heads(L2Launch& out) const {
    const std::int64_t rows = p.shape.batch * p.shape.heads * p.shape.n_q;
    const double read_misses = cycle_miss_share(share_of_l2(options.cycle_read));
    const double write_misses = cycle_miss_share(share_of_l2(options.cycle_write));
    out.working_set_bytes = cycle_bytes(p.shape.n_q, std::min(p.tiling.bc, p.shape.n_kv));
    out.hit_share = 1 - read_misses;
    const auto faded = [](std::int64_t all, std::int64_t once, double misses) {
      const std::int64_t least = std::min(all, once);
      return least + std::int64_t(std::llround(double(all - least) * misses));
    };
    std::int64_t left = 0;  // by the previous launch
    for (const RowState& each : reread)
      if (written[std::size_t(each.id)] > 0) left += rows * bytes_a_row(p, each.width);
    for (const RowState& each : reread) {
      const Traffic& asked = out.asked[std::size_t(each.id)];
      Traffic& dram = out.dram[std::size_t(each.id)];
      const std::int64_t once = rows * bytes_a_row(p, each.width);
      const double there = written[std::size_t(each.id)] > 0 ? carried(left) : 0;
      dram.read_bytes = faded(asked.read_bytes, once, read_misses) -
                        std::int64_t(std::llround(double(std::min(once, asked.read_bytes)) * there));
      dram.write_bytes = faded(asked.write_bytes, once, write_misses);
    }
    if (shares_heads()) return;  // K and V once for each KV head
    const std::int64_t shared =
        p.shape.heads / p.shape.kv_heads;  // query heads that read the same K and V at about the same time
    for (const TensorId id : {TensorId::K, TensorId::V})
      out.dram[std::size_t(id)].read_bytes /= std::max<std::int64_t>(1, std::min({shared, at_once, walkers()}));
  }

  // backward_standard: passes 1 and 5 read the rows of dO or Q again for every KV tile of their KV head.
  void reread_rows(L2Launch& out, TensorId id) const {
    const std::int64_t once = p.shape.batch * p.shape.heads * p.shape.n_q * p.shape.d * p.numerics.element_bytes(),
                       blocks = p.kv_tiles();
    const std::int64_t running = std::min(at_once, p.shape.batch * p.shape.kv_heads * blocks);
    const std::int64_t heads =
        std::min(p.shape.batch * p.shape.kv_heads, (running + blocks - 1) / blocks + (blocks > 1 ? 1 : 0));
    out.working_set_bytes = once / (p.shape.batch * p.shape.kv_heads) * heads;
    out.hit_share = l2_hit_share(out.working_set_bytes, usable);
    const double waves = std::max(1.0, double(blocks) / double(at_once));
    const double again = std::min(double(out.asked[std::size_t(id)].read_bytes), double(once) * waves) - double(once);
    read_once_and(out, id, once, again * (1 - out.hit_share));
  }

  // Bytes of a repeatedly read tensor that a stream of N_q x N_kv values evicts as it passes through L2.
  void read_once_and(L2Launch& out, TensorId id, std::int64_t once, double again) const {
    const auto asked = [&](TensorId each) -> const Traffic& { return out.asked[std::size_t(each)]; };
    const std::int64_t streamed = asked(TensorId::S).write_bytes + asked(TensorId::P).read_bytes +
                                  asked(TensorId::dP).write_bytes + asked(TensorId::dS).read_bytes;
    const double evicted = 0.012 * double(streamed) *
                           std::min(1.0, double(out.working_set_bytes) / double(std::max<std::int64_t>(1, usable)));
    out.dram[std::size_t(id)].read_bytes =
        std::min(asked(id).read_bytes,
                 once + std::int64_t(std::llround(std::max(0.0, again))) + std::int64_t(std::llround(evicted)));
  }

  std::int64_t share_of_l2(double share) const { return std::int64_t(double(l2) * share); }

  // True if all thread blocks walk tiles together and write at the end, so that no read follows the writes.
  bool writes_at_once(const L2Launch& out) const {
    const auto asked = [&](TensorId id) -> const Traffic& { return out.asked[std::size_t(id)]; };
    if (!reread.empty() || asked(TensorId::S).write_bytes + asked(TensorId::dP).write_bytes > 0) return false;
    if (asked(TensorId::dV).write_bytes + asked(TensorId::dK).write_bytes > 0)
      return p.shape.batch * p.shape.kv_heads * p.kv_tiles() <= at_once;
    return asked(TensorId::K).read_bytes + asked(TensorId::V).read_bytes > 0 &&
           p.shape.batch * p.shape.heads * p.q_tiles() * splits_of(p) <= at_once;
  }

  // Bytes still dirty in L2 at the end: the last writes, as far as the reads in between leave them there, up to L2's
  // limit of dirty bytes.
  std::int64_t dirty_at_end(const L2Launch& out) const {
    const Traffic through = sum_of(out.dram);
    std::int64_t shared = 0;  // by thread blocks on both halves of the L2, each of which keeps a copy
    for (const TensorId id : {TensorId::K, TensorId::V})
      if (out.asked[std::size_t(id)].read_bytes > out.dram[std::size_t(id)].read_bytes)
        shared += out.dram[std::size_t(id)].read_bytes;
    const double all = double(through.bytes() + shared);
    double last = all > 0 ? double(through.write_bytes) * std::min(1.0, double(share_of_l2(options.recent)) / all) : 0;
    if (writes_at_once(out)) last = double(through.write_bytes);
    return std::min({through.write_bytes, share_of_l2(options.dirty), std::int64_t(std::llround(last))});
  }

  L2Launch launch(int section) {
    L2Launch out;
    const Cost cost = section_cost(schedule, section);
    out.asked = cost.hbm;
    out.dram = cost.hbm;
    const auto asked = [&](TensorId id) -> const Traffic& { return cost.of(id); };
    const auto dram = [&](TensorId id) -> Traffic& { return out.dram[std::size_t(id)]; };
    const SectionName name = schedule.section_name(section);
    if (section == schedule.visit_section() && !reread.empty()) {
      walk_heads(out);
    } else {
      const int of_kv = int(asked(TensorId::K).read_bytes > 0) + int(asked(TensorId::V).read_bytes > 0);
      if (of_kv > 0) {
        out.working_set_bytes = tiled_working_set(of_kv);
        out.hit_share = l2_hit_share(out.working_set_bytes, usable);
        for (const TensorId id : {TensorId::K, TensorId::V})
          if (asked(id).read_bytes > 0) dram(id).read_bytes = kv_reads(asked(id).read_bytes, out.hit_share);
        const TensorId read_again = asked(TensorId::K).read_bytes > 0 ? TensorId::K : TensorId::V;
        read_once_and(out, read_again, dram(read_again).read_bytes, 0);
        dram(TensorId::Q).read_bytes =
            std::min(asked(TensorId::Q).read_bytes,
                     p.shape.batch * p.shape.heads * p.shape.n_q * p.shape.d * p.numerics.element_bytes());
      }
      if (name == SectionName::GradV) reread_rows(out, TensorId::dO);
      if (name == SectionName::GradK) reread_rows(out, TensorId::Q);
      if (name == SectionName::GradS)  // a second read follows at once, while the row is in L2
        dram(TensorId::P).read_bytes =
            p.shape.batch * p.shape.heads * p.shape.n_q * p.shape.n_kv * p.numerics.element_bytes();
      for (const TensorId id :
           {TensorId::S, TensorId::P, TensorId::l, TensorId::m, TensorId::O, TensorId::L, TensorId::OPartial,
            TensorId::LPartial, TensorId::D, TensorId::dP, TensorId::dS, TensorId::dQ}) {
        const std::int64_t bytes = written[std::size_t(id)], read = asked(id).read_bytes;
        if (read == 0 || bytes == 0) continue;
        const std::int64_t once = std::min(bytes, read);  // a second read follows at once, while the row is in L2
        const double hits = carried(bytes);
        dram(id).read_bytes = std::int64_t(std::llround(double(once) * (1 - hits)));
        if (of_kv == 0) out.hit_share = hits, out.working_set_bytes = bytes;
      }
    }
    for (int i = 0; i < kTensorCount; ++i)
      written[std::size_t(i)] = std::max(written[std::size_t(i)], out.dram[std::size_t(i)].write_bytes);
    out.instruction_bytes = options.count_instructions ? instruction_bytes(p, name) : 0;
    out.dirty_bytes = dirty_at_end(out);
    if (!options.count_last_writes && out.dirty_bytes > 0) {
      const double gone = 1 - double(out.dirty_bytes) / double(sum_of(out.dram).write_bytes);
      for (Traffic& t : out.dram) t.write_bytes = std::int64_t(std::llround(double(t.write_bytes) * gone));
    }
    return out;
  }
};

}  // namespace

Traffic L2Launch::asked_total() const { return sum_of(asked); }
Traffic L2Launch::dram_total() const {
  Traffic total = sum_of(dram);
  total.read_bytes += instruction_bytes;
  return total;
}

Traffic L2Estimate::asked_total() const {
  Traffic total;
  for (const L2Launch& l : launches) total += l.asked_total();
  return total;
}

Traffic L2Estimate::dram_total() const {
  Traffic total;
  for (const L2Launch& l : launches) total += l.dram_total();
  return total;
}

double l2_hit_share(std::int64_t working_set_bytes, std::int64_t usable_bytes) {
  if (usable_bytes <= 0) return 0;
  return std::clamp(2.0 - double(working_set_bytes) / double(usable_bytes), 0.0, 1.0);
}

L2Estimate estimate_l2(const Schedule& schedule, const L2Options& options) {
  const Problem& p = schedule.problem();
  const DeviceModel& device = device_of(p.machine);
  L2Estimate out;
  const std::int64_t l2 = options.l2_bytes > 0 ? options.l2_bytes : device.l2_bytes;
  out.usable_bytes = std::int64_t(double(l2) * options.usable);
  std::int64_t at_once = options.thread_blocks_at_once;
  if (at_once <= 0) {
    const Occupancy of_sm = options.teaching_kernels ? their_occupancy(p, device) : occupancy(p, device);
    at_once = std::int64_t(std::max(1, of_sm.blocks_per_sm)) * device.sms;
  }
  Model model{schedule, options, l2, out.usable_bytes, at_once};
  for (int s = 0; s < schedule.section_count(); ++s) out.launches.push_back(model.launch(s));
  return out;
}

}  // namespace tilewalk
