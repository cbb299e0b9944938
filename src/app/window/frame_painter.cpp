#include "app/window/frame_painter.h"

#include <cmath>

#include "app/window/imgui_backends.h"
#include "render/gl.h"

namespace tilewalk {

bool FramePainter::paint(ImDrawData& data, int width, int height, ImU32 background) {
  if (width <= 0 || height <= 0) return false;
  if (picture_.resize(width, height)) damage_.reset();
  const std::vector<draw::Rect>& rects = damage_.update(data);
  if (rects.empty()) return false;
  picture_.bind();
  const ImVec2 scale = data.FramebufferScale;
  glEnable(GL_SCISSOR_TEST);
  glClearColor(float(background & 255) / 255, float((background >> 8) & 255) / 255,
               float((background >> 16) & 255) / 255, 1);
  for (const draw::Rect& r : rects) {
    const int x0 = int(r.x0 * scale.x), x1 = int(std::ceil(r.x1 * scale.x)), y0 = int(r.y0 * scale.y),
              y1 = int(std::ceil(r.y1 * scale.y));
    glScissor(x0, height - y1, x1 - x0, y1 - y0);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  glDisable(GL_SCISSOR_TEST);
  const Filtered filtered(data, rects);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  return true;
}

void FramePainter::show() const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, picture_.name());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glDisable(GL_SCISSOR_TEST);
  glBlitFramebuffer(0, 0, picture_.width(), picture_.height(), 0, 0, picture_.width(), picture_.height(),
                    GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace tilewalk
