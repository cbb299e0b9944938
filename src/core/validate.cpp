#include <cmath>
#include <limits>

#include "base/units.h"
#include "core/device_model.h"
#include "core/schedule.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMaxLength = std::int64_t(1) << 32;
constexpr std::int64_t kMaxCount = std::int64_t(1) << 20;
constexpr std::int64_t kMaxTilesPerSide = std::int64_t(1) << 24;

void check_range(Issues& issues, const char* field, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return;
  const std::int64_t nearest = value < low ? low : high;
  issues.push_back({field, std::to_string(value), "must be from " + format_count(low) + " to " + format_count(high),
                    "Try " + std::to_string(nearest)});
}

bool fits_in_63_bits(const Problem& p) {
  // The largest total is bounded by visits over padded tiles times the costliest phase: 4 d + 16 operations or bytes an
  // element of a score tile, plus 16 d bytes a row and column of a tile.
  const long double q = (long double)p.q_tiles() * p.br, k = (long double)p.kv_tiles() * p.bc;
  const long double visits = (long double)p.q_tiles() * p.kv_tiles();
  const long double each = q * k * (4.0L * p.d + 64) + visits * (p.br + p.bc + 1) * (32.0L * p.d + 64) + (q + k) * (32.0L * p.d + 64);
  const long double partials = p.schedule == ScheduleKind::SplitKv ? q * p.splits * (32.0L * p.d + 64) : 0;
  return (each + partials) * p.batch * p.heads < 9.0e18L;
}

std::string sum_text(const std::vector<Resident>& residents, std::int64_t& total) {
  std::string text;
  total = 0;
  for (const Resident& r : residents) {
    if (r.bytes == 0) continue;
    text += (text.empty() ? "" : " + ") + std::string(name_of(r.tensor)) + " " + format_count(r.bytes);
    total += r.bytes;
  }
  return text;
}

}  // namespace

Issues validate(const Problem& p) {
  Issues issues;
  check_range(issues, "batch", p.batch, 1, kMaxCount);
  check_range(issues, "heads", p.heads, 1, kMaxCount);
  check_range(issues, "kv-heads", p.kv_heads, 1, kMaxCount);
  check_range(issues, "n-q", p.n_q, 1, kMaxLength);
  check_range(issues, "n-kv", p.n_kv, 1, kMaxLength);
  check_range(issues, "d", p.d, 1, 256);
  check_range(issues, "br", p.br, 1, kMaxLength);
  check_range(issues, "bc", p.bc, 1, kMaxLength);
  check_range(issues, "sram", p.sram_bytes, 1, std::int64_t(1) << 40);
  check_range(issues, "window left", p.mask.left, 0, kMaxLength);
  check_range(issues, "window right", p.mask.right, 0, kMaxLength);
  check_range(issues, "splits", p.splits, 1, 256);
  if (p.splits > 1 && p.schedule != ScheduleKind::SplitKv)
    issues.push_back({"splits", std::to_string(p.splits), "is for schedule split_kv alone", "Try --schedule split_kv"});
  if (!(p.rescale_threshold >= 0 && p.rescale_threshold <= 64))
    issues.push_back({"threshold", std::to_string(p.rescale_threshold), "must be from 0 to 64 in log2 units", "Try 8, as FlashAttention-4 does"});
  check_range(issues, "stages", p.stages, 1, 64);
  if (const char* why = why_stages_deadlock(p))
    issues.push_back({"stages", std::to_string(p.stages), why,
                      p.schedule == ScheduleKind::FlashV3 ? "Try --stages 2 or more, or switch ping-pong and overlap off"
                                                          : "Try --stages 2 or more"});
  if (!(p.exp2_share >= 0 && p.exp2_share <= 1))
    issues.push_back({"exp2-share", std::to_string(p.exp2_share), "must be from 0 to 1", "Try 0.25"});
  if (p.kv_heads >= 1 && p.heads >= 1 && p.heads % p.kv_heads != 0)
    issues.push_back({"kv-heads", std::to_string(p.kv_heads),
                      "must divide heads = " + std::to_string(p.heads) + ", so that each KV head serves as many query heads",
                      "Try " + std::to_string(p.heads) + " or 1"});
  if (!device_named(p.device)) issues.push_back({"device", p.device, "is not in the device table", "Try one of " + device_names()});
  if (p.scale && !(std::isfinite(*p.scale) && std::fabs(*p.scale) <= 1e30 && std::fabs(*p.scale) >= 1e-30))
    issues.push_back({"scale", std::to_string(*p.scale), "must be a finite number with a size from 1e-30 to 1e30",
                      "Leave it out for 1/sqrt(d)"});
  if (!fault_applies(p.fault, p.schedule))
    issues.push_back({"fault", name_of(p.fault), "has no meaning in schedule " + std::string(name_of(p.schedule)) + ", which never rescales or skips",
                      "Try --schedule flash_v2"});
  if (!issues.empty()) return issues;

  if (p.q_tiles() > kMaxTilesPerSide)
    issues.push_back({"br", std::to_string(p.br), "makes " + format_count(p.q_tiles()) + " Q tiles; at most " + format_count(kMaxTilesPerSide) + " are walked",
                      "Try " + std::to_string((p.n_q + kMaxTilesPerSide - 1) / kMaxTilesPerSide) + " or more"});
  if (p.kv_tiles() > kMaxTilesPerSide)
    issues.push_back({"bc", std::to_string(p.bc), "makes " + format_count(p.kv_tiles()) + " KV tiles; at most " + format_count(kMaxTilesPerSide) + " are walked",
                      "Try " + std::to_string((p.n_kv + kMaxTilesPerSide - 1) / kMaxTilesPerSide) + " or more"});
  if (!issues.empty()) return issues;

  if (!fits_in_63_bits(p)) {
    issues.push_back({"n-q x n-kv x heads x batch", format_count(p.n_q) + " x " + format_count(p.n_kv) + " x " + std::to_string(p.heads) + " x " + std::to_string(p.batch),
                      "makes a total of bytes or FLOPs of 2^63 or more", "Make one of them smaller"});
    return issues;
  }
  std::int64_t total = 0;
  const std::string sum = sum_text(peak_residents(p), total);
  if (total > p.sram_bytes)
    issues.push_back({"br x bc", std::to_string(p.br) + " x " + std::to_string(p.bc),
                      "needs " + sum + " = " + format_count(total) + " bytes on chip, and sram is " + format_count(p.sram_bytes),
                      "Make the tiles smaller, or set --sram " + std::to_string(total)});
  return issues;
}

void choose_default_splits(Problem& p) {
  if (p.schedule != ScheduleKind::SplitKv) p.splits = 1;
  else if (p.splits == 1) p.splits = std::min<std::int64_t>(4, p.kv_tiles());
}

void choose_default_tiles(Problem& p) {
  p.br = p.bc = 64;
  auto fits = [&] {
    std::int64_t total = 0;
    for (const Resident& r : peak_residents(p)) total += r.bytes;
    return total <= p.sram_bytes;
  };
  while (p.br > 1 && !fits()) p.br = p.bc = p.br / 2;
}

}  // namespace tilewalk
