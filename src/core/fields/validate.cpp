#include "core/fields/validate.h"

#include <cmath>

#include "base/units.h"
#include "base/words.h"
#include "core/fields/fields.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kWidestWindow = std::int64_t(1) << 32;
constexpr std::int64_t kMaxTilesPerSide = std::int64_t(1) << 24;
// P is rounded to fp16 for its product with V. bf16 and fp32 can represent 2^64, and sums of 2^32 such values.
constexpr double kMostThresholdInFp16 = 15;

void check_range(Issues& issues, const char* field, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return;
  const std::int64_t nearest = value < low ? low : high;
  issues.push_back({field, std::to_string(value), "must be from " + format_count(low) + " to " + format_count(high),
                    "Try " + std::to_string(nearest)});
}

void check_range(Issues& issues, const Problem& p, const char* name) {
  const Field& field = *find_field(name);
  if (field.in_range(p)) return;
  const auto least = std::int64_t(field.range->least), most = std::int64_t(field.range->most);
  issues.push_back({name, field.text(p), "must be from " + format_count(least) + " to " + format_count(most),
                    "Try " + std::to_string(*field.number(p) < field.range->least ? least : most)});
}

bool fits_in_63_bits(const Problem& p) {
  // The largest total is bounded by visits over padded tiles times the costliest visit: 10 d + 128 operations or bytes
  // an element of a score tile, plus 64 d bytes a row and column of a tile.
  const long double q = (long double)p.q_tiles() * p.tiling.br, k = (long double)p.kv_tiles() * p.tiling.bc;
  const long double visits = (long double)p.q_tiles() * p.kv_tiles();
  const long double each = q * k * (10.0L * p.shape.d + 128) +
                           visits * (p.tiling.br + p.tiling.bc + 1) * (64.0L * p.shape.d + 64) +
                           (q + k) * (64.0L * p.shape.d + 64);
  const long double partials = row_of(p).settings.splits ? q * p.tiling.splits * (32.0L * p.shape.d + 64) : 0;
  return (each + partials) * p.shape.batch * p.shape.heads < 9.0e18L;
}

std::string sum_text(const std::vector<Resident>& residents, std::int64_t& total) {
  std::string text;
  total = 0;
  for (const Resident& r : residents) {
    if (r.bytes == 0) continue;
    add_to_list(text, std::string(name_of(r.tensor)) + " " + format_count(r.bytes), " + ");
    total += r.bytes;
  }
  return text;
}

}  // namespace

Issues validate(const Problem& p) {
  Issues issues;
  for (const char* name : {"batch", "heads", "kv-heads", "n-q", "n-kv", "d", "br", "bc", "sram"})
    check_range(issues, p, name);
  check_range(issues, "window left", p.shape.mask.left, 0, kWidestWindow);
  check_range(issues, "window right", p.shape.mask.right, 0, kWidestWindow);
  check_range(issues, p, "splits");
  if (p.tiling.splits > 1 && !row_of(p).settings.splits)
    issues.push_back(
        {"splits", std::to_string(p.tiling.splits), "is for schedule split_kv alone", "Try --schedule split_kv"});
  if (!find_field("threshold")->in_range(p))
    issues.push_back({"threshold", format_number(p.tiling.rescale_threshold), "must be from 0 to 64 in log2 units",
                      "Try 8, as FlashAttention-4 does"});
  else if (p.tiling.rescale_threshold > kMostThresholdInFp16 && p.numerics.dtype == DType::Fp16 &&
           row_of(p).settings.rescale_threshold)
    issues.push_back({"threshold", format_number(p.tiling.rescale_threshold),
                      "must be at most 15 in fp16: P grows to 2^threshold, and fp16 ends at 65,504, below 2^16",
                      "Try 8, as FlashAttention-4 does, or --dtype bf16"});
  check_range(issues, p, "stages");
  if (const char* why = why_stages_deadlock(p))
    issues.push_back({"stages", std::to_string(p.tiling.stages), why, row_of(p).lanes.way_out});
  if (p.numerics.narrow_scores && !row_of(p).settings.narrow_scores)
    issues.push_back({"narrow-scores", "on", "is for schedule standard alone, which writes S to HBM",
                      "Try --narrow-scores off, or --schedule standard"});
  else if (p.numerics.narrow_scores && !may_have_narrow_scores(p))
    issues.push_back({"narrow-scores", "on", "needs fp16 or bf16: S then has that type",
                      "Try --narrow-scores off, or --dtype bf16"});
  if (!find_field("exp2-share")->in_range(p))
    issues.push_back({"exp2-share", format_number(p.lanes.exp2_share), "must be from 0 to 1", "Try 0.25"});
  if (p.shape.kv_heads >= 1 && p.shape.heads >= 1 && p.shape.heads % p.shape.kv_heads != 0)
    issues.push_back(
        {"kv-heads", std::to_string(p.shape.kv_heads),
         "must divide heads = " + std::to_string(p.shape.heads) + ", so that each KV head serves as many query heads",
         p.shape.heads == 1 ? "Try 1" : "Try " + std::to_string(p.shape.heads) + " or 1"});
  if (!device_named(p.machine.device)) issues.push_back(no_such_device("device", p.machine.device));
  if (p.numerics.scale && !(std::isfinite(*p.numerics.scale) && std::fabs(*p.numerics.scale) <= 1e30 &&
                            std::fabs(*p.numerics.scale) >= 1e-30))
    issues.push_back({"scale", format_number(*p.numerics.scale),
                      "must be a finite number with a size from 1e-30 to 1e30", "Leave it out for 1/sqrt(d)"});
  if (!fault_applies(p.fault, p.schedule))
    issues.push_back(
        {"fault", name_of(p.fault),
         "has no meaning in schedule " + std::string(name_of(p.schedule)) + ", which " + no_fault_reason(p.schedule),
         "Try --schedule flash_v2"});
  if (!issues.empty()) return issues;

  if (p.q_tiles() > kMaxTilesPerSide)
    issues.push_back(
        {"br", std::to_string(p.tiling.br),
         "makes " + format_count(p.q_tiles()) + " Q tiles; at most " + format_count(kMaxTilesPerSide) + " are walked",
         "Try " + std::to_string((p.shape.n_q + kMaxTilesPerSide - 1) / kMaxTilesPerSide) + " or more"});
  if (p.kv_tiles() > kMaxTilesPerSide)
    issues.push_back(
        {"bc", std::to_string(p.tiling.bc),
         "makes " + format_count(p.kv_tiles()) + " KV tiles; at most " + format_count(kMaxTilesPerSide) + " are walked",
         "Try " + std::to_string((p.shape.n_kv + kMaxTilesPerSide - 1) / kMaxTilesPerSide) + " or more"});
  if (!issues.empty()) return issues;

  if (!fits_in_63_bits(p)) {
    issues.push_back({"n-q x n-kv x heads x batch",
                      format_count(p.shape.n_q) + " x " + format_count(p.shape.n_kv) + " x " +
                          std::to_string(p.shape.heads) + " x " + std::to_string(p.shape.batch),
                      "makes a total of bytes or FLOPs of 2^63 or more", "Make one of them smaller"});
    return issues;
  }
  std::int64_t total = 0;
  const std::string sum = sum_text(peak_residents(p), total);
  if (total > p.machine.sram_bytes)
    issues.push_back({"br x bc", std::to_string(p.tiling.br) + " x " + std::to_string(p.tiling.bc),
                      "needs " + sum + " = " + format_count(total) + " bytes on chip, and sram is " +
                          format_count(p.machine.sram_bytes),
                      "Make the tiles smaller, or set --sram " + std::to_string(total)});
  return issues;
}

void choose_default_splits(Problem& p) {
  if (!row_of(p).settings.splits)
    p.tiling.splits = 1;
  else if (p.tiling.splits == 1)
    p.tiling.splits = std::min<std::int64_t>(4, p.kv_tiles());
}

void choose_default_tiles(Problem& p) {
  p.tiling.br = p.tiling.bc = 64;
  while (p.tiling.br > 1 && peak_bytes(p) > p.machine.sram_bytes) p.tiling.br = p.tiling.bc = p.tiling.br / 2;
}

}  // namespace tilewalk
