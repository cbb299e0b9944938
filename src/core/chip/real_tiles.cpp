#include "core/chip/real_tiles.h"

#include <algorithm>
#include <tuple>

namespace tilewalk {
namespace {

constexpr const char* kV2 = "flash_fwd_launch_template.h";
constexpr const char* kV3 = "hopper/tile_size.h";

bool one_of(const std::string& name, std::initializer_list<const char*> names) {
  for (const char* each : names)
    if (name == each) return true;
  return false;
}

bool is_small_smem(const std::string& device) {
  return one_of(device, {"rtx3090", "rtx4090", "l4", "l40s"});
}  // sm86, sm89
bool is_hopper(const std::string& device) { return one_of(device, {"h100", "h200"}); }
bool is_before_ampere(const std::string& device) { return one_of(device, {"v100", "t4"}); }
bool is_causal(const Problem& p) {
  return p.shape.mask.kind == MaskKind::Causal || p.shape.mask.kind == MaskKind::CausalBottomRight;
}

RealTile flash_v2_tile(const Problem& p) {
  const bool small = is_small_smem(p.machine.device), causal = is_causal(p);
  if (p.shape.d <= 64) return {128, 128, 4, "", kV2};
  if (p.shape.d <= 96) {
    if (small && causal) return {64, 64, 4, "square tiles for causal where shared memory is 99 KiB", kV2};
    return {128, 64, 4, "", kV2};
  }
  if (p.shape.d <= 128) {
    if (small && causal) return {64, 64, 4, "square tiles for causal where shared memory is 99 KiB", kV2};
    if (small) return {128, 32, 4, "48 KB, so that two thread blocks fit an SM", kV2};
    return {128, 64, 4, "", kV2};
  }
  if (p.shape.d <= 192) return {128, 64, 8, "", kV2};
  if (p.machine.device == "a100") return {128, 64, 8, "128 KB of shared memory", kV2};
  return {64, 64, 4, "96 KB, so that two thread blocks fit an H100 SM", kV2};
}

RealTile flash_v1_tile(const Problem& p) {
  return {16, p.shape.d <= 64 ? 256 : 128, 4, "many columns, few rows", "FlashAttention 1.0, fmha_fwd_hdim*.cu"};
}

// Br stays 64 in the decoding path; Bc depends on whether the range is really split.
RealTile split_kv_tile(const Problem& p) {
  if (p.tiling.splits > 1) return {64, p.shape.d <= 64 ? 256 : p.shape.d <= 128 ? 128 : 64, 4, "the decoding path", kV2};
  return {64, p.shape.d <= 64 ? 128 : 64, 4, "the decoding path with one split", kV2};
}

RealTile flash_v3_tile(const Problem& p) {
  const bool causal = is_causal(p);
  if (p.shape.d <= 64) return {192, causal ? 128 : 192, 12, "three consumer warpgroups", kV3};
  if (p.shape.d <= 96) return {192, 144, 12, "three consumer warpgroups", kV3};
  if (p.shape.d <= 128) return {128, causal ? 128 : 176, 8, "two consumer warpgroups", kV3};
  if (p.shape.d <= 192) return {128, 112, 8, "two consumer warpgroups", kV3};
  return {128, 80, 8, "two consumer warpgroups", kV3};
}

}  // namespace

std::string why_no_real_tile(const Problem& p) {
  switch (p.schedule) {
    case ScheduleKind::FlashV1:
      if (p.shape.d > 128) return "FlashAttention-1 took head sizes up to 128.";
      if (p.machine.device == "v100") return "FlashAttention-1 needs a Turing GPU or later.";
      break;
    case ScheduleKind::FlashV2:
    case ScheduleKind::SplitKv:
      if (is_before_ampere(p.machine.device)) return "FlashAttention-2 needs an Ampere GPU or later.";
      break;
    case ScheduleKind::FlashV3:
      if (!is_hopper(p.machine.device)) return "FlashAttention-3 runs on Hopper GPUs alone.";
      break;
    default: return "No released kernel's tile sizes are listed for this schedule.";
  }
  if (p.numerics.dtype == DType::Fp32) return "Released kernels take fp16 and bf16, not fp32.";
  if (p.shape.d > 256) return "Released kernels take head sizes up to 256.";
  return "";
}

std::optional<RealTile> real_tile(const Problem& p) {
  if (!why_no_real_tile(p).empty()) return std::nullopt;
  if (p.schedule == ScheduleKind::FlashV1) return flash_v1_tile(p);
  if (p.schedule == ScheduleKind::FlashV3) return flash_v3_tile(p);
  return p.schedule == ScheduleKind::SplitKv ? split_kv_tile(p) : flash_v2_tile(p);
}

std::optional<RealTile> paper_tile(const Problem& p) {
  if (p.schedule != ScheduleKind::FlashV1) return std::nullopt;
  const std::int64_t m = p.machine.sram_bytes / 4;
  RealTile tile;
  tile.bc = std::clamp<std::int64_t>((m + 4 * p.shape.d - 1) / (4 * p.shape.d), 1, std::max<std::int64_t>(1, p.shape.n_kv));
  tile.br = std::clamp<std::int64_t>(std::min(tile.bc, p.shape.d), 1, std::max<std::int64_t>(1, p.shape.n_q));
  // K and V of bc columns, S of bc columns, Q and O, m and l of br rows.
  const std::int64_t e = p.numerics.element_bytes(), rows = tile.br * (p.shape.d * (e + 4) + 8), column = 2 * p.shape.d * e + tile.br * 4;
  tile.note = "the paper's rule, Bc = M/4d, Br = min(Bc, d)";
  if (rows + column * tile.bc > p.machine.sram_bytes) {
    tile.bc = (p.machine.sram_bytes - rows) / column;
    tile.note += ", with Bc cut so that S fits too";
  }
  if (tile.bc < 1) return std::nullopt;
  tile.source = "arXiv 2205.14135, Algorithm 1";
  return tile;
}

std::vector<NamedTile> named_tiles(const Problem& given) {
  Problem p = given;
  if (p.numerics.dtype == DType::Fp32) p.numerics.dtype = DType::Fp16;
  std::vector<NamedTile> out;
  if (is_backward(given.schedule)) return out;  // the sizes listed are forward kernels'
  for (const auto& [name, title, kind] : {std::tuple("fa1", "FA-1's kernel", ScheduleKind::FlashV1),
                                          std::tuple("fa2", "FA-2's kernel", ScheduleKind::FlashV2),
                                          std::tuple("fa3", "FA-3's kernel", ScheduleKind::FlashV3),
                                          std::tuple("split-kv", "the decoding kernel", ScheduleKind::SplitKv)}) {
    const bool at_home_alone = kind == ScheduleKind::SplitKv || kind == ScheduleKind::FlashV1;
    if (at_home_alone && given.schedule != kind) continue;
    p.schedule = kind;
    if (const std::optional<RealTile> tile = real_tile(p)) out.push_back({name, title, *tile});
  }
  if (const std::optional<RealTile> tile = paper_tile(given)) out.push_back({"paper", "FA-1's paper", *tile});
  return out;
}

Result<RealTile> tile_named(const Problem& p, const std::string& name) {
  if (name == "released") {
    if (const std::optional<RealTile> tile = real_tile(p)) return *tile;
    return Issue{"tiles", name, why_no_real_tile(p), "Try --dtype fp16, another schedule, or --br and --bc"};
  }
  std::string names = "released";
  for (const NamedTile& each : named_tiles(p)) {
    if (each.name == name) return each.tile;
    names += ", " + each.name;
  }
  return Issue{"tiles", name, "is none that this problem and device have", "Try one of " + names};
}

}  // namespace tilewalk
