#include "render/png_file.h"

#include <png.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace tilewalk {

Result<Done> write_png(const std::string& path, int width, int height, const std::vector<std::uint8_t>& rgb) {
  if (width <= 0 || height <= 0 || rgb.size() != std::size_t(width) * std::size_t(height) * 3)
    return Issue{path, "", "is not a picture of " + std::to_string(width) + " x " + std::to_string(height), ""};
  const std::string temporary = path + ".part";
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(width);
  image.height = png_uint_32(height);
  image.format = PNG_FORMAT_RGB;
  errno = 0;
  if (!png_image_write_to_file(&image, temporary.c_str(), 0, rgb.data(), width * 3, nullptr)) {
    const std::string why = errno ? std::strerror(errno) : image.message;
    std::remove(temporary.c_str());
    return Issue{path, "", "cannot be written: " + why, "Choose a folder that exists and may be written to"};
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) {
    std::remove(temporary.c_str());
    return Issue{path, "", "cannot be written: " + error.message(), "Choose another name"};
  }
  return Done{};
}

}  // namespace tilewalk
