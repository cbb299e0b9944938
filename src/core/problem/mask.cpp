#include "core/problem/mask.h"

#include "base/parse.h"

namespace tilewalk {

Band Mask::band(std::int64_t n_q, std::int64_t n_kv) const {
  const std::int64_t shift = n_kv - n_q;
  switch (kind) {
    case MaskKind::None: return {};
    case MaskKind::Causal: return {-Band::kOpen, 0};
    case MaskKind::CausalBottomRight: return {-Band::kOpen, shift};
    case MaskKind::Window: return {-left, right};
    case MaskKind::WindowBottomRight: return {shift - left, shift + right};
  }
  return {};
}

TileRange visited_kv_tiles(const Band& band, std::int64_t row_begin, std::int64_t row_end, std::int64_t n_kv,
                           std::int64_t bc) {
  const std::int64_t first = band.first_col(row_begin);
  const std::int64_t end = band.end_col(row_end - 1, n_kv);
  if (first >= end) return {};
  return {first / bc, (end + bc - 1) / bc};
}

TileClass classify_tile(const Band& band, std::int64_t row_begin, std::int64_t row_end, std::int64_t col_begin,
                        std::int64_t col_end, bool ragged) {
  if (row_end - 1 + band.high < col_begin || row_begin + band.low >= col_end) return TileClass::Skipped;
  const bool open = row_end - 1 + band.low <= col_begin && row_begin + band.high >= col_end - 1;
  return open && !ragged ? TileClass::Full : TileClass::Partial;
}

const char* name_of(TileClass value) {
  switch (value) {
    case TileClass::Full: return "full";
    case TileClass::Partial: return "partial";
    case TileClass::Skipped: return "skipped";
    case TileClass::Pending: return "pending";
  }
  return "";
}

std::string name_of(const Mask& mask) {
  const std::string window = ":" + std::to_string(mask.left) + ":" + std::to_string(mask.right);
  switch (mask.kind) {
    case MaskKind::None: return "none";
    case MaskKind::Causal: return "causal";
    case MaskKind::CausalBottomRight: return "causal-bottom-right";
    case MaskKind::Window: return "window" + window;
    case MaskKind::WindowBottomRight: return "window-bottom-right" + window;
  }
  return "";
}

std::optional<Mask> mask_from(const std::string& text) {
  if (text == "none") return Mask{};
  if (text == "causal") return Mask{MaskKind::Causal};
  if (text == "causal-bottom-right") return Mask{MaskKind::CausalBottomRight};
  std::string_view rest = text;
  const std::string_view head = take_until(rest, ':'), left = take_until(rest, ':');
  Mask mask;
  if (head == "window")
    mask.kind = MaskKind::Window;
  else if (head == "window-bottom-right")
    mask.kind = MaskKind::WindowBottomRight;
  else
    return std::nullopt;
  const bool read = put(within<std::int64_t>(parse_integer(left), 0), mask.left) &&
                    put(within<std::int64_t>(parse_integer(rest), 0), mask.right);
  return read ? std::optional(mask) : std::nullopt;
}

namespace {

// Sum over i in [0, n) of clamp(i + t, 0, limit).
__int128 clamped_sum(std::int64_t n, std::int64_t t, std::int64_t limit) {
  const std::int64_t rise = std::clamp<std::int64_t>(1 - t, 0, n);         // first i with i + t > 0
  const std::int64_t flat = std::clamp<std::int64_t>(limit - t, rise, n);  // first i with i + t >= limit
  const __int128 slope = __int128(rise + t + flat - 1 + t) * (flat - rise) / 2;
  return slope + __int128(n - flat) * limit;
}

}  // namespace

std::int64_t visible_pairs(const Band& band, std::int64_t n_q, std::int64_t n_kv) {
  return std::int64_t(clamped_sum(n_q, band.high + 1, n_kv) - clamped_sum(n_q, band.low, n_kv));
}

}  // namespace tilewalk
