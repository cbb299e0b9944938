// Paints ImGui's frames into a picture that persists, drawing only what has changed since the frame before, and shows
// it. A plain full redraw of a busy window takes some 20 ms in software; most steps change a tenth of it.
#pragma once

#include "render/framebuffer.h"
#include "ui/damage.h"

namespace tilewalk {

class FramePainter {
 public:
  // False if the frame is the same as the one before, and nothing was drawn.
  bool paint(ImDrawData&, int width, int height, ImU32 background);
  void repaint_all() { damage_.reset(); }
  void show() const;  // onto the default framebuffer of a window
  const Framebuffer& picture() const { return picture_; }

 private:
  Framebuffer picture_;
  Damage damage_;
};

}  // namespace tilewalk
