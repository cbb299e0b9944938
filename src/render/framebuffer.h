// A picture in GL memory that can be drawn into and read back: RGBA, 8 bits, no depth. Needs a current context.
#pragma once

#include <cstdint>
#include <vector>

namespace tilewalk {

class Framebuffer {
 public:
  Framebuffer() = default;
  ~Framebuffer();
  Framebuffer(const Framebuffer&) = delete;
  Framebuffer& operator=(const Framebuffer&) = delete;

  bool resize(int width, int height);  // true if its contents are new (undefined); false if nothing changed
  void bind() const;                   // as the target, with a viewport of its whole size
  unsigned texture() const { return texture_; }
  unsigned name() const { return name_; }
  int width() const { return width_; }
  int height() const { return height_; }
  std::vector<std::uint8_t> read_rgb() const;  // top row first, 3 bytes a pixel

 private:
  unsigned name_ = 0, texture_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace tilewalk
