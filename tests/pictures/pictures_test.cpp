// The README's pictures equal those that the program draws now: each line of assets/pictures/pictures.txt is drawn
// again and compared in squares of 16 x 16 pixels, so that another version of a font passes and another number, panel
// or colour does not.
#include <png.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;
};

Picture read_picture(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  INFO(path);
  REQUIRE(png_image_begin_read_from_file(&image, path.c_str()));
  image.format = PNG_FORMAT_RGB;
  Picture out{int(image.width), int(image.height), std::vector<unsigned char>(PNG_IMAGE_SIZE(image))};
  REQUIRE(png_image_finish_read(&image, nullptr, out.rgb.data(), 0, nullptr));
  return out;
}

constexpr int kSquare = 16;

double mean_of(const Picture& p, int x0, int y0, int channel) {
  double sum = 0;
  for (int y = y0; y < y0 + kSquare; ++y)
    for (int x = x0; x < x0 + kSquare; ++x) sum += p.rgb[std::size_t((y * p.width + x) * 3 + channel)];
  return sum / (kSquare * kSquare);
}

// Share of squares whose mean colour differs by more than the edges of glyphs explain.
double share_changed(const Picture& a, const Picture& b) {
  int squares = 0, changed = 0;
  for (int y = 0; y + kSquare <= a.height; y += kSquare)
    for (int x = 0; x + kSquare <= a.width; x += kSquare) {
      double most = 0;
      for (int c = 0; c < 3; ++c) most = std::max(most, std::abs(mean_of(a, x, y, c) - mean_of(b, x, y, c)));
      changed += most > 24;
      ++squares;
    }
  return double(changed) / squares;
}

}  // namespace

TEST_CASE("the README's pictures equal those that the program draws") {
  const std::string folder = std::string(TILEWALK_SOURCE_DIR) + "/assets/pictures/";
  std::ifstream list(folder + "pictures.txt");
  TemporaryFolder fresh;
  std::string line;
  int pictures = 0;
  while (std::getline(list, line)) {
    const std::string file = line.substr(0, line.find(' ')), flags = line.substr(file.size());
    const std::string drawn = fresh.file(file);
    REQUIRE(tilewalk_says("render --out '" + drawn + "'" + flags).exit == 0);
    const Picture kept = read_picture(folder + file), now = read_picture(drawn);
    INFO(file << ": draw it again with assets/pictures/draw.sh, and look at it");
    REQUIRE(now.width == kept.width);
    REQUIRE(now.height == kept.height);
    CHECK(share_changed(kept, now) < 0.004);
    ++pictures;
  }
  REQUIRE(pictures >= 2);
}

TEST_CASE("a picture of another step differs from the README's") {
  TemporaryFolder fresh;
  const std::string other = fresh.file("other.png");
  REQUIRE(tilewalk_says("render --out '" + other + "' --preset picture --step 52 --size 1600x900").exit == 0);
  const Picture kept = read_picture(std::string(TILEWALK_SOURCE_DIR) + "/assets/pictures/window.png");
  CHECK(share_changed(kept, read_picture(other)) > 0.004);
}
