// Paints ImGui's frames into a persistent picture, drawing only what changed since the frame before, and shows it. A
// full redraw of a busy window takes some 20 ms in software; most steps change a tenth of it.
#pragma once

#include "render/framebuffer.h"
#include "ui/damage.h"

namespace tilewalk {

class FramePainter {
 public:
  // False if the frame equals the one before, and nothing was drawn.
  bool paint(ImDrawData&, int width, int height, ImU32 background);
  void repaint_all() { damage_.reset(); }
  void show() const;  // on the default framebuffer of a window
  const Framebuffer& picture() const { return picture_; }

 private:
  Framebuffer picture_;
  Damage damage_;
};

}  // namespace tilewalk
