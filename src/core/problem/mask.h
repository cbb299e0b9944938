// Masks as bands. Row i sees the columns j with i + low <= j <= i + high, clipped to [0, n_kv).
// Every mask here is such a band, so tile classes and ranges are a few integer operations.
// Alignment: `Causal` and `Window` are top-left (j <= i); the bottom-right forms shift by n_kv - n_q, so that the last
// row sees the last column. PyTorch's is_causal is top-left, flash-attn >= 2.1 is bottom-right.
// Not modelled: arbitrary masks, block-sparse masks, dropout.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace tilewalk {

enum class MaskKind { None, Causal, CausalBottomRight, Window, WindowBottomRight };
constexpr bool is_causal(MaskKind kind) { return kind == MaskKind::Causal || kind == MaskKind::CausalBottomRight; }

// Full: nothing to mask and nothing ragged. Partial: the mask cuts through, or the tile is ragged.
// Skipped: wholly masked, never loaded. Pending: not reached yet (a state of the walk, never of the mask).
enum class TileClass { Full, Partial, Skipped, Pending };

struct Band {
  static constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::max() / 4;
  std::int64_t low = -kOpen;  // first visible column of row i is i + low
  std::int64_t high = kOpen;  // last visible column of row i is i + high

  std::int64_t first_col(std::int64_t row) const { return std::max<std::int64_t>(0, row + low); }
  // One past the last visible column; never below first_col's clip to n_kv, so end - first may be <= 0 for none.
  std::int64_t end_col(std::int64_t row, std::int64_t n_kv) const { return std::min(n_kv, row + high + 1); }
  bool allows(std::int64_t row, std::int64_t col) const { return col >= row + low && col <= row + high; }
};

struct Mask {
  MaskKind kind = MaskKind::None;
  std::int64_t left = 0;   // windows only: columns to the left of the diagonal, >= 0
  std::int64_t right = 0;  // windows only: columns to the right of it, >= 0

  bool operator==(const Mask&) const = default;
  Band band(std::int64_t n_q, std::int64_t n_kv) const;
};

struct TileRange {  // KV tiles [begin, end)
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t count() const { return end - begin; }
};

// KV tiles that rows [row_begin, row_end) must visit: those with at least one visible pair.
TileRange visited_kv_tiles(const Band&, std::int64_t row_begin, std::int64_t row_end, std::int64_t n_kv,
                           std::int64_t bc);

// Class of the tile rows [row_begin, row_end) x cols [col_begin, col_end); `ragged` if it is cut by an edge of the
// matrix.
TileClass classify_tile(const Band&, std::int64_t row_begin, std::int64_t row_end, std::int64_t col_begin,
                        std::int64_t col_end, bool ragged);

const char* name_of(TileClass);
std::string name_of(const Mask&);                   // "causal", "window:3:0"
std::optional<Mask> mask_from(const std::string&);  // nullopt if not one of the spellings

// Visible pairs of the whole matrix, exactly; O(1).
std::int64_t visible_pairs(const Band&, std::int64_t n_q, std::int64_t n_kv);

}  // namespace tilewalk
