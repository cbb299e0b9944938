#include "render/png_file.h"

#include <png.h>

#include <filesystem>

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a picture written is the picture read") {
  const std::string path = (std::filesystem::temp_directory_path() / "tilewalk_png_test.png").string();
  std::vector<std::uint8_t> rgb;
  for (int i = 0; i < 7 * 5 * 3; ++i) rgb.push_back(std::uint8_t(i * 37));
  REQUIRE(write_png(path, 7, 5, rgb).ok());
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&image, path.c_str()));
  image.format = PNG_FORMAT_RGB;
  CHECK(image.width == 7);
  CHECK(image.height == 5);
  std::vector<std::uint8_t> back(rgb.size());
  REQUIRE(png_image_finish_read(&image, nullptr, back.data(), 0, nullptr));
  CHECK(back == rgb);
  std::filesystem::remove(path);
}

TEST_CASE("a folder that is not there and a picture of the wrong size are refused") {
  const auto nowhere = write_png("/no/such/folder/x.png", 1, 1, {0, 0, 0});
  REQUIRE_FALSE(nowhere.ok());
  CHECK(nowhere.issues()[0].field == "/no/such/folder/x.png");
  CHECK_FALSE(write_png("/tmp/x.png", 2, 2, {0, 0, 0}).ok());
}
