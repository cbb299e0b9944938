// The walk of tiled attention: a block of Q panels stays, and KV tiles are visited one after the other. Plain C++;
// panel_kernels.h has the arithmetic.
#include "kernels/cpu/tiled.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <numeric>

#include "base/small_float.h"
#include "kernels/cpu/attention_problem.h"
#include "kernels/cpu/bf16_dot.h"
#include "kernels/cpu/panel_kernels.h"
#include "kernels/cpu/peak.h"
#include "kernels/cpu/workers.h"

namespace tilewalk::cpu {
namespace {

constexpr double kLog2E = 1.4426950408889634074;
constexpr std::int64_t kAlignment = 64;
constexpr std::int64_t kLargestRows = 256, kLargestColumns = 256;  // of a panel; head size

std::int64_t round_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }
std::int64_t ceil_div(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }

// How a problem is divided, and the memory that one thread needs for it.
struct Plan {
  const PanelKernels* kernels = nullptr;
  bool dot = false;       // bf16 dot product
  bool stages_k = false;  // K tiles are copied (widened, or padded) before use; else only a ragged last tile
  bool stages_v = false;  // … V
  std::int64_t tile_keys = 0;
  std::int64_t panels = 0;   // of one block
  std::int64_t columns = 0;  // d rounded up to column_step
  // query heads whose rows are stacked: all of a KV head if there are few queries, else one
  std::int64_t unit_heads = 0;
  std::int64_t unit_rows = 0;
  std::int64_t units = 0, blocks = 0;  // blocks of one unit
  // Offsets in floats from the start of a thread's work space.
  std::int64_t q_at = 0, o_at = 0, m_at = 0, l_at = 0, limits_at = 0, p_at = 0, k_at = 0, v_at = 0, floats = 0;
};

Plan make_plan(const CpuAttention& a, const TiledChoices& choices) {
  Plan plan;
  plan.dot = a.dtype == CpuDType::Bf16 && choices.bf16 != Bf16Way::Widen && cpu_has_bf16_dot() &&
             (choices.bf16 == Bf16Way::Dot || cpu_uses_bf16_dot());
  const std::int64_t group = a.heads / a.kv_heads;
  const auto kernels = [&](bool narrow) { return plan.dot ? bf16_dot_kernels(narrow) : &fp32_kernels(narrow); };
  plan.unit_heads = a.n_q < kernels(false)->rows ? group : 1;
  plan.unit_rows = plan.unit_heads * a.n_q;
  plan.kernels = kernels(plan.unit_rows <= kernels(true)->rows);
  const std::int64_t rows = plan.kernels->rows;
  plan.units = a.batch * a.heads / plan.unit_heads;

  plan.columns = round_up(a.d, plan.kernels->column_step);
  plan.stages_k = a.dtype == CpuDType::Bf16 && (!plan.dot || a.d % 2 != 0);
  plan.stages_v = a.dtype == CpuDType::Bf16 || plan.columns != a.d;

  const std::int64_t all_panels = ceil_div(plan.unit_rows, rows);
  // more blocks balance better; with fewer, a staged tile serves more panels
  const std::int64_t blocks_a_thread = plan.stages_v ? 8 : 24;
  const std::int64_t enough = ceil_div(plan.units * all_panels, blocks_a_thread * a.threads);
  plan.panels = std::min(all_panels, choices.panels > 0 ? choices.panels : std::clamp<std::int64_t>(enough, 1, 4));
  plan.blocks = ceil_div(all_panels, plan.panels);

  const std::int64_t tile = choices.tile_keys > 0 ? choices.tile_keys : a.d <= 128 ? 128 : 64;
  plan.tile_keys = round_up(std::min(tile, a.n_kv), plan.kernels->key_step);

  const bool ragged = a.n_kv % plan.kernels->key_step != 0;
  const auto take = [&](std::int64_t floats) {
    const std::int64_t at = plan.floats;
    plan.floats += round_up(floats, kAlignment / 4);
    return at;
  };
  plan.q_at = take(plan.panels * a.d * rows);
  plan.o_at = take(plan.panels * plan.columns * rows);
  plan.m_at = take(plan.panels * rows);
  plan.l_at = take(plan.panels * rows);
  plan.limits_at = take(rows);
  plan.p_at = take(plan.tile_keys * rows);
  plan.k_at = take(plan.stages_k || ragged ? plan.tile_keys * a.d : 0);
  plan.v_at = take(plan.stages_v ? plan.tile_keys * plan.columns : 0);
  return plan;
}

// One block of one unit, in one thread's work space.
class Block {
 public:
  Block(const CpuAttention& a, const Plan& plan, float* space, std::int64_t unit, std::int64_t block)
      : a_(a), plan_(plan), kernels_(*plan.kernels), space_(space) {
    first_head_ = unit * plan.unit_heads;
    const std::int64_t kv_head = first_head_ / (a.heads / a.kv_heads);
    k_ = head_at(static_cast<const char*>(a.k), a, kv_head, a.n_kv);
    v_ = head_at(static_cast<const char*>(a.v), a, kv_head, a.n_kv);
    first_row_ = block * plan.panels * kernels_.rows;
    end_row_ = std::min(first_row_ + plan.panels * kernels_.rows, plan.unit_rows);
  }

  void run() {
    const std::int64_t panels = ceil_div(end_row_ - first_row_, kernels_.rows);
    std::int64_t keys = 0;
    for (std::int64_t panel = 0; panel < panels; ++panel) {
      start_panel(panel);
      keys = std::max(keys, range(panel).any);
    }
    for (std::int64_t first = 0; first < keys; first += plan_.tile_keys) {
      const std::int64_t count = std::min(plan_.tile_keys, keys - first);
      const PanelVisit tile = stage_tile(first, std::min(plan_.tile_keys, a_.n_kv - first));
      for (std::int64_t panel = 0; panel < panels; ++panel) visit(panel, tile, first, count);
    }
    for (std::int64_t panel = 0; panel < panels; ++panel) finish_panel(panel);
  }

 private:
  struct Range {
    std::int64_t all, any;  // every row sees keys below `all`, no row sees keys from `any` on
  };

  std::int64_t panel_row(std::int64_t panel) const { return first_row_ + panel * kernels_.rows; }
  std::int64_t panel_rows(std::int64_t panel) const { return std::min(kernels_.rows, end_row_ - panel_row(panel)); }
  std::int64_t keys_of(std::int64_t unit_row) const {
    return visible_keys(a_, plan_.unit_heads == 1 ? unit_row : unit_row % a_.n_q);
  }

  Range range(std::int64_t panel) const {
    const std::int64_t last_row = panel_row(panel) + panel_rows(panel) - 1;
    if (a_.mask == CpuMask::None) return {a_.n_kv, a_.n_kv};
    if (plan_.unit_heads == 1) return {keys_of(panel_row(panel)), keys_of(last_row)};
    Range r{a_.n_kv, 0};
    for (std::int64_t row = panel_row(panel); row <= last_row; ++row) {
      r.all = std::min(r.all, keys_of(row));
      r.any = std::max(r.any, keys_of(row));
    }
    return r;
  }

  void start_panel(std::int64_t panel) {
    const std::int64_t rows = kernels_.rows;
    float* const o = space_ + plan_.o_at + panel * plan_.columns * rows;
    std::fill_n(space_ + plan_.m_at + panel * rows, rows, 0.0f);
    std::fill_n(space_ + plan_.l_at + panel * rows, rows, 0.0f);
    float* const q = space_ + plan_.q_at + panel * a_.d * rows;
    const char* from =
        head_at(static_cast<const char*>(a_.q), a_, first_head_, a_.n_q) + panel_row(panel) * a_.d * element_bytes(a_);
    const std::int64_t real_rows = panel_rows(panel);
    if (plan_.dot) {
      std::fill_n(o, plan_.columns * rows, 0.0f);
      pack_q_pairs(reinterpret_cast<const std::uint16_t*>(from), a_.d, real_rows, rows,
                   reinterpret_cast<std::uint32_t*>(q));
      return;
    }
    if (real_rows < rows) std::fill_n(q, a_.d * rows, 0.0f);
    const float factor = float(double(a_.scale) * kLog2E);
    float factors[kLargestColumns];
    std::fill_n(factors, a_.d, factor);
    const float* fp32 = reinterpret_cast<const float*>(from);
    if (a_.dtype == CpuDType::Bf16) {  // widened in the place of O
      widen(reinterpret_cast<const std::uint16_t*>(from), real_rows * a_.d, o);
      fp32 = o;
    }
    transpose(fp32, a_.d, real_rows, a_.d, factors, q, rows);
    std::fill_n(o, plan_.columns * rows, 0.0f);
  }

  // K and V of a tile in the kernels' layout: in place where possible.
  PanelVisit stage_tile(std::int64_t first, std::int64_t count) {
    const std::int64_t d = a_.d, columns = plan_.columns, padded = round_up(count, kernels_.key_step);
    const char* const k = k_ + first * d * element_bytes(a_);
    const char* const v = v_ + first * d * element_bytes(a_);
    PanelVisit tile;
    tile.k = k, tile.k_stride = d;
    tile.v = v, tile.v_stride = d;
    if (plan_.dot) {
      stage_dot(k, v, count, padded, tile);
      return tile;
    }
    if (plan_.stages_k || padded != count) {
      float* const to = space_ + plan_.k_at;
      copy_rows(k, count, d, to, d);
      std::fill(to + count * d, to + padded * d, 0.0f);
      tile.k = to;
    }
    if (plan_.stages_v) {
      float* const to = space_ + plan_.v_at;
      copy_rows(v, count, d, to, columns);
      tile.v = to, tile.v_stride = columns;
    }
    return tile;
  }

  void copy_rows(const char* from, std::int64_t count, std::int64_t d, float* to, std::int64_t stride) const {
    for (std::int64_t j = 0; j < count; ++j) {
      const char* const row = from + j * d * element_bytes(a_);
      if (a_.dtype == CpuDType::Fp32) {
        std::memcpy(to + j * stride, row, std::size_t(d) * 4);
      } else {
        widen(reinterpret_cast<const std::uint16_t*>(row), d, to + j * stride);
      }
      std::fill(to + j * stride + d, to + (j + 1) * stride, 0.0f);
    }
  }

  void stage_dot(const char* k, const char* v, std::int64_t count, std::int64_t padded, PanelVisit& tile) {
    const std::int64_t d = a_.d, even = round_up(d, 2);
    if (plan_.stages_k || padded != count) {
      auto* const to = reinterpret_cast<std::uint16_t*>(space_ + plan_.k_at);
      std::memset(to, 0, std::size_t(padded * even) * 2);
      for (std::int64_t j = 0; j < count; ++j) std::memcpy(to + j * even, k + j * d * 2, std::size_t(d) * 2);
      tile.k = to, tile.k_stride = even;
    }
    auto* const pairs = reinterpret_cast<std::uint32_t*>(space_ + plan_.v_at);
    pack_v_pairs(reinterpret_cast<const std::uint16_t*>(v), d, count, plan_.columns, pairs);
    tile.v = pairs, tile.v_stride = plan_.columns;
  }

  // Strips of the tile: at the row's start a few keys to set m, then those that every row sees, then the masked ones. P
  // is multiplied with V once, unless m has to change in between.
  void visit(std::int64_t panel, const PanelVisit& tile, std::int64_t first, std::int64_t count) {
    const Range r = range(panel);
    const std::int64_t step = kernels_.key_step, rows = kernels_.rows;
    const std::int64_t any = std::min(count, r.any - first), padded = round_up(any, step);
    if (any <= 0) return;
    const std::int64_t all = std::clamp<std::int64_t>(r.all - first, 0, any) / step * step;
    const std::int64_t opening = first == 0 ? std::min(2 * step, padded) : 0;
    const std::int64_t bounds[] = {0, opening, std::max(opening, all), padded};

    PanelVisit visit = tile;
    visit.q = space_ + plan_.q_at + panel * a_.d * rows;
    visit.d = a_.d, visit.columns = plan_.columns;
    visit.scale = float(double(a_.scale) * kLog2E);
    visit.m = space_ + plan_.m_at + panel * rows;
    visit.l = space_ + plan_.l_at + panel * rows;
    visit.o = space_ + plan_.o_at + panel * plan_.columns * rows;
    std::int64_t pending = 0;
    for (int strip = 0; strip < 3; ++strip) {
      const std::int64_t begin = bounds[strip], end = bounds[strip + 1];
      if (begin == end) continue;
      at_keys(visit, tile, begin, end - begin);
      visit.limits = end > all ? limits(panel, first + begin, end - begin) : nullptr;
      if (strip > 0 && kernels_.weights(visit)) continue;
      accumulate(visit, tile, pending, begin);
      at_keys(visit, tile, begin, end - begin);
      kernels_.weights_careful(visit);
      pending = begin;
    }
    accumulate(visit, tile, pending, plan_.dot ? padded : any);
  }

  void at_keys(PanelVisit& visit, const PanelVisit& tile, std::int64_t key, std::int64_t keys) const {
    const std::int64_t bytes = plan_.dot ? 2 : 4;
    visit.k = static_cast<const char*>(tile.k) + key * tile.k_stride * bytes;
    visit.v = static_cast<const char*>(tile.v) + key * tile.v_stride * bytes;
    visit.p = reinterpret_cast<char*>(space_ + plan_.p_at) + key * kernels_.rows * bytes;
    visit.keys = keys;
  }

  void accumulate(PanelVisit& visit, const PanelVisit& tile, std::int64_t begin, std::int64_t end) const {
    if (begin == end) return;
    at_keys(visit, tile, begin, end - begin);
    kernels_.accumulate(visit);
  }

  const float* limits(std::int64_t panel, std::int64_t first, std::int64_t keys) {
    float* const to = space_ + plan_.limits_at;
    for (std::int64_t row = 0; row < kernels_.rows; ++row) {
      const std::int64_t real_rows = std::min(row, panel_rows(panel) - 1);
      to[row] = float(std::clamp<std::int64_t>(keys_of(panel_row(panel) + real_rows) - first, 0, keys));
    }
    return to;
  }

  void finish_panel(std::int64_t panel) {
    const std::int64_t rows = kernels_.rows, row = panel_row(panel), real_rows = panel_rows(panel), d = a_.d;
    const float* const o = space_ + plan_.o_at + panel * plan_.columns * rows;
    const float* const m = space_ + plan_.m_at + panel * rows;
    const float* const l = space_ + plan_.l_at + panel * rows;
    char* const to = head_at(static_cast<char*>(a_.o), a_, first_head_, a_.n_q) + row * d * element_bytes(a_);
    float factors[kLargestRows];
    for (std::int64_t r = 0; r < real_rows; ++r) {
      factors[r] = l[r] > 0 ? 1 / l[r] : l[r];  // 0; a NaN stays
      if (a_.lse == nullptr) continue;
      const double log2_sum =
          l[r] > 0 ? double(m[r]) + std::log2(double(l[r])) : -std::numeric_limits<double>::infinity();
      a_.lse[first_head_ * a_.n_q + row + r] = std::isnan(l[r]) ? l[r] : float(log2_sum / kLog2E);
    }
    if (a_.dtype == CpuDType::Fp32) {
      transpose(o, rows, d, real_rows, factors, reinterpret_cast<float*>(to), d);
      return;
    }
    float* const rounded = space_ + plan_.q_at + panel * d * rows;  // Q is no longer needed
    transpose(o, rows, d, real_rows, factors, rounded, d);
    auto* const out = reinterpret_cast<std::uint16_t*>(to);
    for (std::int64_t e = 0; e < real_rows * d; ++e) out[e] = bf16_from_float(rounded[e]);
  }

  const CpuAttention& a_;
  const Plan& plan_;
  const PanelKernels& kernels_;
  float* const space_;
  std::int64_t first_head_ = 0, first_row_ = 0, end_row_ = 0;
  const char* k_ = nullptr;
  const char* v_ = nullptr;
};

struct FreeAligned {
  void operator()(float* space) const { ::operator delete(space, std::align_val_t(kAlignment)); }
};

std::int64_t busy_threads(const CpuAttention& a, const Plan& plan) {
  return std::min<std::int64_t>(a.threads, plan.units * plan.blocks);
}

// Each thread calls out_of_work(thread) when no task is left for it, before it ends.
template <class OutOfWork>
std::string walk(const CpuAttention& a, const Plan& plan, OutOfWork out_of_work) {
  const std::int64_t threads = busy_threads(a, plan);
  const auto bytes = std::size_t(threads * plan.floats * 4);
  std::unique_ptr<float, FreeAligned> space(
      static_cast<float*>(::operator new(bytes, std::align_val_t(kAlignment), std::nothrow)));
  if (!space)
    return "The machine has no " + std::to_string(bytes) + " bytes for the tiles of " + std::to_string(threads) +
           " threads: ask for fewer threads";
  std::atomic<std::int64_t> next{0};
  on_threads(int(threads), [&](int thread) {
    float* const own = space.get() + thread * plan.floats;
    const std::int64_t tasks = plan.units * plan.blocks;
    for (std::int64_t task = next++; task < tasks; task = next++) {
      // Long causal rows first, so that no thread has one left at the end.
      Block(a, plan, own, task % plan.units, plan.blocks - 1 - task / plan.units).run();
    }
    out_of_work(thread);
  });
  return {};
}

}  // namespace

std::int64_t tiled_with_extra_bytes(const CpuAttention& a, const TiledChoices& choices) {
  if (!refusal(a).empty()) return 0;
  const Plan plan = make_plan(a, choices);
  return busy_threads(a, plan) * plan.floats * 4;
}

std::string tiled_with(const CpuAttention& a, const TiledChoices& choices) {
  if (std::string text = refusal(a); !text.empty()) return text;
  return walk(a, make_plan(a, choices), [](int) {});
}

double fma_peak_after(const CpuAttention& a, const TiledChoices& choices) {
  if (!refusal(a).empty()) return 0;
  const Plan plan = make_plan(a, choices);
  std::vector<double> rates(std::size_t(busy_threads(a, plan)), 0.0);
  const std::string wrong = walk(a, plan, [&](int thread) {
    rates[std::size_t(thread)] = working_gflops(plan.dot ? Unit::Bf16Dot : Unit::Fp32Fma);
  });
  return wrong.empty() ? std::accumulate(rates.begin(), rates.end(), 0.0) : 0;
}

}  // namespace tilewalk::cpu

namespace tilewalk {

double cpu_tiled_flops(const CpuAttention& a) {
  if (!cpu::refusal(a).empty()) return 0;
  const cpu::Plan plan = cpu::make_plan(a, {});
  double elements = 0;
  for (std::int64_t first = 0; first < plan.unit_rows; first += plan.kernels->rows) {
    const std::int64_t real_rows = std::min(plan.kernels->rows, plan.unit_rows - first);
    std::int64_t keys = 0;
    for (std::int64_t row = first; row < first + real_rows; ++row) {
      keys = std::max(keys, cpu::visible_keys(a, row % a.n_q));
    }
    elements += double(real_rows) * double(keys);
  }
  return 4 * double(a.d) * elements * double(plan.units);
}

std::string cpu_tiled(const CpuAttention& a) { return cpu::tiled_with(a, {}); }
double cpu_fma_peak_after_tiled_gflops(const CpuAttention& a) { return cpu::fma_peak_after(a, {}); }
std::int64_t cpu_tiled_extra_bytes(const CpuAttention& a) { return cpu::tiled_with_extra_bytes(a, {}); }

}  // namespace tilewalk
