#include "core/l2_model.h"

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "core/waves.h"

namespace tilewalk {
namespace {

Traffic sum_of(const std::array<Traffic, kTensorCount>& all) {
  Traffic total;
  for (const Traffic& t : all) total += t;
  return total;
}

// Bytes of K (or V) that some row sees, tiles whole, over all batches and KV heads.
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
  return p.batch * p.kv_heads * (std::min(p.n_kv, end * p.bc) - first * p.bc) * p.d * p.element_bytes();
}

// Bytes of instructions and constants that a launch of the teaching kernels reads, as measured on an H200.
std::int64_t instruction_bytes(const Problem& p, int section) {
  switch (p.schedule) {
    case ScheduleKind::Standard: return 16 << 10;
    case ScheduleKind::FlashV1: return section == 1 ? 44 << 10 : 7 << 10;
    case ScheduleKind::SplitKv: return section == 0 ? 50 << 10 : 36 << 10;
    default: return 48 << 10;
  }
}

struct Model {
  const Schedule& schedule;
  const L2Options& options;
  std::int64_t usable, at_once;
  const Problem& p = schedule.problem();
  std::array<std::int64_t, kTensorCount> written{};  // by earlier launches
  std::int64_t kv_once = kv_bytes_once(schedule);

  // K or V of a launch in which each Q tile reads them: once for each wave that a head's Q tiles make, where re-reads
  // miss.
  std::int64_t kv_reads(std::int64_t asked, double hits) const {
    const double blocks_of_head = double(p.q_tiles()) * double(p.heads / p.kv_heads);
    const double waves = std::max(1.0, blocks_of_head / double(at_once));
    const double again = std::min(double(asked), double(kv_once) * waves) - double(kv_once);
    return std::min(asked, kv_once + std::int64_t(std::llround(std::max(0.0, again) * (1 - hits))));
  }

  // K and V of the heads that run together, and what each thread block brings.
  std::int64_t tiled_working_set(int tensors_of_kv) const {
    const std::int64_t splits = p.schedule == ScheduleKind::SplitKv ? p.splits : 1;
    const std::int64_t blocks_of_head = p.q_tiles() * (p.heads / p.kv_heads) * splits;
    const std::int64_t running = std::min(at_once, thread_blocks(p));
    const std::int64_t heads =
        std::min(p.batch * p.kv_heads, (running + blocks_of_head - 1) / blocks_of_head + (blocks_of_head > 1 ? 1 : 0));
    return heads * tensors_of_kv * p.n_kv * p.d * p.element_bytes() +
           running * 2 * std::min(p.br, p.n_q) * p.d * p.element_bytes();
  }

  // What an earlier launch wrote, or 0 where L2 is emptied in between.
  double carried(std::int64_t bytes) const { return options.cold_launches ? 0 : l2_hit_share(bytes, usable); }

  // flash_v1: the share of a Q tile's re-readings that miss. At each KV tile the rows that meet it come round once;
  // they hit if all of them, for the heads that run together, still lie in L2 from the KV tile before.
  double cycle_miss_share(std::int64_t running) const {
    const Band band = p.band();
    double missed = 0, all = 0;
    for (std::int64_t j = 0; j < p.kv_tiles(); ++j) {
      const std::int64_t first = std::max<std::int64_t>(0, j * p.bc - band.high) / p.br;
      const std::int64_t last_row = std::min(p.n_q - 1, j * p.bc + p.kv_tile_cols(j) - 1 - band.low);
      if (last_row < first * p.br) continue;
      const std::int64_t rows = std::min(p.n_q, (last_row / p.br + 1) * p.br) - first * p.br;
      const std::int64_t held =
          running * (rows * (p.d * (p.element_bytes() + 4) + 8) + 2 * p.kv_tile_cols(j) * p.d * p.element_bytes());
      all += double(rows);
      if (held > usable) missed += double(rows);
    }
    return all > 0 ? missed / all : 0;
  }

  L2Launch launch(int section) {
    L2Launch out;
    const Cost cost = section_cost(schedule, section);
    out.asked = cost.hbm;
    out.dram = cost.hbm;
    const auto asked = [&](TensorId id) -> const Traffic& { return cost.of(id); };
    const auto dram = [&](TensorId id) -> Traffic& { return out.dram[std::size_t(id)]; };
    const bool walks = section == schedule.visit_section();
    const bool flash_v1_walk = p.schedule == ScheduleKind::FlashV1 && walks;
    if (flash_v1_walk) {
      // Every visit reads and writes its Q tile's state again; the heads that run together keep theirs in L2, or not.
      const std::int64_t rows = p.batch * p.heads * p.n_q;
      const std::int64_t running = std::min(at_once, thread_blocks(p));
      out.working_set_bytes = running * (p.n_q * (p.d * (p.element_bytes() + 4) + 8) +
                                         2 * std::min(p.bc, p.n_kv) * p.d * p.element_bytes());
      out.hit_share = 1 - cycle_miss_share(running);
      for (const TensorId id : {TensorId::Q, TensorId::O, TensorId::m, TensorId::l}) {
        const std::int64_t once = rows * (id == TensorId::Q   ? p.d * p.element_bytes()
                                          : id == TensorId::O ? p.d * 4
                                                              : 4);
        const double first = id == TensorId::Q ? 0 : carried(rows * (p.d * 4 + 8));
        const auto faded = [&](std::int64_t all) {
          const std::int64_t least = std::min(all, once);
          return least + std::int64_t(std::llround(double(all - least) * (1 - out.hit_share)));
        };
        dram(id).read_bytes = faded(asked(id).read_bytes) -
                              std::int64_t(std::llround(double(std::min(once, asked(id).read_bytes)) * first));
        dram(id).write_bytes = faded(asked(id).write_bytes);
      }
      const std::int64_t shared =
          p.heads / p.kv_heads;  // query heads that read the same K and V at about the same time
      for (const TensorId id : {TensorId::K, TensorId::V})
        dram(id).read_bytes = asked(id).read_bytes / std::max<std::int64_t>(1, std::min(shared, running));
    } else {
      const int of_kv = int(asked(TensorId::K).read_bytes > 0) + int(asked(TensorId::V).read_bytes > 0);
      if (of_kv > 0) {
        out.working_set_bytes = tiled_working_set(of_kv);
        out.hit_share = l2_hit_share(out.working_set_bytes, usable);
        for (const TensorId id : {TensorId::K, TensorId::V})
          if (asked(id).read_bytes > 0) dram(id).read_bytes = kv_reads(asked(id).read_bytes, out.hit_share);
        const TensorId read_again = asked(TensorId::K).read_bytes > 0 ? TensorId::K : TensorId::V;
        const std::int64_t streamed = asked(TensorId::S).write_bytes + asked(TensorId::P).read_bytes;
        const double evicted = 0.01 * double(streamed) *
                               std::min(1.0, double(out.working_set_bytes) / double(std::max<std::int64_t>(1, usable)));
        dram(read_again).read_bytes =
            std::min(asked(read_again).read_bytes, dram(read_again).read_bytes + std::int64_t(std::llround(evicted)));
        dram(TensorId::Q).read_bytes =
            std::min(asked(TensorId::Q).read_bytes, p.batch * p.heads * p.n_q * p.d * p.element_bytes());
      }
      for (const TensorId id : {TensorId::S, TensorId::P, TensorId::l, TensorId::m, TensorId::O, TensorId::L,
                                TensorId::OPartial, TensorId::LPartial}) {
        const std::int64_t bytes = written[std::size_t(id)], read = asked(id).read_bytes;
        if (read == 0 || bytes == 0) continue;
        const std::int64_t once = std::min(bytes, read);  // a second reading follows at once, while the row is in L2
        const double hits = carried(bytes);
        dram(id).read_bytes = std::int64_t(std::llround(double(once) * (1 - hits)));
        if (of_kv == 0) out.hit_share = hits, out.working_set_bytes = bytes;
      }
    }
    for (int i = 0; i < kTensorCount; ++i)
      written[std::size_t(i)] = std::max(written[std::size_t(i)], out.dram[std::size_t(i)].write_bytes);
    out.instruction_bytes = options.count_instructions ? instruction_bytes(p, section) : 0;
    if (!options.count_last_writes) {
      const std::int64_t writes = sum_of(out.dram).write_bytes;
      const double kept = l2_hit_share(writes, usable);  // what is still dirty when the launch ends
      for (Traffic& t : out.dram) t.write_bytes = std::int64_t(std::llround(double(t.write_bytes) * (1 - kept)));
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
  const DeviceModel device = device_named(p.device).value_or(device_models().front());
  L2Estimate out;
  out.usable_bytes = std::int64_t(double(options.l2_bytes > 0 ? options.l2_bytes : device.l2_bytes) * options.usable);
  std::int64_t at_once = options.thread_blocks_at_once;
  if (at_once <= 0) at_once = std::int64_t(std::max(1, occupancy(p, device).blocks_per_sm)) * device.sms;
  Model model{schedule, options, out.usable_bytes, at_once};
  for (int s = 0; s < schedule.section_count(); ++s) out.launches.push_back(model.launch(s));
  return out;
}

std::string sentence_of(const L2Estimate& e) {
  const Traffic asked = e.asked_total(), dram = e.dram_total();
  const std::int64_t all = asked.read_bytes + asked.write_bytes, through = dram.read_bytes + dram.write_bytes;
  if (all == 0) return "Nothing is asked of global memory.";
  const L2Launch* largest = &e.launches.front();
  for (const L2Launch& l : e.launches)
    if (l.working_set_bytes > largest->working_set_bytes) largest = &l;
  std::string text = "Of " + format_bytes(all) + " asked for, about " + format_bytes(through) + " would reach DRAM: ";
  if (largest->hit_share >= 1)
    return text + "what is read again, " + format_bytes(largest->working_set_bytes) + " at a time, fits in L2.";
  if (largest->hit_share <= 0)
    return text + "what is read again, " + format_bytes(largest->working_set_bytes) + " at a time, is far beyond L2.";
  return text + "what is read again, " + format_bytes(largest->working_set_bytes) + " at a time, fits in L2 in part.";
}

}  // namespace tilewalk
