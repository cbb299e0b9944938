#include "render/png_file.h"

#include <png.h>

namespace tilewalk {

std::vector<std::byte> png_bytes(const Picture& picture) {
  const auto& [width, height, rgb] = picture;
  if (width <= 0 || height <= 0 || rgb.size() != std::size_t(width) * std::size_t(height) * 3) return {};
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(width);
  image.height = png_uint_32(height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::byte> bytes(size);
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, rgb.data(), width * 3, nullptr)) return {};
  bytes.resize(size);
  return bytes;
}

}  // namespace tilewalk
