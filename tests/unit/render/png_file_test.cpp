#include "render/png_file.h"

#include <png.h>

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a packed picture is read back the same") {
  Picture picture{7, 5, {}};
  for (int i = 0; i < 7 * 5 * 3; ++i) picture.rgb.push_back(std::uint8_t(i * 37));
  const std::vector<std::byte> bytes = png_bytes(picture);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()));
  image.format = PNG_FORMAT_RGB;
  CHECK(image.width == 7);
  CHECK(image.height == 5);
  std::vector<std::uint8_t> back(picture.rgb.size());
  REQUIRE(png_image_finish_read(&image, nullptr, back.data(), 0, nullptr));
  CHECK(back == picture.rgb);
}

TEST_CASE("data without the size of its picture is not packed") {
  CHECK(png_bytes({2, 2, {0, 0, 0}}).empty());
  CHECK(png_bytes({0, 0, {}}).empty());
}
