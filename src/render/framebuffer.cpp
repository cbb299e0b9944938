#include "render/framebuffer.h"

#include <algorithm>

#include "render/gl.h"

namespace tilewalk {

Framebuffer::~Framebuffer() {
  if (name_) glDeleteFramebuffers(1, &name_);
  if (texture_) glDeleteTextures(1, &texture_);
}

bool Framebuffer::resize(int width, int height) {
  if (width == width_ && height == height_ && name_) return false;
  width_ = width;
  height_ = height;
  if (!texture_) glGenTextures(1, &texture_);
  if (!name_) glGenFramebuffers(1, &name_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindFramebuffer(GL_FRAMEBUFFER, name_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
  return true;
}

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, name_);
  glViewport(0, 0, width_, height_);
}

std::vector<std::uint8_t> Framebuffer::read_rgb() const {
  const std::size_t wide = std::size_t(width_), high = std::size_t(height_);
  std::vector<std::uint8_t> upside_down(wide * high * 4), pixels(wide * high * 3);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, name_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.data());  // ES reads no three
  for (std::size_t y = 0; y < high; ++y) {
    const std::uint8_t* from = upside_down.data() + (high - 1 - y) * wide * 4;
    std::uint8_t* to = pixels.data() + y * wide * 3;
    for (std::size_t x = 0; x < wide; ++x) std::copy_n(from + x * 4, 3, to + x * 3);
  }
  return pixels;
}

}  // namespace tilewalk
