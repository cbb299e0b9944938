#include "render/framebuffer.h"

#include <epoxy/gl.h>

#include <cstring>

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
  const std::size_t row = std::size_t(width_) * 3;
  std::vector<std::uint8_t> upside_down(row * std::size_t(height_)), pixels(upside_down.size());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, name_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, upside_down.data());
  for (int y = 0; y < height_; ++y)
    std::memcpy(pixels.data() + row * std::size_t(y), upside_down.data() + row * std::size_t(height_ - 1 - y), row);
  return pixels;
}

}  // namespace tilewalk
