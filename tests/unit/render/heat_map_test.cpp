#include "render/heat_map.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "render/offscreen_context.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

struct Pixel {
  int r, g, b;
};

// Two tiles side by side, 16 pixels each: their states, and one value for each.
ScoresModel two_tiles(TileState left, TileState right, float left_value, float right_value) {
  ScoresModel m;
  m.low = 0;
  m.high = 1;
  ScoresTexture& t = m.texture;
  t.width = 2;
  t.height = 1;
  t.values = std::make_shared<const std::vector<float>>(std::vector<float>{left_value, right_value});
  t.tiles_wide = 2;
  t.tiles_high = 1;
  t.tiles = {std::uint8_t(left), std::uint8_t(right)};
  t.tile_px_w = t.tile_px_h = 16;
  t.tiles_in_view_x = 2;
  t.tiles_in_view_y = 1;
  return m;
}

HeatMapColours colours() {
  HeatMapColours c;
  c.panel = {0, 0, 0};
  c.pending = {0, 0, 1};
  c.masked = {1, 0, 1};
  c.hatch = {1, 1, 1};
  c.hatch_fill = {0.5f, 0.5f, 0.5f};
  c.dim = 0;
  return c;
}

Pixel centre_of(unsigned texture, int tile) {
  std::vector<std::uint8_t> pixels(32 * 16 * 4);
  glBindTexture(GL_TEXTURE_2D, texture);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  const std::size_t at = std::size_t(8 * 32 + tile * 16 + 8) * 4;
  return {pixels[at], pixels[at + 1], pixels[at + 2]};
}

}  // namespace

TEST_CASE("the shader shows done tiles by value, pending tiles plain, masked values as masked") {
  auto gl = OffscreenContext::create();
  REQUIRE(gl.ok());
  auto made = HeatMap::create(TILEWALK_SOURCE_DIR "/shaders");
  REQUIRE(made.ok());
  HeatMap& map = **made;

  const unsigned done = map.draw(two_tiles(TileState::Done, TileState::Pending, 1.0f, 1.0f), 32, 16, colours());
  const Pixel yellow = centre_of(done, 0), plain = centre_of(done, 1);
  CHECK(yellow.r > 240);
  CHECK(yellow.g > 220);
  CHECK(yellow.b < 60);
  CHECK(plain.b == 255);
  CHECK(plain.r == 0);

  const unsigned masked = map.draw(
      two_tiles(TileState::Now, TileState::Done, -std::numeric_limits<float>::infinity(), 0.0f), 32, 16, colours());
  const Pixel magenta = centre_of(masked, 0), purple = centre_of(masked, 1);
  CHECK(magenta.r == 255);
  CHECK(magenta.g == 0);
  CHECK(purple.r > 50);
  CHECK(purple.r < 90);
  CHECK(purple.g < 10);
}

TEST_CASE("the heat map is redrawn only when it changes, and then under another name") {
  auto gl = OffscreenContext::create();
  REQUIRE(gl.ok());
  auto made = HeatMap::create(TILEWALK_SOURCE_DIR "/shaders");
  REQUIRE(made.ok());
  const ScoresModel first = two_tiles(TileState::Done, TileState::Pending, 0.5f, 0.5f);
  ScoresModel second = first;
  second.texture.tiles[1] = std::uint8_t(TileState::Now);
  const unsigned a = (*made)->draw(first, 32, 16, colours()), again = (*made)->draw(first, 32, 16, colours());
  CHECK(a == again);
  CHECK((*made)->draws() == 1);
  CHECK((*made)->draw(second, 32, 16, colours()) != a);
  CHECK((*made)->draws() == 2);
}

TEST_CASE("every pending tile has one line of one pixel around it, also where tiles are not whole pixels wide") {
  auto gl = OffscreenContext::create();
  REQUIRE(gl.ok());
  auto made = HeatMap::create(TILEWALK_SOURCE_DIR "/shaders");
  REQUIRE(made.ok());
  HeatMapColours c = colours();
  c.pending_line = {0, 1, 0};
  for (const int width : {400, 407, 408, 411, 424}) {
    INFO(width << " pixels for 16 tiles");
    ScoresModel m = two_tiles(TileState::Pending, TileState::Pending, 0, 0);
    ScoresTexture& t = m.texture;
    t.tiles_wide = 16;
    t.tiles.assign(16, std::uint8_t(TileState::Pending));
    t.tiles_in_view_x = 16;
    t.tile_px_w = width / 16.0;
    t.tile_px_h = 16;
    std::vector<std::uint8_t> pixels(std::size_t(width) * 16 * 4);
    glBindTexture(GL_TEXTURE_2D, (*made)->draw(m, width, 16, c));
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    std::string across;  // of a row in the middle: panel, line, tile
    for (int x = 0; x < width; ++x) {
      const std::uint8_t* p = &pixels[std::size_t(8 * width + x) * 4];
      across += p[1] > 128 ? '|' : p[2] > 128 ? '.' : ' ';
    }
    int tiles = 0;
    for (std::size_t at = across.find('|'); at != std::string::npos; at = across.find('|', at + 1), ++tiles) {
      const std::size_t end = across.find('|', at + 1);
      REQUIRE(end != std::string::npos);
      REQUIRE(across.substr(at + 1, end - at - 1) == std::string(end - at - 1, '.'));
      REQUIRE(across[end + 1] == ' ');
      at = end;
    }
    CHECK(tiles == 16);
  }
}

TEST_CASE("small pending tiles share lines of one pixel, and the smallest are filled instead") {
  auto gl = OffscreenContext::create();
  REQUIRE(gl.ok());
  auto made = HeatMap::create(TILEWALK_SOURCE_DIR "/shaders");
  REQUIRE(made.ok());
  HeatMapColours c = colours();
  c.pending_line = {0, 1, 0};
  constexpr int kInsideATile = 3;  // from either end, a row of pixels without a line between two rows of tiles
  const auto text_of_row = [&](int width, double tile, TileState last) {
    ScoresModel m = two_tiles(TileState::Pending, TileState::Pending, 0, 0);
    ScoresTexture& t = m.texture;
    t.tiles_wide = int(std::lround(width / tile));
    t.tiles.assign(std::size_t(t.tiles_wide), std::uint8_t(TileState::Pending));
    t.tiles.back() = std::uint8_t(last);
    t.tiles_in_view_x = width / tile;
    t.tile_px_w = t.tile_px_h = tile;
    t.tiles_in_view_y = 16 / tile;
    std::vector<std::uint8_t> pixels(std::size_t(width) * 16 * 4);
    glBindTexture(GL_TEXTURE_2D, (*made)->draw(m, width, 16, c));
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    std::string across;
    for (int x = 0; x < width; ++x) {
      const std::uint8_t* p = &pixels[std::size_t(kInsideATile * width + x) * 4];
      across += p[1] > 200 ? '|' : p[1] > 60 ? '+' : p[2] > 128 ? '.' : ' ';
    }
    return across;
  };
  for (const int width : {160, 141, 151}) {
    const std::string across = text_of_row(width, width / 16.0, TileState::Pending);
    INFO(across);
    CHECK(std::count(across.begin(), across.end(), '|') == 17);  // one between each two, and one at each end
    CHECK(across.find("||") == std::string::npos);
  }
  // The line between a pending and a skipped tile is there too.
  const std::string beside = text_of_row(160, 10, TileState::Skipped);
  CHECK(beside[150] == '|');
  const std::string fine = text_of_row(160, 2, TileState::Pending);
  CHECK(std::count(fine.begin(), fine.end(), '+') == 160);
}
