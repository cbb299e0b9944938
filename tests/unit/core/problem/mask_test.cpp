#include "core/problem/mask.h"

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("causal is top-left and its bottom-right form lets the last row see the last column", "[unit]") {
  const Band top_left = Mask{MaskKind::Causal}.band(4, 16);
  REQUIRE(top_left.allows(0, 0));
  REQUIRE_FALSE(top_left.allows(0, 1));
  const Band bottom_right = Mask{MaskKind::CausalBottomRight}.band(4, 16);
  REQUIRE(bottom_right.allows(0, 12));
  REQUIRE_FALSE(bottom_right.allows(0, 13));
  REQUIRE(bottom_right.allows(3, 15));
}

TEST_CASE("a window sees LEFT columns before the diagonal and RIGHT after it", "[unit]") {
  const Band band = Mask{MaskKind::Window, 2, 1}.band(8, 8);
  for (std::int64_t i = 0; i < 8; ++i)
    for (std::int64_t j = 0; j < 8; ++j) REQUIRE(band.allows(i, j) == (j >= i - 2 && j <= i + 1));
}

TEST_CASE("the four by four causal picture has four diagonal tiles, six full and six skipped", "[unit]") {
  const Band band = Mask{MaskKind::Causal}.band(16, 16);
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t j = 0; j < 4; ++j) {
      const TileClass found = classify_tile(band, i * 4, i * 4 + 4, j * 4, j * 4 + 4, false);
      REQUIRE(found == (j < i ? TileClass::Full : j == i ? TileClass::Partial : TileClass::Skipped));
    }
  REQUIRE(visited_kv_tiles(band, 8, 12, 16, 4).end == 3);
}

TEST_CASE("rows without visible columns visit no tile", "[unit]") {
  const Band band = Mask{MaskKind::CausalBottomRight}.band(16, 4);
  REQUIRE(visited_kv_tiles(band, 0, 4, 4, 4).count() == 0);
  REQUIRE(visited_kv_tiles(band, 12, 16, 4, 4).count() == 1);
}

TEST_CASE("mask spellings are parsed back and misspellings are refused", "[unit]") {
  for (const char* text : {"none", "causal", "causal-bottom-right", "window:3:0", "window-bottom-right:12:5"}) {
    REQUIRE(mask_from(text).has_value());
    REQUIRE(name_of(*mask_from(text)) == text);
  }
  for (const char* text : {"", "casual", "window", "window:", "window:3", "window:3:", "window:-1:2", "window:1:2:3",
                           "window:1: 2", "window:99999999999999999999:0"})
    REQUIRE_FALSE(mask_from(text).has_value());
}
